package rush

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

func run(t *testing.T, h *installation, o Options) Report {
	t.Helper()
	report, err := Run(t.Context(), o, h.open(t), io.Discard)
	dbtest.Must(t, err)
	if !h.freed {
		t.Error("the seats were not freed")
	}
	return report
}

func TestRun_ReportsWhatDinersWereAnswered(t *testing.T) {
	t.Parallel()
	r := run(t, &installation{capacity: 10}, options(40, 2))
	if !r.Good() || r.Diners != 40 || r.Answered != 40 || r.Reserved != 5 || r.SoldOut != 35 {
		t.Errorf("%+v", r)
	}
	if *r.MaxDBConnections != 3 || *r.RSSBytesPerWaiter != 0 || r.RedisCommandsPerDiner != nil {
		t.Errorf("measured %v connections, %v bytes, %v commands", *r.MaxDBConnections, *r.RSSBytesPerWaiter,
			r.RedisCommandsPerDiner)
	}
	if r.AnswerAfterTurnMaxMs == nil || *r.AnswerAfterTurnMaxMs < 0 ||
		*r.AnswerAfterTurnMaxMs > 1000*r.TotalSeconds+1 || r.PositionGapMaxMs == nil {
		t.Errorf("answered %v ms after the turn, positions out of date for %v", r.AnswerAfterTurnMaxMs,
			r.PositionGapMaxMs)
	}
	if r.TotalSeconds <= 0 || r.AnswerP50Ms <= 0 || r.AnswerP99Ms < r.AnswerP50Ms || r.ReservationsPerSecond <= 0 {
		t.Errorf("times %+v", r)
	}
}

// Each of these houses breaks one promise. A rush that finds nothing there would find nothing anywhere.
func TestRun_NoticesBrokenPromises(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name         string
		installation *installation
		fault        func(Report) int
		want         int
	}{
		{"one more party than there are seats",
			&installation{capacity: 10, decide: func(l *line, _ int64) bool { return l.held <= l.capacity }},
			func(r Report) int { return r.Oversold }, 2},
		{"the second is decided before the first",
			&installation{capacity: 10, swap: true},
			func(r Report) int { return r.FIFOInversions }, 1},
		{"three are refused, then later ones get the seats",
			&installation{capacity: 10, decide: func(l *line, arrival int64) bool {
				return arrival > 3 && l.held < l.capacity
			}},
			func(r Report) int { return r.FIFOInversions }, 3},
		{"five are promised seats that nobody wrote down",
			&installation{capacity: 10, forget: true},
			func(r Report) int { return r.Failed }, 5},
		{"one gets an answer that is neither yes nor no",
			&installation{capacity: 10, answer: once("POST", http.StatusConflict, `{"code":"closed"}`)},
			func(r Report) int { return r.Failed }, 1},
		{"a server fault",
			&installation{capacity: 10, answer: once("POST", http.StatusInternalServerError, `{"code":"internal"}`)},
			func(r Report) int { return r.HTTPErrors }, 1},
		{"a 503 that does not say when to come back",
			&installation{capacity: 10, answer: once("GET /api/tickets", http.StatusServiceUnavailable,
				`{"code":"unavailable"}`)},
			func(r Report) int { return r.HTTPErrors }, 1},
		{"an answer that is no JSON",
			&installation{capacity: 10, answer: once("POST", http.StatusCreated, `<html>`)},
			func(r Report) int { return r.HTTPErrors }, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := run(t, test.installation, options(20, 2))
			if got := test.fault(r); got != test.want {
				t.Errorf("found %d, want %d: %+v", got, test.want, r)
			}
			if r.Good() {
				t.Error("the report is good")
			}
		})
	}
}

// Presses go out one after the other, and each is answered before the next one. A pair that is exchanged in the
// database is seen without the line's own numbers.
func TestRun_JudgesTheOrderOnTheWire(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		installation *installation
		want         int
	}{
		"in order":               {&installation{capacity: 10}, 0},
		"the second comes first": {&installation{capacity: 10, swap: true}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options(6, 2)
			o.Over = 600 * time.Millisecond
			if r := run(t, test.installation, o); r.WireInversions != test.want || r.Answered != 6 ||
				r.TotalSeconds < .4 {
				t.Errorf("%d inversions, want %d: %+v", r.WireInversions, test.want, r)
			}
		})
	}
}

