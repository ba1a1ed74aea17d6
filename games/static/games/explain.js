// A tap on a mark at a seat, a ballot, a track, its spaces or a pile opens the rules of this table where
// they explain it: at the entry with the same drawing. The button beside the piles opens them too, and
// the marks are asked for when they are first needed.
(() => {
  "use strict";

  const MARKS = ".marks > li, .seat-ballot, .space-power, .space-veto, .space, .track h3, .placard, .piles > div, .tracker";
  // What explains a mark that has no drawing, or one that the rules do not list.
  const OTHERS = { ".seat-ballot": "voted", ".space": "policy", ".track h3": "win" };

  const drawings = (element) => [...element.querySelectorAll("use")]
    .map((use) => use.getAttribute("href").split("#")[1]);

  document.addEventListener("click", async ({ target }) => {
    const mark = target.closest(".board")?.contains(target) && target.closest(MARKS);
    if (!mark || target.closest("a, button")) return;
    const rules = document.getElementById("rules-of-table");
    const other = Object.keys(OTHERS).find((selector) => mark.matches(selector));
    const names = [...drawings(mark), OTHERS[other]].filter(Boolean);
    if (!rules || !names.length) return;
    const find = (name) =>
      [...rules.querySelectorAll(".powers > li")].find((one) => drawings(one).includes(name));
    // First the rules come, and then their marks.
    for (let asked; !find(names[0]); ) {
      const later = rules.querySelector(".later");
      if (!later || later === asked) break;
      asked = later;
      // Without a network nothing is explained.
      await htmx.ajax("GET", later.dataset.hxGet, { source: later }).catch(() => {});
    }
    const entry = names.map(find).find(Boolean);
    if (!entry) return;
    rules.querySelector(".explained")?.classList.remove("explained");
    entry.classList.add("explained");
    if (!rules.matches(":popover-open")) rules.showPopover();
    entry.scrollIntoView({ block: "center" });
  });
})();
