// Loads the scripts that a table's page needs later than others: the night's when its panel comes, and
// the sounds at the first press, because browsers play none before it.
(() => {
  "use strict";

  const addresses = document.querySelector("main").dataset;
  const load = (name) => {
    const script = document.createElement("script");
    script.src = addresses[name];
    document.head.append(script);
  };

  const look = () => {
    if (!document.querySelector("[data-night]")) return;
    document.removeEventListener("htmx:oobAfterSwap", look);
    load("nightScript");
  };
  document.addEventListener("htmx:oobAfterSwap", look);
  look();

  const pressed = () => {
    for (const press of ["pointerdown", "keydown"]) removeEventListener(press, pressed);
    load("soundScript");
  };
  for (const press of ["pointerdown", "keydown"]) addEventListener(press, pressed);
})();
