package webtest

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"lunchgo/app/web/ops"
	"lunchgo/db/dbtest"
)

func TestTicket_IsPolledUntilItIsDone(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	release := r.rival(t, slot)
	who := r.diner(t, 0)
	ticket := r.press(t, who, "key-1", "respond-async", r.requestFor(slot, 2)).want(t, 202, "").text(t, "ticket")

	now := r.get(t, who, "/api/tickets/"+ticket).want(t, 200, "")
	if now.text(t, "state") != "waiting" || now.number(t, "position") != 1 || now.number(t, "waitingCount") != 1 {
		t.Errorf("now: %s", now.raw)
	}
	release()
	var done answer
	dbtest.Eventually(t, "the ticket is done", func() bool {
		done = r.get(t, who, "/api/tickets/"+ticket).want(t, 200, "")
		return done.json["state"] != "waiting"
	})
	if done.text(t, "state") != "reserved" || done.json["position"] != nil {
		t.Errorf("done: %s", done.raw)
	}
	r.get(t, who, "/api/reservations/"+done.text(t, "reservationId")).want(t, 200, "")
	r.delete(t, who, "/api/tickets/"+ticket).want(t, 204, "")
	if after := r.get(t, who, "/api/tickets/"+ticket).want(t, 200, ""); after.text(t, "state") != "reserved" {
		t.Errorf("after leaving too late: %s", after.raw)
	}
}

// Nobody has to ask for a place to be kept, or served.
func TestTicket_WhoNeverAsksIsServed(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	release := r.rival(t, slot)
	who := r.diner(t, 0)
	ticket := r.press(t, who, "key-1", "respond-async", r.requestFor(slot, 2)).want(t, 202, "").text(t, "ticket")
	release()
	dbtest.Eventually(t, "the diner has a reservation", func() bool {
		list, _ := r.get(t, who, "/api/reservations").want(t, 200, "").json["reservations"].([]any)
		return len(list) == 1
	})
	dbtest.Eventually(t, "the ticket says so, which it learns after the commit", func() bool {
		return r.get(t, who, "/api/tickets/"+ticket).want(t, 200, "").text(t, "state") == "reserved"
	})
}

func TestTicket_LeavesTheLine(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	defer r.rival(t, slot)()
	who := r.diner(t, 0)
	ticket := r.press(t, who, "key-1", "wait=0", r.requestFor(slot, 2)).want(t, 429, "waiting").text(t, "ticket")
	r.delete(t, who, "/api/tickets/"+ticket).want(t, 204, "")
	r.delete(t, who, "/api/tickets/"+ticket).want(t, 204, "")
	if now := r.get(t, who, "/api/tickets/"+ticket).want(t, 200, "left"); now.text(t, "state") != "left" {
		t.Errorf("now: %s", now.raw)
	}
	r.press(t, who, "key-1", "wait=0", r.requestFor(slot, 2)).want(t, 409, "left")
	r.press(t, who, "key-2", "wait=0", r.requestFor(slot, 2)).want(t, 429, "waiting")
}

func TestTicket_OfAnotherIsNone(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	defer r.rival(t, slot)()
	who := r.diner(t, 0)
	ticket := r.press(t, who, "key-1", "wait=0", r.requestFor(slot, 2)).want(t, 429, "waiting").text(t, "ticket")
	tampered := []byte(ticket)
	tampered[10] ^= 1
	for _, c := range []struct {
		as     person
		ticket string
	}{{r.diner(t, 0), ticket}, {who, string(tampered)}, {who, ticket + "A"}, {who, "x"},
		{who, strings.Repeat("x", 3_000)}, {who, "%F0%9F%8D%9C"}} {
		r.get(t, c.as, "/api/tickets/"+c.ticket).want(t, 404, "not_found")
		r.get(t, c.as, "/api/tickets/"+c.ticket+"/events").want(t, 404, "not_found")
		r.delete(t, c.as, "/api/tickets/"+c.ticket).want(t, 404, "not_found")
	}
	if now := r.get(t, who, "/api/tickets/"+ticket).want(t, 200, ""); now.text(t, "state") != "waiting" {
		t.Errorf("after all that: %s", now.raw)
	}
}

