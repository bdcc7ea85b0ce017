// The service worker: shows what the server pushes, and opens its page. It handles no requests and caches nothing.
"use strict";

const isSeen = async () => {
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  return pages.some((page) => page.visibilityState === "visible");
};

// Who looks at a page of the site hears no sound. Nothing is left out: the page may be another one, and browsers end the
// subscription of a site that shows nothing for a push.
const show = async ({ title, body, url, tag }) => {
  const seen = await isSeen();
  await registration.showNotification(title, { body, tag, renotify: !seen, silent: seen, data: { url } });
};

addEventListener("push", (event) => event.waitUntil(show(event.data.json())));

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(clients.openWindow(event.notification.data.url));
});
