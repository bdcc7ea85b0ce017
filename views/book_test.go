package views_test

import (
	"net/http"
	"testing"

	"lunchgo/views"
)

// The digits of a number find who may be calling, and leave the rest of the form as it is typed; a press on a guest
// fills it.
func TestBook_FindsWhoCalls(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	asked := make(chan string, 9)
	s.mux.HandleFunc("POST /staff/restaurants/1/book", func(w http.ResponseWriter, r *http.Request) {
		asked <- r.FormValue(views.FieldPhone) + " " + r.FormValue(views.FieldAction) + " " +
			r.FormValue(views.FieldCaller)
		_ = samples("ko")["staff-book-caller"].Render(r.Context(), w)
	})
	b.open(s.URL + "/ko/staff-book-paused")
	b.until(`"htmx" in window && document.querySelector("#callers") !== null`)
	b.run(`addEventListener("htmx:afterSettle", () => { document.body.dataset.settled = "" })`)
	b.run(`const phone = document.querySelector("[name=phone]"), name = document.querySelector("[name=name]");
		name.value = "박"; phone.focus(); phone.value = "1234";
		phone.dispatchEvent(new Event("input", { bubbles: true }))`)
	b.receives(asked, "1234 refresh ")
	b.until(`"settled" in document.body.dataset && document.querySelectorAll("#callers button").length > 0 &&
		document.activeElement.name === "phone" && document.activeElement.value === "1234" &&
		document.querySelector("[name=name]").value === "박"`)
	b.click("#callers button")
	b.receives(asked, "1234 refresh BBBB")
	b.until(`document.querySelector("[name=phone]").value === "010-1234-5678" &&
		document.querySelector("[name=name]").value === "김하늘"`)
}
