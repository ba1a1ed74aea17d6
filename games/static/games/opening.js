// The form for a new table. Enter in the preset's name saves the preset; by default it would press
// the form's first button, and open a table.
(() => {
  "use strict";

  const form = document.getElementById("opening");
  const name = document.getElementById("id_name");
  name?.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    document.getElementById("save").click();
  });

  // Friends come by a link, many without an account: at a table that is not public they may join
  // as guests, unless the host has decided.
  const guests = document.getElementById("id_takes_guests");
  let isDecided = guests?.checked;
  guests?.addEventListener("change", () => { isDecided = true; });

  // What is chosen in a fold stands beside its heading.
  const { lang } = document.documentElement;
  const all = new Intl.ListFormat(lang);
  const plural = new Intl.PluralRules(lang);
  const words = ({ labels: [label] }) =>
    (label.querySelector(".choice-name") ?? label).textContent.trim();
  const tell = () => {
    for (const now of form.querySelectorAll("[data-now]")) {
      const fields = [...form.querySelectorAll(`[name="${now.dataset.now}"]`)];
      if (fields[0].type === "select-one") now.textContent = fields[0].selectedOptions[0].text;
      else if (fields.length === 1) now.hidden = !fields[0].checked;
      else now.textContent = all.format(fields.filter((field) => field.checked).map(words));
    }
    // The first has the words for all of them.
    const rules = form.querySelectorAll("[data-rules]");
    for (const now of rules) {
      const count = now.closest("details").querySelectorAll(":checked:not([value=''])").length;
      const told = rules[0].dataset[plural.select(count)] ?? rules[0].dataset.many;
      now.textContent = count ? told.replace(/\d+/, count) : (now.dataset.none ?? "");
    }
  };

  // A public table needs a clock, as the choice without one says.
  const [normal, untimed] = ["normal", "untimed"].map((pace) => form?.querySelector(`[value=${pace}]`));
  const isPublic = () => form.querySelector("[value=public]").checked;
  if (form) untimed.disabled = isPublic() && !untimed.checked;

  form?.addEventListener("change", ({ target }) => {
    if (target.name === "visibility") {
      if (!isDecided) guests.checked = !isPublic();
      if (isPublic() && untimed.checked) normal.checked = true;
      untimed.disabled = isPublic();
    }
    tell();
  });
})();
