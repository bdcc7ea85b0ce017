package views_test

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"lunchgo/views"
	"lunchgo/views/pages"
)

// sendEvent writes an event as the streams of the product do: each line of the data by itself.
func sendEvent(w http.ResponseWriter, name string, data []byte) {
	fmt.Fprintf(w, "event: %s\n", name)
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		fmt.Fprintf(w, "data: %s\n", lines.Text())
	}
	fmt.Fprint(w, "\n")
	w.(http.Flusher).Flush()
}

// TestWaiting_FollowsItsLine moves a ticket through its line, breaks the stream on the way, and ends it.
func TestWaiting_FollowsItsLine(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	positions := make(chan int)
	asked := make(chan string, 9)
	s.mux.HandleFunc("GET /tickets/{ticket}", func(w http.ResponseWriter, r *http.Request) {
		asked <- r.Header.Get("HX-Request")
		http.Redirect(w, r, "/ko/payment", http.StatusSeeOther)
	})
	s.mux.HandleFunc("GET /line/events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "retry: 50\n\n")
		w.(http.Flusher).Flush()
		for {
			select {
			case <-r.Context().Done():
				return
			case position := <-positions:
				if position < 0 {
					return // the connection breaks
				}
				if position == 0 {
					sendEvent(w, "done", []byte("{}"))
					<-r.Context().Done()
					return
				}
				status := status("ko")
				status.Position = position
				var out bytes.Buffer
				must(t, pages.WaitingStatus(status).Render(r.Context(), &out))
				sendEvent(w, "waiting", out.Bytes())
			}
		}
	})
	s.route("/tickets/T.s/events", "/line/events")

	b.open(s.URL + "/ko/waiting")
	b.run(`window.bar = document.querySelector("#line-progress")`)
	positions <- 4
	b.until(`document.querySelector(".status-position strong").textContent === "4"`)
	b.until(`document.title.startsWith("(4) ")`)
	b.until(`bar.isConnected && bar.value === 90`)
	b.until(`document.querySelector("[data-announcer]").textContent.includes("앞에 3팀")`)

	positions <- -1 // and the browser comes back by itself
	positions <- 2
	b.until(`document.querySelector(".status-position strong").textContent === "2"`)
	b.until(`document.querySelector("[data-stream-state]").textContent === ""`)

	positions <- 0
	b.until(`location.pathname === "/ko/payment" && document.querySelector("h1").textContent.includes("자리를 잡았습니다")`)
	b.receives(asked, "true")
	b.until(`document.title.includes("결제") && document.activeElement.id === "main"`)
	b.until(`/^\d+:\d\d$/.test(document.querySelector("[data-remaining]").textContent)`)
}

func TestWaiting_SaysThatItsStreamIsLost(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	s.route("/tickets/T.s/events", "/gone")
	b.open(s.URL + "/ko/waiting")
	b.until(`document.querySelector("[data-stream-state]").textContent.includes("다시 잇는 중")`)
	const top = `document.querySelector("[data-stream-state]").getBoundingClientRect().top`
	b.until(top + ` < document.querySelector(".status").getBoundingClientRect().top`)
	b.run(`document.querySelector(".tiles").scrollIntoView({behavior: "instant"})`)
	b.until(`scrollY > 100 && ` + top + ` > 0 && ` + top + ` < 100`)
}

// A paused line, and one that opens later, has a place to announce, which changes when somebody ahead leaves.
func TestWaiting_AnnouncesThePlaceInAStandingLine(t *testing.T) {
	t.Parallel()
	for lang, places := range map[string][2]string{"ko": {"앞에 9팀.", "바로 다음 차례입니다."},
		"en": {"9 parties ahead.", "You are next."}} {
		for _, standing := range []views.Steering{{Paused: true}, {OpensAt: evening, Now: evening}} {
			s := status(lang)
			s.Steering = standing
			for i, position := range []int{10, 1} {
				s.Position = position
				if got := s.Announcement(); !strings.HasSuffix(got, ". "+places[i]) {
					t.Errorf("at place %d it says %q", position, got)
				}
			}
			if standing.Draw = true; standing.Draws() {
				s.Steering = standing
				lacks(t, s.Announcement(), places[1]) // there is no place yet
			}
		}
	}
}

// TestWaiting_OpensASilentStreamAgain leaves streams open that say nothing more, as a network does that fails without a
// word. A stream that speaks stays.
func TestWaiting_OpensASilentStreamAgain(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	const every = 200 // ms
	var opened atomic.Int64
	s.mux.HandleFunc("GET /line/silent", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		nth := opened.Add(1)
		status := status("ko")
		status.Position = 10 - int(nth)
		var out bytes.Buffer
		must(t, pages.WaitingStatus(status).Render(r.Context(), &out))
		sendEvent(w, "waiting", out.Bytes())
		for pings := time.NewTicker(every * time.Millisecond); ; {
			sendEvent(w, "ping", fmt.Append(nil, every))
			if nth < 3 {
				<-r.Context().Done()
			}
			select {
			case <-r.Context().Done():
				return
			case <-pings.C:
			}
		}
	})
	s.route("/tickets/T.s/events", "/line/silent")
	b.open(s.URL + "/ko/waiting")
	b.until(`document.querySelector(".status-position strong").textContent === "7"`)
	time.Sleep(15 * every * time.Millisecond) // six times the silence that a page bears
	if got := opened.Load(); got != 3 {
		t.Errorf("opened %d times: two were silent, the third spoke", got)
	}
	b.run(`dispatchEvent(new Event("online"))`)
	b.until(`document.querySelector(".status-position strong").textContent === "6"`)
}