// A diner who presses later does not wait from the beginning of the rush.
func TestRun_CountsAnAnswerFromTheOwnPress(t *testing.T) {
	t.Parallel()
	o := options(3, 2)
	o.Over = 1500 * time.Millisecond // so the second presses after half a second, the third after a whole one
	r := run(t, &installation{capacity: 10}, o)
	if !r.Good() || r.TotalSeconds < 1 || r.ReservationsPerSecond > 3 {
		t.Errorf("the rush took %v s, %v reservations a second: %+v", r.TotalSeconds, r.ReservationsPerSecond, r)
	}
	if r.AnswerP50Ms <= 0 || r.AnswerP50Ms > 400 {
		t.Errorf("the answer took %v ms", r.AnswerP50Ms)
	}
}

// Lines of several restaurants are judged each by itself. Their numbers and times of day are the same.
func TestRun_JudgesEveryLineOfSeveralRestaurants(t *testing.T) {
	t.Parallel()
	several := func(diners int) Options {
		o := options(diners, 2)
		o.Restaurants, o.Slots = 3, 7
		return o
	}
	t.Run("in order", func(t *testing.T) {
		t.Parallel()
		h := &installation{capacity: 10}
		r := run(t, h, several(70))
		if !r.Good() || r.Slots != 7 || r.Reserved != 35 || r.SoldOut != 35 {
			t.Errorf("%+v", r)
		}
		slots := map[int64]int{}
		for slot, l := range h.lines {
			slots[slot.RestaurantID]++
			if l.arrived != 10 {
				t.Errorf("%d diners pressed for %v, want 10", l.arrived, slot)
			}
		}
		if !maps.Equal(slots, map[int64]int{7: 3, 8: 2, 9: 2}) {
			t.Errorf("slots of the restaurants: %v", slots)
		}
	})
	t.Run("oversold", func(t *testing.T) {
		t.Parallel()
		h := &installation{capacity: 10, decide: func(l *line, _ int64) bool { return l.held <= l.capacity }}
		if r := run(t, h, several(70)); r.Oversold != 2*7 {
			t.Errorf("oversold by %d, want 14", r.Oversold)
		}
	})
	t.Run("refused before later ones", func(t *testing.T) {
		t.Parallel()
		h := &installation{capacity: 10, decide: func(_ *line, arrival int64) bool { return arrival > 3 }}
		r := run(t, h, several(35))
		if r.FIFOInversions != 3*7 {
			t.Errorf("%d inversions, want 21", r.FIFOInversions)
		}
		want := "21 were refused as sold out though somebody who had come later got seats"
		if !slices.Contains(r.Notes, want) {
			t.Errorf("the notes do not say %q: %q", want, r.Notes)
		}
	})
	t.Run("exchanged, on the wire too", func(t *testing.T) {
		t.Parallel()
		h := &installation{capacity: 10, swap: true}
		o := several(14)
		o.Over = time.Second
		if r := run(t, h, o); r.FIFOInversions != 7 || r.WireInversions != 7 {
			t.Errorf("%d and %d inversions, want 7 and 7", r.FIFOInversions, r.WireInversions)
		}
	})
	t.Run("in several processes", func(t *testing.T) {
		t.Parallel()
		h := &installation{capacity: 10}
		target := h.open(t)
		target.Diners = ownProcess
		o := several(70)
		o.PerProcess = 24
		r, err := Run(t.Context(), o, target, io.Discard)
		if err != nil || !r.Good() || r.Reserved != 35 || r.SoldOut != 35 || !h.freed {
			t.Errorf("%+v, %v", r, err)
		}
	})
}

// ownProcess makes a process of diners of the test binary.
func ownProcess() *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), roleVariable+"="+dinersRole)
	return cmd
}

func TestRun_MergesSeveralProcesses(t *testing.T) {
	t.Parallel()
	h := &installation{capacity: 10, answer: once("POST", http.StatusInternalServerError, `{"code":"internal"}`)}
	target := h.open(t)
	var started atomic.Int32
	target.Diners = func() *exec.Cmd {
		started.Add(1)
		return ownProcess()
	}
	o := options(50, 2)
	o.PerProcess = 20
	r, err := Run(t.Context(), o, target, io.Discard)
	dbtest.Must(t, err)
	if started.Load() != 3 || r.Answered != 50 || r.Reserved != 5 || r.SoldOut != 45 || r.HTTPErrors != 1 {
		t.Errorf("%d processes, %+v", started.Load(), r)
	}
	if presses := h.called(http.MethodPost); len(presses) != 51 {
		t.Errorf("%d presses", len(presses))
	}
}

