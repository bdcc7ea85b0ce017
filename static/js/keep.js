// Asks the service worker (sw.js) to keep copies of a page and of those that it names, for when there is no connection.
(() => {
  "use strict";

  const box = document.querySelector("[data-keep]");
  if (!box || !("serviceWorker" in navigator)) return;
  const { keep, session, worker } = box.dataset;
  navigator.serviceWorker
    .register(worker)
    .then(() => navigator.serviceWorker.ready)
    .then((ready) => ready.active.postMessage({ session, pages: keep.split(" ") }))
    .catch(() => {}); // the browser keeps nothing
})();
