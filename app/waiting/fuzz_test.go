package waiting

import (
	"strings"
	"testing"

	"lunchgo/locks"
)

// Whatever comes through the line from another process ends a ticket with a result that is one.
func FuzzPushedResult(f *testing.F) {
	for _, seed := range []string{`{"state":"reserved","reservationId":"x"}`, `{"state":""}`, `{}`, `[]`, ``,
		`{"state":1}`, `{"state":"rejected","detail":"\u0000"}`, `null`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, pushed string) {
		if result := pushedResult(pushed); result.State == "" {
			t.Errorf("%q ends a ticket with %+v", pushed, result)
		}
	})
}

// The names of lines, which tokens hold, and the ids of tickets are read as they were made, or not at all.
func FuzzLineNames(f *testing.F) {
	f.Add("r12:2026-11-21", "19:00", "TICKET-4")
	f.Add("r12:2026-11-21", "19:00+20:00", "TICKET-99999999999999")
	f.Add("c7", "claims", "-")
	f.Add("r:", "", "")
	f.Add("c-1", "x", "a-b-2")
	f.Fuzz(func(t *testing.T, partition, key, ticket string) {
		name := locks.Name{Partition: partition, Key: key}
		if id, ok := CouponOf(name); ok && id > 0 && LineOfCoupon(id).Partition != partition &&
			!strings.ContainsAny(partition, "+0") {
			t.Errorf("%q is campaign %d", partition, id)
		}
		if slots, err := SlotsOf(name); err == nil && (len(slots) == 0 || slots[0].Date == "") ||
			err != nil && slots != nil {
			t.Errorf("%+v is %+v, %v", name, slots, err)
		}
		if seats, ok := seatsOf(ticket); ok && (seats < 0 || seats > 1<<31) {
			t.Errorf("%q asks for %d seats", ticket, seats)
		}
	})
}
