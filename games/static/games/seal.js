// The reader's own part of the seal (games/rules/RECORD.md). The browser draws 32 bytes, and only
// their SHA-256 leaves it until the table has frozen and published every hash.
(() => {
  "use strict";

  // Browsers have SHA-256 only under TLS and on this machine; elsewhere the server draws.
  if (!globalThis.crypto?.subtle) return;

  const PREFIX = "seal:";
  const KEPT_FOR = 2 * 24 * 60 * 60 * 1000;
  const SEND_AGAIN_AFTER = 2_000;
  const ANSWER_WITHIN = 4_000;

  const toHex = (bytes) =>
    Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

  const draw = async (commitment) => {
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    const hash = await crypto.subtle.digest("SHA-256", bytes);
    return { contribution: toHex(bytes), hash: toHex(new Uint8Array(hash)), commitment };
  };

  // The parts by hash: another page of this browser may have to reveal one.
  const known = new Map();

  const keep = (part) => {
    known.set(part.hash, part);
    try {
      localStorage.setItem(PREFIX + part.hash, JSON.stringify({ ...part, at: Date.now() }));
    } catch {
      // Without storage only this page keeps it.
    }
  };

  const find = (hash) => {
    if (!hash || known.has(hash)) return known.get(hash);
    try {
      const part = JSON.parse(localStorage.getItem(PREFIX + hash));
      if (part) known.set(hash, part);
      return part ?? undefined;
    } catch {
      return undefined;
    }
  };

  const forgetOld = () => {
    try {
      for (const key of Object.keys(localStorage)) {
        if (!key.startsWith(PREFIX)) continue;
        const { at } = JSON.parse(localStorage.getItem(key));
        if (!(Date.now() - at < KEPT_FOR)) localStorage.removeItem(key);
      }
    } catch {
      // There is no storage, or an entry is not ours.
    }
  };

  // A form that takes a seat sends the hash.
  const drawn = new WeakMap();

  const fillForms = async () => {
    for (const field of document.querySelectorAll("input[data-draw]")) {
      if (drawn.has(field)) continue;
      drawn.set(field, null);
      const part = await draw(field.form?.elements.commitment?.value ?? "");
      drawn.set(field, part);
      field.value = part.hash;
    }
  };

  document.addEventListener(
    "submit",
    (event) => {
      const field = event.target.querySelector?.("input[data-draw]");
      if (field && drawn.get(field)) keep(drawn.get(field));
    },
    true,
  );

  // The browser of a seated player answers what the table asks of it.
  const offered = new Map();
  const sentAt = new Map();
  let isFirst = true;

  const send = async (form, fields) => {
    const key = JSON.stringify(fields);
    if (Date.now() - (sentAt.get(key) ?? 0) < SEND_AGAIN_AFTER) return;
    // Not while it is on its way, and no part that was taken.
    sentAt.set(key, Infinity);
    const headers = JSON.parse(document.body.dataset.hxHeaders ?? "{}");
    const body = new URLSearchParams(fields);
    const signal = AbortSignal.timeout(ANSWER_WITHIN);
    try {
      const { ok } = await fetch(form.action, { method: "POST", headers, body, signal });
      if (ok && fields.contribution) return;
    } catch {
      // No network: the next call of takePart tries again.
    }
    sentAt.set(key, Date.now());
  };

  const takePart = async () => {
    const form = document.getElementById("seal-step");
    if (!form) return;
    const { step, hash, hashes } = form.dataset;
    const commitment = form.elements.commitment.value;
    const part = find(hash);
    if (step === "offer") {
      // Another browser drew it, and the player has left that browser, or it was drawn for another
      // deal: draw anew.
      const isForAnother = part?.commitment && part.commitment !== commitment;
      const isElsewhere = hash && (isForAnother || (isFirst && !part));
      isFirst = false;
      if (hash && !isElsewhere) return;
      if (!offered.has(commitment)) offered.set(commitment, draw(commitment));
      const mine = await offered.get(commitment);
      keep(mine);
      await send(form, { commitment, hash: mine.hash });
    } else if (step === "reveal" && part) {
      // Reveal nothing to a deal for which it was not drawn, or that has not frozen its hash.
      if (part.commitment && part.commitment !== commitment) return;
      if (!hashes.split(" ").includes(hash)) return;
      // A seat that was taken at any table is bound to the first deal that asks for the reveal.
      if (!part.commitment) keep({ ...part, commitment });
      await send(form, { commitment, contribution: part.contribution });
    }
  };

  const look = () => {
    fillForms();
    takePart();
  };

  forgetOld();
  look();
  document.addEventListener("htmx:oobAfterSwap", look);
  setInterval(takePart, 1_000);
})();
