// Tells players the truth about their moves: "sending", "sent", or "not sent, try again", on the
// pressed button, and on the bar across the top for as long as a move is not sent.
(() => {
  "use strict";

  const ANSWER_WITHIN = 3_000;

  const bar = document.getElementById("network");
  if (!bar) return;
  const words = bar.dataset;
  // The move on its way or not sent: its request, form and choice, and what the button shows.
  let move = null;
  let late = 0;

  const show = () => chancellery.say("move", move?.state === "unsent" ? words.unsent : "");

  const decisionOf = (form) => form?.elements.decision?.value ?? "";
  const sameButton = () =>
    [...document.querySelectorAll("#panel-action form button")].find(
      ({ value, form }) =>
        value === move.value && form.action === move.action && decisionOf(form) === move.decision,
    );

  // Whether the move was made: the panel no longer offers it, or shows it as pressed.
  const isMade = () => {
    const button = sameButton();
    return !button || button.getAttribute("aria-pressed") === "true";
  };

  // The words lie over the button's edge, so that nothing moves.
  const mark = (state) => {
    move.state = state;
    const button = sameButton();
    if (button) {
      let told = button.querySelector(".post-state");
      if (!told) {
        told = document.createElement("span");
        button.append(told);
      }
      told.className = `post-state ${state}`;
      told.textContent = state === "unsent" ? words.unsentButton : words[state];
    }
    show();
  };

  const forget = () => {
    clearTimeout(late);
    move = null;
    show();
  };

  const isMove = (form) => form.closest?.("#panel-action") !== null && form.matches?.("form");

  // htmx drops a second press while the first is on its way. Once that is late, it gives way. The
  // key in the form makes sure that a move that did arrive counts once.
  document.addEventListener(
    "submit",
    ({ target }) => {
      if (isMove(target) && move?.state === "unsent") htmx.trigger(target, "htmx:abort");
    },
    true,
  );

  document.addEventListener("htmx:beforeRequest", (event) => {
    const { elt, requestConfig, xhr } = event.detail;
    const button = requestConfig.triggeringEvent?.submitter;
    if (!isMove(elt) || !button) return;
    clearTimeout(late);
    move = { xhr, value: button.value, action: elt.action, decision: decisionOf(elt) };
    mark("sending");
    // Not htmx's event: it is lost if a frame replaces the form before the answer comes.
    xhr.addEventListener("loadend", () => settle(xhr));
    late = setTimeout(() => mark("unsent"), ANSWER_WITHIN);
  });

  const settle = (xhr) => {
    if (xhr !== move?.xhr) return;
    clearTimeout(late);
    // Without an answer, or with the error of a server or proxy, the move counts as not sent.
    if ((xhr.status === 0 || xhr.status >= 500) && !isMade()) {
      mark("unsent");
      return;
    }
    if (xhr.status < 300) mark("sent");
    // A refusal says why by itself.
    else sameButton()?.querySelector(".post-state")?.remove();
    forget();
  };

  // A panel that does not offer the move any more, or shows it as made, settles the question.
  const look = () => {
    if (move && move.state !== "sent") {
      if (isMade()) forget();
      else if (!sameButton().querySelector(".post-state")) mark(move.state);
    }
    show();
  };
  let settling = 0;
  document.addEventListener("htmx:oobAfterSwap", () => {
    clearTimeout(settling);
    settling = setTimeout(look, 30);
  });

  // A press that was meant for "Next" must not cast the ballot that has just taken its place, and
  // one on the ballot that is in changes nothing.
  let nextAt = -Infinity;
  document.addEventListener(
    "click",
    (event) => {
      if (event.target.closest("#next-move")) nextAt = event.timeStamp;
      const ballot = event.target.closest(".ballot");
      const isHasty = event.detail && event.timeStamp - nextAt <= 800;
      if (!ballot || !(isHasty || ballot.ariaPressed === "true")) return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
})();
