// A tap on a mark at a seat, a power on the track or a pile opens the rules of this table where they
// explain it: at the entry with the same drawing. The button beside the piles opens them too, and the
// marks are asked for when they are first needed.
(() => {
  "use strict";

  const MARKS = ".marks > li, .space-power, .space-veto, .placard, .piles > div, .tracker";

  const drawing = (element) => element.querySelector("use")?.getAttribute("href").split("#")[1];

  document.addEventListener("click", async ({ target }) => {
    const mark = target.closest(".board")?.contains(target) && target.closest(MARKS);
    if (!mark || target.closest("a, button")) return;
    const rules = document.getElementById("rules-of-table");
    const name = drawing(mark);
    if (!rules || !name) return;
    const find = () => [...rules.querySelectorAll(".powers > li")].find((one) => drawing(one) === name);
    const later = rules.querySelector(".later");
    if (later && !find()) {
      // Without a network nothing is explained.
      await htmx.ajax("GET", later.href, { target: later, swap: "outerHTML" }).catch(() => {});
    }
    const entry = find();
    if (!entry) return;
    rules.querySelector(".explained")?.classList.remove("explained");
    entry.classList.add("explained");
    if (!rules.matches(":popover-open")) rules.showPopover();
    entry.scrollIntoView({ block: "center" });
  });
})();
