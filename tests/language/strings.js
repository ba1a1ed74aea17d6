// Finds faults of the open page: strings without a translation, and a page that runs the wrong way.
// Returns a list of sentences. `turned` says that the page is read from right to left; `codes`
// are words that are not translated, such as the codes of tables and the names of authors; the
// names at the seats are not, either.
({ turned, codes }) => {
  const found = new Set();
  // Names of cities, countries, languages and months are from CLDR, in the language on which a
  // pseudo-language is based.
  const OTHERS = `[translate=no], bdi, .season, code, script, noscript, style, svg, [dir=auto], .qr, time, #id_secret,
    select[name=time_zone] > *, select[name=country] > *, .choice:has([name=spoken]) *`;
  const PLAIN = /[A-Za-z]{2,}/;
  // Names that are the same in every language, and text that programs read.
  const SAME =
    /\b(Secret Hitler|Chancellery|Mike Boxleiter|Tommy Maranges|Max Temkin|Mac Schubert|CC BY-NC-SA|UTC|JSON|QR|PIN|JavaScript|https?|Ja|Nein|Ada|Boris|Chika|Dario|Ewa|Fumio|Giulia|Henryk|Irina|Jun|Sofia|Emil|Fritz|Greta|Hanna|Ida|Mona|English|Italiano|Polski|Firefox|Chrome|Linux|Valkey|GMT|AM|PM|am|pm)\b/g;
  const foreign = (element) => {
    const named = element.closest("[lang]");
    return named !== document.documentElement && named !== null;
  };
  const short = (text) => text.replace(/\s+/g, " ").trim().slice(0, 70);
  // Lists and durations are from CLDR too.
  const CLDR = /,? and |\d+ (second|minute|hour|day)s?/g;
  const seated = [...document.querySelectorAll(".seat-name bdi")].map((name) => name.textContent);
  const plain = (text) =>
    PLAIN.test([...codes, ...seated].reduce((rest, code) => rest.replaceAll(code, " "), text)
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

  // Direction ----------------------------------------------------------------------------------
  if ((getComputedStyle(document.documentElement).direction === "rtl") !== turned) found.add("the page runs the wrong way");
  return [...found];
}
