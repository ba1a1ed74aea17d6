// Keeps the page's panels up to date: frames over a socket, a quiet poll when there is no socket,
// and the same comparison after every reconnect, post and return to the page. Without this file
// everything still works by forms and reloads.
(() => {
  "use strict";

  const COMPARE_EVERY = 8_000;
  const ANSWER_WITHIN = 4_000;
  const LONGEST_WAIT = 15_000;
  const MOST_FAILURES = 6;
  // The answer to a move has no panels: a frame brings them. Without one by then, ask.
  const FRAME_WITHIN = 2_500;
  // A close code: the client exceeded a limit and must pause for longer.
  const TOO_MUCH = 4429;
  // A close code: the server asks for a new socket, and nothing is lost.
  const COME_BACK = 4412;
  const SIGNED_OUT = 4401;

  const page = document.querySelector("[data-live]");
  // Frames are acknowledged together: at the latest after this many frames or characters.
  const FRAMES_AT_ONCE = 64;
  const TEXT_AT_ONCE = 64 * 1024;
  let socket = null;
  let frames = 0;
  // Frames since the page was loaded; `frames` counts those of this socket.
  let received = 0;
  let unacknowledged = 0;
  let failures = 0;
  let answerTimer = 0;
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

  const swapIn = (html, digests, base) => {
    // Every element in the HTML names its own target, so nothing goes to the body itself.
    htmx.swap(document.body, html, { swapStyle: "none" });
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

  // Whether the site can be reached. network.js tells the reader.
  const tellLine = (isLost) => {
    const { classList } = document.documentElement;
    if (classList.contains("offline") === isLost) return;
    classList.toggle("offline", isLost);
    document.dispatchEvent(new Event("chancellery:line"));
  };

  let reconnecting = 0;
  const connect = () => {
    clearTimeout(reconnecting);
    const url = new URL(page.dataset.socket, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    socket = new WebSocket(url);
    socket.onopen = () => {
      failures = 0;
      told = have();
      tellLine(false);
      compare();
    };
    socket.onmessage = (message) => {
      clearTimeout(answerTimer);
      answerTimer = 0;
      tellLine(false);
      const frame = JSON.parse(message.data);
      if (frame.bell) document.dispatchEvent(new Event("chancellery:bell"));
      if (frame.same) told = said;
      if (frame.html === undefined) return;
      swapIn(frame.html, frame.panels, told);
      Object.assign(told, frame.panels);
      frames += 1;
      received += 1;
      unacknowledged += message.data.length;
      if (frames % FRAMES_AT_ONCE === 0 || unacknowledged >= TEXT_AT_ONCE) {
        unacknowledged = 0;
        send({ ack: frames });
      }
    };
    socket.onclose = (event) => {
      socket = null;
      frames = 0;
      unacknowledged = 0;
      clearTimeout(answerTimer);
      answerTimer = 0;
      // The session has ended, so the page must change: the user signed out, or was suspended.
      if (event.code === SIGNED_OUT) poll();
      failures = event.code === TOO_MUCH ? MOST_FAILURES : failures + 1;
      if (event.code !== COME_BACK || failures > 1) tellLine(true);
      const wait = Math.min(LONGEST_WAIT, 500 * 2 ** Math.min(failures, MOST_FAILURES));
      reconnecting = setTimeout(connect, wait * (0.5 + Math.random() / 2));
    };
  };

  // The device has a network again. A socket from before looks open and is often dead.
  const reconnect = () => {
    if (socket) {
      socket.onclose = socket.onmessage = null;
      socket.close();
    }
    clearTimeout(answerTimer);
    answerTimer = failures = frames = unacknowledged = 0;
    connect();
  };

  const isOpen = () => socket !== null && socket.readyState === WebSocket.OPEN;
  const send = (data) => {
    if (isOpen()) socket.send(JSON.stringify(data));
  };

  const compare = () => {
    if (!isOpen()) {
      poll();
      return;
    }
    said = have();
    // A frame on its way may still be made for the previous state.
    for (const name of Object.keys(said)) if (told[name] !== said[name]) told[name] = "";
    send({ have: said });
    // A broken connection often looks open, so close it if no answer comes.
    if (!answerTimer) answerTimer = setTimeout(() => socket?.close(), ANSWER_WITHIN);
  };

  const poll = async () => {
    const asked = haveHeader();
    try {
      const answer = await fetch(page.dataset.poll, {
        headers: { "X-Panels": asked, "HX-Request": "true" },
        cache: "no-store",
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
    if (socket) {
      socket.onclose = null;
      socket.close();
    }
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
    connect();
    setInterval(() => {
      if (!document.hidden) compare();
    }, COMPARE_EVERY);
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) compare();
    });
    // The site may still be there, as on the player's own computer: any answer shows it.
    addEventListener("offline", () => {
      tellLine(true);
      compare();
    });
    addEventListener("online", reconnect);
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

  // The response to a post was lost: comparing shows whether the post was accepted.
  document.addEventListener("htmx:sendError", () => {
    if (page) compare();
  });
  document.addEventListener("htmx:responseError", ({ detail }) => {
    // network.js says that a move was not sent, and lets the player try again.
    if (detail.xhr.status < 500 || !detail.elt.closest("#panel-action")) location.reload();
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
      const seconds = Math.max(0, Math.ceil((Date.parse(clock.dateTime) - Date.now()) / 1000));
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

  // The installed app: push messages, and a page of its own without a network.
  addEventListener("load", () => {
    navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
  });

  // The button that leads to the page for sharing shares at once where the browser can. One in a
  // form also sends it: the consent of the only person who played.
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("[data-share-link]");
    if (!link) return;
    const { href: url } = new URL(link.dataset.shareLink, location.href);
    const lead = () => { location.href = `${url}#sharing`; };
    if (!link.form) event.preventDefault();
    if (navigator.share) navigator.share({ url }).catch(() => {});
    else if (navigator.clipboard) {
      navigator.clipboard.writeText(url).then(() => {
        const label = link.textContent;
        link.textContent = link.dataset.done;
        setTimeout(() => { link.textContent = label; }, 2000);
      }, lead);
    } else if (link.form) addEventListener("htmx:afterRequest", lead, { once: true });
    else lead();
  });

  // One press copies or shares a link.
  document.documentElement.classList.toggle("can-share", Boolean(navigator.share));
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copies], [data-shares]");
    const named = button && (button.dataset.copies || button.dataset.shares);
    const field = named ? document.getElementById(named) : event.target.closest?.("input[data-copy]");
    if (!field) return;
    if (button?.dataset.shares) {
      // The person may close the sheet of their system without choosing anything.
      navigator.share({ url: field.value }).catch(() => {});
      return;
    }
    field.select();
    await navigator.clipboard?.writeText(field.value);
    if (!button) return;
    const label = button.textContent;
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = label; }, 2000);
  });
})();
