// The replay by keys and by itself. Without this file each step is a link.
(() => {
  "use strict";

  const KEYS = {
    ArrowLeft: "step-previous", ArrowRight: "step-next", Home: "step-first", End: "step-last",
  };
  let timer = 0;
  let speed = "";

  const step = (id) => {
    const link = document.getElementById(id);
    if (link?.hasAttribute("href")) link.click();
    return Boolean(link?.hasAttribute("href"));
  };

  const show = () => {
    document.getElementById("replay-play")?.setAttribute("aria-pressed", String(timer !== 0));
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

  document.addEventListener("click", (event) => {
    if (event.target.closest("#replay-play")) {
      if (timer) stop();
      else play();
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
  document.addEventListener("keydown", (event) => {
    const id = KEYS[event.key];
    const isTyping = event.target.closest("input, select, textarea, [contenteditable]");
    if (!id || isTyping || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    stop();
    step(id);
  });
  // The next step begins when this one is shown.
  document.addEventListener("htmx:afterSettle", () => {
    if (timer) play();
    else show();
  });
})();
