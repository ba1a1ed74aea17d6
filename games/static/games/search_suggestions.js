// A list of suggestions below a field of the search (a combobox of the ARIA Authoring Practices).
// Without this file the search works.
(() => {
  "use strict";

  const WAIT = 150;

  const boxOf = (element) => element.closest?.("[data-suggestions]") ?? null;
  const fieldOf = (box) => box.querySelector("input:not([type=hidden])");
  const listOf = (box) => box.querySelector("[role=listbox]");
  const marked = (box) => listOf(box).querySelector("[aria-selected=true]");
  // The box of a field in which the user types, if this element is one.
  const typedIn = (element) => {
    const box = boxOf(element);
    return box && element === fieldOf(box) ? box : null;
  };
  let timer = 0;
  let asking = new AbortController();

  const close = (box) => {
    clearTimeout(timer);
    asking.abort();
    listOf(box).hidden = true;
    listOf(box).replaceChildren();
    fieldOf(box).setAttribute("aria-expanded", "false");
    fieldOf(box).removeAttribute("aria-activedescendant");
  };

  const ask = async (box) => {
    asking = new AbortController();
    const { signal } = asking;
    const address = new URL(box.dataset.suggestions, location.href);
    address.searchParams.set("q", fieldOf(box).value);
    try {
      const answer = await fetch(address, { signal });
      if (!answer.ok) return;
      const html = await answer.text();
      // The field may be another one, or without the focus, since then.
      if (signal.aborted || document.activeElement !== fieldOf(box)) return;
      const list = listOf(box);
      list.innerHTML = html;
      list.hidden = list.childElementCount === 0;
      [...list.children].forEach((option, place) => { option.id = `${list.id}-${place}`; });
      fieldOf(box).setAttribute("aria-expanded", String(!list.hidden));
    } catch {
      // Without an answer nothing is suggested.
    }
  };
  const askSoon = (box) => { timer = setTimeout(() => ask(box), WAIT); };

  const mark = (box, option) => {
    marked(box)?.setAttribute("aria-selected", "false");
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) fieldOf(box).setAttribute("aria-activedescendant", option.id);
    else fieldOf(box).removeAttribute("aria-activedescendant");
  };

  const choose = (box, { dataset }) => {
    const field = fieldOf(box);
    field.value = dataset.text;
    close(box);
    if ("searchesAtOnce" in box.dataset) field.form.requestSubmit();
  };

  // Without this file the fields are no comboboxes, so the server's page does not call them so.
  const begin = () => {
    for (const box of document.querySelectorAll("[data-suggestions]"))
      for (const [name, value] of Object.entries({
        role: "combobox",
        "aria-autocomplete": "list",
        "aria-controls": listOf(box).id,
        "aria-expanded": "false",
      })) fieldOf(box).setAttribute(name, value);
  };

  document.addEventListener("input", ({ target, isComposing }) => {
    const box = typedIn(target);
    if (!box) return;
    close(box);
    const { value, selectionStart } = target;
    // Only words at the end of the text are completed.
    if (value.trim() && selectionStart === value.length && !isComposing) askSoon(box);
  });
  document.addEventListener("compositionend", ({ target }) => {
    const box = typedIn(target);
    if (box) askSoon(box);
  });
  document.addEventListener("keydown", (event) => {
    const { key, target, isComposing } = event;
    const box = typedIn(target);
    if (!box || listOf(box).hidden || isComposing) return;
    // Behind the last option comes the field itself.
    const ring = [null, ...listOf(box).children];
    const place = ring.indexOf(marked(box));
    if (key === "ArrowDown") mark(box, ring[(place + 1) % ring.length]);
    else if (key === "ArrowUp") mark(box, ring.at(place - 1));
    else if (key === "Enter" && marked(box)) choose(box, marked(box));
    else if (key === "Escape") close(box);
    else return;
    event.preventDefault();
  });
  // A press on the list leaves the focus in the field.
  document.addEventListener("mousedown", (event) => {
    if (event.target.closest("[data-suggestions] > [role=listbox]")) event.preventDefault();
  });
  document.addEventListener("click", ({ target }) => {
    const option = target.closest("[data-suggestions] > [role=listbox] > [role=option]");
    if (option) choose(boxOf(option), option);
  });
  document.addEventListener("focusout", ({ target }) => { if (typedIn(target)) close(boxOf(target)); });
  document.addEventListener("submit", ({ target }) => {
    for (const box of target.querySelectorAll("[data-suggestions]")) close(box);
  });
  document.addEventListener("htmx:afterSettle", begin);
  begin();
})();
