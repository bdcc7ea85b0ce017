// The browser's own notification when something came of a wait while nobody looks. A button asks for leave, never the page by
// itself; without the leave, or where browsers have no notifications, everything else stays as it is. Where browsers can be
// pushed to, the server notifies also when the page is closed (sw.js), and a phone's page by its worker.
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
  // Where leave was given before there was no try: a page that can be pushed to promises what its worker can, only.
  const wasTried = "Notification" in window && Notification.permission !== "granted";
  const boxes = () => document.querySelectorAll("[data-notify]");

  let worker = null; // the registration, once the browser is subscribed
  let refused = false; // by the push service, or by the server
  const canPush = (box) => box.dataset.pushKey && !refused && "PushManager" in window && "serviceWorker" in navigator;

  // The box shows the button, or in words what the browser's answer was.
  const show = (box) => {
    const notifies = supported && (wasTried || !box.dataset.pushKey) && box.dataset.granted; // by itself, while it is open
    box.hidden = !notifies && !canPush(box);
    if (box.hidden) return;
    const permission = Notification.permission;
    const granted = worker ? box.dataset.pushed : notifies || "";
    box.querySelector("[data-notify-ask]").hidden = permission !== "default";
    box.querySelector("[data-notify-state]").textContent = { granted, denied: box.dataset.denied }[permission] ?? "";
  };

  // A subscription is made with a key of the site, and takes pushes of that key alone.
  const keyOf = (subscription) => {
    const bytes = String.fromCharCode(...new Uint8Array(subscription.options.applicationServerKey));
    return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  };

  const findSubscription = async (manager, key) => {
    const old = await manager.getSubscription();
    if (old && keyOf(old) === key) return old;
    await old?.unsubscribe();
    return manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  };

  const post = async (box, fields) => {
    const answer = await fetch(box.dataset.push, { method: "POST", body: new URLSearchParams(fields) });
    if (answer.status !== 204) throw new Error(answer.statusText);
  };

  const fieldsOf = (box, subscription) => {
    const { endpoint, keys } = subscription.toJSON();
    return { endpoint, ...keys, key: box.dataset.pushKey };
  };

  // The server hears of a subscription once a session and tab.
  const tell = async (box, subscription) => {
    const name = `push:${box.dataset.session}`;
    const fields = fieldsOf(box, subscription);
    if (sessionStorage.getItem(name) === fields.endpoint) return;
    await post(box, fields);
    sessionStorage.setItem(name, fields.endpoint);
  };

  const findWorker = async (box) => {
    await navigator.serviceWorker.register(box.dataset.worker);
    return navigator.serviceWorker.ready;
  };

  const subscribe = async (box) => {
    if (!canPush(box) || Notification.permission !== "granted") return;
    try {
      const ready = await findWorker(box);
      await tell(box, await findSubscription(ready.pushManager, box.dataset.pushKey));
      worker = ready;
    } catch {
      refused = true;
    }
    boxes().forEach(show);
  };

  const offer = (box) => {
    show(box);
    subscribe(box);
  };

  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("[data-notify-ask]")) return;
    Notification.requestPermission().then(() => boxes().forEach(offer));
  });

  // A switch of staff has what it is about pushed to this browser, and the server remembers it.
  const showSwitch = (button) => {
    if (!canPush(button)) return;
    button.closest("[hidden]")?.removeAttribute("hidden");
    if (Notification.permission !== "granted") button.setAttribute("aria-pressed", false);
  };

  const follow = async (button) => {
    if ((await Notification.requestPermission()) !== "granted") return button.dataset.denied;
    const ready = await findWorker(button);
    await post(button, fieldsOf(button, await findSubscription(ready.pushManager, button.dataset.pushKey)));
    button.setAttribute("aria-pressed", true);
    return "";
  };

  const unfollow = async (button) => {
    await post(button, {});
    button.setAttribute("aria-pressed", false);
    return "";
  };

  let turning = false;
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-push-switch]");
    if (!button || turning) return;
    turning = true;
    const turn = button.getAttribute("aria-pressed") === "true" ? unfollow : follow;
    button.nextElementSibling.textContent = await turn(button).catch(() => button.dataset.failed);
    turning = false;
  });
  document.querySelectorAll("[data-push-switch]").forEach(showSwitch);

  // Returns whether there is one: only for who does not look, and allows it.
  const notify = (title, body, url, tag = url) => {
    if (!document.hidden || !(supported || worker) || Notification.permission !== "granted") return false;
    if (worker) {
      worker.showNotification(title, { body, tag, data: { url } });
      return true;
    }
    let notification;
    try {
      notification = new Notification(title, { body, tag });
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
    // A push about the same slot takes the place of this.
    if (!notify(box.dataset.title, box.dataset.body, url, box.dataset.tag)) return;
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

  document.addEventListener("htmx:load", (event) => event.detail.elt.querySelectorAll("[data-notify]").forEach(offer));
  if (!window.htmx) boxes().forEach(offer);
})();
