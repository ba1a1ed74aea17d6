// The replay by keys and by itself. Without this file each step is a link.
(() => {
  "use strict";

  const PLAYS = " ";
  const KEYS = {
    ArrowLeft: "step-previous", ArrowRight: "step-next", Home: "step-first", End: "step-last",
  };
  let timer = 0;
  let speed = "";
  // While a step is on its way, the last key or choice waits: a new link or form works only when htmx
  // knows it.
  let isBusy = false;
  let waiting = () => {};

  const step = (id) => {
    const link = document.getElementById(id);
    if (!isBusy && !link?.hasAttribute("href")) return false;
    if (isBusy) waiting = () => step(id);
    else link.click();
    return true;
  };

  const show = () => {
    document.getElementById("replay-play")?.classList.toggle("is-playing", timer !== 0);
    const select = document.getElementById("replay-speed");
    if (select && speed) select.value = speed;
  };

  const stop = () => {
    clearTimeout(timer);
    timer = 0;
    show();
  };

  const play = () => {
    const select = document.getElementById("replay-speed");
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!step("step-next")) stop();
    }, Number(select.value));
    show();
  };

  const playOrStop = () => {
    if (timer) stop();
    else play();
  };

  // Times as at the table.
  const { lang, dataset: { zone: timeZone } } = document.documentElement;
  const clock = new Intl.DateTimeFormat(lang || undefined, {
    hour: "2-digit", minute: "2-digit", timeZone,
  });
  const tellTimes = () => {
    for (const time of document.querySelectorAll("time.said-at:not([title])")) {
      const moment = new Date(time.dateTime);
      time.textContent = clock.format(moment);
      time.title = moment.toLocaleString(lang || undefined, { timeZone });
    }
  };
  tellTimes();

  document.addEventListener("click", (event) => {
    if (event.target.closest("#replay-play")) {
      playOrStop();
    } else if (event.isTrusted && event.target.closest(".replay-bar a")) {
      // A person who steps by hand wants to look.
      stop();
    }
  });
  document.addEventListener("change", (event) => {
    if (event.target.id !== "replay-speed") return;
    speed = event.target.value;
    if (timer) play();
  });
  // The slider rests between two steps only while it is dragged: all ballots of a vote are one step.
  document.addEventListener("input", (event) => {
    if (event.target.id !== "replay-slider") return;
    stop();
    const slider = event.target;
    const stops = slider.dataset.stops.split(" ").map(Number);
    const given = Number(slider.value);
    const isBack = given < Number(slider.defaultValue);
    slider.value = isBack
      ? stops.findLast((stop) => stop <= given)
      : stops.find((stop) => stop >= given);
  });
  const choose = (id, value) => {
    const field = document.getElementById(id);
    if (isBusy) {
      waiting = () => choose(id, value);
      return;
    }
    field.value = value;
    field.form.requestSubmit();
  };
  document.addEventListener("change", ({ target: { id, value } }) => {
    if (["replay-slider", "eyes"].includes(id)) choose(id, value);
  });
  document.addEventListener("keydown", (event) => {
    const id = KEYS[event.key];
    const isTyping = event.target.closest("input, select, textarea, [contenteditable]");
    if (isTyping || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // A button or a fold that has the focus takes this key itself.
    if (event.key === PLAYS && !event.target.closest("button, summary")) {
      event.preventDefault();
      if (!event.repeat) playOrStop();
    }
    if (!id) return;
    event.preventDefault();
    stop();
    step(id);
  });
  // Evidence that the reader has opened stays open from step to step.
  const evidence = () => document.getElementById("evidence");
  let isOpen = location.hash === "#evidence";
  if (isOpen) evidence()?.setAttribute("open", "");
  document.addEventListener("htmx:beforeSwap", () => { isOpen = Boolean(evidence()?.open); });
  document.addEventListener("htmx:afterSwap", () => { if (isOpen) evidence()?.setAttribute("open", ""); });

  document.addEventListener("htmx:beforeRequest", () => { isBusy = true; });
  for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(failure, () => { isBusy = false; });
  }
  // The next step begins when this one is shown.
  document.addEventListener("htmx:afterSettle", () => {
    const next = waiting;
    isBusy = false;
    waiting = () => {};
    tellTimes();
    if (timer) play();
    else show();
    next();
  });
})();
