// What was typed into a form stays in this tab until it stands: it survives any answer, and a page
// that is loaded again. Passwords and codes are never kept, and signing out forgets everything.
(() => {
  "use strict";

  const FIELDS = "textarea, input:is([type=text], [type=email], :not([type]))";
  const SECRET = "[autocomplete*=password], [autocomplete=one-time-code], [name*=password], [name=code]";
  // The page that sent a form, and the drafts in it.
  const SENT = "drafts sent";
  // Who typed them.
  const OF = "reader";
  const SIGN_IN = /^\/account\/(sign-in|confirm)\//;

  let store;
  try {
    store = sessionStorage;
  } catch {
    // Some browsers forbid storage.
    return;
  }

  const isKept = (field) =>
    field.matches(FIELDS) && !field.matches(SECRET) && field.form?.method === "post";
  const nameOf = ({ form, id, name }) =>
    `draft ${new URL(form.action, location.href).pathname} ${id} ${name}`;
  const fieldsOf = (place) => [...place.querySelectorAll(FIELDS)].filter(isKept);

  const draftOf = (name) => JSON.parse(store.getItem(name) ?? "[]");
  // A refused form comes back with what was typed. The text before that, by the draft's name.
  const refused = new Map();
  const textBefore = (field) => refused.get(nameOf(field)) ?? field.defaultValue;

  const keep = (field) => {
    const before = textBefore(field);
    try {
      if (field.value === before) store.removeItem(nameOf(field));
      else store.setItem(nameOf(field), JSON.stringify([before, field.value]));
    } catch {
      // There is no room.
    }
  };
  document.addEventListener("input", ({ target }) => isKept(target) && keep(target));

  const restore = (place) => {
    for (const field of fieldsOf(place)) {
      const [before, draft] = draftOf(nameOf(field));
      // This file comes after the page, so something may have been typed by now.
      if (field.value !== field.defaultValue) keep(field);
      // What was typed over another text is out of date.
      else if (before === textBefore(field)) enter(field, draft);
      else store.removeItem(nameOf(field));
    }
  };
  const enter = (field, draft) => {
    field.value = draft;
    // Its other scripts count it, and save it.
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };

  // What a page sent by itself.
  document.addEventListener("htmx:afterRequest", ({ detail: { elt, requestConfig, xhr } }) => {
    if (requestConfig.verb === "get" || xhr.status < 200 || xhr.status >= 400) return;
    if (!elt.matches("form") || SIGN_IN.test(xhr.getResponseHeader("HX-Redirect") ?? "")) return;
    for (const field of fieldsOf(elt)) {
      const [, draft] = draftOf(nameOf(field));
      if (draft === requestConfig.parameters[field.name]) store.removeItem(nameOf(field));
    }
  });

  // What led to another page stands if the site answered with a redirect, or with a page that is no
  // error and does not show it in the same form. A user who leaves before the answer is elsewhere.
  document.addEventListener("submit", ({ target, defaultPrevented }) => {
    const names = defaultPrevented ? [] : fieldsOf(target).map(nameOf);
    if (names.length) store.setItem(SENT, JSON.stringify([location.href, ...names]));
    else store.removeItem(SENT);
  });
  const [from, ...names] = JSON.parse(store.getItem(SENT) ?? "[]");
  const [visit] = performance.getEntriesByType("navigation");
  const isAnswer = visit?.type === "navigate" && document.referrer === from?.split("#")[0];
  const isRedirected = visit?.redirectCount > 0;
  const isAnswered = (name) => isRedirected || name.startsWith(`draft ${location.pathname} `);
  const isTaken = (isRedirected || visit?.responseStatus < 400) && !SIGN_IN.test(location.pathname);
  for (const name of isAnswer ? names.filter(isAnswered) : []) {
    const [before, draft] = draftOf(name);
    const isShown = (field) => nameOf(field) === name && field.defaultValue === draft;
    if (!isRedirected && fieldsOf(document).some(isShown)) refused.set(name, before);
    else if (isTaken) store.removeItem(name);
  }
  store.removeItem(SENT);

  // Another account of this browser finds none of them.
  const { reader } = document.body.dataset;
  if (reader && (store.getItem(OF) ?? reader) !== reader)
    for (const name of Object.keys(store)) if (name.startsWith("draft ")) store.removeItem(name);
  if (reader) store.setItem(OF, reader);

  restore(document);
  document.addEventListener("htmx:load", ({ target }) => restore(target));
})();
