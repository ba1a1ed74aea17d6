// The message box and the unread marks of the chat. Without this file the chat still works.
(() => {
  "use strict";

  const box = document.querySelector("[data-talk]");
  if (!box) return;
  const form = document.getElementById("say");
  const field = document.getElementById("say-text");
  const code = box.dataset.talk;

  // Values stored by the browser, if it allows storage.
  const kept = (store, key) => {
    try {
      return store.getItem(key);
    } catch {
      return null;
    }
  };
  const keep = (store, key, value) => {
    try {
      if (value) store.setItem(key, value);
      else store.removeItem(key);
    } catch {
      // In a private window the value is not stored.
    }
  };

  // The box --------------------------------------------------------------------------------

  if (form) {
    const why = () => document.getElementById("say-why");
    const characters = "Segmenter" in Intl ? new Intl.Segmenter() : null;
    const lengthOf = (text) => [...(characters ? characters.segment(text) : text)].length;
    const longest = Number(field.dataset.longest);
    let sent = "";
    // With this key, a message sent twice over a bad connection is posted once.
    const newKey = () => {
      form.elements.key.value = [...crypto.getRandomValues(new Uint32Array(3))].join("-");
    };
    newKey();

    const count = () => {
      const left = longest - lengthOf(field.value);
      if (left <= 50) form.dataset.left = left;
      else delete form.dataset.left;
      form.classList.toggle("is-too-long", left < 0);
    };
    field.addEventListener("input", () => {
      why().textContent = "";
      count();
    });
    count();

    // Enter sends, unless it ends a composed word, as in Japanese.
    field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229)
        return;
      event.preventDefault();
      const button = document.querySelector("#panel-say button[form=say]");
      if (button && !button.disabled) form.requestSubmit(button);
    });

    // Another text with the same key would pass for the first one, which may have arrived.
    form.addEventListener("htmx:configRequest", ({ target, detail: { parameters } }) => {
      if (target !== form) return;
      if (sent && parameters.text !== sent) newKey();
      parameters.key = form.elements.key.value;
      sent = parameters.text;
    });
    const said = () => {
      // Keep what was typed while the message was being sent.
      field.value = field.value.startsWith(sent) ? field.value.slice(sent.length) : field.value;
      sent = "";
      newKey();
      field.dispatchEvent(new Event("input", { bubbles: true }));
    };
    form.addEventListener("said", said);
  }

  // The drawer -------------------------------------------------------------------------------

  // On a phone, style sheets make the box a drawer. Elsewhere the link leads to it on the page.
  const { classList } = document.documentElement;
  const call = document.querySelector(".talk-call");
  const isDrawer = () => getComputedStyle(box).position === "fixed";
  const shut = () => {
    if (!classList.contains("talk-open")) return;
    classList.remove("talk-open");
    call.focus({ preventScroll: true });
  };
  document.addEventListener("click", (event) => {
    if (call.contains(event.target) && isDrawer()) {
      event.preventDefault();
      classList.add("talk-open");
      box.focus({ preventScroll: true });
    } else if (event.target.closest(".talk-close")) shut();
  });
  // A press beside the open drawer closes it, and does nothing else.
  document.addEventListener("click", (event) => {
    if (!classList.contains("talk-open") || !isDrawer()) return;
    if (box.contains(event.target) || event.target.closest(".popover")) return;
    event.preventDefault();
    event.stopPropagation();
    shut();
  }, true);
  document.addEventListener("keydown", ({ key }) => key === "Escape" && shut());

  // Times, in the reader's own zone ----------------------------------------------------------

  const clock = new Intl.DateTimeFormat(document.documentElement.lang || undefined, {
    hour: "2-digit",
    minute: "2-digit",
    timeZone: document.documentElement.dataset.zone,
  });
  const tellTimes = () => {
    for (const time of box.querySelectorAll("time.said-at:not([title])")) {
      const moment = new Date(time.dateTime);
      time.textContent = clock.format(moment);
      time.title = moment.toLocaleString(document.documentElement.lang || undefined, {
        timeZone: document.documentElement.dataset.zone,
      });
    }
  };

  // Unread -----------------------------------------------------------------------------------

  const seenAt = `read.${code}`;
  const seen = JSON.parse(kept(localStorage, seenAt) ?? "null") ?? {};
  const rows = () => [...box.querySelectorAll(".said")];
  const placeOf = (row) => (row.classList.contains("said-gallery") ? "gallery" : "table");
  let isInSight = false;
  let wasRead = false;
  let toldLast = "";
  let untilNews = 0;

  const own = () => document.querySelector("[data-you]")?.dataset.you;
  const isUnread = (row) =>
    Number(row.dataset.nth) > (seen[placeOf(row)] ?? 0) &&
    !(row.dataset.by !== undefined && row.dataset.by === own());

  // Unread messages among those that the page has not asked for yet.
  const countEarlier = () => {
    if (!box.querySelector(".earlier")) return 0;
    return ["table", "gallery"].reduce((sum, place) => {
      const oldest = [...box.querySelectorAll(`.said-${place}`)].pop();
      const known = seen[place];
      return sum + (oldest && known ? Math.max(0, Number(oldest.dataset.nth) - 1 - known) : 0);
    }, 0);
  };

  const look = () => {
    tellTimes();
    const unread = rows().filter(isUnread);
    const isRead = isInSight && !document.hidden;
    // Messages that arrive while the viewer is looking need no mark.
    if (!(isRead && wasRead))
      for (const row of rows()) row.classList.toggle("is-unread", unread.includes(row));
    wasRead = isRead;
    const count = isRead ? 0 : unread.length + countEarlier();
    const isCalled = unread.some((row) => (row.dataset.to ?? "").split(" ").includes(own() ?? "-"));
    for (const badge of document.querySelectorAll("[data-unread]")) {
      badge.textContent = count > 99 ? "99+" : count || "";
      badge.hidden = count === 0;
      badge.classList.toggle("is-calling", isCalled);
    }
    // On a phone the line below the chat's button, for a while: it lies over the news of the game.
    const parts = unread[0]?.querySelectorAll(".said-by b, .said-text") ?? [];
    const last = isRead ? "" : [...parts].map((part) => part.textContent.trim()).join(": ");
    if (last !== toldLast) {
      call.dataset.last = toldLast = last;
      clearTimeout(untilNews);
      untilNews = setTimeout(() => { call.dataset.last = ""; }, 4_000);
    }
    // For the tab's title and other listeners.
    document.dispatchEvent(new CustomEvent("chancellery:unread", { detail: { count, isCalled } }));
    if (!isRead) return;
    for (const row of unread) {
      const place = placeOf(row);
      seen[place] = Math.max(seen[place] ?? 0, Number(row.dataset.nth));
    }
    if (unread.length) keep(localStorage, seenAt, JSON.stringify(seen));
  };

  new IntersectionObserver(([entry]) => {
    isInSight = entry.isIntersecting;
    document.documentElement.classList.toggle("talk-in-sight", isInSight);
    look();
  }, { rootMargin: "0px 0px -25% 0px" }).observe(box);
  document.addEventListener("visibilitychange", look);

  let settling = 0;
  const settle = () => {
    clearTimeout(settling);
    settling = setTimeout(look, 30);
  };
  document.addEventListener("htmx:oobAfterSwap", settle);
  document.addEventListener("htmx:afterSwap", settle);
  look();

  // A phrase that was said makes room for another. One that was refused stays.
  document.addEventListener("htmx:afterRequest", ({ detail: { elt, requestConfig, xhr } }) => {
    if (elt.id === "phrase-form" && requestConfig.verb === "post" && xhr.status < 300) elt.reset();
  });
  // A phrase is complete with the players that it names at least.
  document.addEventListener("change", ({ target }) => {
    if (target.id !== "phrase") return;
    const { least } = target.selectedOptions[0].dataset;
    target.form.elements.first.required = least > 0;
    target.form.elements.second.required = least > 1;
  });

  // The phrases, which come at a press: open their list at once, where the browser can.
  document.addEventListener("htmx:afterSwap", (event) => {
    const { elt, verb } = event.detail.requestConfig ?? {};
    if (elt?.id !== "phrase-form" || verb !== "get") return;
    const list = document.getElementById("phrase");
    list?.focus();
    try {
      list?.showPicker();
    } catch {
      // The list opens at the next press.
    }
  });
})();
