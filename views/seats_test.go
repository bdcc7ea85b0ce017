package views_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"lunchgo/app/booking"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// TestSeats_AreChosenOnTheMapWhileOthersChoose taps the map, ticks the list, and loses one of both to somebody else.
func TestSeats_AreChosenOnTheMapWhileOthersChoose(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	events := make(chan views.SeatPicker)
	s.route("/restaurants/sol-bap/seats/events", "/seats")
	s.mux.HandleFunc("GET /seats", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		for {
			select {
			case p := <-events:
				var part strings.Builder
				_ = pages.SeatChoice(p).Render(context.Background(), &part)
				sendEvent(w, "seats", []byte(part.String()))
			case <-r.Context().Done():
				return
			}
		}
	})
	b.open(s.URL + "/en/booking-seats")
	b.until(`document.querySelector("[data-seats-fit]").textContent.includes("W1 right now")`)
	b.run(`document.querySelector('[data-seat="1"]').dispatchEvent(new MouseEvent("click", {bubbles: true}))`)
	b.until(
		`document.querySelector("[data-seat-box=W1]").checked && document.querySelector('[data-seat="1"]').classList.contains("seat-chosen")`)
	b.until(`document.querySelector("[data-seats-fit]").textContent.includes("Your choice: W1")`)
	b.click(".seat-picker summary")
	b.until(
		`document.querySelector("#seat-1").innerText.includes("your choice") && !document.querySelector("#seat-1").innerText.includes("free")`)
	b.until(
		`document.querySelector("#seat-2").innerText.includes("free") && !document.querySelector("#seat-2").innerText.includes("your choice")`)
	b.run(`document.querySelector('[data-seat="3"]').dispatchEvent(new MouseEvent("click", {bubbles: true}))`)
	b.until(`!document.querySelector("[data-seat-box=M1]").checked`)
	b.click("#seat-2")
	b.until(`document.querySelector("[data-seats-fit]").textContent.includes("W1, W2")`)

	other := picker("en")
	other.Room.Seats[4].State = booking.SeatHeld
	events <- other // another seat fades, without a word
	b.until(
		`document.querySelector('[data-seat="5"]').classList.contains("seat-held") && document.querySelector("[data-seat-box=B1]").disabled`)
	b.until(
		`document.querySelector(".seat-picker details").open && document.querySelector("[data-seats-lost]").textContent === "" && document.querySelector("[data-seat-box=W2]").checked`)

	other.Room.Seats[0].State = booking.SeatTaken
	events <- other
	b.until(`document.querySelector("[data-seats-lost]").textContent.endsWith(": W1")`)
	b.until(
		`!document.querySelector("[data-seat-box=W1]").checked && document.querySelector("[data-seat-box=W2]").checked`)
	b.until(`document.querySelector("[data-seats-fit]").textContent.includes("Your choice: W2")`)
	b.until(`document.querySelector("#seat-2").innerText.includes("your choice")`)
	b.until(
		`document.querySelector("#seat-1").innerText.includes("taken") && !document.querySelector("#seat-1").innerText.includes("your choice")`)
}

// TestSeats_AreChosenInTheList unfolds the list, ticks a box and sends the form, by the keyboard and without scripts.
func TestSeats_AreChosenInTheList(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	sent := make(chan string, 9)
	s.mux.HandleFunc("POST /restaurants/sol-bap/reservations", func(w http.ResponseWriter, r *http.Request) {
		sent <- r.FormValue("seat")
		w.WriteHeader(http.StatusNoContent)
	})
	b := newTab(t)
	b.disableScript()
	b.open(s.URL + "/en/booking-seats")
	b.run(`document.querySelector(".seat-picker summary").focus()`)
	must(t, chromedp.Do(b.ctx, chromedp.KeyEvent(kb.Enter)))
	b.until(`document.querySelector(".seat-picker details").open`)
	b.press("Tab")
	must(t, chromedp.Do(b.ctx, chromedp.KeyEvent(" ")))
	b.until(`document.querySelector("[data-seat-box=B1]").checked`)
	b.click(".pay-bar button")
	b.receives(sent, "5")

	html := rendered(t, pages.Seats(picker("en", 0)))
	holds(t, html,
		`type="checkbox" name="seat" value="1" checked`,  // chosen
		`name="seat" value="3" disabled`,                 // taken
		`name="seat" value="4" disabled`,                 // for larger parties
		`joins W2`, `for 5 or more`, `waits for payment`, // as text
		`<svg class="seat-map" viewBox="0 0 800 460" aria-hidden="true"`, // which the map only repeats
		`sse-connect="/restaurants/sol-bap/seats/events?date=2026-11-21&amp;party=2&amp;stay=1&amp;time=19%3A00"`)
	lacks(t, rendered(t, pages.Seats(views.SeatPicker{Lang: "en"})), "sse-connect")
}
