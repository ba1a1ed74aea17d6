// A tap on a mark at a seat, a ballot, a track, its spaces or counts, or a pile, and on a term in a sentence, opens
// the rules of this table where they explain it: at the entry with the same drawing. The button beside
// the piles opens them too, and the marks are asked for when they are first needed. A term that these
// rules do not list leads to the full rules, as it does without this script.
(() => {
  "use strict";

  const MARKS = ".marks > li, .seat-ballot, .space-power, .space-veto, .space, .track h3, .placard, .piles > div, .tracker, .counts > span";
  // What explains a mark that has no drawing, or one that the rules do not list.
  const OTHERS = { ".seat-ballot": "voted", ".space": "policy", ".track h3": "win", ".counts > span": "policy" };
  // What explains a term, unless its drawing has its name.
  const TERMS = { limits: "limited", tracker: "chaos", reshuffle: "discard", "hitler-check": "emblem-hitler", "special-election": "special_election" };

  const drawings = (element) => [...element.querySelectorAll("use")]
    .map((use) => use.getAttribute("href").split("#")[1]);

  const explain = async (names) => {
    const rules = document.getElementById("rules-of-table");
    const find = (name) =>
      [...rules.querySelectorAll(".powers > li")].find((one) => drawings(one).includes(name))
      ?? (name === "powers" ? rules.querySelector(".powers") : null);
    // First the rules come, and then their marks.
    for (let asked; !find(names[0]); ) {
      const later = rules.querySelector(".later");
      if (!later || later === asked) break;
      asked = later;
      // Without a network nothing is explained.
      await htmx.ajax("GET", later.dataset.hxGet, { source: later }).catch(() => {});
      // They may be on their way already, and then this one was not sent.
      for (let wait = 40; wait && later.isConnected; wait--)
        await new Promise((go) => { setTimeout(go, 50); });
    }
    const entry = names.map(find).find(Boolean);
    if (!entry) return false;
    rules.querySelector(".explained")?.classList.remove("explained");
    entry.classList.add("explained");
    if (!rules.matches(":popover-open")) rules.showPopover();
    entry.scrollIntoView({ block: "center" });
    // Screen readers read what has the focus; closing the rules gives it back.
    entry.tabIndex = -1;
    entry.focus({ preventScroll: true });
    return true;
  };

  // A press beside open rules closes them, and does nothing else: it was not meant for what is behind.
  let isBeside = false;
  document.addEventListener("pointerdown", ({ target }) => {
    const open = document.querySelector(".popover:popover-open");
    isBeside = open !== null && !open.contains(target);
  }, true);
  document.addEventListener("click", (event) => {
    if (!isBeside || event.detail === 0) return;
    isBeside = false;
    event.preventDefault();
    event.stopPropagation();
  }, true);

  // The entry that a mark led to is highlighted until the rules close.
  document.addEventListener("toggle", ({ target, newState }) => {
    if (newState === "closed") target.querySelector(".explained")?.classList.remove("explained");
  }, true);

  // Where there is an icon alone, its words show under a pointer.
  document.addEventListener("pointerover", ({ target }) => {
    const icon = target.closest(":is(.marks > li, .switch > button):not([title])");
    if (icon) icon.title = icon.textContent.trim();
  });

  document.addEventListener("click", async (event) => {
    const { target } = event;
    if (!document.getElementById("rules-of-table")) return;
    const term = target.closest("a.to-rule");
    if (term) {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const anchor = term.hash.slice(1);
      if (!(await explain([TERMS[anchor] ?? anchor]))) location.assign(term.href);
      return;
    }
    const mark = target.closest(".board, .counts") && target.closest(MARKS);
    if (!mark || target.closest("a, button")) return;
    const other = Object.keys(OTHERS).find((selector) => mark.matches(selector));
    const names = [...drawings(mark).map((name) => TERMS[name] ?? name), OTHERS[other]].filter(Boolean);
    if (names.length) await explain(names);
  });
})();
