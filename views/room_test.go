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
	for seat, want := range map[int]string{2: "12:00|19:00 2명|20:30 3명", 3: "19:00 김하늘 2|20:30 김하늘 3|22:00 김하늘 4", 4: "19:00 김하늘 2명|20:30 김하늘 3명|+2"} { // in any order
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

// A seat that is let go on another one, or would be moved there by a key, is back where it was, and the page says why.
func TestRoom_RefusesOverlaps(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	failed := failures(b.ctx)
	b.open(s.URL + "/en/setup-seats")
	b.until(`document.querySelector("[data-seat='1']").getAttribute("tabindex") === "0"`)
	middle := evaluate[[]float64](b.ctx, t, fmt.Sprintf(middleOf, 1))
	metre := evaluate[float64](b.ctx, t, perMetre)
	b.mouse(input.DispatchMouseEventTypeMousePressed, middle[0], middle[1])
	b.mouse(input.DispatchMouseEventTypeMouseMoved, middle[0]+1.5*metre, middle[1])
	b.until(`document.querySelector("[data-seat='1']").matches(".contents-overlap") &&
		document.querySelector("#field-x-0").value === "250"`)
	b.mouse(input.DispatchMouseEventTypeMouseReleased, middle[0]+1.5*metre, middle[1])
	const back = `!document.querySelector("[data-seat='1']").matches(".contents-overlap") &&
		document.querySelector("[data-seat='1']").getAttribute("transform") === "translate(%d 0)" &&
		document.querySelector("#field-x-0").value === "%d"`
	const says = `document.querySelector("[data-room-says]").textContent === "T1: would stand on T2, and is back where it was."`
	b.until(fmt.Sprintf(back, 0, 100) + " && " + says)
	b.run(`document.querySelector("[data-seat='1']").focus()`)
	for range 10 {
		b.press("ArrowRight") // beside T2
	}
	b.until(fmt.Sprintf(back, 100, 200) + " && !(" + says + ")")
	b.press("ArrowRight")
	b.until(fmt.Sprintf(back, 100, 200) + " && " + says)
	none(t, "script errors", failed())
}

// Two seats that are pressed one after the other are joined, or parted, in the fields of both, by mouse and by keys. What
// is typed for one of them is written to the other.
func TestRoom_JoinsSeatsForBoth(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	failed := failures(b.ctx)
	b.open(s.URL + "/en/setup-seats")
	b.until(`document.querySelector("[data-seat='1']").getAttribute("tabindex") === "0"`)
	joined := func(of ...string) {
		t.Helper()
		for i, want := range of {
			b.until(fmt.Sprintf(`document.querySelector("#field-partners-%d").value === %q`, i, want))
		}
	}
	joined("T2", "T1", "", "")
	for _, seat := range []int{2, 3} {
		middle := evaluate[[]float64](b.ctx, t, fmt.Sprintf(middleOf, seat))
		b.mouse(input.DispatchMouseEventTypeMousePressed, middle[0], middle[1])
		b.mouse(input.DispatchMouseEventTypeMouseReleased, middle[0], middle[1])
	}
	joined("T2", "T1, T3", "T2", "")
	b.until(`document.querySelector("[data-room-says]").textContent === "T2: can be joined with T3."`)
	b.until(`document.querySelector("[data-seat='2']").getAttribute("aria-pressed") === "true" &&
		document.querySelectorAll(".seat-partner").length === 2`)
	b.run(`document.querySelector("[data-seat='1']").focus()`)
	b.press("Enter")
	joined("", "T3", "T2", "")
	b.until(`document.querySelector("[data-room-says]").textContent === "T2: is not joined with T1 any more."`)
	b.run(`const c = document.querySelector("#field-partners-3"); c.value = "T1, T3";
		c.dispatchEvent(new Event("change", {bubbles: true}))`)
	joined("C1", "T3", "T2, C1", "T1, T3")
	none(t, "script errors", failed())
}

// The list of seats is short: their places and sizes are folded, unless one of them is to be mended.
func TestRoom_FoldsExactNumbers(t *testing.T) {
	t.Parallel()
	counts(t, rendered(t, samples("en")["setup-seats"]), `<details class="fold contents-exact">`, 4)
	wrong := rendered(t, samples("en")["setup-seats-errors"])
	counts(t, wrong, `<details class="fold contents-exact">`, 3)
	counts(t, wrong, `<details class="fold contents-exact" open>`, 1)
}
