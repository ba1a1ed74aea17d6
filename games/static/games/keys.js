// The keys of a table: J and N vote, digits move to a seat or a card, Enter confirms, the space bar
// lets the next bot move, ? shows the list, where the keys can be turned off. Each works on the button that shows it.
(() => {
  "use strict";

  const STORED = "keys";

  const list = document.getElementById("keys");
  if (!list) return;
  const box = list.querySelector("input");
  const stored = () => {
    try {
      return localStorage.getItem(STORED);
    } catch {
      return null;
    }
  };
  box.checked = stored() !== "off";

  const buttons = () => [...document.querySelectorAll("#panel-action button[data-key]")];

  // A tooltip names the key, next to what the button does.
  const label = () => {
    document.documentElement.classList.toggle("has-keys", box.checked);
    for (const button of buttons()) {
      if (box.checked) {
        button.title = list.dataset.tooltip.replace("%s", button.dataset.key);
        button.setAttribute("aria-keyshortcuts", button.dataset.key);
      } else {
        button.removeAttribute("title");
        button.removeAttribute("aria-keyshortcuts");
      }
    }
  };
  label();
  let settling = 0;
  document.addEventListener("htmx:oobAfterSwap", () => {
    clearTimeout(settling);
    settling = setTimeout(label, 30);
  });

  box.addEventListener("change", () => {
    label();
    try {
      localStorage.setItem(STORED, box.checked ? "on" : "off");
    } catch {
      // In a private window the choice holds until the page is left.
    }
  });

  const TYPING = "input:not([type=radio], [type=checkbox]), select, textarea, [contenteditable]";

  // On keyboards of other scripts the letter J stands where J is printed; digits may need Shift.
  const keyOf = ({ key, code, shiftKey }) => {
    if (/^[a-z0-9]$/i.test(key)) return key.toUpperCase();
    return shiftKey ? "" : (/^(?:Key([JN])|(?:Digit|Numpad)(\d))$/.exec(code)?.slice(1).join("") ?? "");
  };

  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (event.defaultPrevented || event.isComposing || event.repeat) return;
    if (event.ctrlKey || event.altKey || event.metaKey || target.closest(TYPING)) return;
    if (!box.checked) return;
    if (key === "?") {
      event.preventDefault();
      list.togglePopover();
      return;
    }
    if (document.querySelector(":popover-open, dialog[open]")) return;
    if (key === " ") {
      // On a button or summary, the space bar presses it.
      const next = document.querySelector("[data-space]");
      if (!next || target.closest("button, a, summary, input")) return;
      event.preventDefault();
      next.click();
      return;
    }
    const offered = buttons();
    if (key === "Enter") {
      // On a button or link, the browser itself confirms.
      const isFree = target === document.body || target.id === "main" || target.id === "panel-action";
      if (!isFree || offered.length !== 1) return;
      event.preventDefault();
      offered[0].click();
      return;
    }
    const pressed = keyOf(event);
    const button = pressed && offered.find((one) => one.dataset.key === pressed);
    if (!button || button.disabled) return;
    event.preventDefault();
    button.focus();
    // A ballot can be changed. Other moves are final, so they wait for Enter.
    if (button.value.startsWith("vote:")) button.click();
  });
})();
