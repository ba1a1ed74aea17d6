// Links and texts that one press copies or shares.
(() => {
  "use strict";

  // What a pressed button has done stands on it for a moment.
  const answer = (button, text) => {
    const label = button.textContent;
    button.textContent = text;
    setTimeout(() => { button.textContent = label; }, 2000);
  };
  // Browsers have no clipboard where the site has no TLS, and may forbid it elsewhere.
  const copied = (text) =>
    navigator.clipboard?.writeText(text).then(() => true, () => false) ?? false;

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
      copied(url).then((isCopied) => (isCopied ? answer(link, link.dataset.done) : lead()));
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
    const isCopied = await copied(field.value);
    if (button) answer(button, isCopied ? button.dataset.done : button.dataset.selected);
  });
})();
