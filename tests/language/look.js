// Finds faults of the open page: strings without a translation, and text that does not fit.
// Returns a list of sentences. `turned` says that the page is read from right to left; `codes`
// are words that are not translated, such as the codes of tables and the names of authors.
({ turned, codes }) => {
  const found = new Set();
  // Names of cities, countries, languages and months are from CLDR, in the language on which a
  // pseudo-language is based.
  const OTHERS = `[translate=no], bdi, .season, code, script, noscript, style, svg, [dir=auto], .qr, time, #id_secret,
    select[name=time_zone] > *, select[name=country] > *, .choice:has([name=spoken]) *`;
  const PLAIN = /[A-Za-z]{2,}/;
  // Names that are the same in every language, and text that programs read.
  const SAME =
    /\b(Secret Hitler|Chancellery|Mike Boxleiter|Tommy Maranges|Max Temkin|Mac Schubert|CC BY-NC-SA|UTC|JSON|QR|PIN|JavaScript|https?|Ja|Nein|Ada|Boris|Chika|Dario|Ewa|Sofia|Emil|Fritz|Greta|Hanna|Ida|Mona|English|Italiano|Polski|Firefox|Chrome|Linux|Valkey|GMT|AM|PM|am|pm)\b/g;
  const foreign = (element) => {
    const named = element.closest("[lang]");
    return named !== document.documentElement && named !== null;
  };
  const short = (text) => text.replace(/\s+/g, " ").trim().slice(0, 70);
  // Lists and durations are from CLDR too.
  const CLDR = /,? and |\d+ (second|minute|hour|day)s?/g;
  const plain = (text) =>
    PLAIN.test(codes.reduce((rest, code) => rest.replaceAll(code, " "), text)
      .replace(CLDR, " ").replace(SAME, " "));
  const where = (element) =>
    element.tagName.toLowerCase() +
    (element.id ? `#${element.id}` : "") +
    [...element.classList].map((name) => `.${name}`).join("");

  // Strings ------------------------------------------------------------------------------------
  const texts = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (element.closest(OTHERS) || foreign(element)) continue;
    if (plain(texts.currentNode.data)) {
      found.add(`not translated: ${short(texts.currentNode.data)} (${where(element)})`);
    }
  }
  const SAID = ["title", "aria-label", "placeholder", "alt", "aria-description"];
  for (const element of document.querySelectorAll("*")) {
    if (element.closest("[translate=no], bdi, svg, .seat-name") || foreign(element)) continue;
    const attributes = [...SAID];
    if (element.matches("input[type=submit], input[type=button]")) attributes.push("value");
    if (element.matches("meta[name=description]")) attributes.push("content");
    for (const name of attributes) {
      const said = element.getAttribute(name);
      if (said && plain(said)) {
        found.add(`not translated: ${name}="${short(said)}" (${where(element)})`);
      }
    }
  }

  // Room ---------------------------------------------------------------------------------------
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

  // Direction ----------------------------------------------------------------------------------
  if ((getComputedStyle(root).direction === "rtl") !== turned) found.add("the page runs the wrong way");
  return [...found];
}
