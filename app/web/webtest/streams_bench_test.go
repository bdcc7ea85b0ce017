package webtest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
)

// exchange sends a request over a connection and returns the body of the answer. It costs the process little beside
// what the server costs, which is measured.
func exchange(t testing.TB, conn net.Conn, reader *bufio.Reader, request []byte) []byte {
	t.Helper()
	if _, err := conn.Write(request); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(reader, nil)
	dbtest.Must(t, err)
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= http.StatusInternalServerError {
		t.Fatalf("%d %s, %v", response.StatusCode, body, err)
	}
	return body
}

// pressOf is the press of a person as it goes over the wire.
func (r *harness) pressOf(t testing.TB, who person, body any) []byte {
	t.Helper()
	raw, err := json.Marshal(body)
	dbtest.Must(t, err)
	return fmt.Appendf(nil,
		"POST /api/reservations HTTP/1.1\r\nHost: lunchgo\r\nAuthorization: Bearer %s\r\nIdempotency-Key: key-1\r\n"+
			"Prefer: respond-async\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", who.token,
		len(raw),
		raw)
}

func (r *harness) dial(t testing.TB) (net.Conn, *bufio.Reader) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(r.URL, "http://"))
	dbtest.Must(t, err)
	t.Cleanup(func() { conn.Close() })
	return conn, bufio.NewReaderSize(conn, 1<<10)
}

// BenchmarkPress is a press that enters a line, and one that is answered "sold out", each by a person of its own on a
// connection that is open.
func BenchmarkPress(b *testing.B) {
	for _, test := range []struct {
		name string
		held bool
	}{{"enters", true}, {"sold-out", false}} {
		b.Run(test.name, func(b *testing.B) {
			r := newHarness(b)
			slot := r.slot("19:00")
			conn, reader := r.dial(b)
			if test.held {
				defer r.rival(b, slot)()
			} else {
				r.sellOut(b, slot)
			}
			presses := make([][]byte, b.N)
			for i, who := range r.crowd(b, b.N) {
				presses[i] = r.pressOf(b, who, r.requestFor(slot, 2))
			}
			b.ReportAllocs()
			b.ResetTimer()
			for _, press := range presses {
				exchange(b, conn, reader, press)
			}
		})
	}
}

// sellOut has a crowd take all seats of a slot, and returns once a press is refused at once.
func (r *harness) sellOut(t testing.TB, slot booking.SlotKey) {
	t.Helper()
	conn, reader := r.dial(t)
	for _, who := range r.crowd(t, 500) {
		var answer struct{ Code string }
		dbtest.Must(t, json.Unmarshal(exchange(t, conn, reader, r.pressOf(t, who, r.requestFor(slot, 2))),
			&answer))
		if answer.Code == "sold_out" {
			return
		}
	}
	t.Fatal("500 diners do not take all seats")
}

// BenchmarkStream opens streams in a line that is held: one operation is a press and its stream up to its first event.
func BenchmarkStream(b *testing.B) {
	b.ReportAllocs()
	var bytesEach float64
	for b.Loop() {
		b.StopTimer()
		r := newHarness(b)
		crowd := r.crowd(b, 1_000)
		b.StartTimer()
		bytesEach = r.heldStreams(b, crowd)
	}
	b.ReportMetric(bytesEach, "bytes/stream")
}

// mostPerStream is twice what a waiting stream takes, its ticket and this test's end of the connection included: 14 kB
// of heap and stacks by the last measurement.
const mostPerStream = 28_000

// A waiting stream is a ticket, a connection and two small stacks, and keeps no request and no buffers.
func TestStreams_TakeLittleMemory(t *testing.T) {
	r := newHarness(t) // not at the same time as other tests: it measures the memory of the process
	if each := r.heldStreams(t, r.crowd(t, 400)); each > mostPerStream {
		t.Errorf("%.0f bytes a stream, want at most %d", each, mostPerStream)
	} else {
		t.Logf("%.0f bytes a stream", each)
	}
}

// heldStreams opens a stream for each of a crowd whose line is held, and returns the memory of one: heap and stacks.
func (r *harness) heldStreams(t testing.TB, crowd []person) (bytesEach float64) {
	t.Helper()
	slot := r.slot("19:00")
	defer r.rival(t, slot)()
	before := inUse()
	for _, who := range crowd {
		conn, reader := r.dial(t)
		var placed struct{ Ticket string }
		dbtest.Must(t, json.Unmarshal(exchange(t, conn, reader, r.pressOf(t, who, r.requestFor(slot, 2))),
			&placed))
		if _, err := fmt.Fprintf(conn,
			"GET /api/tickets/%s/events HTTP/1.1\r\nHost: lunchgo\r\nAuthorization: Bearer %s\r\n\r\n", placed.Ticket,
			who.token); err != nil {
			t.Fatal(err)
		}
		skipTo(t, reader, "event: waiting")
	}
	return float64(inUse()-before) / float64(len(crowd))
}

// skipTo reads lines up to one that begins so.
func skipTo(t testing.TB, reader *bufio.Reader, prefix string) {
	t.Helper()
	for {
		line, err := reader.ReadSlice('\n')
		dbtest.Must(t, err)
		if bytes.HasPrefix(line, []byte(prefix)) {
			return
		}
	}
}

// inUse is the memory in use after collecting garbage.
func inUse() int64 {
	runtime.GC()
	runtime.GC() // of what the pools kept
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc + m.StackInuse)
}
