// The form for a new table. Enter in the preset's name saves the preset; by default it would press
// the form's first button, and open a table.
(() => {
  "use strict";

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
  document.getElementById("opening")?.addEventListener("change", ({ target }) => {
    if (target.name === "visibility" && !isDecided) guests.checked = target.value !== "public";
  });
})();
