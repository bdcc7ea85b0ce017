// The map of a room on the page that sets it up: a seat moves with the pointer or the arrow keys, in steps of 10 cm, and its
// fields in the table below follow; typed there, it moves on the map. Two seats that are pressed one after the other are joined,
// or parted. Without this script the fields alone say where a seat stands, and with which it is joined.
(() => {
  "use strict";

  const step = 10;
  const panel = document.querySelector("[data-room]");
  const map = panel && panel.querySelector("svg");
  if (!map) return;
  const says = panel.querySelector("[data-room-says]");
  map.removeAttribute("aria-hidden");
  map.setAttribute("role", "group");
  const room = map.viewBox.baseVal;

  const seatOf = (shape) => {
    const row = shape.dataset.seat - 1;
    const field = (name) => document.getElementById(`field-${name}-${row}`);
    const [x, y, w, h, label, partners] = ["x", "y", "w", "h", "label", "partners"].map(field);
    return { shape, x, y, w, h, label, partners, from: [Number(x.value), Number(y.value)] };
  };

  const seats = [...map.querySelectorAll("[data-seat]")].map(seatOf);

  const say = (seat, words, other) => {
    says.textContent = `${seat.label.value}: ${words.replace("{seat}", other ? other.label.value : "")}`;
  };

  // --- Where a seat stands ----------------------------------------------------------------------------------------

  const areaOf = (seat) => [seat.x, seat.y, seat.w, seat.h].map((field) => Number(field.value));

  const overlap = ([ax, ay, aw, ah], [bx, by, bw, bh]) => ax < bx + bw && bx < ax + aw && ay < by + bh && by < ay + ah;

  const below = (seat) => seats.find((other) => other !== seat && overlap(areaOf(seat), areaOf(other)));

  const follow = (seat) => {
    const [x, y] = areaOf(seat);
    if (Number.isNaN(x) || Number.isNaN(y)) return;
    seat.shape.setAttribute("transform", `translate(${x - seat.from[0]} ${y - seat.from[1]})`);
    seat.shape.classList.toggle("contents-overlap", below(seat) !== undefined);
  };

  const limit = (value, most) => Math.max(0, Math.min(Math.round(value / step) * step, most));

  const put = (seat, x, y) => {
    seat.x.value = limit(x, room.width - Number(seat.w.value));
    seat.y.value = limit(y, room.height - Number(seat.h.value));
    follow(seat);
  };

  const placeOf = (seat) => ({ x: seat.x.value, y: seat.y.value, free: below(seat) === undefined });

  // A seat that would stand on another one goes back, unless it stood on one before.
  const settle = (seat, before) => {
    const other = below(seat);
    if (!other || !before.free) {
      say(seat, `${panel.dataset.room} ${seat.x.value}, ${seat.y.value}`);
      return;
    }
    [seat.x.value, seat.y.value] = [before.x, before.y];
    follow(seat);
    say(seat, panel.dataset.overlaps, other);
  };

  // --- Which seats are joined -------------------------------------------------------------------------------------

  const partnersOf = (seat) => seat.partners.value.split(",").map((label) => label.trim()).filter(Boolean);

  const isPartner = (seat, other) => partnersOf(seat).includes(other.label.value);

  const setPartner = (seat, other, joined) => {
    if (isPartner(seat, other) === joined) return;
    const others = partnersOf(seat).filter((label) => label !== other.label.value);
    seat.partners.value = (joined ? [...others, other.label.value] : others).join(", ");
  };

  let picked = null;

  const showPicked = () => {
    for (const seat of seats) {
      seat.shape.classList.toggle("seat-chosen", seat === picked);
      seat.shape.classList.toggle("seat-partner", picked !== null && isPartner(picked, seat));
      seat.shape.setAttribute("aria-pressed", String(seat === picked));
    }
  };

  const press = (seat) => {
    if (picked && picked !== seat) {
      const joined = !isPartner(picked, seat);
      setPartner(picked, seat, joined);
      setPartner(seat, picked, joined);
      say(picked, joined ? panel.dataset.joined : panel.dataset.parted, seat);
    } else {
      picked = picked ? null : seat;
      say(seat, picked ? panel.dataset.picked : panel.dataset.left);
    }
    showPicked();
  };

  // What one seat says of another holds for both: what is typed for the one is written to the other.
  const mirror = (seat) => {
    for (const other of seats) {
      if (other !== seat) setPartner(other, seat, isPartner(seat, other));
    }
    showPicked();
  };

  for (const seat of seats) {
    for (const other of seats) {
      if (other !== seat && isPartner(seat, other)) setPartner(other, seat, true);
    }
  }

  // --- Pointer and keys -------------------------------------------------------------------------------------------

  const toRoom = (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
    return [at.x, at.y];
  };

  for (const seat of seats) {
    const shape = seat.shape;
    shape.setAttribute("tabindex", "0");
    shape.setAttribute("role", "button");
    shape.setAttribute("aria-label", seat.label.value);
    shape.classList.add("contents-movable");
    for (const field of [seat.x, seat.y]) field.addEventListener("change", () => follow(seat));
    seat.partners.addEventListener("change", () => mirror(seat));
    // A finger on a seat scrolls nothing. What the style sheet says of touch does not hold for parts of a drawing.
    shape.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    let grip = null;
    shape.addEventListener("pointerdown", (event) => {
      const [x, y] = toRoom(event);
      grip = { by: [x - seat.x.value, y - seat.y.value], before: placeOf(seat), moved: false };
      shape.setPointerCapture(event.pointerId);
      shape.focus();
      event.preventDefault();
    });
    shape.addEventListener("pointermove", (event) => {
      if (!grip) return;
      const [x, y] = toRoom(event);
      grip.moved ||= Math.hypot(x - grip.by[0] - grip.before.x, y - grip.by[1] - grip.before.y) >= step / 2;
      if (grip.moved) put(seat, x - grip.by[0], y - grip.by[1]);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      shape.addEventListener(end, () => {
        if (grip?.moved) settle(seat, grip.before);
        else if (grip && end === "pointerup") press(seat);
        grip = null;
      });
    }
    shape.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!by && event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      if (!by) {
        press(seat);
        return;
      }
      const before = placeOf(seat);
      put(seat, Number(seat.x.value) + by[0] * step, Number(seat.y.value) + by[1] * step);
      settle(seat, before);
    });
  }
  showPicked();
})();
