// Alerts that call a player to the table: the tab's title, sounds, browser notifications and the
// bell, each of which can be off. Also the cover over a streamer's cards, until they look.
// Everything is read from the page as it stands; without this file only the alerts are missing.
(() => {
  "use strict";

  const LOOK_FOR = 5_000;

  const words = document.getElementById("calls");
  const is = (name) => words?.dataset[name] === "on";
  const at = (selector) => document.querySelector(selector);

  // Switches --------------------------------------------------------------------------------

  document.addEventListener("htmx:afterRequest", (event) => {
    const form = event.target.closest?.("form[data-switch]");
    if (!form || !event.detail.successful || !words) return;
    const name = form.dataset.switch;
    words.dataset[name] = event.detail.requestConfig.parameters.is_on === "on" ? "on" : "off";
    at("main").classList.toggle("covered", is("hides_role"));
    show();
    // The pressed button is gone; its opposite has taken its place.
    form.querySelector(is(name) ? ".when-on" : ".when-off")?.focus();
  });

  // Ask for permission only after the user's own press.
  const mayNotify = "Notification" in window;
  const permission = async (event, form, isOn) => {
    if (!isOn || !mayNotify || Notification.permission === "granted") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const answer = await Notification.requestPermission();
    const refused = document.getElementById("notify-refused");
    if (refused) refused.hidden = answer === "granted";
    if (answer === "granted") form.requestSubmit(event.submitter ?? undefined);
  };
  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target;
      if (form.matches('form[data-switch="notifies"]'))
        permission(event, form, event.submitter?.value === "on");
    },
    true,
  );
  document.addEventListener("change", async (event) => {
    // The checkbox on the preferences page.
    const box = event.target;
    if (!box.matches('input[name="notifies"]') || !box.checked) return;
    const answer = mayNotify ? await Notification.requestPermission() : "denied";
    if (answer !== "granted") box.checked = false;
    const refused = document.getElementById("notify-refused");
    if (refused) refused.hidden = answer === "granted";
  });
  const notifier = at('form[data-switch="notifies"]');
  if (notifier && mayNotify) notifier.hidden = false;

  // Sounds ----------------------------------------------------------------------------------

  // sounds.js plays it, if it is loaded and sounds are on.
  const sound = (name) =>
    document.dispatchEvent(new CustomEvent("chancellery:sound", { detail: name }));

  // What happens ----------------------------------------------------------------------------

  const scene = () => ({
    turn: at("#panel-action [name=choice], .table-row.my-turn") !== null,
    revealed: at(".seats.revealed") !== null,
    enacted: document.querySelectorAll(".space.filled").length,
    over: at("#panel-banner .extra") !== null,
  });

  const title = document.title;
  let unread = 0;
  let before = scene();

  const show = () => {
    const count = unread ? `(${unread}) ` : "";
    const turn = before.turn ? `${words?.dataset.turn} · ` : "";
    document.title = is("calls_title") ? turn + count + title : title;
  };

  const notify = (waits) => {
    if (!document.hidden || !is("notifies") || !mayNotify) return;
    if (Notification.permission !== "granted") return;
    try {
      const shown = new Notification(waits, { body: title, tag: location.pathname });
      shown.onclick = () => {
        window.focus();
        shown.close();
      };
    } catch {
      // Some phones allow only service workers to notify.
    }
  };

  const look = () => {
    const now = scene();
    if (now.over && !before.over) sound("over");
    else if (now.enacted > before.enacted) sound("policy");
    else if (now.revealed && !before.revealed) sound("vote");
    if (now.turn && !before.turn) {
      sound("turn");
      notify(words?.dataset.waits);
    }
    before = now;
    show();
  };

  // Once for all the panels of a frame.
  let settling = 0;
  document.addEventListener("htmx:oobAfterSwap", () => {
    clearTimeout(settling);
    settling = setTimeout(() => {
      look();
      seatsChanged();
    }, 40);
  });

  // talk.js reports the number of unread messages, and whether one mentions the viewer.
  document.addEventListener("chancellery:unread", (event) => {
    const count = event.detail?.count ?? 0;
    if (count > unread) sound("message");
    unread = count;
    show();
  });
  show();

  // The bell --------------------------------------------------------------------------------

  document.addEventListener("chancellery:bell", () => {
    const called = document.getElementById("called");
    if (!called) return;
    // The answer replaces the bell and the call, wherever they are on this page.
    htmx.ajax("GET", called.dataset.bell, { target: "#called", swap: "none" });
    sound("message");
  });

  // A call to a table that comes while the reader plays elsewhere.
  document.addEventListener("htmx:oobAfterSwap", (event) => {
    if (event.detail?.target?.id !== "called") return;
    const words = at("#called b")?.textContent.trim();
    if (words) notify(words);
  });

  // Notes -----------------------------------------------------------------------------------

  // The names that the notes were made with, compared with the current seats.
  const named = (selector) =>
    [...document.querySelectorAll(selector)].map((name) => name.textContent).join("\n");
  const noted = () => `${at("#panel-tracks .track") !== null} ${named(".seat-name bdi")}`;
  let seated = noted();
  const seatsChanged = () => {
    const now = noted();
    if (now === seated) return;
    seated = now;
    document.body.dispatchEvent(new CustomEvent("chancellery:seats"));
  };

  for (const trouble of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
    document.addEventListener(trouble, (event) => {
      const form = event.target.closest?.(".notes-form");
      if (!form) return;
      const said = document.createElement("p");
      said.className = "message error";
      said.textContent = form.dataset.unsaved;
      form.querySelector(".notes-saved, #notes-state > .message")?.remove();
      document.getElementById("notes-state").append(said);
    });
  }

  // Covered cards ---------------------------------------------------------------------------

  let uncovered = 0;
  const uncover = () => {
    at("main").classList.add("looking");
    clearTimeout(uncovered);
    uncovered = setTimeout(cover, LOOK_FOR);
  };
  const cover = () => {
    // Do not cover cards that are in use.
    if (at(".covered .secret:focus-within, .covered .choices.secret:hover")) {
      uncovered = setTimeout(cover, 1_000);
      return;
    }
    at("main").classList.remove("looking");
  };
  document.addEventListener("click", (event) => {
    if (!at("main.covered")) return;
    const isLooking = at("main.looking") !== null;
    if (event.target.closest(".cover-look")) uncover();
    else if (!isLooking && event.target.closest(".secret")) uncover();
  });
})();
