// Handles requests that got an error or no answer: sends them again, tells it on the bar, or loads
// the page again. network.js tells about moves.
(() => {
  "use strict";

  // How often a request is sent again, and after how many seconds if the site does not say when.
  const MOST_REPEATS = 4;
  const REPEAT_AFTER = 2;

  // How often the request of a form was sent again, and the timer of the next time. By address,
  // because a frame may replace the form.
  const repeats = new Map();
  const keyOf = (elt) => elt.action ?? elt;
  let isRepeating = false;

  const tellFailure = (elt, text) => {
    const words = document.getElementById("network")?.dataset;
    if (words && !elt.closest?.("#panel-action")) chancellery.say("post", words[text] ?? "");
  };
  document.addEventListener("htmx:beforeRequest", ({ detail: { elt } }) => {
    if (isRepeating) return;
    clearTimeout(repeats.get(keyOf(elt))?.timer);
    repeats.delete(keyOf(elt));
  });
  document.addEventListener("htmx:afterRequest", ({ detail: { elt, requestConfig, xhr } }) => {
    if (requestConfig.verb !== "get" && xhr.status && xhr.status < 500) tellFailure(elt, "");
  });

  // Send a request again that counts once: a GET, or a form with a key or the version it changes.
  const repeat = (elt, config, xhr) => {
    const { key, base } = elt.elements ?? {};
    const countsOnce = config.verb === "get" ? elt.dataset?.hxGet : (key ?? base);
    const { times } = repeats.get(keyOf(elt)) ?? { times: 0 };
    if (times >= MOST_REPEATS || !countsOnce) return false;
    const after = Number(xhr.getResponseHeader("Retry-After")) || REPEAT_AFTER;
    const wait = 1_000 * after * (1 + times / 2) * (1 + Math.random() / 2);
    const timer = setTimeout(() => {
      // A frame may have drawn the form anew.
      const source = elt.isConnected ? elt : [...document.forms].find((form) =>
        form.action === elt.action && form.elements.decision?.value === elt.elements?.decision?.value);
      if (!source) return;
      repeats.set(keyOf(source), { times: times + 1 });
      isRepeating = true;
      const { verb, path, formData: values, triggeringEvent: event } = config;
      htmx.ajax(verb, path, { source, values, event }).catch(() => {});
      isRepeating = false;
    }, wait);
    repeats.set(keyOf(elt), { times, timer });
    return true;
  };

  const fails = ({ detail: { elt, requestConfig, xhr } }) => {
    const isSentAgain = repeat(elt, requestConfig, xhr);
    if (requestConfig.verb !== "get") tellFailure(elt, isSentAgain ? "again" : "failed");
  };
  for (const trouble of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(trouble, (event) => {
      fails(event);
      // Perhaps only the answer was lost.
      chancellery.compare();
    });
  }
  document.addEventListener("htmx:responseError", (event) => {
    // The session has ended, or the page is out of date; drafts.js keeps what was typed.
    if (event.detail.xhr.status < 500) location.reload();
    else fails(event);
  });
})();
