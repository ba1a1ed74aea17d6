// The pages that ask for a password.
(() => {
  "use strict";

  // One switch shows what is typed in all of a form's password fields, until it is sent.
  for (const form of document.forms) {
    const button = [...form.querySelectorAll("[data-shows-password]")].pop();
    // A form with two fields loads this twice.
    if (!button?.hidden) continue;
    const fields = form.querySelectorAll("[type=password]");
    const [show, hide] = [button.textContent, button.dataset.done];
    const turn = (type) => {
      // A browser's spelling check may send what it reads.
      for (const field of fields) Object.assign(field, { type, spellcheck: false, autocapitalize: "none" });
      button.textContent = type === "text" ? hide : show;
    };
    button.addEventListener("click", () => turn(fields[0].type === "text" ? "password" : "text"));
    form.addEventListener("submit", () => turn("password"));
    button.hidden = false;
  }
})();
