/*
 * Passkeys: a form with `data-passkey` is sent with the credential from the browser's dialogue.
 * "create" makes a passkey, "get" uses one. The options come from the JSON beside the form or, if
 * it has none, from a request to the form's URL. The server checks everything.
 */
(() => {
  "use strict";

  const bytes = (text) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

  const text = (buffer) =>
    btoa(String.fromCharCode(...new Uint8Array(buffer)))
      .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

  const named = (keys) => (keys || []).map((key) => ({ ...key, id: bytes(key.id) }));

  async function optionsOf(form) {
    const beside = form.querySelector("script[type='application/json']");
    if (beside) return JSON.parse(beside.textContent);
    const answer = await fetch(form.action, { headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(`${answer.status}`);
    return answer.json();
  }

  async function made(form, options) {
    const key = options.creation_options.publicKey;
    const alone = form.elements.namedItem("passwordless");
    const isAlone = Boolean(alone && alone.checked);
    return navigator.credentials.create({
      publicKey: {
        ...key,
        challenge: bytes(key.challenge),
        user: { ...key.user, id: bytes(key.user.id) },
        excludeCredentials: named(key.excludeCredentials),
        authenticatorSelection: {
          ...key.authenticatorSelection,
          residentKey: isAlone ? "required" : "discouraged",
          requireResidentKey: isAlone,
          userVerification: isAlone ? "required" : "preferred",
        },
      },
    });
  }

  async function shown(options) {
    const key = options.request_options.publicKey;
    return navigator.credentials.get({
      publicKey: {
        ...key,
        challenge: bytes(key.challenge),
        allowCredentials: named(key.allowCredentials),
      },
    });
  }

  function told(credential) {
    const said = credential.response;
    const response = { clientDataJSON: text(said.clientDataJSON) };
    if (said.attestationObject) {
      response.attestationObject = text(said.attestationObject);
      response.transports = said.getTransports ? said.getTransports() : [];
    } else {
      response.authenticatorData = text(said.authenticatorData);
      response.signature = text(said.signature);
      response.userHandle = said.userHandle ? text(said.userHandle) : null;
    }
    return JSON.stringify({
      id: credential.id,
      rawId: text(credential.rawId),
      type: credential.type,
      authenticatorAttachment: credential.authenticatorAttachment || null,
      clientExtensionResults: credential.getClientExtensionResults(),
      response,
    });
  }

  function say(form, what) {
    for (const one of ["failed", "unknown"]) {
      const sentence = form.querySelector(`[data-passkey-${one}]`);
      if (sentence) sentence.hidden = one !== what;
    }
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("form[data-passkey]");
    if (!form) return;
    event.preventDefault();
    if (!window.PublicKeyCredential) {
      say(form, "unknown");
      return;
    }
    say(form, "");
    try {
      const options = await optionsOf(form);
      const credential = form.dataset.passkey === "create" ? await made(form, options) : await shown(options);
      form.elements.namedItem("credential").value = told(credential);
    } catch {
      // The user knows why they closed the dialogue, and the error for an existing key gives no
      // more detail.
      say(form, "failed");
      return;
    }
    form.submit();
  });

  for (const form of document.querySelectorAll("form[data-passkey][hidden]")) {
    form.hidden = !window.PublicKeyCredential;
  }
})();
