package waiting

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"lunchgo/locks"
)

// fromTheFuture is a field of a version to come.
const fromTheFuture = `"hologram":{"of":["the","chef"]}`

// While instances are updated one by one, those of two versions read each other's tickets. An older one ignores fields
// that it does not know, and keeps those of a request's payload when it takes the ticket over.
func TestVersions_ReadEachOthersTickets(t *testing.T) {
	t.Parallel()
	const head = "w\n1795280000000\nr1:2026-12-01\n19:00\n\"key-1\"\n"
	for name, body := range map[string]string{
		"older": `{"payload":{"PartySize":2}}`,
		"newer": `{"payload":{"PartySize":2,` + fromTheFuture + `},"seats":2,` + fromTheFuture + `}`,
	} {
		read, err := readRecord("user", "ticket", head+body)
		if err != nil || read.Request.IdempotencyKey != "key-1" {
			t.Fatalf("%s: %+v, %v", name, read, err)
		}
		if got := string(read.Request.Payload); !strings.HasPrefix(got, `{"PartySize":2`) {
			t.Errorf("%s: the payload is %s", name, got)
		}
		again, err := read.text()
		work, workErr := json.Marshal(read.Request)
		if err = errors.Join(err, workErr); err != nil {
			t.Fatal(err)
		}
		for _, carried := range []string{again, string(work)} {
			if name == "newer" && !strings.Contains(carried, fromTheFuture) {
				t.Errorf("the payload loses what this version does not know: %s", carried)
			}
		}
	}
}

// A result whose code only a newer version knows is one to come back for, not a fault.
func TestVersions_ReadEachOthersResults(t *testing.T) {
	t.Parallel()
	result := pushedResult(`{"state":"rejected","code":"eclipse",` + fromTheFuture + `}`)
	if result.State != Rejected || result.Code != "eclipse" || !errors.Is(result.Err(), ErrUnavailable) {
		t.Errorf("%+v: %v", result, result.Err())
	}
	q := &queue{name: locks.Name{Partition: "r1:2026-12-01", Key: "19:00"}}
	queued, known := q.queuedRequest(locks.Taken{Ticket: "t", Foreign: true,
		Work: `{"UserID":"user","Payload":{"PartySize":3},` + fromTheFuture + `}`})
	if !known || string(queued.Payload) != `{"PartySize":3}` {
		t.Errorf("%+v, %t", queued, known)
	}
}
