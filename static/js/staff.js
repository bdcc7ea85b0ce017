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

  // --- A press that was not sent, or not answered, says so beside the button that was pressed ---------------------------

  const failures = ["htmx:sendError", "htmx:timeout", "htmx:responseError"];
  let failure = null;

  const sayFailed = (event) => {
    const request = event.detail.requestConfig;
    const pressed = request?.triggeringEvent?.submitter || event.detail.elt;
    const form = request?.elt.closest("form[data-unsent]:not([hidden])");
    if (!form || !pressed.isConnected) return;
    failure = document.createElement("p");
    failure.className = "field-error press-failed";
    failure.setAttribute("role", "alert");
    failure.textContent = event.type === "htmx:responseError" ? form.dataset.refused : form.dataset.unsent;
    pressed.insertAdjacentElement("afterend", failure);
  };

  for (const name of failures) document.addEventListener(name, sayFailed);
  document.addEventListener("htmx:beforeRequest", () => failure?.remove());

  // A form whose answer is a whole page shows it when it is refused, too; what the server could not do leaves the form there.
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (!detail.target?.matches("#main, .portions") || detail.xhr.status >= 500) return;
    detail.shouldSwap = true;
    detail.isError = false;
  });

  // A kitchen's screen that is not read again says since when.
  const saySheetStale = (event) => {
    const stale = document.getElementById("sheet-stale");
    if (stale && event.detail.elt.id === "sheet") stale.hidden = false;
  };
  for (const name of failures) {
    document.addEventListener(name, saySheetStale);
  }

  // --- A new booking chimes, and the tab's title counts those that came while nobody looked -----------------------------

  // Browsers let a page sound once somebody has touched it.
  let audio = null;
  for (const name of ["pointerdown", "keydown"]) {
    document.addEventListener(name, () => (audio ||= new AudioContext()), { once: true });
  }

  // The device remembers whether it chimes. Where a browser remembers nothing, it does.
  const CHIME = "chime";
  let isSilent = false;
  try {
    isSilent = localStorage.getItem(CHIME) === "off";
  } catch {}

  const showChime = () => {
    for (const button of document.querySelectorAll("[data-chime]")) {
      button.closest("[hidden]")?.removeAttribute("hidden");
      button.setAttribute("aria-pressed", !isSilent);
    }
  };

  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("[data-chime]")) return;
    isSilent = !isSilent;
    try {
      localStorage.setItem(CHIME, isSilent ? "off" : "on");
    } catch {}
    showChime();
    chime(); // as it sounds
  });
  showChime();

  const chime = () => {
    if (isSilent || audio?.state !== "running") return;
    [880, 1320].forEach((hertz, i) => {
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      const at = audio.currentTime + i * 0.15;
      tone.frequency.value = hertz;
      volume.gain.setValueAtTime(0.2, at);
      volume.gain.exponentialRampToValueAtTime(0.001, at + 0.4);
      tone.connect(volume).connect(audio.destination);
      tone.start(at);
      tone.stop(at + 0.4);
    });
  };

  let seen = null; // when the latest booking was made that somebody may have seen
  let heard = null;

  const countNew = () => {
    const live = document.getElementById("live-part");
    if (!live) return;
    const booked = live.dataset.booked.split(" ").map(Number);
    const latest = booked[0];
    if (heard !== null && latest > heard) chime();
    heard = Math.max(heard ?? 0, latest);
    if (seen === null || !document.hidden) seen = heard;
    const fresh = booked.filter((at) => at > seen).length;
    document.title = (fresh > 0 ? `(${fresh}) ` : "") + document.title.replace(/^\(\d+\) /, "");
  };

  for (const name of ["htmx:afterSwap", "htmx:sseMessage", "visibilitychange"]) document.addEventListener(name, countNew);
  countNew();

  // --- What is left of a hold: the deadline is the server's; once a second --------------------------------------------

  const countDown = () => {
    for (const time of document.querySelectorAll("time[data-left]")) {
      const seconds = Math.max(Math.ceil((Date.parse(time.dataset.left) - Date.now()) / 1000), 0);
      const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      time.textContent = (time.dataset.leftText || "%").replace("%", left);
    }
  };

  setInterval(countDown, 1000);
  document.addEventListener("htmx:load", countDown);
  countDown();

  // --- A page to be printed has a button for it ------------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-print]")) window.print();
  });

  // --- A table of the room: a press on it opens what can be done there, over the board -------------------------------

  document.addEventListener("click", (event) => {
    const seat = !event.ctrlKey && !event.metaKey && event.target.closest?.("[data-room] a [data-seat]");
    const link = seat && document.querySelector(`#table-${seat.dataset.seat} .table-label a`);
    if (!link) return;
    event.preventDefault();
    link.click();
  });

  document.addEventListener("htmx:afterSwap", (event) => {
    const content = event.detail.target; // a stream swaps without one
    if (content?.id !== "table-dialog-content" || !content.firstElementChild) return;
    document.getElementById("table-dialog").showModal();
  });

  // What does not come is asked for as a page, which says why.
  for (const name of failures) {
    document.addEventListener(name, ({ detail }) => {
      if (detail.target?.id === "table-dialog-content") location.assign(detail.elt.href);
    });
  }

  // --- The focus stays with its party when an update takes the button away that had it: on the name, where another press marks
  // nothing ------------------------------------------------------------------------------------------------------------

  let focused = null;
  let row = "";

  document.addEventListener("focusin", (event) => {
    focused = event.target;
    row = focused.closest("#live-part li[id]")?.id || "";
  });

  const keepFocus = () => {
    if (!row || focused.isConnected || document.activeElement !== document.body) return;
    const place = document.getElementById(row);
    (place?.querySelector("a") || document.getElementById("main")).focus({ preventScroll: true });
  };

  for (const name of ["htmx:afterSwap", "htmx:afterSettle", "htmx:sseMessage"]) document.addEventListener(name, keepFocus);
})();