func TestRun_EndsItsProcesses(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var open atomic.Int32
	h := &installation{capacity: 10, answer: func(h *installation, w http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/events") && open.Add(1) == 6 {
			cancel()
		}
		return hang(h, w, r)
	}}
	target := h.open(t)
	target.Diners = ownProcess
	o := options(6, 2)
	o.PerProcess = 3
	if _, err := Run(ctx, o, target, io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
	if left := h.called(http.MethodDelete); len(left) != 6 || !h.freed {
		t.Errorf("left the line: %q; freed: %v", left, h.freed)
	}
}

// What a rush has prepared is cleaned up also when it could not prepare all, and then --keep keeps nothing.
func TestRun_PreparedInPart(t *testing.T) {
	t.Parallel()
	for _, keep := range []bool{false, true} {
		h := &installation{refuse: errors.New("the database is away")}
		o := options(6, 2)
		o.Keep = keep
		if _, err := Run(t.Context(), o, h.open(t), io.Discard); !errors.Is(err, h.refuse) || !h.freed {
			t.Errorf("keep %t: ended with %v, freed: %t", keep, err, h.freed)
		}
	}
}

// A process of diners that cannot start, or cannot connect, ends the rush with its reason.
func TestRun_ProcessThatFails(t *testing.T) {
	t.Parallel()
	h := &installation{capacity: 10,
		answer: once("GET /api/wallet", http.StatusUnauthorized, `{"code":"unauthenticated"}`)}
	target := h.open(t)
	o := options(6, 2)
	o.PerProcess = 3
	target.Diners = ownProcess
	if _, err := Run(t.Context(), o, target, io.Discard); err == nil || !strings.Contains(err.Error(), "SECRET") {
		t.Errorf("the error is %v", err)
	}
	target.Diners = func() *exec.Cmd { return exec.Command("/nowhere/lunchgo") }
	if _, err := Run(t.Context(), o, target, io.Discard); err == nil ||
		!strings.Contains(err.Error(), "/nowhere/lunchgo") {
		t.Errorf("the error is %v", err)
	}
}

// The trace of a diner who got no answer is in the notes.
func TestRun_NotesTheTraceOfWhoFailed(t *testing.T) {
	t.Parallel()
	_, r := timeOut(t, 1)
	notes := strings.Join(r.Notes, "\n")
	for _, want := range []string{"pressed; ", "has a ticket; ", "stream is open", "not answered in time"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the notes do not say %q: %s", want, notes)
		}
	}
}

// once answers the first call of that kind in the installation's place.
func once(kind string, status int, body string) func(*installation, http.ResponseWriter, *http.Request) bool {
	var done atomic.Bool
	return func(_ *installation, w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasPrefix(r.Method+" "+r.URL.Path, kind) || !done.CompareAndSwap(false, true) {
			return false
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
		return true
	}
}

func TestDiner_ComesBackWhenAskedTo(t *testing.T) {
	t.Parallel()
	var refused atomic.Int32
	h := &installation{capacity: 10, answer: func(_ *installation, w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost || refused.Add(1) > 2 {
			return false
		}
		w.Header().Set("Retry-After", "0")
		status := http.StatusServiceUnavailable
		if refused.Load() == 2 {
			status = http.StatusTooManyRequests
		}
		w.WriteHeader(status)
		return true
	}}
	if r := run(t, h, options(1, 2)); !r.Good() || r.Reserved != 1 {
		t.Errorf("%+v", r)
	}
	presses := h.called(http.MethodPost)
	if len(presses) != 3 || len(slices.Compact(presses)) != 1 {
		t.Errorf("pressed %q, want three times with one key", presses)
	}
}

func TestDiner_ReopensAStreamThatTheServerEnds(t *testing.T) {
	t.Parallel()
	var opened atomic.Int32
	h := &installation{capacity: 10, answer: func(_ *installation, w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, "/events") || opened.Add(1) > 3 {
			return false
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "retry: 10\n\nevent: waiting\ndata: {\"estimatedSeconds\":1}\n\n")
		return true
	}}
	if r := run(t, h, options(1, 2)); !r.Good() || r.Reserved != 1 {
		t.Errorf("%+v", r)
	}
	if opened.Load() != 4 || len(h.called(http.MethodPost)) != 1 {
		t.Errorf("opened %d streams after %d presses", opened.Load(), len(h.called(http.MethodPost)))
	}
}

