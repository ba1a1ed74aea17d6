// Animates the moments of a game: the night, the revealed ballots, a policy, chaos, an execution,
// the end. It reads only the public panels, so the animations and their timing reveal no more than
// they do. Nothing waits for an animation, none blocks a press, and users who prefer reduced motion
// get none.
(() => {
  "use strict";

  const MARK_FOR = 1_600;
  // As in moments.css: until the first role is turned over, and for each.
  const UNMASK_FIRST = 1_200;
  const UNMASK_EACH = 500;
  // From the question whether a player is Hitler to the answer.
  const BEAT = 1_800;
  // Until the curtain of the answer that ends the game begins to lift.
  const CURTAIN = 3_700;

  const page = document.querySelector(".table-page");
  if (!page) return;
  const at = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const count = (selector) => all(selector).length;

  const scene = () => ({
    begun: at("#panel-tracks .track") !== null,
    liberal: count(".track.liberal .filled"),
    fascist: count(".track.fascist .filled"),
    revealed: at(".seats.revealed") !== null,
    dead: all(".seat.dead").map(({ id }) => id),
    chaos: count(".kind-tracker + .kind-enacted, .kind-tracker + .kind-shuffled + .kind-enacted"),
    over: at("#panel-banner .extra") !== null,
    truth: at("#panel-banner .truth")?.textContent ?? "",
  });

  const sound = (name) =>
    document.dispatchEvent(new CustomEvent("chancellery:sound", { detail: name }));

  // Add a class for as long as its animation may take.
  const mark = (element, name) => {
    element?.classList.add(name);
    setTimeout(() => element?.classList.remove(name), MARK_FOR);
  };

  // Put a layer over the table, hidden from screen readers, and remove it after its animation.
  // Return whether there is one.
  const lay = (parent, name, ...children) => {
    const layer = document.createElement("div");
    layer.className = `moment ${name}`;
    layer.setAttribute("aria-hidden", "true");
    layer.append(...children);
    parent.append(layer);
    if (getComputedStyle(layer).animationName === "none") layer.remove();
    layer.addEventListener("animationend", ({ target }) => {
      if (target === layer) layer.remove();
    });
    return layer.isConnected;
  };

  const drawing = (name) => {
    const sprite = at("svg use")?.getAttribute("href").split("#")[0];
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", `${sprite}#${name}`);
    svg.append(use);
    return svg;
  };

  const verdict = () => {
    const ja = count(".seat-ballot.ja");
    const nein = count(".seat-ballot.nein");
    const word = document.createElement("b");
    const numbers = document.createElement("span");
    word.textContent = ja > nein ? "Ja" : "Nein";
    word.lang = "de";
    numbers.textContent = `${ja} : ${nein}`;
    lay(at(".board"), `verdict ${ja > nein ? "ja" : "nein"}`, word, numbers);
  };

  const night = () => {
    lay(document.body, "nightfall", drawing("night"));
    sound("night");
  };

  // Hold the answer back for a beat. The class is the page's, since the panels may be swapped
  // meanwhile. With reduced motion there are no transitions, and no beat.
  const ask = () => {
    const answer = at("#panel-banner .truth-answer");
    if (parseFloat(getComputedStyle(answer).transitionDuration) === 0) return;
    page.classList.add("is-asked");
    setTimeout(() => page.classList.remove("is-asked"), BEAT);
  };

  // The roles are turned over one by one. Any press or key shows them all.
  const end = () => {
    mark(at("#panel-banner .extra"), "is-printed");
    const seats = at(".seats");
    seats?.classList.add("is-unmasked");
    const stop = new AbortController();
    const show = () => {
      seats?.classList.remove("is-unmasked");
      stop.abort();
    };
    for (const kind of ["pointerdown", "keydown"])
      document.addEventListener(kind, show, { signal: stop.signal });
    setTimeout(show, UNMASK_FIRST + count(".seat") * UNMASK_EACH);
  };

  // The answer that ends the game.
  const curtain = () => {
    const lines = all("#panel-banner .truth > p").map((line) => line.cloneNode(true));
    if (lay(document.body, "curtain", ...lines)) setTimeout(end, CURTAIN);
  };

  let before = scene();
  const look = () => {
    const now = scene();
    const was = before;
    before = now;
    if (now.begun && !was.begun) night();
    const isAsked = now.truth !== "" && now.truth !== was.truth;
    if (now.over && !was.over) {
      // The end stands at the top of the page. Players who are typing are left where they are.
      if (!document.activeElement?.matches("textarea, input[type=text]")) scrollTo(0, 0);
      if (isAsked) curtain();
      else end();
      return;
    }
    if (isAsked) ask();
    if (now.revealed && !was.revealed) {
      mark(at(".seats"), "is-turning");
      verdict();
    }
    for (const party of ["liberal", "fascist"])
      if (was.begun && now[party] > was[party]) {
        mark(all(`.track.${party} .filled`).at(-1), "is-enacted");
        // For phones, where the tracks are out of sight.
        lay(document.body, "enacted-policy", drawing(`tile-${party}`));
      }
    if (now.chaos > was.chaos) {
      lay(at(".board"), "uproar", drawing("chaos"));
      mark(at(".board"), "is-shaken");
      sound("chaos");
    }
    for (const id of now.dead)
      if (!was.dead.includes(id)) {
        mark(document.getElementById(id), "is-executed");
        lay(document.body, "mourning");
        sound("execution");
      }
  };

  // Runs after the last swap of a frame, and before it is painted.
  let isWaiting = false;
  document.addEventListener("htmx:oobAfterSwap", () => {
    if (isWaiting) return;
    isWaiting = true;
    queueMicrotask(() => {
      isWaiting = false;
      look();
    });
  });

  // A player who opens a game that has just begun sees the night animation once, too.
  const seen = `night ${location.pathname}`;
  try {
    if (at(".panel-you .night") && !sessionStorage.getItem(seen)) {
      sessionStorage.setItem(seen, "1");
      night();
    }
  } catch {
    // Without storage, skip the night.
  }
})();
