// Finds text of the open page that does not fit, runs over an edge, or lies on other text.
// Returns a list of sentences.
() => {
  const found = new Set();
  const short = (text) => text.replace(/\s+/g, " ").trim().slice(0, 70);
  const where = (element) =>
    element.tagName.toLowerCase() +
    (element.id ? `#${element.id}` : "") +
    [...element.classList].map((name) => `.${name}`).join("");

  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    found.add(`the page scrolls sideways: ${root.scrollWidth} > ${root.clientWidth}`);
  }
  const seen = (element) => {
    const box = element.getBoundingClientRect();
    return (
      box.width > 1 && box.height > 1 &&
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      !element.closest(".sr-only, .skip, svg, [hidden]")
    );
  };
  const edge = root.clientWidth;
  for (const element of document.querySelectorAll("body *")) {
    if (!seen(element)) continue;
    const style = getComputedStyle(element);
    if (style.display === "inline" || style.clipPath !== "none") continue;
    const clips = style.overflowX !== "visible";
    const scrolls = ["auto", "scroll"].includes(style.overflowX);
    // The area around a mark that a finger can press is larger than the mark, and holds no text.
    if (getComputedStyle(element, "::after").position === "absolute" && !clips && textFits(element)) continue;
    if (element.scrollWidth > element.clientWidth + 1 && !scrolls) {
      if (!element.matches("select, option, input, textarea") && (clips || hasText(element))) {
        found.add(
          `does not fit: ${where(element)} ${element.scrollWidth} > ${element.clientWidth}: ` +
            short(element.innerText ?? ""),
        );
      }
    }
  }
  function hasText(element) {
    return [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  }
  function textFits(element) {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect().width <= element.clientWidth + 1;
  }
  // Text beyond the edge of the screen: on one side it cannot even be scrolled to.
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const places = [];
  while (words.nextNode()) {
    const node = words.currentNode;
    const element = node.parentElement;
    if (!node.data.trim() || !seen(element)) continue;
    range.selectNodeContents(node);
    for (const whole of range.getClientRects()) {
      const box = shown(whole, element);
      if (box.right - box.left < 2 || box.bottom - box.top < 2) continue;
      if (box.left < -1 || box.right > edge + 1) {
        if (!scrolling(element)) found.add(`over the edge: ${short(node.data)} (${where(element)})`);
      }
      places.push([box, element, node]);
    }
  }
  // The part of a box that is visible inside all elements that clip it.
  function shown(box, element) {
    let { left, right, top, bottom } = box;
    for (let it = element; it && it !== document.body; it = it.parentElement) {
      const style = getComputedStyle(it);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const frame = it.getBoundingClientRect();
      left = Math.max(left, frame.left);
      right = Math.min(right, frame.right);
      top = Math.max(top, frame.top);
      bottom = Math.min(bottom, frame.bottom);
    }
    return { left, right, top, bottom };
  }
  function scrolling(element) {
    for (let it = element; it; it = it.parentElement) {
      if (["auto", "scroll"].includes(getComputedStyle(it).overflowX)) return true;
    }
    return false;
  }
  // Text over text.
  places.sort((one, other) => one[0].top - other[0].top);
  places.forEach(([box, element, node], at) => {
    for (let next = at + 1; next < places.length; next += 1) {
      const [other, beside, text] = places[next];
      if (other.top > box.bottom - 4) break;
      const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
      const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
      // Letters may extend beyond their line box; how far depends on the font.
      const reach = Math.max(5, 0.35 * Math.min(box.bottom - box.top, other.bottom - other.top));
      if (across > 4 && down > reach && node !== text && !fixed(element) && !fixed(beside)) {
        found.add(`one over the other: ${short(node.data)} (${where(element)}) and ${short(text.data)}`);
      }
    }
  });
  function fixed(element) {
    for (let it = element; it; it = it.parentElement) {
      if (["fixed", "sticky"].includes(getComputedStyle(it).position)) return true;
    }
    return false;
  }
  return [...found];
}
