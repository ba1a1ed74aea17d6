// The site's sounds, synthesized from tones and noise: a hand bell, paper, a stamp, a drum. Other
// scripts choose the sound and the time. Nothing plays before the first press on the page, or when
// sounds are off.
(() => {
  "use strict";

  const words = document.getElementById("calls");
  const isOn = () => words?.dataset.sounds === "on" && typeof AudioContext !== "undefined";

  let audio = null;
  // An open audio device costs battery even in silence, so it is suspended between sounds.
  let resting = 0;
  const awake = async () => {
    clearTimeout(resting);
    resting = setTimeout(() => audio.suspend(), 4000);
    const asked = performance.now();
    if (audio.state !== "running") await audio.resume();
    // Do not play late a sound that the browser held back.
    return performance.now() - asked < 500;
  };
  const wake = () => {
    if (!isOn()) return;
    audio ??= new AudioContext();
    awake();
  };
  for (const press of ["pointerdown", "keydown"]) addEventListener(press, wake, { passive: true });
  // At a table this file comes after the first press (loader.js).
  if (navigator.userActivation?.hasBeenActive) wake();

  const shape = (source, start, length, loudness, rise = 0.008) => {
    const begins = audio.currentTime + start;
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(0, begins);
    volume.gain.linearRampToValueAtTime(loudness, begins + rise);
    volume.gain.exponentialRampToValueAtTime(0.0006, begins + length);
    source.connect(volume).connect(audio.destination);
    return begins;
  };

  const tone = (pitch, start, length, loudness, { type = "sine", to = pitch, rise } = {}) => {
    const source = new OscillatorNode(audio, { type, frequency: pitch });
    const begins = shape(source, start, length, loudness, rise);
    source.frequency.setValueAtTime(pitch, begins);
    source.frequency.exponentialRampToValueAtTime(to, begins + length);
    source.start(begins);
    source.stop(begins + length + 0.02);
  };

  const noise = (colour, start, length, loudness, { type = "bandpass", rise } = {}) => {
    const buffer = new AudioBuffer({ length: Math.ceil(length * audio.sampleRate), sampleRate: audio.sampleRate });
    const samples = buffer.getChannelData(0);
    for (let i = 0; i < samples.length; i += 1) samples[i] = Math.random() * 2 - 1;
    const source = new AudioBufferSourceNode(audio, { buffer });
    const filter = new BiquadFilterNode(audio, { type, frequency: colour, Q: 0.8 });
    const begins = shape(source.connect(filter), start, length, loudness, rise);
    source.start(begins);
  };

  const bell = (pitch, start, loudness) => {
    for (const [times, part, length] of [[1, 1, 1.1], [2.02, 0.5, 0.7], [2.76, 0.4, 0.5], [5.4, 0.2, 0.25]])
      tone(pitch * times, start, length, loudness * part);
  };
  const stamp = (start, loudness) => {
    noise(500, start, 0.09, loudness, { type: "lowpass" });
    tone(120, start, 0.22, loudness, { to: 42 });
  };

  const SOUNDS = {
    turn: () => {
      bell(988, 0, 0.1);
      bell(988, 0.16, 0.08);
    },
    vote: () => {
      for (const start of [0, 0.05, 0.11]) noise(3200, start, 0.07, 0.09);
      stamp(0.2, 0.28);
    },
    policy: () => {
      noise(2400, 0, 0.12, 0.06);
      stamp(0.14, 0.4);
    },
    message: () => {
      noise(2600, 0, 0.03, 0.08);
      tone(1650, 0, 0.06, 0.04, { type: "triangle" });
    },
    night: () => {
      for (const pitch of [110, 131, 165]) tone(pitch, 0, 1.8, 0.06, { type: "triangle", rise: 0.5 });
      noise(380, 0, 1.6, 0.03, { rise: 0.7 });
    },
    chaos: () => {
      noise(700, 0, 1, 0.14, { rise: 0.2 });
      for (const start of [0, 0.14, 0.24]) stamp(start, 0.24);
    },
    execution: () => {
      for (const start of [0, 0.42]) tone(78, start, 0.5, 0.4, { to: 38 });
    },
    over: () => {
      for (const [pitch, start, length] of [[392, 0, 0.3], [494, 0.16, 0.3], [587, 0.32, 0.3], [784, 0.48, 0.9]])
        tone(pitch, start, length, 0.1, { type: "triangle" });
      stamp(0.48, 0.2);
    },
  };

  document.addEventListener("chancellery:sound", async ({ detail }) => {
    if (isOn() && audio && (await awake())) SOUNDS[detail]?.();
  });
})();