// A broken connection counts as an error, and the diner goes on.
func TestDiner_GoesOnAfterABrokenConnection(t *testing.T) {
	t.Parallel()
	var broken atomic.Bool
	h := &installation{capacity: 10, answer: func(_ *installation, w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, "/events") || !broken.CompareAndSwap(false, true) {
			return false
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "event: waiting\n")
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}}
	if r := run(t, h, options(1, 2)); r.Reserved != 1 || r.HTTPErrors != 1 || r.Failed != 0 {
		t.Errorf("%+v", r)
	}
}

func TestDiner_FollowsAPolledTicket(t *testing.T) {
	t.Parallel()
	h := &installation{capacity: 10, answer: func(h *installation, w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPost {
			return false
		}
		ticket := h.enterByJSON(r)
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprintf(w, `{"code":"waiting","ticket":%q,"position":1,"waitingCount":1,"estimatedSeconds":9}`, ticket)
		return true
	}}
	if r := run(t, h, options(3, 5)); !r.Good() || r.Reserved != 2 || r.SoldOut != 1 {
		t.Errorf("%+v", r)
	}
}

// The result may be in the answer to the press. Then the diner opens no stream, and stood in no line.
func TestDiner_ReadsTheResultInTheAnswerToThePress(t *testing.T) {
	t.Parallel()
	t.Run("everybody's", func(t *testing.T) {
		t.Parallel()
		h := &installation{capacity: 10, atOnce: func(int64) bool { return true }}
		r := run(t, h, options(40, 2))
		if !r.Good() || r.Reserved != 5 || r.SoldOut != 35 || r.ReservationsPerSecond <= 0 {
			t.Errorf("%+v", r)
		}
		if r.Tickets != 0 || r.LineSeconds != 0 || r.AnswerAfterTurnMaxMs != nil || r.PositionGapMaxMs != nil {
			t.Errorf("%d diners stood in a line: %+v", r.Tickets, r)
		}
		for _, call := range h.called(http.MethodGet) {
			if strings.Contains(call, "/api/tickets/") {
				t.Errorf("asked for %s", call)
			}
		}
	})
	t.Run("of every other one", func(t *testing.T) {
		t.Parallel()
		h := &installation{capacity: 10, atOnce: func(arrival int64) bool { return arrival%2 == 0 }}
		if r := run(t, h, options(20, 2)); !r.Good() || r.Reserved != 5 || r.SoldOut != 15 || r.Tickets != 10 {
			t.Errorf("%+v", r)
		}
	})
	t.Run("three are refused at once, then later ones get the seats", func(t *testing.T) {
		t.Parallel()
		h := &installation{capacity: 10, atOnce: func(int64) bool { return true },
			decide: func(l *line, arrival int64) bool { return arrival > 3 && l.held < l.capacity }}
		if r := run(t, h, options(20, 2)); r.FIFOInversions != 3 {
			t.Errorf("%d inversions, want 3: %+v", r.FIFOInversions, r)
		}
	})
}

func TestDiner_TakesOnlyFinalStatesForResults(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		body    string
		outcome outcome
		code    string
		waiting int64
	}{
		{`{"state":"waiting","position":3}`, unanswered, "", 1},
		{`{}`, unanswered, "", 1},
		{`{"state":"reserved","reservationId":"a"}`, reserved, "", 0},
		{`{"state":"rejected","code":"sold_out"}`, soldOut, "", 0},
		{`{"state":"rejected","code":"closed"}`, other, "closed", 0},
		{`{"state":"left","code":"left"}`, other, "left", 0},
	} {
		d := diner{counters: &counters{}, pressed: time.Now()}
		accepted := &http.Response{StatusCode: http.StatusAccepted,
			Header: http.Header{"Location": {"/api/tickets/some"}}}
		if _, err := (program{}).read(&d, accepted, []byte(test.body)); err != nil {
			t.Errorf("%s: %v", test.body, err)
		}
		if d.answer.Outcome != test.outcome || d.answer.Code != test.code || d.answer.Ticket != "some" {
			t.Errorf("%s is read as %+v", test.body, d.answer)
		}
		if got := d.counters.tally().Waiting; got != test.waiting {
			t.Errorf("%s: %d wait, want %d", test.body, got, test.waiting)
		}
		if d.counters.close(d.answer); d.counters.tally().Waiting != 0 {
			t.Errorf("%s: %d wait after the end", test.body, d.counters.tally().Waiting)
		}
	}
}

