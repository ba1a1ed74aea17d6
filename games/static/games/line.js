// The line to the site: a socket that asks every few seconds whether it still works, because a broken
// one looks open for a minute. Tells the reader when the site cannot be reached, and other scripts
// what the server's clock shows.
(() => {
  "use strict";

  // Together below ten seconds: by then a reader knows that the line is dead.
  const ASK_EVERY = 5_000;
  const ANSWER_WITHIN = 4_000;
  const ASK_WHILE_HIDDEN_EVERY = 30_000;
  const OPEN_WITHIN = 8_000;
  // A line that is back by then is no news, and leaving a page closes it too.
  const TELL_AFTER = 1_500;
  const LONGEST_WAIT = 15_000;
  const MOST_FAILURES = 6;
  // A close code: the client exceeded a limit and must pause for longer.
  const TOO_MUCH = 4429;

  // The bar ------------------------------------------------------------------------------------

  const bar = document.getElementById("network");
  const { classList } = document.documentElement;
  // What there is to say besides, by the script that says it.
  const news = {};
  let telling = 0;

  const show = () => {
    if (!bar) return;
    const lost = bar.dataset[navigator.onLine ? "lost" : "offline"];
    const text = classList.contains("offline") ? lost : (Object.values(news).find(Boolean) ?? "");
    if (bar.textContent !== text) bar.textContent = text;
  };
  const say = (who, text) => {
    news[who] = text;
    show();
  };
  const tell = (isLost) => {
    clearTimeout(telling);
    telling = 0;
    const isNews = classList.contains("offline") !== isLost;
    classList.toggle("offline", isLost);
    show();
    if (isNews) document.dispatchEvent(new CustomEvent("chancellery:line", { detail: isLost }));
  };
  for (const change of ["offline", "online"]) addEventListener(change, show);

  // The server's clock -------------------------------------------------------------------------

  // A device's clock may be minutes off, so this counts from the server's with a stopwatch.
  let clock = { offset: Date.now() - performance.now(), error: Infinity };
  // The server's clock showed `time` when the stopwatch was between `from` and `to`. The narrowest
  // measure counts, unless a newer one contradicts it: stopwatches stand still in a sleeping device.
  const measure = (time, from, to) => {
    const error = (to - from) / 2;
    const offset = time - from - error;
    const isOther = Math.abs(offset - clock.offset) > error + clock.error;
    if (isOther || error <= clock.error) clock = { offset, error };
  };
  const drawnAt = Number(document.querySelector("[data-now]")?.dataset.now);
  const [visit] = performance.getEntriesByType("navigation");
  if (drawnAt && visit) measure(drawnAt, visit.requestStart, visit.responseStart);

  // The socket ---------------------------------------------------------------------------------

  // `opens` and `hears` are told what happens, `asks` gives what to ask, and `closes` returns
  // whether to stop.
  const listen = (path, { opens, hears, asks, closes }) => {
    const over = new AbortController();
    let socket = null;
    let failures = 0;
    // Until the next question, answer or attempt.
    let timer = 0;
    // When it was asked what has no answer yet.
    let askedAt = 0;

    const after = (wait, act) => {
      clearTimeout(timer);
      timer = setTimeout(act, wait);
    };
    const isOpen = () => socket?.readyState === WebSocket.OPEN;
    const send = (data) => {
      if (isOpen()) socket.send(JSON.stringify(data));
    };
    // The browser's own close may come a minute late, so nothing waits for it.
    const drop = () => {
      clearTimeout(timer);
      askedAt = 0;
      if (!socket) return;
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
      socket = null;
    };
    const lose = (code) => {
      drop();
      if (closes?.(code)) {
        over.abort();
        return;
      }
      failures = code === TOO_MUCH ? MOST_FAILURES : failures + 1;
      if (code === undefined) tell(true);
      else telling ||= setTimeout(tell, TELL_AFTER, true);
      const wait = Math.min(LONGEST_WAIT, 500 * 2 ** Math.min(failures, MOST_FAILURES));
      after(wait * (0.5 + Math.random() / 2), connect);
    };
    const ask = () => {
      if (!isOpen()) return;
      send(asks());
      if (askedAt) return;
      askedAt = performance.now();
      after(ANSWER_WITHIN, lose);
    };
    const connect = () => {
      drop();
      const url = new URL(path, location.href);
      url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
      socket = new WebSocket(url);
      socket.onopen = () => {
        opens();
        ask();
      };
      socket.onmessage = ({ data }) => {
        // A server that opens sockets and answers nothing is as good as gone.
        failures = 0;
        tell(false);
        const frame = JSON.parse(data);
        if (askedAt) {
          if (frame.now) measure(frame.now, askedAt, performance.now());
          askedAt = 0;
          after(document.hidden ? ASK_WHILE_HIDDEN_EVERY : ASK_EVERY, ask);
        }
        hears(frame, data.length);
      };
      socket.onclose = ({ code }) => lose(code);
      after(OPEN_WITHIN, lose);
    };

    const on = (target, name, act) => target.addEventListener(name, act, { signal: over.signal });
    // The device has a network again. A socket from before looks open and is often dead.
    on(window, "online", () => {
      failures = 0;
      connect();
    });
    // The site may still be there, as on the player's own computer: any answer shows it.
    on(window, "offline", () => {
      tell(true);
      ask();
    });
    on(document, "visibilitychange", () => {
      if (document.hidden) return;
      if (socket) ask();
      else if (failures < MOST_FAILURES) connect();
    });
    on(window, "pagehide", () => {
      clearTimeout(telling);
      drop();
    });
    on(window, "pageshow", ({ persisted }) => persisted && connect());
    connect();
    const stop = () => {
      over.abort();
      drop();
    };
    return { ask, isOpen, send, stop };
  };

  window.chancellery = { listen, now: () => performance.now() + clock.offset, say, tell };
})();
