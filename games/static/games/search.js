// The search for finished games: where the focus goes, and menus. Without this file everything works.
(() => {
  "use strict";

  // The keyboard of a touch screen covers what a search finds, so it goes when the search begins.
  document.addEventListener("submit", ({ target }) => {
    const field = document.activeElement;
    if (!target.matches("[data-leaves-field]") || !target.contains(field)) return;
    if (field.matches("input") && matchMedia("(pointer: coarse)").matches) field.blur();
  });

  // On a phone, a button below long filters and a name in the list lead to what they found.
  let leadsTo = "";
  document.addEventListener("htmx:beforeRequest", ({ detail: { elt, requestConfig } }) => {
    const pressed = requestConfig.triggeringEvent?.submitter ?? elt;
    leadsTo = matchMedia("(max-width: 599px)").matches ? pressed.dataset.leadsTo : "";
  });
  document.addEventListener("htmx:afterSettle", () => {
    if (!leadsTo) return;
    // A filter with an error needs another value.
    const wrong = document.querySelector("#search-more .wrong :is(input:not([type=hidden]), select)");
    if (wrong) {
      wrong.focus({ preventScroll: true });
      wrong.scrollIntoView({ block: "center" });
      return;
    }
    // The open filters would stand between the words and what they found.
    document.getElementById("search-more").open = false;
    const address = new URL(location.href);
    address.searchParams.delete("more");
    history.replaceState(history.state, "", address);
    document.getElementById(leadsTo)?.focus({ preventScroll: true });
    // The words, what filters, and what was found stand below each other.
    document.getElementById("search-form").scrollIntoView();
  });

  // If no answer comes, the list still shows the search before.
  const lost = () => document.getElementById("search-lost");
  document.addEventListener("htmx:beforeRequest", () => { lost().hidden = true; });
  for (const failure of ["htmx:sendError", "htmx:timeout", "htmx:responseError"])
    document.addEventListener(failure, () => { lost().hidden = false; });
  addEventListener("online", () => {
    if (!lost().hidden) document.getElementById("search-form").requestSubmit();
  });

  // A menu closes by Escape, and by a press or the focus outside it.
  const menu = () => document.querySelector("details[data-menu][open]");
  let isClosed = false;
  for (const left of ["pointerdown", "focusin"])
    document.addEventListener(left, ({ target, type }) => {
      const isOutside = menu() !== null && !menu().contains(target);
      if (isOutside) menu().open = false;
      if (type === "pointerdown") isClosed = isOutside;
    });
  // The press that closes a menu opens no game below it.
  document.addEventListener("click", (event) => {
    if (isClosed && event.target.closest(".found-game")) event.preventDefault();
    isClosed = false;
  });
  // What hangs below the window is scrolled into it.
  document.addEventListener("toggle", ({ target }) => {
    if (target.open && target.matches("[data-menu]")) target.lastElementChild.scrollIntoView({ block: "nearest" });
  }, true);
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !menu()) return;
    const { firstElementChild: summary } = menu();
    menu().open = false;
    summary.focus();
  });
})();