// refusals opens streams that are refused, as the pages do, and returns after how many milliseconds each learns of it.
// The extension opens a stream again 500 ms after that.
const refusals = `Promise.all(Array.from({length: 20}, () => new Promise(done => {
	const started = performance.now();
	htmx.createEventSource("/refused").onerror = () => done(performance.now() - started);
})))`

// Streams that a restarting server refuses are opened again after 2 to 4 s at random, not all at once.
func TestRefusedStreams_SpreadReconnects(t *testing.T) {
	s := newSite(t)
	b := newTab(t)
	b.open(s.URL + "/ko/search")
	pauses, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]float64](refusals, chromedp.EvalAwaitPromise))
	must(t, err)
	if got := slices.Min(pauses); got < 1500.0 {
		t.Fatalf("a pause of %v ms, want at least 1500", got)
	}
	if got := slices.Max(pauses); got >= 5000.0 { // 3500 and what a busy machine adds
		t.Fatalf("a pause of %v ms, want less than 5000", got)
	}
	if got := slices.Max(pauses) - slices.Min(pauses); got <= 1000.0 {
		t.Fatalf("the pauses spread over %v ms, want more than 1000", got)
	}
}

// A page whose stream was refused opens it again by itself.
func TestRefusedStream_ComesBack(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	tries := make(chan time.Time, 99)
	s.mux.HandleFunc("GET /line/refused", func(w http.ResponseWriter, _ *http.Request) {
		tries <- time.Now()
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	s.route("/tickets/T.s/events", "/line/refused")
	b.open(s.URL + "/ko/waiting")
	first := <-tries
	b.until(`document.querySelector("[data-stream-state]").textContent.includes("다시 잇는 중")`)
	if got := (<-tries).Sub(first); got < 1900*time.Millisecond {
		t.Fatalf("tries again after %v, want at least 1.9 s", got)
	}
}

func TestBooking_CountsAlongAndIsSentOnce(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	presses := make(chan string, 9)
	s.mux.HandleFunc("POST /restaurants/sol-bap/reservations", func(w http.ResponseWriter, r *http.Request) {
		presses <- r.FormValue("item-1") + " " + r.FormValue("idempotency_key") + " " + r.FormValue("action")
		if r.FormValue("action") == "refresh" {
			form := bookingPage("ko")
			form.Party = 4
			must(t, pages.Booking(form).Render(r.Context(), w))
			return
		}
		w.WriteHeader(http.StatusNoContent) // the page stays, so that it can be looked at
	})
	b.open(s.URL + "/ko/booking")
	b.until(`document.querySelector("[data-menu-total]").textContent === "48,000원"`)
	b.click(`[aria-label="솔잎 돌솥비빔밥 하나 더하기"]`)
	b.until(`document.querySelector("[data-menu-total]").textContent === "65,000원"`)
	b.run(
		`const p = document.querySelector("#field-party"); p.value = "4"; p.dispatchEvent(new Event("change", {bubbles: true}))`)
	b.until(`document.querySelector("#summary").textContent.includes("40,000원")`)
	b.receives(presses, "3 key-1 refresh")
	b.until(`document.querySelector("#field-item-1").value === "3"`)

	b.run(`const pay = document.querySelector(".pay-bar button"); pay.click(); pay.click(); pay.click()`)
	b.receives(presses, "3 key-1 ")
	b.until(
		`document.querySelector(".pay-bar button").disabled && document.querySelector(".pay-bar button").ariaBusy === "true"`)
	if len(presses) != 0 {
		t.Fatal("the form went twice")
	}
}

// TestBooking_NeedsFewKeys walks with the tab key from the top of the form to its button.
func TestBooking_NeedsFewKeys(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, page := range []string{"booking", "booking-seats", "booking-seats-stranger"} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			b := newTab(t)
			b.open(s.URL + "/en/" + page)
			b.run(`for (const fold of document.querySelectorAll("form.booking details")) fold.open = false;
				const form = document.querySelector("form.booking"); form.tabIndex = -1; form.focus()`)
			count := 0
			for ; !evaluate[bool](b.ctx, t, `document.activeElement.matches(".pay-bar button")`); count++ {
				if count == 12 {
					t.Fatal("the button is more than 12 tabs away")
				}
				b.press("Tab")
			}
			t.Logf("%d tabs", count)
		})
	}
}

