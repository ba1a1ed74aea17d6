// The bell of pages that have no panels: a socket that only rings, so that a call to a table and a
// turn reach a reader wherever they are on the site. Of a browser's pages the one that was last in
// sight holds the socket and tells the others. The lobby and tables have sockets of their own.
(() => {
  "use strict";

  const NAME = "chancellery-bell";
  const SIGNED_OUT = 4401;

  const called = () => document.getElementById("called");
  if (!called() || document.querySelector("[data-live]")) return;

  const pages = new BroadcastChannel(NAME);
  // The answer replaces the bell and the call, wherever they are on this page.
  const ring = () => htmx.ajax("GET", called().dataset.bell, { target: "#called", swap: "none" });

  let line = null;
  // A page that loaded out of sight has heard nothing.
  let isFresh = !document.hidden;
  const hold = () => {
    line = chancellery.listen("/live/lobby/", {
      opens: () => {
        // It may have rung while there was no socket.
        if (!isFresh) ring();
        isFresh = false;
        pages.postMessage(false);
      },
      asks: () => ({ beat: true }),
      hears: ({ bell }) => {
        if (!bell) return;
        ring();
        pages.postMessage("ring");
      },
      closes: (code) => code === SIGNED_OUT,
    });
    // Until another page takes the lock.
    return new Promise(() => {});
  };
  const take = () => {
    if (line || document.hidden) return;
    navigator.locks.request(NAME, { steal: true }, hold).catch(() => {
      line.stop();
      line = null;
    });
  };
  // Browsers have no locks where the site has no TLS.
  if (!navigator.locks) {
    hold();
    return;
  }
  // What the others hear: that it rings, whether the line is lost, or that no page holds the socket.
  pages.onmessage = ({ data }) => {
    if (data === "ring") ring();
    else if (data === "left") take();
    else chancellery.tell(data);
  };
  document.addEventListener("chancellery:line", ({ detail }) => line && pages.postMessage(detail));
  addEventListener("pagehide", () => line && pages.postMessage("left"));
  for (const change of ["visibilitychange", "focus"]) addEventListener(change, take);
  take();
})();
