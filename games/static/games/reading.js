// The rulebook's contents mark the chapter that is being read. On a phone, its name stands beside
// the way back to the contents.
(() => {
  "use strict";

  const links = [...document.querySelectorAll(".rulebook-contents ol a")];
  const chapters = links.map(({ hash }) => document.querySelector(hash));
  const name = document.querySelector("[data-reading]");
  let current;
  const look = () => {
    const tops = chapters.map((chapter) => chapter.getBoundingClientRect().top);
    // People read at a third of the window. Near the page's end that place moves down, or the last
    // chapters would never come to it.
    const third = innerHeight / 3;
    const rest = document.documentElement.scrollHeight - innerHeight - scrollY;
    const place = third + Math.max(0, innerHeight - third - rest);
    let now = tops.findLastIndex((top) => top <= place);
    // What a link has just led to is read, however short it is.
    const aim = chapters.indexOf(document.querySelector(":target")?.closest(".chapter"));
    if (tops[aim] >= 0 && tops[aim] < (rest < 2 ? innerHeight : 48)) now = aim;
    if (links[now] === current) return;
    current?.removeAttribute("aria-current");
    current = links[now];
    current?.setAttribute("aria-current", "location");
    name.textContent = current ? `${now + 1}. ${current.textContent}` : "";
    const contents = current?.closest("nav");
    if (contents?.scrollHeight > contents?.clientHeight) current.scrollIntoView({ block: "nearest" });
  };

  let waits = false;
  const lookSoon = () => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => { waits = false; look(); });
  };
  addEventListener("scroll", lookSoon, { passive: true });
  for (const change of ["resize", "hashchange"]) addEventListener(change, lookSoon);
  look();
})();
