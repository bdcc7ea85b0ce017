package waiting

import "testing"

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

// Whatever a ticket is called, it asks for a number of seats that can be counted with.
func FuzzTicketSeats(f *testing.F) {
	f.Add("TICKET-4")
	f.Add("TICKET-99999999999999")
	f.Add("-")
	f.Add("a-b-2")
	f.Fuzz(func(t *testing.T, ticket string) {
		if seats, ok := seatsOf(ticket); ok && (seats < 0 || seats > 1<<31) {
			t.Errorf("%q asks for %d seats", ticket, seats)
		}
	})
}
