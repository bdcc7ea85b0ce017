package views_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"

	"lunchgo/views"
	"lunchgo/views/staff"
)

// timelineSite has a move of a party refused with why, or done, once the test has received what was asked for.
func timelineSite(t *testing.T, refused string) (s *site, asked chan string) {
	s, asked = newSite(t), make(chan string)
	s.mux.HandleFunc("POST /staff/reservations/{id}/move", func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		if len(r.PostForm.Get(views.FieldIdempotencyKey)) < 10 {
			t.Errorf("the key is %q", r.PostForm.Get(views.FieldIdempotencyKey))
		}
		select {
		case asked <- fmt.Sprintf("%s to %s at %s", r.PathValue("id"), strings.Join(r.PostForm[views.FieldSeat], ","),
			r.PostForm.Get(views.FieldTime)):
		case <-r.Context().Done():
			return
		}
		after := tonight("ko", views.TabTimeline)
		if r.PostForm.Get(views.FieldTime) == "21:30" {
			shorten(&after.Live.Timeline.Rows[3])
		}
		if after.Refused = refused; refused != "" {
			w.WriteHeader(http.StatusConflict)
		} else {
			after.MoveBack = moveBack("ko")
		}
		_ = staff.Tonight(after).Render(r.Context(), w)
	})
	return s, asked
}

// shorten moves the party of L1 from 20:00 to 21:30, after which the restaurant is closed.
func shorten(row *views.TimelineRow) {
	moved := row.Spans[4]
	moved.From, moved.Slots = 8, 1
	row.Spans = slices.Concat(row.Spans[:4], []views.TimelineSpan{{From: 5}, {From: 6}, {From: 7}, moved}, row.Spans[5:])
}

// inTimeline gives the middle of a slot in the row of a table, or of the first that has none, on the screen.
func (b tab) inTimeline(seat, at string) (x, y float64) {
	b.t.Helper()
	row := "tr:not([data-seat]):has(td)"
	if seat != "" {
		row = fmt.Sprintf("[data-seat='%s']", seat)
	}
	middle := evaluate[[]float64](b.ctx, b.t, fmt.Sprintf(`(() => {
		const row = document.querySelector("#timeline %s").getBoundingClientRect()
		const time = document.querySelector("[data-time='%s']").getBoundingClientRect()
		return [time.x + time.width / 2, row.y + row.height / 2]
	})()`, row, at))
	return middle[0], middle[1]
}

// A bar that is dragged says what is in the way where it is, and asks the server for the table and the time at which it
// is let go. The press that ends the drag leads nowhere.
func TestTimeline_MovesByMouse(t *testing.T) {
	t.Parallel()
	s, asked := timelineSite(t, "")
	b := newTab(t)
	failed := failures(b.ctx)
	b.open(s.URL + "/ko/staff-evening-timeline")
	b.until(`"htmx" in window && document.querySelector("#span-r7-0") !== null`)
	b.run(`document.querySelector("#timeline").scrollIntoView({ block: "start" }); scrollBy(0, -80);
		document.querySelector("#timeline").scrollLeft = 128`)
	x, y := b.inTimeline("4", "20:00")
	b.mouse(input.DispatchMouseEventTypeMousePressed, x, y)
	over := func(seat, at, says string) {
		t.Helper()
		x, y = b.inTimeline(seat, at)
		b.mouse(input.DispatchMouseEventTypeMouseMoved, x, y)
		b.until(fmt.Sprintf(`document.querySelector("#says").textContent === %q`, says))
	}
	over("3", "20:00", "M1 · 20:00 · "+hostile+" 님 자리입니다")
	b.until(`document.querySelector("[data-seat='3'] .cannot[data-party='r2']") !== null`)
	over("5", "20:00", "B1 · 20:00 · 1명까지 앉는 자리입니다")
	over("", "20:00", "자리 미정 · 20:00 · 이름이 있는 자리로 옮겨 주세요")
	over("4", "19:30", "L1 · 19:30 · 옮길 수 있습니다")
	b.until(`document.querySelectorAll("[data-seat='4'] .can").length > 0 &&
		document.querySelector("[data-seat='5']").matches(".cannot")`)
	b.mouse(input.DispatchMouseEventTypeMouseReleased, x, y)
	b.receives(asked, "r7 to 4 at 19:30")
	b.until(`document.querySelector("#says").textContent === "L1 · 20:00 · 옮겼습니다"`) // where the server has it
	b.until(`!document.querySelector(".can, .cannot, .held")`)
	b.until(`location.pathname.endsWith("/staff-evening-timeline") && document.activeElement.id === "span-r7-0"`)
	b.until(`document.querySelector("#undo [action$='/move'] [name=time]").value === "20:00"`) // offers to take it back
	none(t, "script errors", failed())
}

