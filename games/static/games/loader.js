// Loads the scripts that a table's page needs later than others: the animations after the page, the
// night's and the seal's when what they are for has come, and the sounds at the first press, because
// browsers play none before it.
(() => {
  "use strict";

  const addresses = document.querySelector("main").dataset;
  const load = (name) => {
    const script = document.createElement("script");
    script.src = addresses[name];
    document.head.append(script);
  };

  const wanted = { nightScript: "[data-night]", sealScript: "input[data-draw], #seal-step" };
  const look = () => {
    for (const [name, selector] of Object.entries(wanted)) {
      if (!document.querySelector(selector)) continue;
      delete wanted[name];
      // The page has loaded the seal's script already where the game has not begun.
      if (name in addresses) load(name);
    }
  };
  document.addEventListener("htmx:oobAfterSwap", look);
  look();
  addEventListener("load", () => load("momentsScript"));

  const pressed = () => {
    for (const press of ["pointerdown", "keydown"]) removeEventListener(press, pressed);
    load("soundScript");
  };
  for (const press of ["pointerdown", "keydown"]) addEventListener(press, pressed);
})();
