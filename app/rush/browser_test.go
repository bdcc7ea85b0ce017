package rush

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// pages serves the installation's pages: a form for each visitor, and a waiting page with a stream for each ticket.
func (h *installation) pages(mux *http.ServeMux) {
	keys := make(chan int, 1)
	keys <- 0
	mux.HandleFunc("GET /restaurants/{id}/book", func(w http.ResponseWriter, _ *http.Request) {
		key := <-keys
		keys <- key + 1
		fmt.Fprintf(w, `<input type="hidden" name="idempotency_key" value="key-%d">`, key)
	})
	mux.HandleFunc("POST /restaurants/{id}/reservations", func(w http.ResponseWriter, r *http.Request) {
		id, _ := strconv.ParseInt(r.PathValue("id"), 10, 64)
		slot := Slot{id, r.PostFormValue("date"), r.PostFormValue("time")}
		ticket := h.enter(slot, r.PostFormValue("idempotency_key"))
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: ticket})
		to := "/tickets/" + ticket + "?from=1"
		if arrival, ok := h.Arrival(ticket, ""); ok && h.atOnce != nil && h.atOnce(arrival) {
			to = "/reservations/" + ticket + "/pay"
		}
		http.Redirect(w, r, to, http.StatusSeeOther)
	})
	mux.HandleFunc("GET /tickets/{ticket}", h.ticketPage)
	mux.HandleFunc("GET /tickets/{ticket}/events", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "event: waiting\ndata: <div data-position=\"1\">\n\nevent: done\ndata: done\n\n")
	})
	mux.HandleFunc("GET /reservations/{id}/pay", func(http.ResponseWriter, *http.Request) {})
}

// ticketPage shows the line to who comes from the press, and where the ticket led to who comes from its stream.
func (h *installation) ticketPage(w http.ResponseWriter, r *http.Request) {
	ticket := r.PathValue("ticket")
	switch seen, err := r.Cookie("seen"); {
	case err != nil || seen.Value != ticket:
		w.WriteHeader(http.StatusForbidden)
	case r.FormValue("from") != "":
		fmt.Fprintf(w, `<div sse-connect="/tickets/%s/events?from=1&amp;x=y"><div data-position="2">`, ticket)
	case strings.HasPrefix(ticket, "yes-"):
		http.Redirect(w, r, "/reservations/"+ticket+"/pay", http.StatusSeeOther)
	default:
		fmt.Fprint(w, `<div class="page-head" data-outcome="sold_out">`)
	}
}

func TestBrowser_IsLedFromPageToPage(t *testing.T) {
	t.Parallel()
	o := options(20, 2)
	o.Browsers = true
	h := &installation{capacity: 10}
	if r := run(t, h, o); !r.Good() || r.Reserved != 5 || r.SoldOut != 15 || r.Tickets != 20 ||
		r.PositionGapMaxMs == nil {
		t.Errorf("%+v", r)
	}
	if n := len(h.called(http.MethodPost)); n != 20 {
		t.Errorf("%d presses", n)
	}
	if !slices.ContainsFunc(h.called(http.MethodGet), func(c string) bool { return strings.Contains(c, "/pay") }) {
		t.Errorf("nobody comes to the payment: %q", h.calls)
	}
}

// A browser that loses the connection, or is asked to come back, goes on where it was, with the same key.
func TestBrowser_GoesOnAfterAFailure(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"POST", "GET /tickets", "GET /reservations"} {
		for _, atOnce := range []bool{false, path == "GET /reservations"} {
			o := options(10, 2)
			o.Browsers = true
			h := &installation{capacity: 100, atOnce: func(int64) bool { return atOnce },
				answer: once(path, http.StatusInternalServerError, "<h1>")}
			if r := run(t, h, o); r.Reserved != 10 || r.HTTPErrors != 1 {
				t.Errorf("%s fails once: %+v", path, r)
			}
		}
	}
}

// A page that says that the request is wrong is an answer: it would stay so.
func TestBrowser_TakesARefusedFormForAnAnswer(t *testing.T) {
	t.Parallel()
	o := options(4, 2)
	o.Browsers = true
	h := &installation{capacity: 100, answer: once("POST", http.StatusUnprocessableEntity, "<form>")}
	if r := run(t, h, o); r.Reserved != 3 || r.Failed != 1 || r.TotalSeconds > 5 {
		t.Errorf("%+v", r)
	}
}
