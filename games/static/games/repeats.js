// What a request comes to that the site did not take: it is sent again, told on the bar, or the page
// is loaded again. network.js tells about moves.
(() => {
  "use strict";

  // What the site refuses under load is sent again so often, and after so many seconds if it does not
  // say when.
  const MOST_REPEATS = 4;
  const REPEAT_AFTER = 2;

  // By form, whoever has drawn it: how often its request was sent again, and the timer of the next
  // time.
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

  // A question may be asked again, and so may what has a key or the version that it changes: it
  // counts once.
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

  for (const trouble of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(trouble, ({ detail: { elt, requestConfig } }) => {
      if (requestConfig.verb !== "get") tellFailure(elt, "failed");
      // Perhaps only the answer was lost.
      chancellery.compare();
    });
  }
  document.addEventListener("htmx:responseError", ({ detail: { elt, requestConfig, xhr } }) => {
    // The session has ended, or the page is out of date; drafts.js keeps what was typed.
    if (xhr.status < 500) location.reload();
    else {
      const isSentAgain = repeat(elt, requestConfig, xhr);
      if (requestConfig.verb !== "get") tellFailure(elt, isSentAgain ? "again" : "failed");
    }
  });
})();
