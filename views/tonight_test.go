package views_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"lunchgo/app/booking"
	"lunchgo/views"
	"lunchgo/views/staff"
)

// answering answers presses as a test says: not at all, too late, with a failure of the server, or well.
func answering(answers <-chan string, done http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm() // a request that is not read does not end
		switch <-answers {
		case "none":
			w.Header().Set("Content-Length", "9")
			_, _ = w.Write([]byte("broken")) // without any byte the browser would send it again by itself
		case "late":
			<-r.Context().Done()
		case "refused":
			w.WriteHeader(http.StatusInternalServerError)
		case "done":
			done(w, r)
		}
	}
}

// saysFailures presses a button, and fails the test unless each way to fail is said right behind it, alone.
func (b tab) saysFailures(button string, answers chan<- string) {
	b.t.Helper()
	for _, c := range []struct{ answer, says string }{
		{"none", "전달되지 않았습니다"}, {"refused", "서버가 처리하지 못했습니다"}, {"late", "전달되지 않았습니다"},
	} {
		answers <- c.answer
		b.run(`document.querySelector(".press-failed")?.replaceChildren()`)
		b.click(button)
		b.until(fmt.Sprintf(`document.querySelector(%q)?.textContent.includes(%q)`, button+" + [role=alert]", c.says))
		b.until(`document.querySelectorAll(".press-failed").length === 1`)
	}
}

// A press that is not sent, not answered or refused says so beside its button until the next one, and a board whose
// stream broke says since when nothing new comes.
func TestTonight_SaysWhatFailsAndSinceWhen(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	answers := make(chan string, 1)
	marked := func(w http.ResponseWriter, r *http.Request) {
		_ = staff.Tonight(tonight("ko", views.TabGuests)).Render(r.Context(), w)
	}
	s.mux.HandleFunc("POST /staff/reservations/{id}/{mark}", answering(answers, marked))
	breaks := make(chan struct{})
	s.route("/staff/restaurants/1/events", "/evening/events")
	s.mux.HandleFunc("GET /evening/events", func(w http.ResponseWriter, r *http.Request) {
		if _, broken := <-breaks; !broken {
			<-r.Context().Done() // it is not back
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		<-breaks
	})
	b.open(s.URL + "/ko/staff-evening-guests")
	b.until(`"htmx" in window && document.querySelector("#step-arrived-r1") !== null`)
	breaks <- struct{}{}
	close(breaks)
	b.until(`/[0-9]:[0-9]{2} 이후/.test(document.querySelector("[data-stream-state]").textContent)`)
	b.run(`document.querySelector("#marks").setAttribute("hx-request", '{"timeout":300}')`)
	b.saysFailures("#step-arrived-r1", answers)
	answers <- "done"
	b.click("#step-arrived-r1")
	b.until(`document.querySelector(".press-failed") === null`)
}

// So does a press at a table, at the door and on a form of its own. Refused, the page says why; done, it leads on.
func TestStaff_FormsSayWhatFails(t *testing.T) {
	t.Parallel()
	for page, form := range map[string]struct{ path, button string }{
		"staff-table-free":          {"/staff/restaurants/1/book", "#table-walk-in + ul .button"},
		"staff-evening-door":        {"/staff/restaurants/1/door", ".door-form .table-buttons button"},
		"staff-book-phone":          {"/staff/restaurants/1/book", ".book-form > button.wide"},
		"staff-reservation":         {"/staff/reservations/AAAABBBBCCCC/move", "#move > button.wide"},
		"staff-reservation-cancel":  {"/staff/reservations/AAAABBBBCCCC/cancel", "main form .button-danger"},
		"staff-message":             {"/staff/restaurants/1/messages", "main form button.wide"},
		"staff-reservation-details": {views.StaffDetailsURL("MZ4Q7C"), "main form button.wide"},
		"staff-evening-moved":       {views.StaffMoveURL("r7"), ".undo-bar button"},
		"staff-line":                {views.StaffLineActURL(1, evening, "turn"), "form[action$=turn] button"},
		"staff-stop":                {"/staff/restaurants/1/stop", "main form button.wide"},
		"staff-blocked-seats":       {views.StaffBlockedSeatsURL(1, evening), "main form button.wide"},
	} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			b := newTab(t)
			answers := make(chan string, 1)
			s.mux.HandleFunc("POST "+form.path, answering(answers, func(w http.ResponseWriter, r *http.Request) {
				w.WriteHeader(http.StatusConflict)
				must(t, samples("ko")["staff-evening-door-refused"].Render(r.Context(), w))
			}))
			b.open(s.URL + "/ko/" + page)
			b.until(fmt.Sprintf(`"htmx" in window && document.querySelector(%q) !== null`, form.button))
			b.run(`document.querySelectorAll("main form")
				.forEach((f) => f.setAttribute("hx-request", '{"timeout":300}'))`)
			b.saysFailures(form.button, answers)
			answers <- "done"
			b.click(form.button)
			b.until(`document.activeElement.id === "main" &&
				document.querySelector(".door-form [role=alert]") !== null`)
			s.mux.HandleFunc("POST /done", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("HX-Redirect", "/ko/staff-evening-guests")
			})
			s.route("/staff/restaurants/1/door", "/done")
			b.click(".door-form .table-buttons button")
			b.until(`location.pathname === "/ko/staff-evening-guests"`)
		})
	}
}

