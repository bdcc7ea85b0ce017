// The service worker: shows what the server pushes, and opens its page. Without a connection it shows the copies of a
// diner's reservations that their pages have it keep (keep.js), and says of every other page that there is none.
"use strict";

const isSeen = async () => {
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  return pages.some((page) => page.visibilityState === "visible");
};

// Who looks at a page of the site hears no sound. Nothing is left out: the page may be another one, and browsers end
// the subscription of a site that shows nothing for a push.
const show = async ({ title, body, url, tag, answer }) => {
  const seen = await isSeen();
  const actions = answer ? [{ action: answer.url, title: answer.label }] : [];
  await registration.showNotification(title, { body, tag, actions, renotify: !seen, silent: seen, data: { url } });
};

addEventListener("push", (event) => event.waitUntil(show(event.data.json())));

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(clients.openWindow(event.action || event.notification.data.url));
});

// --- Copies -------------------------------------------------------------------------------------------------------

// All copies are of one session, which stands among them, and go with it.
const COPIES = "copies";
const SESSION = "/copies-of";
const OFFLINE = "/offline";
const FRESH = 60_000; // ms in which a copy is not fetched again for a page that names it
const MOST_PAGES = 20;
const MOST_FILES = 100;

const isKept = (path) => /^\/reservations(\/[^/]+)?$/.test(path);
const isFile = (path) => /^\/(static|pictures)\//.test(path);
const changesSession = (path) =>
  ["/signout", "/account/delete", "/signin", "/signup", "/link", "/rush"].includes(path) ||
  /^\/(pay|operator\/setup)\/[^/]+$/.test(path);

const find = (path) => caches.match(path, { cacheName: COPIES });
const forget = () => caches.delete(COPIES);
const drop = async (path) => (await caches.open(COPIES)).delete(path);

// The oldest go.
const trim = async (cache) => {
  const paths = (await cache.keys()).map((request) => new URL(request.url).pathname);
  const extra = [...paths.filter(isKept).slice(0, -MOST_PAGES), ...paths.filter(isFile).slice(0, -MOST_FILES)];
  for (const path of extra) await cache.delete(path);
};

// A copy says that it is one. It has the headers of the page, and comes with the files that it shows. A page says whose
// it is; what does not is of the session for which it was fetched.
const keep = async (path, answer, session) => {
  const text = await answer.text();
  const [, owner] = text.match(/data-session="([^"]*)"/) ?? [null, session];
  const cache = await caches.open(COPIES);
  const known = await cache.match(SESSION);
  if (!known || (await known.text()) !== owner) return;
  const headers = new Headers(answer.headers);
  for (const name of ["set-cookie", "content-encoding", "content-length"]) headers.delete(name);
  headers.set("kept-at", Date.now());
  await cache.delete(path); // the newest stands last
  await cache.put(path, new Response(text.replace("<body ", "<body data-copy "), { headers }));
  for (const [, file] of text.matchAll(/(?:src|href)="(\/(?:static|pictures)\/[^"]+)"/g)) {
    if (!(await cache.match(file))) await cache.add(file).catch(() => {}); // it shows less then
  }
  await trim(cache);
};

const keepAll = async ({ session, pages }) => {
  const known = await find(SESSION);
  if (!known || (await known.text()) !== session) {
    await forget();
    await (await caches.open(COPIES)).put(SESSION, new Response(session));
  }
  for (const path of pages) {
    const copy = await find(path);
    if (copy && Date.now() - copy.headers.get("kept-at") < FRESH) continue;
    const answer = await fetch(path, { headers: { purpose: "keep" } }); // nobody reads it yet
    if (answer.redirected) return forget(); // the session is over
    if (answer.ok) await keep(path, answer, session);
    if (answer.status === 404) await drop(path);
  }
};

addEventListener("message", (event) => {
  if (event.data?.pages) event.waitUntil(keepAll(event.data));
});

const open = async (event, { pathname, search }) => {
  let answer;
  try {
    answer = await fetch(event.request);
  } catch (lost) {
    // A QR code leads to the pass, whose code and facts the reservation has too.
    const copy = (await find(pathname.replace(/^\/c\//, "/reservations/"))) ?? (await find(OFFLINE));
    if (!copy) throw lost;
    return copy;
  }
  if (isKept(pathname) && answer.type === "opaqueredirect") event.waitUntil(forget()); // the session is over
  if (isKept(pathname) && !search && answer.ok) event.waitUntil(keep(pathname, answer.clone()));
  if (isKept(pathname) && answer.status === 404) event.waitUntil(drop(pathname));
  return answer;
};

const openFile = (request, path) =>
  fetch(request).catch(async (lost) => (await find(path)) ?? Promise.reject(lost));

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.mode === "navigate" && request.method === "GET") event.respondWith(open(event, url));
  else if (request.mode === "navigate" && changesSession(url.pathname)) event.waitUntil(forget());
  else if (isFile(url.pathname)) event.respondWith(openFile(request, url.pathname));
});