// event is one of a stream.
type event struct {
	name, id, data string
}

// stream reads events from an address until the test or the stream ends.
func (r *harness) stream(t *testing.T, as person, path string) (events <-chan event, hangUp context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	request := r.request(t, call{method: http.MethodGet, path: path, as: as}).WithContext(ctx)
	response, err := agent.Do(request)
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	if response.StatusCode != 200 || !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		cancel()
		t.Fatalf("%s: %d %v", path, response.StatusCode, response.Header)
	}
	found := make(chan event, 100)
	go func() {
		defer close(found)
		defer response.Body.Close()
		readEvents(bufio.NewScanner(response.Body), func(e event) {
			if strings.HasPrefix(path, "/api/") {
				theContract(t).checkEvent(t, path, e)
			}
			found <- e
		})
	}()
	t.Cleanup(func() {
		cancel()
		for range found { // until the reader is done
		}
	})
	return found, cancel
}

func readEvents(lines *bufio.Scanner, found func(event)) {
	lines.Buffer(nil, 1<<20)
	var e event
	for lines.Scan() {
		field, value, _ := strings.Cut(lines.Text(), ": ")
		switch field {
		case "event":
			e.name = value
		case "id":
			e.id = value
		case "data":
			e.data += value
		case "":
			if e.name != "" && e.name != "ping" {
				found(e)
			}
			e = event{}
		}
	}
}

// nextEvent is the next one of a stream; false when it has ended.
func nextEvent(t *testing.T, events <-chan event) (event, bool) {
	t.Helper()
	select {
	case e, ok := <-events:
		return e, ok
	case <-time.After(dbtest.Patience):
		t.Fatalf("no event within %s", dbtest.Patience)
		return event{}, false
	}
}

// awaitEvent reads a stream until an event of a name has a text: what a page shows is read piece by piece.
func awaitEvent(t *testing.T, events <-chan event, name, text string) {
	t.Helper()
	for {
		e, open := nextEvent(t, events)
		if !open {
			t.Fatalf("the stream ended before %q", text)
		}
		if e.name == name && strings.Contains(e.data, text) {
			return
		}
	}
}

// ticketOf reads a ticket out of an event.
func ticketOf(t *testing.T, e event) map[string]any {
	t.Helper()
	var ticket map[string]any
	if err := json.Unmarshal([]byte(e.data), &ticket); err != nil {
		t.Fatalf("%v: %s", err, e.data)
	}
	return ticket
}

func TestStream_SendsPositionsThenTheResult(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	release := r.rival(t, slot)
	ahead, who := r.diner(t, 0), r.diner(t, 0)
	before := r.press(t, ahead, "key-1", "respond-async", r.requestFor(slot, 2)).want(t, 202, "").text(t, "ticket")
	ticket := r.press(t, who, "key-1", "respond-async", r.requestFor(slot, 2)).want(t, 202, "").text(t, "ticket")
	events, _ := r.stream(t, who, "/api/tickets/"+ticket+"/events")

	first, _ := nextEvent(t, events)
	if now := ticketOf(t, first); first.name != "waiting" || now["position"] != 2.0 || now["waitingCount"] != 2.0 ||
		now["state"] != "waiting" {
		t.Errorf("first: %+v", first)
	}
	r.delete(t, ahead, "/api/tickets/"+before).want(t, 204, "")
	last := first
	for moved := first; ticketOf(t, moved)["position"] != 1.0; {
		moved, _ = nextEvent(t, events)
		if version(t, moved) <= version(t, last) {
			t.Errorf("versions %s, then %s", last.id, moved.id)
		}
		last = moved
	}
	release()
	for last.name != "done" {
		last, _ = nextEvent(t, events)
	}
	done := ticketOf(t, last)
	if done["state"] != "reserved" {
		t.Errorf("done: %v", done)
	}
	r.get(t, who, "/api/reservations/"+done["reservationId"].(string)).want(t, 200, "")
	if e, more := nextEvent(t, events); more {
		t.Errorf("after done: %+v", e)
	}
	// Who comes back later gets the result at once.
	again, _ := r.stream(t, who, "/api/tickets/"+ticket+"/events")
	if e, _ := nextEvent(t, again); e.name != "done" {
		t.Errorf("again: %+v", e)
	}
}

