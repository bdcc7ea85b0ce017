package views_test

import (
	"fmt"
	"net/http"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/views"
	"lunchgo/views/staff"
)

// A mark is sent by the button of its party, which lies outside the form of all marks. The focus stays with the party
// whose button goes, and what can be taken back is announced by a region that was there before.
func TestTonight_MarksByOnePressAndKeepsTheFocus(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	failed := failures(b.ctx)
	marked := make(chan string, 9)
	s.mux.HandleFunc("POST /staff/reservations/{id}/{mark}", func(w http.ResponseWriter, r *http.Request) {
		marked <- r.PathValue("id") + " " + r.PathValue("mark") + " " + r.FormValue(views.FieldNext)
		after := tonight("ko", views.TabGuests)
		party := &after.Live.Hours[0].Parties[0]
		party.State, party.CanArrive, party.JustMarked, party.CanUndo, party.Late = booking.Arrived, false,
			true, true, 0
		after.Marked = &party.StaffReservation
		_ = staff.Tonight(after).Render(r.Context(), w)
	})
	b.open(s.URL + "/ko/staff-evening-guests")
	b.until(`"htmx" in window && document.querySelector("#step-arrived-r1") !== null`)
	b.run(`window.place = document.querySelector("#undo")`)
	b.click("#step-arrived-r1")
	b.receives(marked, fmt.Sprintf("r1 arrived %s", tonight("ko", views.TabGuests).Live.Address.URL()))
	b.until(
		`document.querySelector("#g-r1.party-arrived") !== null && window.place.isConnected && window.place.textContent.includes("김하늘")`)
	b.until(`document.activeElement === document.querySelector("#g-r1 .party-name")`)
	none(t, "script errors", failed())
}