// Portions change in place: the button keeps the focus, and a number that is refused is said in its field.
func TestStaff_PortionsChangeInPlace(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	answers := make(chan string, 1)
	s.mux.HandleFunc("POST "+views.StaffPortionsStepURL(1, evening, 2), answering(answers,
		func(w http.ResponseWriter, r *http.Request) {
			m := staffMenu("ko")
			m.Dishes[1].Left, m.Flash = 4, views.Flash{Kind: views.FlashSuccess, Message: "바꿨습니다"}
			must(t, staff.Menu(m).Render(r.Context(), w))
		}))
	s.mux.HandleFunc("POST "+views.StaffPortionsURL(1, evening, 2), func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusUnprocessableEntity)
		must(t, samples("ko")["staff-menu-errors"].Render(r.Context(), w))
	})
	b.open(s.URL + "/ko/staff-menu")
	b.until(`"htmx" in window && document.querySelector("#dish-2-more") !== null`)
	b.run(`window.other = document.querySelector("#dish-3")
		document.querySelectorAll("main form").forEach((f) => f.setAttribute("hx-request", '{"timeout":300}'))`)
	b.saysFailures("#dish-2-more", answers)
	answers <- "done"
	b.click("#dish-2-more")
	b.until(`document.querySelector("#dish-2 .dish-text").textContent.includes("4") && window.other.isConnected`)
	b.until(`document.activeElement.id === "dish-2-more" && document.querySelector("#toasts").textContent.includes("바꿨습니다")`)
	b.until(`document.querySelector(".htmx-settling, .htmx-added") === null`)
	b.click("#dish-2-set")
	b.until(`document.querySelector("#dish-2 .field-error") !== null && window.other.isConnected`)
}

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

// A booking that is new to the page chimes once, and the title counts those that came while nobody looked.
func TestTonight_CountsNewBookings(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	bookings := make(chan int)
	s.route("/staff/restaurants/1/events", "/booked/events")
	s.mux.HandleFunc("GET /booked/events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for n := range bookings {
			live := tonight("ko", views.TabGuests).Live
			for i := range n {
				live.Booked = append(live.Booked, minutes(n-i))
			}
			var html strings.Builder
			_ = staff.TonightLive(live).Render(r.Context(), &html)
			_, _ = fmt.Fprintf(w, "event: evening\ndata: %s\n\n", strings.ReplaceAll(html.String(), "\n", "\ndata: "))
			w.(http.Flusher).Flush()
		}
	})
	defer close(bookings)
	b.open(s.URL + "/ko/staff-evening-guests")
	b.until(`"htmx" in window && document.querySelector("#live-part") !== null`)
	b.run(`window.tones = 0; window.isHidden = true;
		Object.defineProperty(document, "hidden", { get: () => window.isHidden });
		const part = () => ({ frequency: {}, gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} },
			connect: (to) => to, start() { window.tones++ }, stop() {} });
		window.AudioContext = class { state = "running"; currentTime = 0; createOscillator = part; createGain = part };
		document.dispatchEvent(new Event("pointerdown"))`)
	bookings <- 1
	b.until(`document.title.startsWith("(1) ") && window.tones === 2`)
	bookings <- 3
	b.until(`document.title.startsWith("(3) ") && window.tones === 4`)
	b.run(`window.isHidden = false; document.dispatchEvent(new Event("visibilitychange"))`)
	b.until(`!document.title.startsWith("(")`)
	b.run(`document.querySelector("[data-chime]").click()`)
	b.until(`document.querySelector("[data-chime][aria-pressed=false]") && localStorage.getItem("chime") === "off"`)
	bookings <- 4
	b.until(`document.querySelector("#live-part").dataset.booked.split(" ").length === 4 && window.tones === 4`)
	b.run(`document.querySelector("[data-chime]").click()`) // sounds as it is switched on
	b.until(`document.querySelector("[data-chime][aria-pressed=true]") && window.tones === 6`)
	bookings <- 2 // one was cancelled
	b.until(`document.querySelector("#live-part").dataset.booked.split(" ").length === 2 && window.tones === 6`)
}

// On a phone the alerts are one bar, which opens and stays open while the board changes; on a wide screen they all show.
func TestTonight_FoldsItsAlertsOnAPhone(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	s.mux.HandleFunc("POST /staff/reservations/{id}/{mark}", func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm() // a request that is not read does not end
		after := tonight("ko", views.TabGuests)
		after.Live.Totals.Present++
		_ = staff.Tonight(after).Render(r.Context(), w)
	})
	const fold = `document.querySelector(".tonight-fold")`
	const shown = `document.querySelector(".tonight-alert").checkVisibility()`
	b.open(s.URL + "/ko/staff-evening-guests")
	b.until(`"htmx" in window && document.querySelector("#step-arrived-r1") !== null`)
	b.until(`!` + shown + ` && ` + fold + `.offsetHeight < 60`)
	b.until(`["알림 4가지", "알레르기"].every(text => ` + fold + `.querySelector("summary").textContent.includes(text))`)
	b.click(".tonight-fold summary")
	b.until(fold + `.open && ` + shown)
	b.click("#step-arrived-r1")
	b.until(`document.querySelector(".tonight-totals").textContent.includes("37명")`)
	b.until(fold + `.open && ` + shown)
	b.click(".tonight-fold summary")
	b.until(`!` + shown)
	must(t, chromedp.Do(b.ctx, chromedp.EmulateViewport(820, 900)))
	b.until(shown + ` && !` + fold + `.querySelector("summary").checkVisibility()`)
}
