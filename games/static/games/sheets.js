// The tabs beside the table: the browser keeps the chosen one, and what is folded in it opens.
(() => {
  "use strict";

  const tabs = document.querySelector(".sheet-tabs");
  if (!tabs) return;
  const kept = "sheet";
  const open = () => {
    const { value } = tabs.querySelector(":checked");
    const fold = { past: "history-fold", notes: "notes" }[value];
    document.getElementById(fold)?.setAttribute("open", "");
    try {
      sessionStorage.setItem(kept, value);
    } catch {
      // In a private window the choice is not stored.
    }
  };
  try {
    const known = tabs.querySelector(`[value="${CSS.escape(sessionStorage.getItem(kept) ?? "")}"]`);
    if (known) known.checked = true;
  } catch {
    // Without storage, the chat is shown first.
  }
  tabs.addEventListener("change", open);
  if (matchMedia("(min-width: 1180px)").matches) open();
})();
