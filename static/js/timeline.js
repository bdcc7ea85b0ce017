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
  const clamp = (n, list) => Math.max(0, Math.min(n, list.length - 1));

  let held = null; // the bar that is moved: its id, where it is and where it would go, as [row, slot]
  let sent = ""; // the id of the bar that was moved last

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

  // How many seats are left of a slot of the stay that has too few.
  const shortOf = (bar, from) => {
    const { colSpan, dataset } = bar.closest("td");
    const own = Number(dataset.from);
    const size = Number(bar.dataset.size);
    return times()
      .slice(from, from + lengthAt(bar, from))
      .map((time, i) => Number(time.dataset.left) + (from + i >= own && from + i < own + colSpan ? size : 0))
      .find((left) => left < size);
  };

  const reason = (bar, [at, from]) => {
    const texts = board().dataset;
    const cell = bar.closest("td");
    const row = rows()[at];
    const own = Number(cell.dataset.from);
    if (!row.dataset.seat && bar.closest("tr").dataset.seat) return texts.noTable;
    if (from !== own) {
      if (!("anyTime" in bar.dataset)) return texts.present;
      if (times()[from].dataset.shut) return times()[from].dataset.shut;
      const left = shortOf(bar, from);
      if (left !== undefined) return texts.full.replace("%", left);
    }
    const wanted = seatsAt(bar, [at, from]);
    for (const taken of wanted.map(rowOf)) {
      const other = taken && inWay(taken, cell.dataset.party, from, lengthAt(bar, from));
      if (other) return other.dataset.party ? texts.taken.replace("%", other.dataset.who) : other.dataset.who;
    }
    const places = placesOf(wanted);
    return wanted.length > 0 && places < Number(bar.dataset.size) ? texts.small.replace("%", places) : "";
  };

  // --- What is shown of it --------------------------------------------------------------------------------------------

  const clear = () => {
    for (const shown of board().querySelectorAll(".can, .cannot, .held")) shown.classList.remove("can", "cannot", "held");
  };

  const sayOf = (row, slot, text) => say(`${rows()[row].dataset.label} · ${times()[slot].dataset.time} · ${text}`);

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
    const { can, shorter } = board().dataset;
    sayOf(at, from, why || (length < moves.closest("td").colSpan ? shorter : can));
  };

  const take = (bar) => {
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
    if (!held) return;
    held = null;
    if (board()) clear();
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
    sent = moves.id;
    held = null;
    clear();
    say("");
    button.click(); // htmx sends a form to where the button says that was clicked
  };

  // --- By keys --------------------------------------------------------------------------------------------------------

  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

  document.addEventListener("keydown", (event) => {
    const focused = event.target.closest?.("[data-move]");
    if (!focused || event.ctrlKey || event.metaKey || event.altKey) return;
    if (steps[event.key]) {
      event.preventDefault();
      if (!held) take(focused);
      moveTo(held.to[0] + steps[event.key][0], held.to[1] + steps[event.key][1]);
      rows()[held.to[0]].querySelector(".can, .cannot")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    } else if (held && event.key === "Escape") {
      end();
      giveUp();
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
    take(press.bar);
  };

  const end = () => {
    clearTimeout(press?.timer);
    press = null;
  };

  document.addEventListener("pointerdown", (event) => {
    const pressed = event.target.closest?.("[data-move]");
    dragged = false;
    if (!held) say("");
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
    }
    scrollBy(event);
    moveTo(rowAt(y), columnAt(x) - press.grip);
  });

  document.addEventListener("pointerup", () => {
    const drags = press && held;
    end();
    if (!drags) return;
    dragged = true;
    ask();
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
    const moves = sent && document.getElementById(sent);
    sent = "";
    if (!moves) return;
    moves.focus();
    const [row, from] = place(moves);
    if (!document.getElementById("says").textContent) sayOf(row, from, board().dataset.done);
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
