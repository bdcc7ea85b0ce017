// The service worker: shows what the server pushes, and opens its page. It handles no requests and caches nothing.
"use strict";

const isSeen = async () => {
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  return pages.some((page) => page.visibilityState === "visible");
};

// A page that somebody looks at says it itself.
const show = async ({ title, body, url, tag }) => {
  if (await isSeen()) return;
  await registration.showNotification(title, { body, tag, renotify: true, data: { url } });
};

addEventListener("push", (event) => event.waitUntil(show(event.data.json())));

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(clients.openWindow(event.notification.data.url));
});