// TestBooking_FoldsWhen chooses another time: the line above the times names it at once.
func TestBooking_FoldsWhen(t *testing.T) {
	t.Parallel()
	holds(t, rendered(t, samples("ko")["booking"]), `<details class="fold"><summary><h2 class="when-line" id="when-title">`,
		`오후 7:00</span> · 2명</h2><span class="fold-change">변경</span>`)
	for _, page := range []string{"booking-errors", "change"} {
		holds(t, rendered(t, samples("ko")[page]), `<details class="fold" open><summary><h2 class="when-line" id="when-title">`)
	}
	b := newTab(t)
	b.open(newSite(t).URL + "/ko/booking")
	b.until(`!document.querySelector("#times").checkVisibility()`)
	b.click("#when-title")
	b.until(`document.querySelector("#times").checkVisibility()`)
	b.run(`document.querySelector('#times [name=time][value="13:30"]').click()`)
	b.until(`document.querySelector("#when-title").innerText.includes("오후 1:30 · 2명")`)
}

// The seats of the form of staff follow the time: what was typed stays, and so does what is open.
func TestStaffBook_LooksSeatsUpAgain(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	asked := make(chan string, 9)
	s.mux.HandleFunc("POST /staff/restaurants/1/book", func(w http.ResponseWriter, r *http.Request) {
		asked <- r.FormValue("action") + " " + r.FormValue("time") + " " + r.FormValue("party") + " " + r.FormValue("source")
		must(t, samples("ko")["staff-book-seat-taken"].Render(r.Context(), w))
	})
	b.open(s.URL + "/ko/staff-book-walk-in")
	b.run(`addEventListener("htmx:afterSettle", () => { document.body.dataset.settled = "" })`)
	b.run(
		`const at = document.querySelector("#field-time"); at.value = "20:00"; at.dispatchEvent(new Event("change", {bubbles: true}))`)
	b.receives(asked, "refresh 20:00 2 walk_in")
	b.until(`document.querySelector(".seat-box input:checked") !== null && document.querySelector(".notice") !== null &&
		"settled" in document.body.dataset`) // before that the new fields ask nothing
	b.run(`document.querySelector("input[name=party][value='4']").click()`)
	b.receives(asked, "refresh 19:00 4 walk_in")
}

func TestWaiting_AsksBeforeLeaving(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	left := make(chan bool, 9)
	s.mux.HandleFunc("POST /tickets/T.s/leave", func(w http.ResponseWriter, r *http.Request) {
		left <- true
		http.Redirect(w, r, "/ko/outcome-left", http.StatusSeeOther)
	})
	b.open(s.URL + "/ko/waiting")
	b.click(`#leave button`)
	b.until(`document.querySelector("#leave-dialog").open`)
	b.click(`#leave-dialog form button`)
	b.until(`!document.querySelector("#leave-dialog").open`)
	if len(left) != 0 {
		t.Fatal("left unasked")
	}
	b.click(`#leave button`)
	b.until(`document.querySelector("#leave-dialog").open`)
	b.click(`#leave-dialog [data-confirmed]`)
	b.until(`location.pathname === "/ko/outcome-left"`)
	<-left
}

func TestSearch_SwapsResultsAndKeepsAShortAddress(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	s.mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		found := search("ko")
		found.Results.Cards, found.Results.Party = found.Results.Cards[:3], 5
		must(t, pages.SearchPart(found.Results).Render(r.Context(), w))
	})
	b.open(s.URL + "/ko/search")
	b.click(".search-pill")
	b.run(`document.querySelector("#field-q").focus()`)
	b.run(
		`const d = document.querySelector("#field-district"); d.value = "jongno"; d.dispatchEvent(new Event("change", {bubbles: true}))`)
	b.until(
		`document.querySelectorAll(".restaurant-card").length === 3 && document.querySelector("#results [role=status]").textContent.includes("3곳")`)
	b.until(`location.pathname + location.search === "/?date=2026-11-21&time=19%3A00&party=2&district=jongno"`)
	b.until(`document.querySelector("#search-pill").textContent.endsWith("5명")`)
	b.until(`document.activeElement.id === "field-q"`)
}

func TestBooking_WorksWithoutScript(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	presses := make(chan string, 9)
	s.mux.HandleFunc("POST /restaurants/sol-bap/reservations", func(w http.ResponseWriter, r *http.Request) {
		presses <- r.FormValue("time") + " " + r.FormValue("item-1") + " " + r.FormValue("action")
		http.Redirect(w, r, "/ko/payment", http.StatusSeeOther)
	})
	b.disableScript()
	b.open(s.URL + "/ko/booking")
	if dir := os.Getenv("SHOTS"); dir != "" {
		shoot(b.ctx, t, filepath.Join(dir, "booking-without-script.png"))
	}
	b.click("#when-title")
	b.until(`document.querySelector(".no-script").offsetHeight > 0`)
	b.until(`document.querySelector("[data-step]").offsetHeight === 0`)
	b.click(`.when .no-script`)
	b.until(`location.pathname === "/ko/payment"`)
	b.receives(presses, "19:00 2 refresh")
	b.open(s.URL + "/ko/booking")
	b.click(`.pay-bar button`)
	b.until(`location.pathname === "/ko/payment"`)
	b.receives(presses, "19:00 2 ")
}
