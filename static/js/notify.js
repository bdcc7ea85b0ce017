// The browser's own notification when something came of a wait while nobody looks. A button asks for leave, never the page by
// itself; without the leave, or where browsers have no notifications, everything else stays as it is.
(() => {
  "use strict";

  // Browsers of phones have the name and no constructor: what a page asks leave for there never comes.
  const isSupported = () => {
    if (!("Notification" in window)) return false;
    if (Notification.permission === "granted") return true; // a try would be one: see notify
    try {
      new Notification("", {});
      return true;
    } catch {
      return false;
    }
  };
  let supported = isSupported();
  const boxes = () => document.querySelectorAll("[data-notify]");

  // The box shows the button, or in words what the browser's answer was.
  const show = (box) => {
    if (!supported) return;
    const permission = Notification.permission;
    box.hidden = false;
    box.querySelector("[data-notify-ask]").hidden = permission !== "default";
    box.querySelector("[data-notify-state]").textContent = { granted: box.dataset.granted, denied: box.dataset.denied }[permission] ?? "";
  };

  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("[data-notify-ask]")) return;
    Notification.requestPermission().then(() => boxes().forEach(show));
  });

  // Returns whether there is one: only for who does not look, and allows it.
  const notify = (title, body, url) => {
    if (!supported || Notification.permission !== "granted" || !document.hidden) return false;
    let notification;
    try {
      notification = new Notification(title, { body, tag: url });
    } catch {
      supported = false;
      boxes().forEach((box) => (box.hidden = true));
      return false;
    }
    notification.addEventListener("click", () => {
      window.focus();
      notification.close();
      location.assign(url);
    });
    return true;
  };

  // A result on the page of the line. The page stays until somebody looks: the notification lives as long as its page, and
  // nobody has seen a result that a hidden page has loaded.
  let waits = null;

  document.addEventListener("htmx:beforeRequest", (event) => {
    const trigger = event.target.closest?.("[data-notify-result]");
    const box = trigger && boxes()[0];
    if (!box) return;
    const url = trigger.getAttribute("hx-get");
    if (!notify(box.dataset.title, box.dataset.body, url)) return;
    event.preventDefault();
    waits = url;
  });

  document.addEventListener("visibilitychange", () => {
    if (waits && !document.hidden) location.assign(waits);
  });

  // A result in the bar of any other page.
  document.addEventListener("htmx:sseMessage", (event) => {
    const place = event.detail?.type === "result" && event.target.closest(".waits")?.querySelector(".waits-place");
    if (place) notify(event.detail.data, "", place.href);
  });

  document.addEventListener("htmx:load", (event) => event.detail.elt.querySelectorAll("[data-notify]").forEach(show));
  if (!window.htmx) boxes().forEach(show);
})();
