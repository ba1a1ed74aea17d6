// A finished game that plays by itself. Without this file it stands still, and each move is a link.
(() => {
  "use strict";

  const PAUSE = 2800;
  const PAUSE_AT_END = 7000;

  const film = document.querySelector("[data-film]");
  if (!film) return;
  const button = document.getElementById("film-pause");
  const caption = film.querySelector("[data-film-caption]");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let number = Number(film.dataset.still);
  let timer = 0;
  let isSeen = false;
  let isPaused = false;
  let loading = null;
  let shown = null;

  // All moves come at once, when the first one is needed.
  const load = () => {
    loading ??= fetch(film.dataset.film, { signal: AbortSignal.timeout(20_000) })
      .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)))
      // A newer game has come since the page was made: this one stays as it stands.
      .then((data) => (data.key === film.dataset.key ? data : null))
      .catch(() => null);
    return loading;
  };

  const element = (html) => {
    const template = document.createElement("template");
    template.innerHTML = html;
    return template.content.firstElementChild;
  };

  const show = (data, next) => {
    const [text, ...parts] = data.stills[next];
    const places = [...film.querySelectorAll(".film-seats > *, .film-tracks > *")];
    shown ??= data.stills[number];
    places.forEach((place, i) => {
      if (shown[i + 1] !== parts[i]) place.replaceWith(element(data.pieces[parts[i]]));
    });
    caption.innerHTML = data.pieces[text];
    shown = data.stills[next];
    number = next;
  };

  const stop = () => {
    clearTimeout(timer);
    timer = 0;
  };

  const mayPlay = () => isSeen && !isPaused && !document.hidden && !isCalm();
  const isCalm = () => calm.matches || document.documentElement.dataset.motion === "reduced";

  const step = async (by) => {
    const data = await load();
    if (data) show(data, (number + by + data.stills.length) % data.stills.length);
    return data;
  };

  const play = async () => {
    stop();
    film.classList.toggle("is-paused", isPaused);
    if (!mayPlay()) return;
    const data = await load();
    // Another call may have set the timer meanwhile.
    if (!data || timer || !mayPlay()) return;
    const isEnd = number === data.stills.length - 1;
    timer = setTimeout(async () => {
      timer = 0;
      await step(1);
      play();
    }, isEnd ? PAUSE_AT_END : PAUSE);
  };

  button.addEventListener("click", () => {
    isPaused = !isPaused;
    play();
  });
  const stepByHand = (id, by) => {
    const link = document.getElementById(id);
    link.addEventListener("click", async (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      // A person who steps by hand wants to look.
      isPaused = true;
      play();
      if (!(await step(by))) location.assign(link.href);
    });
  };
  stepByHand("film-previous", -1);
  stepByHand("film-next", 1);
  film.classList.add("is-live");
  document.addEventListener("visibilitychange", play);
  calm.addEventListener("change", play);
  new IntersectionObserver(([entry]) => {
    isSeen = entry.isIntersecting;
    play();
  }, { threshold: 0.4 }).observe(film.querySelector(".film-table"));
})();
