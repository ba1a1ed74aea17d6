// The tabs beside the table: the browser keeps the chosen one, what is folded in it opens, and the
// log and the governments count what is new. talk.js counts the chat.
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
    // Before the game, its log is no tab.
    if (known?.getClientRects().length) known.checked = true;
  } catch {
    // Without storage, the chat is shown first.
  }
  tabs.addEventListener("change", open);
  if (matchMedia("(min-width: 73.75em)").matches) open();

  // By tab: its panel, its rows from the newest, and what counts in a row if that is not the row. A
  // page opens without the older rows, so what was seen is kept as the newest row and its count.
  const counted = {
    log: [".panel-log", "#rows-log > .minutes-round", ".line"],
    past: [".past", "#rows-history > .term:not(:has(.unsettled))"],
  };
  const seenAt = `sheets.${document.querySelector("[data-talk]").dataset.talk}`;
  let seen = {};
  try {
    seen = JSON.parse(sessionStorage.getItem(seenAt)) ?? {};
  } catch {
    // Without storage, what is there now counts as seen.
  }
  const look = () => {
    for (const [tab, [panel, selector, part]] of Object.entries(counted)) {
      const rows = [...document.querySelectorAll(selector)];
      const countIn = (row) => (part ? row.querySelectorAll(part).length : 1);
      const isRead = !document.hidden && document.querySelector(panel).getClientRects().length > 0;
      if (isRead || seen[tab] === undefined)
        seen[tab] = [rows[0]?.id ?? "", rows[0] ? countIn(rows[0]) : 0];
      const [id, count] = seen[tab];
      const at = rows.findIndex((row) => row.id === id);
      const newer = (at < 0 ? rows : rows.slice(0, at)).reduce((sum, row) => sum + countIn(row), 0);
      const fresh = Math.max(0, at < 0 ? newer : newer + countIn(rows[at]) - count);
      const badge = tabs.querySelector(`[data-new="${tab}"]`);
      badge.textContent = fresh > 99 ? "99+" : fresh || "";
      badge.hidden = fresh === 0;
    }
    try {
      sessionStorage.setItem(seenAt, JSON.stringify(seen));
    } catch {
      // As above.
    }
  };
  let settling = 0;
  document.addEventListener("htmx:oobAfterSwap", () => {
    clearTimeout(settling);
    settling = setTimeout(look, 30);
  });
  tabs.addEventListener("change", look);
  document.addEventListener("visibilitychange", look);
  look();
})();