// hang keeps streams open until their client goes.
func hang(_ *installation, w http.ResponseWriter, r *http.Request) bool {
	if !strings.HasSuffix(r.URL.Path, "/events") {
		return false
	}
	w.Header().Set("Content-Type", "text/event-stream")
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
	return true
}

// timeOut lets diners wait for an answer until their time is over. For half of it at least their streams are open:
// where a busy machine takes longer to open them, they get twice the time.
func timeOut(t *testing.T, diners int) (*installation, Report) {
	t.Helper()
	for limit := 300 * time.Millisecond; ; limit *= 2 {
		var open atomic.Int32
		begun := time.Now()
		h := &installation{capacity: 10, answer: func(h *installation, w http.ResponseWriter, r *http.Request) bool {
			if strings.HasSuffix(r.URL.Path, "/events") && time.Since(begun) < limit/2 {
				open.Add(1)
			}
			return hang(h, w, r)
		}}
		o := options(diners, 2)
		o.Timeout = limit
		if r := run(t, h, o); int(open.Load()) == diners {
			return h, r
		}
	}
}

func TestDiner_NotAnsweredInTimeLeavesTheLine(t *testing.T) {
	t.Parallel()
	h, r := timeOut(t, 4)
	if r.Failed != 4 || r.HTTPErrors != 0 || r.Good() {
		t.Errorf("%+v", r)
	}
	if left := h.called(http.MethodDelete); len(left) != 4 {
		t.Errorf("left the line: %q", left)
	}
}

func TestRun_EndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var open atomic.Int32
	h := &installation{capacity: 10, answer: func(h *installation, w http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, "/events") && open.Add(1) == 5 {
			cancel()
		}
		return hang(h, w, r)
	}}
	if _, err := Run(ctx, options(5, 2), h.open(t), io.Discard); !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
	if left := h.called(http.MethodDelete); len(left) != 5 || !h.freed {
		t.Errorf("left the line: %q; freed: %v", left, h.freed)
	}
}

func TestRun_GoesOnAtAnotherInstance(t *testing.T) {
	t.Parallel()
	h := &installation{capacity: 10}
	target := h.open(t)
	away := &installation{answer: func(_ *installation, w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost {
			panic(http.ErrAbortHandler)
		}
		return false
	}}
	target.URLs = append(target.URLs, away.open(t).URLs...)
	report, err := Run(t.Context(), options(10, 2), target, io.Discard)
	dbtest.Must(t, err)
	if report.Answered != 10 || report.Reserved != 5 || report.HTTPErrors != 5 {
		t.Errorf("%+v", report)
	}
}

func TestRun_FailsWhenNobodyAnswers(t *testing.T) {
	t.Parallel()
	h := &installation{capacity: 10}
	target := h.open(t)
	free, err := freeAddresses(1)
	dbtest.Must(t, err)
	target.URLs = []string{"http://" + free[0].Site}
	if _, err := Run(t.Context(), options(10, 2), target, io.Discard); err == nil {
		t.Error("a rush to nobody succeeded")
	}
}

func TestRun_RefusesAnotherInstallation(t *testing.T) {
	t.Parallel()
	h := &installation{capacity: 10,
		answer: once("GET /api/wallet", http.StatusUnauthorized, `{"code":"unauthenticated"}`)}
	_, err := Run(t.Context(), options(10, 2), h.open(t), io.Discard)
	if err == nil || !strings.Contains(err.Error(), "SECRET") {
		t.Errorf("the error is %v", err)
	}
	if presses := h.called(http.MethodPost); len(presses) > 0 {
		t.Errorf("pressed %d times", len(presses))
	}
}

func TestProgress_InLinesWithoutATerminal(t *testing.T) {
	t.Parallel()
	h := &installation{capacity: 10}
	var out strings.Builder
	if _, err := Run(t.Context(), options(6, 2), h.open(t), &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "6 of 6 answered: 5 reserved, 1 sold out") ||
		strings.ContainsAny(out.String(), "\r\x1b") {
		t.Errorf("wrote %q", out.String())
	}
}
