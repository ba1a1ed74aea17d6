// The bell of pages that have no panels: a socket that only rings, so that a call to a table and a
// turn reach a reader wherever they are on the site. Of a browser's pages one holds the socket and
// tells the others. The lobby and tables have sockets of their own.
(() => {
  "use strict";

  const NAME = "chancellery-bell";
  const FIRST_WAIT = 2_000;
  const LONGEST_WAIT = 60_000;
  const SIGNED_OUT = 4401;
  const TOO_MUCH = 4429;

  const called = () => document.getElementById("called");
  if (!called()) return;

  const pages = new BroadcastChannel(NAME);
  // The answer replaces the bell and the call, wherever they are on this page.
  const ring = () => htmx.ajax("GET", called().dataset.bell, { target: "#called", swap: "none" });
  pages.onmessage = ring;

  let failures = 0;
  const connect = () => {
    const url = new URL("/live/lobby/", location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    socket.onopen = () => {
      // It may have rung while there was no socket.
      if (failures) ring();
      failures = 0;
    };
    socket.onmessage = (message) => {
      if (!JSON.parse(message.data).bell) return;
      ring();
      pages.postMessage("");
    };
    socket.onclose = (event) => {
      if (event.code === SIGNED_OUT) return;
      failures += 1;
      const wait = event.code === TOO_MUCH ? LONGEST_WAIT : FIRST_WAIT * 2 ** failures;
      setTimeout(connect, Math.min(LONGEST_WAIT, wait) * (0.5 + Math.random() / 2));
    };
  };
  // The lock is free when its page is left. Browsers have no locks where the site has no TLS.
  if (navigator.locks) navigator.locks.request(NAME, () => new Promise(connect));
  else connect();
})();
