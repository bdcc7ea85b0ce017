// The map of a room on the page that sets it up: a seat moves with the pointer or the arrow keys, in steps of 10 cm, and its
// fields in the table below follow; typed there, it moves on the map. Without this script the fields alone say where it stands.
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
    const [x, y, w, h] = ["x", "y", "w", "h"].map(field);
    return { shape, x, y, w, h, from: [Number(x.value), Number(y.value)], label: field("label") };
  };

  const limit = (value, most) => Math.max(0, Math.min(Math.round(value / step) * step, most));

  const put = (seat, x, y) => {
    seat.x.value = limit(x, room.width - Number(seat.w.value));
    seat.y.value = limit(y, room.height - Number(seat.h.value));
    follow(seat);
  };

  const follow = (seat) => {
    const [x, y] = [Number(seat.x.value), Number(seat.y.value)];
    if (Number.isNaN(x) || Number.isNaN(y)) return;
    seat.shape.setAttribute("transform", `translate(${x - seat.from[0]} ${y - seat.from[1]})`);
  };

  const announce = (seat) => {
    says.textContent = `${seat.label.value}: ${panel.dataset.room} ${seat.x.value}, ${seat.y.value}`;
  };

  const toRoom = (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
    return [at.x, at.y];
  };

  for (const shape of map.querySelectorAll("[data-seat]")) {
    const seat = seatOf(shape);
    shape.setAttribute("tabindex", "0");
    shape.setAttribute("role", "button");
    shape.setAttribute("aria-label", seat.label.value);
    shape.classList.add("contents-movable");
    for (const field of [seat.x, seat.y]) field.addEventListener("change", () => follow(seat));
    // A finger on a seat scrolls nothing. What the style sheet says of touch does not hold for parts of a drawing.
    shape.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
    let grip = null;
    shape.addEventListener("pointerdown", (event) => {
      const [x, y] = toRoom(event);
      grip = [x - seat.x.value, y - seat.y.value];
      shape.setPointerCapture(event.pointerId);
      shape.focus();
      event.preventDefault();
    });
    shape.addEventListener("pointermove", (event) => {
      if (!grip) return;
      const [x, y] = toRoom(event);
      put(seat, x - grip[0], y - grip[1]);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      shape.addEventListener(end, () => {
        if (grip) announce(seat);
        grip = null;
      });
    }
    shape.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!by) return;
      event.preventDefault();
      put(seat, Number(seat.x.value) + by[0] * step, Number(seat.y.value) + by[1] * step);
      announce(seat);
    });
  }
})();
