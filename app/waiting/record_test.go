package waiting

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// A record is read as it was written, whatever the client chose as its key and wrote in its request.
func FuzzRecord_IsReadAsItWasWritten(f *testing.F) {
	f.Add("r12:2026-11-21", "19:00\x1f20:00", "key-1", "창가", int64(0), false)
	f.Add("coupon:7", "claims", "a\nd\n\"\\", "</script>\n", int64(1795280000000000), true)
	f.Add("", "", "\xff\x00", "", int64(-1), true)
	f.Fuzz(func(t *testing.T, partition, line, key, note string, arrival int64, settled bool) {
		payload, err := json.Marshal(map[string]string{"note": note})
		dbtest.Must(t, err)
		written := storedTicket{Ticket: "T", At: time.UnixMilli(arrival & (1<<50 - 1)), Arrival: arrival,
			Request: Request{
				Line: locks.Name{Partition: partition, Key: line}, UserID: "ann", IdempotencyKey: key, Payload: payload,
				Seats: 2}}
		if settled {
			written.Result = &Result{State: Reserved, Code: "c"}
		}
		text, err := written.text()
		dbtest.Must(t, err)
		read, err := readRecord("ann", "T", text)
		if strings.Contains(partition+line, "\n") { // no line is named so
			return
		}
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		written.Request.Payload, read.Request.Payload = compact(t, written.Request.Payload),
			compact(t, read.Request.Payload)
		if !reflect.DeepEqual(read, written) {
			t.Errorf("%+v was read as %+v", written, read)
		}
	})
}

// Whatever Redis holds, reading it gives a whole record or an error.
func FuzzRecord_MalformedIsAnError(f *testing.F) {
	for _, seed := range []string{"", "w", "w\n1\np\nl\n\"k\"\n{}", "d\n1\np\nl\n\"k\"\n{}", "x\n1\np\nl\n\"k\"\n{}",
		"w\n-\np\nl\n\"k\"\n{}", "w\n1\np\nl\nk\n{}", "w\n1\np\nl\n\"k\"\n[", "d\n1\np\nl\n\"k\"\n{\"result\":{}}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		read, err := readRecord("ann", "T", text)
		if whole := read.Ticket == "T" && read.Request.UserID == "ann"; (err == nil) != whole {
			t.Errorf("%q was read as %+v, %v", text, read, err)
		}
	})
}

func compact(t *testing.T, payload json.RawMessage) json.RawMessage {
	t.Helper()
	var value any
	dbtest.Must(t, json.Unmarshal(payload, &value))
	text, err := json.Marshal(value)
	dbtest.Must(t, err)
	return text
}
