package db_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/rowlock"
)

// fullSlots fills some slots and returns a request of one diner to wait for each.
func fullSlots(t *testing.T, h *harness, n int) []reserve.WaitRequest {
	t.Helper()
	who := h.Diners(t, 1, 0)[0]
	var requests []reserve.WaitRequest
	for i := range n {
		w := &waitlist{harness: h, slot: h.Slot(booking.TimeOfDay(fmt.Sprintf("%02d:%02d", 10+i/60, i%60)))}
		all := h.Request(h.Diners(t, 1, 0)[0], w.slot)
		all.PartySize = 10
		if outcomes, _, err := h.Slots.Serve(t.Context(), h.Turn(w.slot, 10, 0), []booking.Request{all}); err != nil ||
			!outcomes[0].Reserves() {
			t.Fatalf("%+v, %v", outcomes, err)
		}
		requests = append(requests, w.joinRequest(who, 2))
	}
	return requests
}

// joinAll joins all at once, at several stores in turn, and returns how many could.
func joinAll(t *testing.T, requests []reserve.WaitRequest, stores ...*db.WaitlistStore) int {
	t.Helper()
	var joined atomic.Int64
	var wg sync.WaitGroup
	for i, req := range requests {
		wg.Go(func() {
			_, err := stores[i%len(stores)].Join(t.Context(), req)
			switch {
			case err == nil:
				joined.Add(1)
			case !errors.Is(err, booking.ErrTooManyEntries):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	return int(joined.Load())
}

// Fifty joins of one account at two instances leave it on five lists.
func TestJoin_LimitOfOneAccount(t *testing.T) {
	t.Parallel()
	h := setup(t)
	requests := fullSlots(t, h, 50)
	first, second := db.NewWaitlistStore(h.Pool), db.NewWaitlistStore(h.Instance(t))
	if joined := joinAll(t, requests, first, second); joined != booking.DefaultLimits().Entries {
		t.Errorf("%d joined, want %d", joined, booking.DefaultLimits().Entries)
	}
	entries, err := first.ListOpen(t.Context(), requests[0].UserID)
	if err != nil || len(entries) != 5 {
		t.Fatalf("%d entries, %v", len(entries), err)
	}
	if _, err := first.Leave(t.Context(), entries[0].ID, entries[0].UserID); err != nil {
		t.Fatal(err)
	}
	again := requests[:1]
	for _, req := range requests {
		if req.Slot != entries[1].Slot && req.Slot != entries[2].Slot && req.Slot != entries[3].Slot &&
			req.Slot != entries[4].Slot {
			again[0] = req
		}
	}
	again[0].IdempotencyKey = "after leaving"
	if joined := joinAll(t, again, first); joined != 1 {
		t.Error("nobody can join after leaving a list")
	}
}

// Control: without the lock of the account more are on the lists.
func TestJoin_LimitWithoutLock(t *testing.T) {
	t.Parallel()
	h := setup(t)
	requests := fullSlots(t, h, 7)
	h.Weaken(rowlock.LockUsers, dbtest.Replacing("FOR NO KEY UPDATE", ""))
	h.Weaken(db.InsertEntry, dbtest.Meeting(int64(booking.DefaultLimits().Entries)+1))
	if joined := joinAll(t, requests, db.NewWaitlistStore(h.Pool)); joined <= booking.DefaultLimits().Entries {
		t.Errorf("%d joined without the lock: the test above proves nothing", joined)
	}
}
