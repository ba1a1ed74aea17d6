// How the words in the field of the search may go on: a list below it (a combobox of the ARIA
// Authoring Practices). Without this file the search works.
(() => {
  "use strict";

  const WAIT = 150;

  const field = () => document.getElementById("search_q");
  const list = () => document.getElementById("search-suggested");
  const marked = () => list().querySelector("[aria-selected=true]");
  let timer = 0;
  let asking = new AbortController();

  const close = () => {
    clearTimeout(timer);
    asking.abort();
    list().hidden = true;
    list().replaceChildren();
    field().setAttribute("aria-expanded", "false");
    field().removeAttribute("aria-activedescendant");
  };

  const ask = async () => {
    asking = new AbortController();
    const { signal } = asking;
    const address = new URL(list().parentElement.dataset.suggestions, location.href);
    address.searchParams.set("q", field().value);
    try {
      const answer = await fetch(address, { signal });
      if (!answer.ok) return;
      const html = await answer.text();
      // The field may be another one, or without the focus, since then.
      if (signal.aborted || document.activeElement !== field()) return;
      list().innerHTML = html;
      list().hidden = list().childElementCount === 0;
      field().setAttribute("aria-expanded", String(!list().hidden));
    } catch {
      // Without an answer nothing is suggested.
    }
  };

  const mark = (option) => {
    marked()?.setAttribute("aria-selected", "false");
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) field().setAttribute("aria-activedescendant", option.id);
    else field().removeAttribute("aria-activedescendant");
  };

  const choose = ({ dataset }) => {
    field().value = dataset.text;
    close();
    field().form.requestSubmit();
  };

  // The server's page has a field without a list: it needs this file.
  const begin = () => {
    for (const [name, value] of Object.entries({
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-controls": "search-suggested",
      "aria-expanded": "false",
    })) field().setAttribute(name, value);
  };

  document.addEventListener("input", ({ target, isComposing }) => {
    if (target !== field()) return;
    close();
    const { value, selectionStart } = target;
    // Words in the middle of the text are changed, they do not go on.
    if (value.trim() && selectionStart === value.length && !isComposing) timer = setTimeout(ask, WAIT);
  });
  document.addEventListener("compositionend", ({ target }) => {
    if (target === field()) timer = setTimeout(ask, WAIT);
  });
  document.addEventListener("keydown", (event) => {
    const { key, target, isComposing } = event;
    if (target !== field() || list().hidden || isComposing) return;
    // Behind the last option comes the field itself.
    const ring = [null, ...list().children];
    const place = ring.indexOf(marked());
    if (key === "ArrowDown") mark(ring[(place + 1) % ring.length]);
    else if (key === "ArrowUp") mark(ring.at(place - 1));
    else if (key === "Enter" && marked()) choose(marked());
    else if (key === "Escape") close();
    else return;
    event.preventDefault();
  });
  // A press on the list leaves the focus in the field.
  document.addEventListener("mousedown", (event) => {
    if (list().contains(event.target)) event.preventDefault();
  });
  document.addEventListener("click", ({ target }) => {
    const option = target.closest("#search-suggested > li");
    if (option) choose(option);
  });
  document.addEventListener("focusout", ({ target }) => { if (target === field()) close(); });
  document.addEventListener("submit", ({ target }) => { if (target === field().form) close(); });
  document.addEventListener("htmx:afterSettle", begin);
  begin();
})();