// The arrow keys choose, Enter asks, Escape gives up. Why the server refused is said below the board, and the focus
// stays on the bar. A party at two tables gives one of them up, and one that is there keeps its time.
func TestTimeline_MovesByKeysAndSaysWhyNot(t *testing.T) {
	t.Parallel()
	s, asked := timelineSite(t, "M1번 자리는 박지우 님")
	b := newTab(t)
	b.open(s.URL + "/ko/staff-evening-timeline")
	b.until(`"htmx" in window && document.querySelector("#span-r1-1") !== null`)
	focus := func(bar string) { b.run(fmt.Sprintf(`document.getElementById(%q).focus()`, bar)) }
	b.run(`const box = document.querySelector("#timeline");
		box.style.maxHeight = "150px"; box.scrollTo({ left: 9999, top: 9999, behavior: "instant" })`)
	focus("span-r2-0")
	b.until(`(() => {
		const bar = document.activeElement.getBoundingClientRect()
		return document.elementFromPoint(bar.x + 5, bar.y + 5).closest("a") === document.activeElement
	})()`) // and not below the times or the tables
	b.run(`document.querySelector("#timeline").style.maxHeight = ""`)
	b.press("ArrowLeft")
	b.until(`document.querySelector("#says").textContent === "M1 · 18:30 · 와 있는 손님은 시간을 바꿀 수 없습니다"`)
	b.press("Escape")
	b.until(`document.querySelector("#says").textContent === "" && !document.querySelector(".held")`)
	focus("span-r1-1")
	for _, key := range []string{"ArrowDown", "ArrowDown", "ArrowDown"} {
		b.press(key)
	}
	b.until(`document.querySelector("#says").textContent === "B1 · 19:00 · 3명까지 앉는 자리입니다"`)
	b.press("ArrowUp")
	b.until(`document.querySelector("#says").textContent === "L1 · 19:00 · 정유나 님 자리입니다"`)
	b.press("Enter")
	b.receives(asked, "r1 to 4 at 19:00") // the server decides
	b.until(`document.querySelector("#says").textContent === "M1번 자리는 박지우 님"`)
	b.until(`document.activeElement.id === "span-r1-1"`)
	b.press("Escape")
	b.until(`document.querySelector("#says").textContent === ""`)
	b.press("ArrowLeft")
	b.press("ArrowLeft")
	b.until(`document.querySelector("#says").textContent === "W2 · 18:00 · 지난 시간입니다"`)
	focus("span-r7-0") // and so gives up
	b.until(`!document.querySelector(".held")`)
	for range 3 {
		b.press("ArrowRight")
	}
	b.until(`document.querySelector("#says").textContent === "L1 · 21:30 · 옮길 수 있습니다 · 22:00까지만 머뭅니다"`)
	b.press("ArrowRight")
	b.until(`document.querySelector("#says").textContent === "L1 · 22:00 · 닫은 시간입니다"`) // from 23:00 on
	focus("span-r1-1")
	for range 4 {
		b.press("ArrowRight")
	}
	b.until(`document.querySelector("#says").textContent === "W2 · 21:00 · 이 시간에는 1석만 남았습니다"`)
	b.until(`!document.querySelector("td[data-party='r8']")`) // who has left keeps nobody away
}

// While the server has not answered, the next move waits, and says so. After it the page says when a stay ends that got
// shorter.
func TestTimeline_MakesOneMoveAtATime(t *testing.T) {
	t.Parallel()
	s, asked := timelineSite(t, "")
	b := newTab(t)
	b.open(s.URL + "/ko/staff-evening-timeline")
	b.until(`"htmx" in window && document.querySelector("#span-r7-0") !== null`)
	b.run(`document.getElementById("span-r7-0").focus()`)
	for _, key := range []string{"ArrowRight", "ArrowRight", "ArrowRight", "Enter", "ArrowLeft"} {
		b.press(key)
	}
	b.until(`document.querySelector("#says").textContent === "앞서 옮긴 것을 아직 처리하고 있습니다"`)
	b.until(`!document.querySelector(".can, .cannot, .held")`)
	b.receives(asked, "r7 to 4 at 21:30")
	b.until(`document.querySelector("#says").textContent === "L1 · 21:30 · 옮겼습니다 · 22:00까지만 머뭅니다"`)
}

// A finger that rests on a bar moves it; one that goes on scrolls.
func TestTimeline_MovesByTouch(t *testing.T) {
	t.Parallel()
	s, asked := timelineSite(t, "")
	b := newTab(t)
	b.open(s.URL + "/ko/staff-evening-timeline")
	b.until(`"htmx" in window && document.querySelector("#span-r7-0") !== null`)
	b.run(`document.querySelector("#timeline").scrollIntoView({ block: "start" }); scrollBy(0, -80);
		document.querySelector("#timeline").scrollLeft = 128`)
	x, y := b.inTimeline("4", "20:00")
	b.touch(input.DispatchTouchEventTypeTouchStart, x, y)
	b.until(`document.querySelector("#span-r7-0.held") !== null`)
	x, y = b.inTimeline("4", "19:30")
	b.touch(input.DispatchTouchEventTypeTouchMove, x, y)
	b.until(`document.querySelector("#says").textContent === "L1 · 19:30 · 옮길 수 있습니다"`)
	b.touch(input.DispatchTouchEventTypeTouchEnd)
	b.receives(asked, "r7 to 4 at 19:30")
}
