// Reads the steps of the first night aloud, one after another, with their pauses. Where the browser
// has no voice for the language, it only marks each step for as long as people need to read it. The
// steps are the same for all players, so the reading tells nothing about a role. Without this file
// the night is a list of steps.
(() => {
  "use strict";

  // A step without a voice stays for this long, besides its pause.
  const READING = 1_500;
  const READING_A_CHARACTER = 45;
  // Browsers that load their voices late say so. Do not wait longer for it.
  const VOICES_WITHIN = 1_000;
  // Some browsers never tell that an utterance has ended.
  const SPEAKING = 6_000;
  const SPEAKING_A_CHARACTER = 150;

  const speech = window.speechSynthesis;
  // The running reading; null while none runs.
  let reading = null;

  const course = () => document.querySelector("[data-night]");
  const steps = () => [...document.querySelectorAll("[data-night] [data-pause]")];

  const show = () => {
    const night = course();
    if (!night) return;
    const button = night.querySelector("[data-night-reading]");
    button.hidden = false;
    button.setAttribute("aria-pressed", String(reading !== null));
    steps().forEach((step, place) => {
      if (reading?.step === place) step.setAttribute("aria-current", "step");
      else step.removeAttribute("aria-current");
    });
    const note = night.querySelector("[data-night-silent]");
    const said = reading?.isSilent ? note.dataset.text : "";
    if (note.textContent !== said) note.textContent = said;
  };

  const stop = () => {
    if (!reading) return;
    clearTimeout(reading.timer);
    reading = null;
    speech?.cancel();
    show();
  };

  const voiceFor = (language) => {
    const tag = language.toLowerCase();
    const own = speech.getVoices().filter((voice) => {
      const spoken = voice.lang.toLowerCase().replace("_", "-");
      return spoken === tag || spoken.split("-")[0] === tag.split("-")[0];
    });
    return own.find((voice) => voice.localService) ?? own[0] ?? null;
  };

  const voices = () =>
    new Promise((resolve) => {
      if (speech.getVoices().length) return resolve();
      speech.addEventListener("voiceschanged", resolve, { once: true });
      setTimeout(resolve, VOICES_WITHIN);
    });

  const wait = (own, time, next) => {
    clearTimeout(own.timer);
    own.timer = setTimeout(() => reading === own && next(), time);
  };

  const readStep = (own, place) => {
    const step = steps()[place];
    if (!step) return stop();
    own.step = place;
    show();
    const text = step.textContent;
    const pause = Number(step.dataset.pause) * 1_000;
    let isDone = false;
    const done = () => {
      if (reading !== own || isDone) return;
      isDone = true;
      wait(own, pause, () => readStep(own, place + 1));
    };
    const mark = () => wait(own, READING + text.length * READING_A_CHARACTER, done);
    if (!own.voice) return mark();
    const utterance = new SpeechSynthesisUtterance(text);
    utterance.voice = own.voice;
    utterance.lang = own.voice.lang;
    utterance.rate = 0.9;
    utterance.addEventListener("end", done);
    utterance.addEventListener("error", () => {
      if (reading !== own || isDone) return;
      // The rest follows without a voice, too.
      own.voice = null;
      own.isSilent = true;
      show();
      mark();
    });
    // Browsers drop an utterance that nothing refers to, with its events.
    own.utterance = utterance;
    speech.speak(utterance);
    wait(own, SPEAKING + text.length * SPEAKING_A_CHARACTER, () => {
      done();
      speech.cancel();
    });
  };

  const start = async () => {
    const own = { step: 0, voice: null, isSilent: false, timer: 0 };
    reading = own;
    show();
    if (speech) {
      await voices();
      if (reading !== own) return;
      own.voice = voiceFor(course()?.dataset.language ?? "");
      // What another page of this browser left unsaid.
      speech.cancel();
    }
    own.isSilent = !own.voice;
    readStep(own, 0);
  };

  document.addEventListener("click", ({ target }) => {
    if (!target.closest("[data-night-reading]")) return;
    if (reading) stop();
    else start();
  });
  // The panel may be drawn again while the reading runs; without the panel the night is over.
  document.addEventListener("htmx:oobAfterSwap", () => (course() ? show() : stop()));
  addEventListener("pagehide", stop);
  show();
})();
