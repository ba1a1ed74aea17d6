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
})();
