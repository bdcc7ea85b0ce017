package views_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
)

// middleOf gives where on the screen a seat's middle is, once it can be seen.
const middleOf = `(() => {
	const top = document.querySelector("[data-seat='%d'] .seat-top")
	top.scrollIntoView({block: "center"})
	const box = top.getBoundingClientRect()
	return [box.x + box.width / 2, box.y + box.height / 2]
})()`

// perMetre gives how many pixels of the screen show a metre of the room.
const perMetre = `100 * document.querySelector("[data-room] svg").getScreenCTM().a`

// A table that is dragged, or moved by the arrow keys, has its new place in the fields that are sent.
func TestRoom_MovesTablesByMouseAndKeys(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	failed := failures(b.ctx)
	b.open(s.URL + "/ko/setup-seats")
	b.until(`document.querySelector("[data-seat='1']").getAttribute("tabindex") === "0"`)
	middle := evaluate[[]float64](b.ctx, t, fmt.Sprintf(middleOf, 1))
	metre := evaluate[float64](b.ctx, t, perMetre)
	b.mouse(input.DispatchMouseEventTypeMousePressed, middle[0], middle[1])
	b.mouse(input.DispatchMouseEventTypeMouseMoved, middle[0]+metre/2, middle[1]+metre/2)
	b.mouse(input.DispatchMouseEventTypeMouseMoved, middle[0]+metre, middle[1]+2*metre)
	b.mouse(input.DispatchMouseEventTypeMouseReleased, middle[0]+metre, middle[1]+2*metre)
	b.until(
		`document.querySelector("#field-x-0").value === "200" && document.querySelector("#field-y-0").value === "400"`)
	b.until(`document.querySelector("[data-room-says]").textContent.includes("200, 400")`)
	moved := evaluate[[]float64](b.ctx, t, fmt.Sprintf(middleOf, 1))
	if got := moved[0] - middle[0]; got < metre-2 || got > metre+2 {
		t.Errorf("the table moved %v px on the map, want %v", got, metre)
	}
	b.mouse(input.DispatchMouseEventTypeMouseMoved, middle[0], middle[1]) // let go, it stays
	b.run(`document.querySelector("[data-seat='2']").focus()`)
	for _, key := range []string{"ArrowRight", "ArrowRight", "ArrowUp"} {
		b.press(key)
	}
	b.until(
		`document.querySelector("#field-x-1").value === "320" && document.querySelector("#field-y-1").value === "190"`)
	b.until(`document.querySelector("#field-x-0").value === "200"`)

	b.run(
		`const x = document.querySelector("#field-x-2"); x.value = "600"; x.dispatchEvent(new Event("change", {bubbles: true}))`)
	b.until(`document.querySelector("[data-seat='3']").getAttribute("transform") === "translate(100 0)"`)
	none(t, "script errors", failed())
}

// A room that staff may only read does not move.
func TestRoom_OfReadersStays(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	b.open(s.URL + "/ko/setup-seats-manager")
	b.until(`document.readyState === "complete" && !document.querySelector("[data-seat][tabindex]")`)
	b.until(`[...document.querySelectorAll(".contents-room input:not([type=hidden])")].every(i => i.readOnly)`)
	b.run(
		`document.querySelector("[data-seat]").dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true}))`)
	b.until(`document.querySelector("#field-x-0").value === "100"`)
}

// A finger drags a table as a mouse does, and does not scroll the page meanwhile.
func TestRoom_MovesTablesByTouch(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	b.open(s.URL + "/ko/setup-seats")
	b.until(`document.querySelector("[data-seat='1']").getAttribute("tabindex") === "0"`)
	at := evaluate[[]float64](b.ctx, t, fmt.Sprintf(middleOf, 1))
	metre := evaluate[float64](b.ctx, t, perMetre)
	scrolled := evaluate[float64](b.ctx, t, "scrollY")
	b.touch(input.DispatchTouchEventTypeTouchStart, at[0], at[1])
	for n := 1.0; n <= 10; n++ {
		b.touch(input.DispatchTouchEventTypeTouchMove, at[0]+n*metre/10, at[1]+n*metre/5)
	}
	b.touch(input.DispatchTouchEventTypeTouchEnd)
	b.until(
		`document.querySelector("#field-x-0").value === "200" && document.querySelector("#field-y-0").value === "400"`)
	b.until(fmt.Sprintf("scrollY === %v", scrolled))
}

// On a phone too the plan says on the tables who has them, how many they are and for how long, in letters that can be
// read and stay inside their table; on a day to come it says so of all parties of a table.
func TestRoom_CanBeReadOnAPhone(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	notes := func(seat int) string {
		return evaluate[string](b.ctx, t, fmt.Sprintf(
			`[...document.querySelectorAll("[data-seat='%d'] .seat-note")].map(n => n.textContent).join("|")`, seat))
	}
	b.open(s.URL + "/ko/staff-evening-room")
	for seat, want := range map[int]string{1: "박지우|12명 35분", 3: "한여름|2명 +12분", 4: "김하늘|4명 19:00"} { // in any order
		if got := notes(seat); got != want {
			t.Errorf("table %d says %q, want %q", seat, got, want)
		}
	}
	b.open(s.URL + "/ko/staff-evening-room-tomorrow")
	for seat, want := range map[int]string{2: "19:00 2명|20:30 3명", 3: "19:00 김하늘 2|20:30 김하늘 3|22:00 김하늘 4", 4: "19:00 김하늘 2명|20:30 김하늘 3명|+2"} { // in any order
		if got := notes(seat); got != want {
			t.Errorf("tomorrow table %d says %q, want %q", seat, got, want)
		}
	}
	for _, page := range []string{"ko/staff-evening-room", "en/staff-evening-room", "en/staff-evening-room-tomorrow"} {
		b.open(s.URL + "/" + page)
		b.until(`document.fonts.ready.then(() => true)`)
		none(t, "notes of "+page+" that cannot be read", evaluate[[]string](b.ctx, t,
			`[...document.querySelectorAll("[data-room] .seat-note")].filter(n => {
				const letters = n.getAttribute("font-size") * n.getScreenCTM().a
				const table = n.parentElement.querySelector(".seat-top").getBoundingClientRect()
				return letters < 10.9 || n.getBoundingClientRect().width > table.width
			}).map(n => n.textContent)`))
	}
}
