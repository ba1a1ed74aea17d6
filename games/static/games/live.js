// Keeps the page's panels up to date: frames over a socket, a quiet poll when there is no socket,
// and the same comparison after every reconnect, post and return to the page. Without this file
// everything still works by forms and reloads.
(() => {
  "use strict";

  const POLL_EVERY = 8_000;
  const POLL_WITHIN = 8_000;
  // The answer to a move has no panels: a frame brings them. Without one by then, ask.
  const FRAME_WITHIN = 2_500;
  // A close code.
  const SIGNED_OUT = 4401;

  const page = document.querySelector("[data-live]");
  // Frames are acknowledged together: at the latest after this many frames or characters.
  const FRAMES_AT_ONCE = 64;
  const TEXT_AT_ONCE = 64 * 1024;
  let line = null;
  let frames = 0;
  // Frames since the page was loaded; `frames` counts those of this socket.
  let received = 0;
  let unacknowledged = 0;
  // The digests that the server believes this page shows: the rows in a frame assume them.
  let told = {};
  let said = {};

  const panels = () => [...document.querySelectorAll("[data-panel][data-digest]")];
  const have = () =>
    Object.fromEntries(panels().map((panel) => [panel.dataset.panel, panel.dataset.digest]));

  // Focus and voice ------------------------------------------------------------------------

  // The position of the focus, kept while panels change.
  let focused = null;
  document.addEventListener("focusin", (event) => {
    const panel = event.target.closest?.("[data-panel]");
    focused = panel && { id: event.target.id, panel: panel.id };
  });

  const keepFocus = () => {
    if (!focused || document.activeElement !== document.body) return;
    const panel = document.getElementById(focused.panel);
    let place = focused.id && document.getElementById(focused.id);
    if (!place || place === panel) {
      // The focused element is gone: its panel is the nearest place.
      place = panel;
      if (place && !place.hasAttribute("tabindex")) place.tabIndex = -1;
    }
    place?.focus({ preventScroll: true });
  };

  const textOf = (selector) => document.querySelector(selector)?.textContent.trim() ?? "";
  const textsOf = (selector) =>
    [...document.querySelectorAll(selector)].map((element) => element.textContent.trim());
  const hasMove = () => document.querySelector("#panel-action [name=choice]") !== null;
  let headlines = textsOf("[data-announce]");
  let moveOffered = hasMove();

  const announce = () => {
    const now = textsOf("[data-announce]");
    const news = now.filter((text) => !headlines.includes(text));
    if (news.length) document.getElementById("announcer").textContent = news.join(" ");
    if (hasMove() && !moveOffered)
      document.getElementById("summons").textContent = textOf("#panel-action h2");
    headlines = now;
    moveOffered = hasMove();
  };

  // New rows are added at the front. A frame may repeat rows that a response has already added.
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const { target, fragment } = event.detail;
    if (!target.id.startsWith("rows-")) return;
    for (const row of [...fragment.children]) document.getElementById(row.id)?.remove();
  });

  // Details that the reader has opened stay open.
  let opened = [];
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    opened = [...event.detail.target.querySelectorAll("details[id][open]")].map(({ id }) => id);
  });
  document.addEventListener("htmx:oobAfterSwap", () => {
    for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  });

  // So do choices that the reader has made and not sent yet.
  let chosen = [];
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    chosen = [...event.detail.target.querySelectorAll("select[id]")]
      .filter((select) => !select.selectedOptions[0]?.defaultSelected)
      .map(({ id, form, value }) => ({ id, value, seat: form?.querySelector("[name=seat]")?.value }));
  });
  document.addEventListener("htmx:oobAfterSwap", () => {
    for (const { id, value, seat } of chosen) {
      const select = document.getElementById(id);
      // Another bot may sit there now.
      if (select && select.form?.querySelector("[name=seat]")?.value === seat) select.value = value;
    }
  });

  // The minutes keep their scroll position.
  let minutesAt = 0;
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const minutes = event.detail.target.closest("#panel-log");
    if (minutes) minutesAt = minutes.scrollTop;
  });

  // What was refused is told until the game has moved on.
  let toldAt = 0;
  document.addEventListener("htmx:oobAfterSwap", ({ target }) => {
    if (target.id === "notice") toldAt = performance.now();
    else if (target.id === "panel-banner" && performance.now() - toldAt > 5_000)
      document.getElementById("notice")?.replaceChildren();
  });

  let settling = 0;
  document.addEventListener("htmx:oobAfterSwap", () => {
    keepFocus();
    // The rest, once for all the panels of a frame.
    clearTimeout(settling);
    settling = setTimeout(() => {
      const minutes = document.getElementById("panel-log");
      if (minutes && minutesAt) minutes.scrollTop = minutesAt;
      if (document.getElementById("announcer")) announce();
      tick();
    }, 30);
  });

  // Panels ---------------------------------------------------------------------------------

  // Rows that the page has not asked for yet have no place on it (games/panels/later.py).
  const placed = (html) => {
    const box = document.createElement("template");
    box.innerHTML = html;
    const others = [...box.content.children].filter(
      ({ id, dataset }) => id && dataset.hxSwapOob === "true" && !document.getElementById(id),
    );
    for (const part of others) part.remove();
    return others.length ? box.innerHTML : html;
  };
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    detail.serverResponse = placed(detail.serverResponse);
  });

  const swapIn = (html, digests, base) => {
    // Every element in the HTML names its own target, so nothing goes to the body itself.
    htmx.swap(document.body, placed(html), { swapStyle: "none" });
    note(digests, base);
  };

  // A whole panel carries its own digest. If only rows came, record the digest, provided that the
  // rows were made for the panel's previous state (`base`); otherwise ask the server for the whole
  // panel.
  const note = (digests, base) => {
    let isSure = true;
    for (const [name, digest] of Object.entries(digests)) {
      const panel = document.getElementById(`panel-${name}`);
      if (!panel || panel.dataset.digest === digest) continue;
      const fits = panel.dataset.digest === base[name];
      panel.dataset.digest = fits ? digest : "unsure";
      isSure &&= fits;
    }
    if (!isSure) setTimeout(compare);
  };

  const digestsOf = (header) =>
    Object.fromEntries((header ?? "").split(" ").filter(Boolean).map((item) => item.split(":")));

  const hears = (frame, length) => {
    if (frame.bell) document.dispatchEvent(new Event("chancellery:bell"));
    if (frame.same) told = said;
    if (frame.html === undefined) return;
    swapIn(frame.html, frame.panels, told);
    Object.assign(told, frame.panels);
    frames += 1;
    received += 1;
    unacknowledged += length;
    if (frames % FRAMES_AT_ONCE === 0 || unacknowledged >= TEXT_AT_ONCE) {
      unacknowledged = 0;
      line.send({ ack: frames });
    }
  };

  const asks = () => {
    said = have();
    // A frame on its way may still be made for the previous state.
    for (const name of Object.keys(said)) if (told[name] !== said[name]) told[name] = "";
    return { have: said };
  };

  const isOpen = () => line !== null && line.isOpen();
  const compare = () => {
    if (isOpen()) line.ask();
    else poll();
  };

  const poll = async () => {
    const asked = haveHeader();
    try {
      const answer = await fetch(page.dataset.poll, {
        headers: { "X-Panels": asked, "HX-Request": "true" },
        cache: "no-store",
        signal: AbortSignal.timeout(POLL_WITHIN),
      });
      if (answer.status === 200) {
        const html = await answer.text();
        swapIn(html, digestsOf(answer.headers.get("X-Panels")), digestsOf(asked));
      }
      if (answer.status === 404 || answer.redirected) location.reload();
    } catch {
      // No network: the next comparison tries again.
    }
  };

  const haveHeader = () =>
    Object.entries(have())
      .map(([name, digest]) => `${name}:${digest}`)
      .join(" ");

  // Signing out closes the socket, and a page that is told so reloads. This page is on its way to
  // another one, which the reload would stop. The tab forgets which tables it showed.
  document.addEventListener("submit", (event) => {
    if (!event.target.matches("form[action$='/account/sign-out/']")) return;
    line?.stop();
    const forget = () => {
      try {
        sessionStorage.clear();
      } catch {
        // Some browsers forbid storage.
      }
    };
    forget();
    // The table's scripts may note something when the page is left.
    document.addEventListener("visibilitychange", forget);
  });

  if (page) {
    line = chancellery.listen(page.dataset.socket, {
      opens: () => {
        frames = unacknowledged = 0;
        told = have();
      },
      asks,
      hears,
      // The session has ended, so the page must change: the user signed out, or was suspended.
      closes: (code) => { if (code === SIGNED_OUT) poll(); },
    });
    setInterval(() => {
      if (!document.hidden && !isOpen()) poll();
    }, POLL_EVERY);
    // A page restored from the browser's cache is out of date.
    addEventListener("pageshow", (event) => {
      if (event.persisted) location.reload();
    });
  }

  document.addEventListener("htmx:configRequest", (event) => {
    event.detail.headers["X-Panels"] = haveHeader();
    // Frames come in one order. An answer with panels would cross them.
    if (isOpen()) event.detail.headers["X-Live"] = String(received);
    // htmx forgets the value of a button outside its form, so add it here.
    const pressed = event.detail.triggeringEvent?.submitter;
    if (pressed?.name) event.detail.parameters[pressed.name] = pressed.value;
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    const { failed, requestConfig, xhr } = event.detail;
    // Older rows came (fragments.py). If the panel has changed meanwhile, they may be out of date.
    const [name, digest] = (xhr.getResponseHeader("X-Rest") ?? "").split(":");
    if (name) {
      const panel = document.getElementById(`panel-${name}`);
      if (panel.dataset.digest !== digest) {
        panel.dataset.digest = "unsure";
        compare();
      }
      return;
    }
    const { "X-Panels": asked, "X-Live": before } = requestConfig.headers;
    if (xhr.getResponseHeader("X-Live") === null)
      note(digestsOf(xhr.getResponseHeader("X-Panels")), digestsOf(asked));
    else if (failed || !isOpen()) compare();
    // The connection may be broken although it looks open: ask by another one.
    else setTimeout(() => received === Number(before) && poll(), FRAME_WITHIN);
  });

  // Clocks: the server sends the deadline, the browser displays the time left.
  const { lang } = document.documentElement;
  const unit = (number, name) =>
    new Intl.NumberFormat(lang, {
      style: "unit",
      unit: name,
      // The narrow units of Japanese are Latin letters.
      unitDisplay: lang === "ja" ? "short" : "narrow",
    }).format(number);
  const left = (seconds) => {
    const minutes = Math.floor(seconds / 60);
    const hours = Math.floor(minutes / 60);
    if (hours >= 24) return `${unit(Math.floor(hours / 24), "day")} ${unit(hours % 24, "hour")}`;
    if (hours) return `${unit(hours, "hour")} ${unit(minutes % 60, "minute")}`;
    return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
  };
  const tick = () => {
    for (const clock of document.querySelectorAll("time[data-countdown]")) {
      const seconds = Math.max(0, Math.ceil((Date.parse(clock.dateTime) - chancellery.now()) / 1000));
      const text = left(seconds);
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("is-short", seconds <= 10);
    }
  };
  setInterval(tick, 500);
  tick();

  // Store the browser's time zone, so that the next page uses it for dates and times.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !document.cookie.split("; ").includes(`time_zone=${zone}`)) {
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `time_zone=${zone}; path=/; max-age=31536000; samesite=lax${secure}`;
  }

  // A language that is picked applies at once. Arrow keys pass others on the way, so a keyboard's
  // choice waits for the button, which comes then.
  const languages = document.getElementById("language");
  let isPicked = false;
  languages?.addEventListener("pointerdown", () => { isPicked = true; });
  languages?.addEventListener("keydown", () => { isPicked = false; });
  languages?.addEventListener("change", () => {
    if (isPicked || matchMedia("(pointer: coarse)").matches) languages.form.submit();
    else languages.form.classList.add("is-changed");
  });

  // What users do not need before the page is there, with the installed app: push messages, and a page of
  // its own without a network.
  addEventListener("load", () => {
    navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
    const script = document.createElement("script");
    script.src = document.body.dataset.later;
    document.head.append(script);
  });
  chancellery.compare = () => page && compare();
})();
