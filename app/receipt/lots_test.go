package receipt_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"lunchgo/app/receipt"
)

// opening is the log of a line whose first ten drew lots, and of two who came after.
func opening(t *testing.T, seed uint64) *history {
	t.Helper()
	h := newHistory(seed)
	random := rand.New(rand.NewPCG(seed, 2))
	for range 10 {
		h.enterAs(1 + random.Int64N(1<<50-1))
	}
	h.enter(2)
	return h
}

// enterAs lets a ticket come in with a number.
func (h *history) enterAs(arrival int64) {
	h.write(receipt.Entry{Kind: receipt.Enter, Tickets: []receipt.Ticket{{Arrival: arrival,
		Commitment: receipt.Commit(ticketOf(arrival))}}}.String())
	h.waiting = append(h.waiting, arrival)
	slices.Sort(h.waiting)
}

// Lots need not rise from one newcomer to the next; whoever drew one was served in their order.
func TestVerify_ProvesAnOpeningByLot(t *testing.T) {
	t.Parallel()
	for seed := range uint64(10) {
		h := opening(t, seed)
		h.receipts(t)
		h.turn(4)
		h.turn(8)
		log := published(t, h.texts)
		for _, r := range h.given {
			if got := verify(t, r, log); got.Outcome != receipt.Proven || got.Elsewhere > 0 {
				t.Errorf("seed %d: %+v of %d", seed, got, r.Arrival)
			}
		}
	}
}

// A lot that comes into the line after the opening passes those who stand there by the clock.
func TestVerify_CatchesALotAfterTheOpening(t *testing.T) {
	t.Parallel()
	h := opening(t, 1)
	given := h.receipts(t)
	h.enterAs(3)
	h.turn(13)
	late := given[len(given)-1]
	if got := verify(t, late, published(t, h.texts)); got.Outcome != receipt.Refuted || got.Other != 3 {
		t.Errorf("who came by the clock finds %+v", got)
	}
	h = opening(t, 2)
	h.turn(12)
	h.enter(1)
	given = h.receipts(t)
	h.end(receipt.Left, h.waiting[0])
	h.enterAs(5)
	h.turn(1)
	if got := verify(t, given[0], published(t, h.texts)); got.Outcome == receipt.Refuted {
		t.Errorf("who had left before finds %s", fmt.Sprint(got))
	}
}
