// What pages do beyond HTML and htmx. Each part improves something that works without it; elements ask for a part by a
// data attribute. Nothing here needs eval, inline styles or inline scripts.
(() => {
  "use strict";

  const root = document.documentElement;
  root.classList.add("js");

  const won = (amount) => {
    const digits = amount.toLocaleString("ko-KR");
    return root.lang === "en" ? `₩${digits}` : `${digits}원`;
  };

  // Browsers that lost the same server at the same moment must not come back at the same moment: 2 to 4 s, at random.
  const pause = () => 2000 + Math.random() * 2000;

  // --- Times by the reader's clock: a page that shows those of many restaurants asks the browser for its zone ---------

  const zoned = document.querySelector("[data-reader-zone]");
  const timeZone = zoned && Intl.DateTimeFormat().resolvedOptions().timeZone;
  const isKnown = () => document.cookie.split("; ").includes(`zone=${timeZone}`);
  if (timeZone && !isKnown()) {
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `zone=${timeZone}; path=/operator; max-age=31536000; samesite=lax${secure}`;
    // What answers a form that was sent is not asked for again.
    if (isKnown() && !document.querySelector("[aria-invalid]")) location.reload();
  }

  // --- Forms: sent once -------------------------------------------------------------------------------------------

  // A second press while the first is on its way does nothing. The idempotency key in the form makes a repeat harmless
  // anyway; this spares the wait for it.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || !form.matches("[data-once]")) return;
    if (form.dataset.sent) {
      event.preventDefault();
      return;
    }
    form.dataset.sent = "true";
    const pressed = event.submitter;
    // After the browser has collected the form: a disabled button would not be part of it.
    setTimeout(() => {
      for (const button of form.elements) {
        if (button.type === "submit") button.disabled = true;
      }
      if (pressed) pressed.setAttribute("aria-busy", "true");
    });
  });

  // Whoever comes by a link that names an answer has given it: nothing is left to press.
  const answer = document.getElementById(location.hash.slice(1));
  if (answer?.matches("form[data-at-once]")) answer.requestSubmit();

  // A page that comes back from the browser's memory can be sent again.
  window.addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    for (const form of document.querySelectorAll("[data-sent]")) {
      delete form.dataset.sent;
      for (const button of form.elements) {
        button.disabled = false;
        button.removeAttribute("aria-busy");
      }
    }
  });

  // --- The booking form, kept while somebody signs in --------------------------------------------------------------

  // The tab keeps the answers, and the same form takes them back, once.
  const keptAs = (form) => `kept:${form.getAttribute("action")}`;

  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-keeps-form]");
    if (!link) return;
    const form = link.closest("form");
    const answers = [...new FormData(form)].filter(([name]) => name !== "idempotency_key");
    try {
      sessionStorage.setItem(keptAs(form), JSON.stringify(answers));
    } catch {
      // The browser keeps nothing: then the address brings back when, and for how many.
    }
  });

  const takeBack = (form) => {
    let answers = [];
    try {
      answers = JSON.parse(sessionStorage.getItem(keptAs(form))) || [];
      sessionStorage.removeItem(keptAs(form));
    } catch {
      return;
    }
    if (new Map(answers).get("date") !== form.elements.date.value) return; // it asks for another day by now
    for (const [name, value] of answers) {
      if (value === "") continue; // the account may know better
      for (const input of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
        if (input.type === "radio" || input.type === "checkbox") {
          if (input.value === value && !input.disabled) input.checked = true;
        } else if (input.value !== value) {
          input.value = value;
          const fold = input.closest("details");
          if (fold) fold.open = true;
        }
      }
    }
    if (answers.length > 0) document.addEventListener("DOMContentLoaded", () => sumUp(form)); // once htmx listens
  };

  const sumUp = (form) => {
    showTotal(form);
    form.querySelector("[name=coupon]:checked")?.dispatchEvent(new Event("change", { bubbles: true }));
  };

  for (const form of document.querySelectorAll("form.booking")) takeBack(form);

  // --- Dialogs ----------------------------------------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-dialog]");
    const dialog = opener && document.getElementById(opener.dataset.dialog);
    if (!dialog || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    dialog.showModal();
  });

  // A form with data-confirm is sent by the button of its dialog; its own button opens the dialog. This listens on the
  // way down, so that "sent once" above sees whether the form is really on its way.
  document.addEventListener(
    "submit",
    (event) => {
      const dialog = document.getElementById(event.target.dataset.confirm);
      if (!dialog || (event.submitter && event.submitter.matches("[data-confirmed]"))) return;
      event.preventDefault();
      event.stopPropagation(); // htmx would send it
      dialog.showModal();
    },
    true,
  );

  // --- Menu: steppers and their running total ---------------------------------------------------------------------

  const quantityOf = (input) => Math.min(Math.max(parseInt(input.value, 10) || 0, 0), Number(input.max) || 99);

  const showTotal = (form) => {
    const place = form && form.querySelector("[data-menu-total]");
    if (!place) return;
    let total = 0;
    for (const input of form.querySelectorAll("input[data-price]")) total += quantityOf(input) * Number(input.dataset.price);
    place.textContent = won(total);
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (!button) return;
    const input = button.closest("[data-stepper]").querySelector("input");
    input.value = String(quantityOf(input) + Number(button.dataset.step));
    input.value = String(quantityOf(input));
    showTotal(input.form);
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });

  document.addEventListener("input", (event) => {
    if (event.target.matches("input[data-price]")) showTotal(event.target.form);
  });

  // The page fetches the menu again while others order. Typed quantities stay while they are available; the server says
  // which are not.
  if (window.Idiomorph) {
    window.Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, node) =>
      !(name === "value" && node.matches("input[data-price]")) &&
      !(name === "checked" && node.matches("[data-seat-box]")) &&
      !(name === "open" && node.matches("[data-seats] details, .tonight-fold")); // what somebody has unfolded
  }

  const chosen = new Map();

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id !== "dishes") return;
    chosen.clear();
    for (const input of event.detail.target.querySelectorAll("input[data-price]")) {
      if (quantityOf(input) > 0) chosen.set(input.dataset.dish, Number(input.value));
    }
  });

  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id !== "dishes") return;
    const gone = [];
    for (const [name, quantity] of chosen) {
      const input = event.target.querySelector(`input[data-dish="${CSS.escape(name)}"]`);
      if (input && quantity <= Number(input.max)) continue;
      if (input) input.value = input.max;
      gone.push(name);
    }
    chosen.clear();
    const form = event.target.closest("form");
    const place = form.querySelector("[data-dishes-gone]");
    if (gone.length > 0) place.textContent = `${place.dataset.dishesGone} ${gone.join(", ")}`;
    showTotal(form);
  });

  // --- When: the line that folds the times names the chosen one ----------------------------------------------------

  const showWhen = (form) => {
    const chosen = form.querySelector("#times :checked ~ .slot-time");
    if (chosen) form.querySelector("[data-when-time]").textContent = chosen.textContent;
  };

  document.addEventListener("change", (event) => {
    if (event.target.matches("#times input")) showWhen(event.target.form);
  });

  // --- Seats: the map shows what is ticked in the list, and can be tapped -----------------------------------------

  const boxesOf = (picker) => [...picker.querySelectorAll("[data-seat-box]")];

  const showSeats = (picker) => {
    const chosen = boxesOf(picker).filter((box) => box.checked);
    const partners = new Set(chosen.flatMap((box) => box.dataset.partners.split(" ")));
    const places = chosen.reduce((sum, box) => sum + Number(box.dataset.places), 0);
    const fit = picker.querySelector("[data-seats-fit]");
    const short = places < Number(fit.dataset.party);
    for (const box of boxesOf(picker)) {
      const shape = picker.querySelector(`[data-seat="${box.value}"]`);
      shape.classList.toggle("seat-chosen", box.checked);
      shape.classList.toggle("seat-partner", short && !box.checked && !box.disabled && partners.has(box.value));
      shape.classList.toggle("seat-focus", box === document.activeElement && box.matches(":focus-visible"));
    }
    const text = chosen.length === 0 ? fit.dataset.seatsFit : short ? fit.dataset.short : fit.dataset.enough;
    const labels = chosen.map((box) => box.dataset.seatBox).join(", ");
    fit.textContent = text.replace("{labels}", labels).replace("{places}", String(places));
  };

  for (const name of ["change", "focusin", "focusout"]) {
    document.addEventListener(name, (event) => {
      if (event.target.matches?.("[data-seat-box]")) setTimeout(() => showSeats(event.target.closest("[data-seats]")));
    });
  }

  document.addEventListener("click", (event) => {
    const shape = event.target.closest?.("[data-seats] [data-seat]");
    const box = shape && shape.closest("[data-seats]").querySelector(`[data-seat-box][value="${shape.dataset.seat}"]`);
    if (box && !box.disabled) box.click();
  });

  // Somebody else got a ticked seat: the page unticks it and says so. Other seats change silently.
  document.addEventListener("htmx:sseMessage", (event) => {
    const picker = event.target.closest?.("[data-seats]");
    if (!picker) return;
    const lost = boxesOf(picker).filter((box) => box.checked && box.disabled);
    for (const box of lost) box.checked = false;
    const place = document.querySelector("[data-seats-lost]");
    if (lost.length > 0) place.textContent = `${place.dataset.seatsLost} ${lost.map((box) => box.dataset.seatBox).join(", ")}`;
    showSeats(picker);
  });

  // --- Countdown of a hold ----------------------------------------------------------------------------------------

  // The deadline is the server's. The browser's clock may be wrong, so only the time since the page was made is its.
  const startCountdown = (box) => {
    if (box.deadline === box.dataset.countdown) return; // a stream may send it again
    const deadline = (box.deadline = box.dataset.countdown);
    const left = Date.parse(box.dataset.countdown) - Date.parse(box.dataset.now);
    const started = performance.now();
    const remaining = box.querySelector("[data-remaining]");
    const warning = box.querySelector("[data-warning]");
    const tick = () => {
      if (!box.isConnected || box.deadline !== deadline) return;
      const seconds = Math.max(Math.ceil((left - (performance.now() - started)) / 1000), 0);
      const days = remaining.dataset.days ? Math.floor(seconds / 86400) : 0;
      const [minutes, rest] = [Math.floor(seconds / 60) % 60, seconds % 60];
      const hours = Math.floor(seconds / 3600) - days * 24;
      const parts = days + hours > 0 ? [hours, minutes, rest] : [minutes, rest];
      const clock = parts.map((part, i) => (i > 0 ? String(part).padStart(2, "0") : part)).join(":");
      remaining.textContent = days > 0 ? `${remaining.dataset.days.replace("#", days)} ${clock}` : clock;
      if (warning && seconds <= 60 && !warning.textContent) warning.textContent = warning.dataset.warning;
      if (seconds > 0) setTimeout(tick, 1000 - ((performance.now() - started) % 1000));
      // The server decides whether the time is over; a moment later it knows. A page about something else stays.
      else if (!("still" in box.dataset)) setTimeout(() => location.reload(), pause());
    };
    if (left > 0) tick();
  };

  // --- Pages that say "again in a moment" -------------------------------------------------------------------------

  const startRetry = (note) => {
    const again = () => (note.dataset.retryUrl ? location.replace(note.dataset.retryUrl) : location.reload());
    setTimeout(again, (Number(note.dataset.retry) + Math.random()) * 1000);
  };

  // --- Streams: a broken connection, and what is read out ---------------------------------------------------------

  const streamState = (stream) => stream.closest("[data-stream]")?.querySelector("[data-stream-state]");

  // When the page last heard of its stream, by the reader's clock: what it shows may be as old as that.
  let heard = new Date();
  const lastHeard = () => heard.toLocaleTimeString(root.lang, { hour: "numeric", minute: "2-digit" });

  const sayLost = (stream) => {
    const state = streamState(stream);
    if (!state) return;
    // A page that is being left loses its stream, too: wait before saying so.
    clearTimeout(state.timer);
    state.timer = setTimeout(() => (state.textContent = state.dataset.streamState.replace("%", lastHeard())), 800);
  };

  document.addEventListener("htmx:sseError", (event) => sayLost(event.target));

  // A stream that breaks comes back after the pause that the server has sent. One that is refused is for the extension to
  // open again, which it does half a second after it hears of the error: it hears of it late.
  const extensionWaits = 500;
  // By address: the source, what to do when it fails, how long it may be silent in ms, and when it was heard last.
  const streams = new Map();
  const usualSilence = 15000; // until the server has said its own
  const hears = (stream) => {
    heard = new Date();
    if (stream) stream.heard = performance.now();
  };
  if (window.htmx) {
    window.htmx.createEventSource = (url) => {
      const source = new EventSource(url, { withCredentials: true });
      const stream = { source, silence: usualSilence, heard: performance.now() };
      streams.set(url, stream);
      source.addEventListener("ping", (event) => {
        stream.silence = Number(event.data);
        hears(stream);
      });
      Object.defineProperty(source, "onerror", {
        set: (handle) => {
          stream.fail = handle;
          source.addEventListener("error", (event) => {
            if (source.readyState !== EventSource.CLOSED) return handle(event);
            document.querySelectorAll(`[sse-connect="${CSS.escape(url)}"]`).forEach(sayLost);
            setTimeout(() => handle(event), pause() - extensionWaits);
          });
        },
      });
      return source;
    };
  }

  for (const name of ["htmx:sseOpen", "htmx:sseMessage"]) {
    document.addEventListener(name, (event) => {
      hears(streams.get(event.target.closest?.("[sse-connect]")?.getAttribute("sse-connect")));
    });
  }

  // A network that fails without a word leaves a stream open, and silent: the page opens it again.
  const reopen = (stream) => {
    stream.source.close();
    stream.fail(new Event("error"));
  };
  const reopenSilent = () => {
    for (const [url, stream] of streams) {
      if (stream.source.readyState === EventSource.CLOSED) streams.delete(url);
      else if (performance.now() - stream.heard > 2.5 * stream.silence) reopen(stream);
    }
  };
  setInterval(reopenSilent, 1000);
  document.addEventListener("visibilitychange", reopenSilent);
  addEventListener("online", () => {
    for (const stream of streams.values()) if (stream.source.readyState !== EventSource.CLOSED) reopen(stream);
  });

  document.addEventListener("htmx:sseOpen", (event) => {
    const state = streamState(event.target);
    if (!state) return;
    clearTimeout(state.timer);
    state.textContent = "";
  });

  const title = document.title;
  let spoken = { position: Infinity, at: -Infinity };

  // The place is read out when it has halved, for each of the last three, and else at most every half minute.
  const announce = (status) => {
    const position = Number(status.dataset.position);
    document.title = position > 0 ? `(${position}) ${title}` : title;
    const now = performance.now();
    const near = position <= 3 && position !== spoken.position;
    if (!near && position > spoken.position / 2 && now - spoken.at < 30000) return;
    const announcer = document.querySelector("[data-announcer]");
    if (announcer && announcer.textContent !== status.dataset.announce) announcer.textContent = status.dataset.announce;
    spoken = { position, at: now };
  };

  document.addEventListener("htmx:sseMessage", (event) => {
    const status = event.target.querySelector?.("[data-announce]");
    if (status) announce(status);
  });

  // --- Toasts -----------------------------------------------------------------------------------------------------

  const showToast = (toast) => {
    if (toast.dataset.shown) return;
    toast.dataset.shown = "true";
    const region = toast.parentElement;
    const close = document.createElement("button");
    close.type = "button";
    close.className = "toast-close";
    close.setAttribute("aria-label", region.dataset.close);
    close.textContent = "×";
    close.addEventListener("click", () => toast.remove());
    toast.append(close);
    // A live region speaks of what is added to it, not of what came with the page: the words are added once more.
    const words = toast.querySelector("p");
    setTimeout(() => words.replaceWith(words.cloneNode(true)), 100);
  };

  // --- Share a page: by what the device offers, else by copying its address -----------------------------------------

  const startSharing = (place) => {
    const offers = "title" in place.dataset && navigator.share; // what has no title is to be copied
    if (!offers && !navigator.clipboard) return; // a page without encryption has neither
    place.hidden = false;
    place.querySelector("button").addEventListener("click", async () => {
      const { share: url, title: name } = place.dataset;
      try {
        if (offers) return await navigator.share({ title: name, url });
        await navigator.clipboard.writeText(url);
        const state = place.querySelector("[data-copied]");
        state.textContent = state.dataset.copied;
      } catch {
        // Whoever changes their mind shares nothing.
      }
    });
  };

  // --- Groups of links: one stop of the Tab key, in which the arrows move -----------------------------------------

  const shownLinks = (group) => [...group.querySelectorAll("a")].filter((link) => link.checkVisibility());

  const stopAt = (group, stop) => {
    for (const link of group.querySelectorAll("a")) link.tabIndex = link === stop ? 0 : -1;
  };

  const startRoving = (group) => {
    const links = shownLinks(group);
    const first = [document.activeElement, group.querySelector("[aria-current]")].find((link) => links.includes(link));
    stopAt(group, first || links[0]);
  };

  const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity };

  document.addEventListener("keydown", (event) => {
    const group = event.target.closest?.("[data-rove]");
    if (!group || !(event.key in steps) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const links = shownLinks(group);
    const to = Math.min(Math.max(links.indexOf(event.target) + steps[event.key], 0), links.length - 1);
    stopAt(group, links[to]);
    links[to].focus();
  });

  // --- Sheets: closed by what they send, opened by a link to one of their fields ----------------------------------

  document.addEventListener("submit", (event) => {
    if (event.target.matches("[popover]")) event.target.hidePopover?.();
  });

  document.addEventListener("click", (event) => {
    const hash = event.target.closest?.("a")?.getAttribute("href")?.match(/^#(.+)/);
    const field = hash && document.getElementById(hash[1]);
    if (!field?.closest("[popover]")) return;
    event.preventDefault();
    field.closest("[popover]").showPopover?.();
    field.focus();
  });

  // --- htmx -------------------------------------------------------------------------------------------------------

  // Fields without an answer do not belong in an address that people share.
  document.addEventListener("htmx:configRequest", (event) => {
    if (!event.target.closest("[data-skip-empty]")) return;
    const parameters = event.detail.parameters;
    for (const name of Object.keys(parameters)) {
      if (parameters[name] === "") delete parameters[name];
    }
  });

  // A whole new page in place of the old one begins at its top, for eyes and for screen readers.
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target !== document.body && event.detail.target?.id !== "main") return;
    window.scrollTo(0, 0);
    document.getElementById("main")?.focus();
  });

  const begin = (scope) => {
    scope.querySelectorAll("[data-countdown]").forEach(startCountdown);
    scope.querySelectorAll("[data-retry]").forEach(startRetry);
    scope.querySelectorAll("[data-toast]").forEach(showToast);
    scope.querySelectorAll("[data-share]").forEach(startSharing);
    scope.querySelectorAll("form").forEach(showTotal);
    scope.querySelectorAll("form.booking").forEach(showWhen);
    scope.querySelectorAll("[data-seats]").forEach(showSeats);
    scope.querySelectorAll("[data-rove]").forEach(startRoving);
    // A form that comes back as a page of its own, without a list of what is wrong, begins at the first wrong field.
    const wrong = [document, document.body].includes(scope) && scope.querySelector("[aria-invalid=true]");
    (scope.querySelector("[data-autofocus]") ?? wrong)?.focus?.();
  };

  document.addEventListener("htmx:load", (event) => begin(event.detail.elt));
  if (!window.htmx) begin(document);
})();
