// The timeline of a day: a bar moves to another table or time with the pointer, with a finger that rests on it first, or with
// the arrow keys. The page says what is in the way there; the server decides. Without this script the bar leads to the form
// that moves the party.
(() => {
  "use strict";

  const rest = 350; // how long a finger rests on a bar before it moves it, in milliseconds
  const slip = 6; // how far a press may slip and still be a press, in pixels
  const form = document.getElementById("moving");
  const board = () => document.getElementById("timeline");
  const rows = () => [...board().querySelectorAll("tbody tr")];
  const times = () => [...board().querySelectorAll("[data-time]")];
  const say = (text) => (document.getElementById("says").textContent = text);
  const filled = (text, value) => text.replace("%", () => value);
  const clamp = (n, list) => Math.max(0, Math.min(n, list.length - 1));

  let held = null; // the bar that is moved: its id, where it is and where it would go, as [row, slot]
  let sent = null; // the bar that was moved last: its id, and for how many slots it stayed

  const place = (bar) => [rows().indexOf(bar.closest("tr")), Number(bar.closest("td").dataset.from)];
  const bar = () => document.getElementById(held.id);
  const moved = () => held.to.join() !== place(bar()).join();

  // --- What is in the way ---------------------------------------------------------------------------------------------

  const rowOf = (seat) => board().querySelector(`tr[data-seat="${seat}"]`);
  const placesOf = (seats) => seats.reduce((sum, seat) => sum + Number(rowOf(seat)?.dataset.places || 0), 0);

  // Who has a row in some slots, besides the party itself.
  const inWay = (row, party, from, length) =>
    [...row.querySelectorAll("td[data-who]")].find(
      (cell) =>
        cell.dataset.party !== party &&
        Number(cell.dataset.from) < from + length &&
        from < Number(cell.dataset.from) + cell.colSpan,
    );

  // For how many slots the bar would stay from a slot on: staff shorten a stay that the hours would end.
  const lengthAt = (bar, from) => {
    const { colSpan, dataset } = bar.closest("td");
    if (from === Number(dataset.from)) return colSpan;
    const end = times().findIndex((time, i) => i > from && "gap" in time.dataset);
    return Math.min(colSpan, (end < 0 ? times().length : end) - from);
  };

  // The party gets the table in the row, and as many more as it needs of those that are free and joined to it: first those
  // below. Where there are none, the table takes the place of the one that the bar is on.
  const seatsAt = (bar, [at, from]) => {
    const had = bar.dataset.tables.split(" ").filter(Boolean);
    const was = bar.closest("tr").dataset.seat;
    const all = rows().map((row) => row.dataset.seat);
    const seat = all[at];
    if (!seat || seat === was) return had;
    const cell = bar.closest("td");
    const wanted = [seat];
    const joins = (one) =>
      one &&
      one !== was &&
      !wanted.includes(one) &&
      wanted.some((other) => rowOf(other).dataset.partners.split(" ").includes(one)) &&
      !inWay(rowOf(one), cell.dataset.party, from, lengthAt(bar, from));
    const others = [...all.slice(at + 1), ...all.slice(0, at).reverse()];
    while (placesOf(wanted) < Number(bar.dataset.size)) {
      const next = others.find(joins);
      if (!next) return was ? [...new Set(had.map((one) => (one === was ? seat : one)))] : wanted;
      wanted.push(next);
    }
    return wanted;
  };

  const isOwn = (bar, slot) => {
    const { colSpan, dataset } = bar.closest("td");
    return slot >= Number(dataset.from) && slot < Number(dataset.from) + colSpan;
  };

  // Why a slot of the stay takes nobody. A later one that the party is in already takes it.
  const shutAt = (bar, from) =>
    times()
      .slice(from, from + lengthAt(bar, from))
      .find((time, i) => time.dataset.shut && (i === 0 || !isOwn(bar, from + i)))?.dataset.shut;

  // How many seats are left of a slot of the stay that has too few.
  const shortOf = (bar, from) => {
    const size = Number(bar.dataset.size);
    return times()
      .slice(from, from + lengthAt(bar, from))
      .map((time, i) => Number(time.dataset.left) + (isOwn(bar, from + i) ? size : 0))
      .find((left) => left < size);
  };

  const reason = (bar, [at, from]) => {
    const texts = board().dataset;
    const cell = bar.closest("td");
    const row = rows()[at];
    if (!row.dataset.seat && bar.closest("tr").dataset.seat) return texts.noTable;
    if (from !== Number(cell.dataset.from)) {
      if (!("anyTime" in bar.dataset)) return texts.present;
      const shut = shutAt(bar, from);
      if (shut) return shut;
      const left = shortOf(bar, from);
      if (left !== undefined) return filled(texts.full, left);
    }
    const wanted = seatsAt(bar, [at, from]);
    for (const taken of wanted.map(rowOf)) {
      const other = taken && inWay(taken, cell.dataset.party, from, lengthAt(bar, from));
      if (other) return other.dataset.party ? filled(texts.taken, other.dataset.who) : other.dataset.who;
    }
    const places = placesOf(wanted);
    return wanted.length > 0 && places < Number(bar.dataset.size) ? filled(texts.small, places) : "";
  };

  // --- What is shown of it --------------------------------------------------------------------------------------------

  const clear = () => {
    for (const shown of board().querySelectorAll(".can, .cannot, .held")) shown.classList.remove("can", "cannot", "held");
  };

  // Says something of a place, and when a stay of some slots ends there that is shorter than before.
  const sayOf = ([row, slot], text, length, before) => {
    const parts = [rows()[row].dataset.label, times()[slot].dataset.time, text];
    if (length < before) parts.push(filled(board().dataset.shorter, times()[slot + length - 1].dataset.ends));
    say(parts.join(" · "));
  };

  const show = () => {
    clear();
    const moves = bar();
    moves.classList.add("held");
    const [at, from] = held.to;
    rows().forEach((row, i) => row.classList.toggle("cannot", reason(moves, [i, from]) !== ""));
    const why = reason(moves, held.to);
    const length = lengthAt(moves, from);
    const touched = new Set([rows()[at], ...seatsAt(moves, held.to).map(rowOf)]);
    for (const cell of [...touched].flatMap((row) => [...(row?.cells ?? [])])) {
      const begins = Number(cell.dataset.from);
      const isThere = begins < from + length && from < begins + cell.colSpan;
      if (isThere) cell.classList.add(why ? "cannot" : "can");
    }
    const before = moves.closest("td").colSpan;
    sayOf(held.to, why || board().dataset.can, length, why ? length : before);
  };

  const take = (bar) => {
    if (form.classList.contains("htmx-request")) return say(form.dataset.busy);
    held = { id: bar.id, to: place(bar) };
    show();
  };

  const moveTo = (row, slot) => {
    const to = [clamp(row, rows()), clamp(slot, times())];
    if (to.join() === held.to.join()) return;
    held.to = to;
    show();
  };

  const giveUp = () => {
    if (held && board()) clear();
    held = null;
    say("");
  };

  const ask = () => {
    const moves = bar();
    if (!moved()) return giveUp();
    form.querySelectorAll("[name=seat]").forEach((field) => field.remove());
    for (const seat of seatsAt(moves, held.to)) {
      const field = Object.assign(document.createElement("input"), { type: "hidden", name: "seat", value: seat });
      form.append(field);
    }
    form.elements.time.value = times()[held.to[1]].dataset.time;
    form.elements.idempotency_key.value = [...crypto.getRandomValues(new Uint32Array(4))].join("-");
    const button = form.querySelector("button");
    button.setAttribute("formaction", moves.dataset.move);
    sent = { id: moves.id, slots: moves.closest("td").colSpan };
    held = null;
    clear();
    say("");
    button.click(); // htmx sends a form to where the button says that was clicked
  };

  // --- By keys --------------------------------------------------------------------------------------------------------

  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      end();
      giveUp();
    }
    const focused = event.target.closest?.("[data-move]");
    if (!focused || event.ctrlKey || event.metaKey || event.altKey) return;
    if (steps[event.key]) {
      event.preventDefault();
      if (!held) take(focused);
      if (!held) return;
      moveTo(held.to[0] + steps[event.key][0], held.to[1] + steps[event.key][1]);
      rows()[held.to[0]].querySelector(".can, .cannot")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    } else if (held && event.key === "Enter") {
      event.preventDefault();
      ask();
    }
  });

  document.addEventListener("focusout", (event) => {
    if (held && !press && event.target.id === held.id && event.target.isConnected) giveUp();
  });

  // --- By pointer -----------------------------------------------------------------------------------------------------

  let press = null;
  let dragged = false; // the click that ends a drag leads nowhere

  const columnAt = (x) => {
    const after = times().findIndex((time) => x < time.getBoundingClientRect().right);
    return after < 0 ? times().length - 1 : after;
  };

  const rowAt = (y) => {
    const after = rows().findIndex((row) => y < row.getBoundingClientRect().bottom);
    return after < 0 ? rows().length - 1 : after;
  };

  const begin = () => {
    clearTimeout(press.timer);
    dragged = true;
    if (!press.bar.isConnected) return end();
    take(press.bar);
  };

  const end = () => {
    clearTimeout(press?.timer);
    press = null;
  };

  document.addEventListener("pointerdown", (event) => {
    const pressed = event.target.closest?.("[data-move]");
    dragged = false;
    if (!held && !event.target.closest?.("#says")) say("");
    if (!pressed || event.button !== 0 || press) return;
    const { clientX: x, clientY: y } = event;
    press = { bar: pressed, x, y, touch: event.pointerType === "touch", grip: columnAt(x) - place(pressed)[1] };
    if (press.touch) press.timer = setTimeout(begin, rest);
  });

  // At the edge of the box, what lies beyond comes into sight.
  const scrollBy = ({ clientX, clientY }) => {
    const box = board().getBoundingClientRect();
    const by = (at, low, high) => (at < low ? -16 : at > high ? 16 : 0);
    board().scrollBy(by(clientX, box.left + 110, box.right - 30), by(clientY, box.top + 60, box.bottom - 30));
  };

  document.addEventListener("pointermove", (event) => {
    if (!press) return;
    const { clientX: x, clientY: y } = event;
    if (!held) {
      if (Math.hypot(x - press.x, y - press.y) < slip) return;
      if (press.touch) return end(); // it scrolls
      begin();
      if (!held) return;
    }
    scrollBy(event);
    moveTo(rowAt(y), columnAt(x) - press.grip);
  });

  document.addEventListener("pointerup", () => {
    const drags = press && held;
    end();
    if (drags) ask();
  });

  document.addEventListener("pointercancel", () => {
    if (press) giveUp();
    end();
  });

  document.addEventListener("touchmove", (event) => press && held && event.preventDefault(), { passive: false });
  document.addEventListener("contextmenu", (event) => press?.touch && event.preventDefault());
  document.addEventListener(
    "click",
    (event) => {
      if (!event.isTrusted) return;
      if (dragged && event.target.closest?.("#timeline")) event.preventDefault();
      dragged = false;
    },
    true,
  );

  // --- What comes of it -----------------------------------------------------------------------------------------------

  // A refusal brings the board as it is, with why.
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.requestConfig?.elt !== form || event.detail.xhr.status !== 409) return;
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  });

  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.requestConfig?.elt !== form) return;
    const moves = sent && document.getElementById(sent.id);
    if (!moves) return;
    if (document.activeElement === document.body) moves.focus();
    const { colSpan } = moves.closest("td");
    if (event.detail.xhr.status < 400) sayOf(place(moves), board().dataset.done, colSpan, sent.slots);
    sent = null;
  });

  for (const [name, text] of [["sendError", "unsent"], ["timeout", "unsent"], ["responseError", "refused"]]) {
    document.addEventListener(`htmx:${name}`, (event) => {
      if (event.detail.requestConfig?.elt === form) say(form.dataset[text]);
    });
  }

  // While a bar is moved the board may change below it.
  document.addEventListener("htmx:sseMessage", () => {
    if (!held) return;
    if (!bar() || press?.bar.isConnected === false) return giveUp();
    held.to = [clamp(held.to[0], rows()), clamp(held.to[1], times())];
    show();
  });

  const now = board()?.querySelector(".timeline-now");
  if (now) board().scrollLeft = now.offsetLeft - now.offsetWidth - board().querySelector("th").offsetWidth;
})();
