package webtest

import (
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/db/dbtest"
	"lunchgo/db/dbtest/measured"
)

// waiters lets n parties of two join the waitlist of a slot, one after the other, past HTTP.
func (r *harness) waiters(t testing.TB, slot booking.SlotKey, n int) (people []person, entries []string) {
	t.Helper()
	for range n {
		who := r.diner(t, 0)
		e, err := r.Waitlists.Join(t.Context(), who.id, "wait-"+who.id, reserve.WaitDraft{
			RestaurantID: slot.RestaurantID, Date: string(slot.Date), Time: string(slot.Time), PartySize: 2})
		dbtest.Must(t, err)
		people, entries = append(people, who), append(entries, e.ID)
	}
	return people, entries
}

// TestWaitlist_ReturnedSeatsAtTwoServers lets four of five tables come free, one after the other, while 200
// parties wait and 120 diners press at two servers: the first four who wait are offered them, and nobody who presses.
func TestWaitlist_ReturnedSeatsAtTwoServers(t *testing.T) {
	t.Parallel()
	const rivals = 120
	keys := []string{"first", "second", "third"}
	r := newHarness(t)
	servers := []*harness{r, r.twin(t)}
	slot := r.slot("19:00")
	sitting := r.fill(t, slot)
	_, entries := r.waiters(t, slot, 200)
	var pressing sync.WaitGroup
	var slipped, answered atomic.Int64
	began := make(chan struct{})
	for i := range rivals {
		who := r.diner(t, 0)
		pressing.Go(func() {
			<-began
			for _, key := range keys { // again and again, until the tables have gone
				a := servers[i%2].press(t, who, key, "wait=10", r.requestFor(slot, 1+i%2))
				switch {
				case a.status == http.StatusCreated:
					slipped.Add(1)
				case a.status == http.StatusConflict && a.json["code"] == "sold_out":
					answered.Add(1)
				case a.json["code"] != "in_progress":
					t.Errorf("a press was answered %d %s", a.status, a.raw)
				}
			}
		})
	}
	close(began)
	start := time.Now()
	for range 4 {
		r.leaveTable(t, sitting)
	}
	pressing.Wait()
	dbtest.Eventually(t, "four are offered seats", func() bool { return len(r.offered(t, entries)) == 4 })
	took := time.Since(start).Seconds()
	if offered := r.offered(t, entries); slipped.Load() != 0 || !slices.Equal(offered, []int{0, 1, 2, 3}) {
		t.Errorf("%d slipped in; offered were %v, want the first four", slipped.Load(), offered)
	}
	measured.Log(t, "waitlist", map[string]int{"waiting parties": len(entries), "tables that come free": 4,
		"diners": rivals, "presses each": len(keys)}, map[string]float64{"served": float64(slipped.Load()),
		"refused": float64(answered.Load()), "s": took, "answers a second": float64(rivals*len(keys)) / took})
	r.balances(t)
}

// offered are the places on the list of those entries that were offered seats.
func (r *harness) offered(t *testing.T, entries []string) (places []int) {
	t.Helper()
	for i, id := range entries[:12] {
		e, err := r.Waitlists.Store.FindEntry(t.Context(), id)
		dbtest.Must(t, err)
		if e.State == booking.EntryOffered {
			places = append(places, i)
		}
	}
	return places
}

// TestWaitlist_WithoutItThoseWhoPressGetReturnedSeats is the control: the same without anybody on the list.
func TestWaitlist_WithoutItThoseWhoPressGetReturnedSeats(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	slot := r.slot("19:00")
	sitting := r.fill(t, slot)
	r.leaveTable(t, sitting)
	dbtest.Eventually(t, "somebody who presses gets the seats", func() bool {
		return r.press(t, r.diner(t, 0), "key", "wait=10", r.requestFor(slot, 2)).status == http.StatusCreated
	})
}
