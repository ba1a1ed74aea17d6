// Subscribes this browser to push messages, after the user's own press.
(() => {
  "use strict";

  const form = document.getElementById("push");
  const add = document.getElementById("push-add");
  const refused = document.getElementById("push-refused");
  if (!form || !("PushManager" in window) || !navigator.serviceWorker) return;

  // The browser wants the key as bytes.
  const bytes = (text) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

  add.hidden = false;
  add.addEventListener("click", async (event) => {
    event.preventDefault();
    try {
      if ((await Notification.requestPermission()) !== "granted") throw new Error("refused");
      const worker = await navigator.serviceWorker.ready;
      const options = { userVisibleOnly: true, applicationServerKey: bytes(form.dataset.key) };
      let subscription;
      try {
        subscription = await worker.pushManager.subscribe(options);
      } catch (error) {
        // A subscription to another key, from before the site changed its own.
        const old = await worker.pushManager.getSubscription();
        if (!old) throw error;
        await old.unsubscribe();
        subscription = await worker.pushManager.subscribe(options);
      }
      const { endpoint, keys } = subscription.toJSON();
      form.elements.endpoint.value = endpoint;
      form.elements.p256dh.value = keys.p256dh;
      form.elements.auth.value = keys.auth;
      form.submit();
    } catch {
      refused.hidden = false;
    }
  });
})();