func version(t *testing.T, e event) int64 {
	t.Helper()
	n, err := strconv.ParseInt(e.id, 10, 64)
	if err != nil {
		t.Fatalf("id %q: %v", e.id, err)
	}
	return n
}

// gauge reads one figure of /metrics.
func (r *harness) gauge(t *testing.T, name string) float64 {
	t.Helper()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	figures, err := parser.TextToMetricFamilies(strings.NewReader(r.metrics(t)))
	dbtest.Must(t, err)
	if figures[name] == nil {
		t.Fatalf("no figure %s", name)
	}
	return figures[name].Metric[0].GetGauge().GetValue()
}

func TestStream_EndsWithItsClient(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	defer r.rival(t, slot)()
	who := r.diner(t, 0)
	ticket := r.press(t, who, "key-1", "respond-async", r.requestFor(slot, 2)).want(t, 202, "").text(t, "ticket")
	events, hangUp := r.stream(t, who, "/api/tickets/"+ticket+"/events")
	nextEvent(t, events)
	if n := r.gauge(t, ops.MetricStreams); n != 1 {
		t.Errorf("%v streams, want 1", n)
	}
	if n := r.gauge(t, ops.MetricTickets); n != 1 {
		t.Errorf("%v tickets, want 1", n)
	}
	hangUp()
	dbtest.Eventually(t, "the stream is closed", func() bool { return r.gauge(t, ops.MetricStreams) == 0 })
}

func TestStream_EndsWithTheServer(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	defer r.rival(t, slot)()
	who := r.diner(t, 0)
	ticket := r.press(t, who, "key-1", "respond-async", r.requestFor(slot, 2)).want(t, 202, "").text(t, "ticket")
	events, _ := r.stream(t, who, "/api/tickets/"+ticket+"/events")
	nextEvent(t, events)
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), dbtest.Patience)
	defer cancel()
	dbtest.Must(t, r.Room.Close(ctx))
	for open := true; open; {
		var e event
		if e, open = nextEvent(t, events); e.name == "done" {
			t.Errorf("an end of the server is no result: %+v", e)
		}
	}
	if took := time.Since(began); took > dbtest.Patience/2 {
		t.Errorf("the stream ended after %v", took)
	}
}

// A ticket that was rejected says what the problem says that answers the same request at once.
func TestTicket_RejectedCarriesWhatTheProblemCarries(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	seats, slot := r.openRoom(t), r.slot("19:00")
	release := r.rival(t, slot)
	first, second := r.diner(t, 0), r.diner(t, 0)
	body := r.at(slot, 2, seats["T1"])
	for _, who := range []person{first, second} {
		r.press(t, who, "key-1", "respond-async", body).want(t, 202, "")
	}
	ticket := r.press(t, second, "key-1", "respond-async", body).want(t, 202, "").text(t, "ticket")
	release()
	var done answer
	dbtest.Eventually(t, "the second is refused", func() bool {
		done = r.get(t, second, "/api/tickets/"+ticket)
		return done.json["state"] == "rejected"
	})
	problem := r.press(t, second, "key-1", "wait=10", body).want(t, 409, "seat_taken")
	for _, name := range []string{"code", "takenSeatIds", "otherSeatIds", "alternatives"} {
		if done.json[name] == nil || !reflect.DeepEqual(done.json[name], problem.json[name]) {
			t.Errorf("%s: the ticket says %v, the problem %v", name, done.json[name], problem.json[name])
		}
	}
}
