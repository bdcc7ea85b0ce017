package views_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"lunchgo/views"
	"lunchgo/views/staff"
)

// unsafeFocus names the dialogs of a page in which the focus does not begin on the button that changes nothing.
const unsafeFocus = `[...document.querySelectorAll("dialog")].filter(dialog => {
	dialog.showModal();
	const focused = document.activeElement;
	dialog.close();
	return !(dialog.contains(focused) && focused.matches("form[method=dialog] button"));
}).map(dialog => dialog.id)`

// A dialog asks before something that cannot be undone: Enter pressed by mistake must change nothing.
func TestDialogs_FocusTheSafeChoice(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	seen := 0
	for name, page := range samples("ko") {
		n := strings.Count(rendered(t, page), "<dialog ")
		if n == 0 {
			continue
		}
		seen += n
		b.open(s.URL + "/ko/" + name)
		b.until(`document.activeElement.closest("dialog") === null`)
		wrong, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string](unsafeFocus))
		must(t, err)
		none(t, name, wrong)
	}
	if seen < 4 { // leaving the line, two cancellations, closing a slot
		t.Errorf("%d dialogs, want at least 4", seen)
	}
}

// closing serves the slot's page and the question, whose figures have moved on meanwhile, and counts what is closed.
func closing(t *testing.T, s *site) (closed chan bool) {
	closed = make(chan bool, 9)
	url := views.StaffCloseSlotURL(1, evening)
	s.mux.HandleFunc("GET "+url, func(w http.ResponseWriter, r *http.Request) {
		page := staffSlot("ko")
		page.Slot.Waiting = 131
		must(t, staff.CloseSlot(page).Render(r.Context(), w))
	})
	s.mux.HandleFunc("POST "+url, func(w http.ResponseWriter, r *http.Request) {
		closed <- true
		http.Redirect(w, r, "/ko/staff-slot-closed", http.StatusSeeOther)
	})
	return closed
}

// Closing a slot says first whom it touches, by the figures of the moment, and asks.
func TestCloseSlot_AsksFirst(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	closed := closing(t, s)
	b.open(s.URL + "/ko/staff-slot")
	b.click(`[data-dialog="close-dialog"]`)
	b.until(`document.querySelector("#close-dialog").open`)
	b.until(`["131명", "3팀", "4석", "12석"].every((n, i) => document.querySelectorAll("#affected dd")[i].textContent === n)`)
	b.until(`document.activeElement.textContent === "계속 받기"`)
	b.run(`document.activeElement.click()`)
	b.until(`!document.querySelector("#close-dialog").open`)
	if len(closed) != 0 {
		t.Fatal("closed unasked")
	}
	b.click(`[data-dialog="close-dialog"]`)
	b.click(`#close-dialog .button-danger`)
	b.until(`location.pathname === "/ko/staff-slot-closed"`)
	if len(closed) != 1 {
		t.Fatalf("closed %d times, want once", len(closed))
	}
}

func TestCloseSlot_AsksFirstWithoutScript(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	closed := closing(t, s)
	b.disableScript()
	b.open(s.URL + "/ko/staff-slot")
	b.click(`[data-dialog="close-dialog"]`)
	b.until(`document.querySelector("h1").textContent.includes("닫을까요") && document.querySelector("#affected dd").textContent === "131명"`)
	if len(closed) != 0 {
		t.Fatal("closed unasked")
	}
	b.click(`.button-danger`)
	b.until(`location.pathname === "/ko/staff-slot-closed"`)
	if len(closed) != 1 {
		t.Fatalf("closed %d times, want once", len(closed))
	}
}
