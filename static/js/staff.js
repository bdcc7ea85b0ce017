// What the pages of a restaurant's staff do beyond HTML and htmx. Each part improves something that works without it.
(() => {
  "use strict";

  // --- Menus that open over the page: a press beside them, or Escape, closes them ----------------------------------

  const closeMenus = (except) => {
    for (const menu of document.querySelectorAll("details[data-popover][open]")) {
      if (menu !== except) menu.open = false;
    }
  };

  document.addEventListener("click", (event) => closeMenus(event.target.closest?.("details[data-popover]")));

  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && document.querySelector("details[data-popover][open]");
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
})();
