package receipt_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"lunchgo/app/receipt"
	"lunchgo/app/token"
)

const line = "r12-2026-11-21-1900"

// history writes an honest log of a line.
type history struct {
	rand    *rand.Rand
	clock   int64
	waiting []int64 // ascending
	book    *receipt.Book
	texts   []string
	given   []receipt.Receipt
}

func newHistory(seed uint64) *history {
	h := &history{rand: rand.New(rand.NewPCG(seed, 1)), clock: 1_700_000_000_000_000, book: receipt.NewBook(line)}
	h.write(fmt.Sprintf("born %d", h.tick()))
	return h
}

func (h *history) tick() int64 {
	h.clock += 1 + h.rand.Int64N(1000)
	return h.clock
}

func (h *history) write(text string) {
	h.texts = append(h.texts, text)
}

func ticketOf(arrival int64) string { return fmt.Sprintf("ticket-%d", arrival) }

// enter lets a group of n come in, and returns their numbers.
func (h *history) enter(n int) []int64 {
	e := receipt.Entry{Kind: receipt.Enter}
	for range n {
		arrival := h.tick()
		e.Tickets = append(e.Tickets, receipt.Ticket{Arrival: arrival, Commitment: receipt.Commit(ticketOf(arrival))})
		h.waiting = append(h.waiting, arrival)
	}
	h.write(e.String())
	return h.waiting[len(h.waiting)-n:]
}

// end ends some of those that wait, in the order given.
func (h *history) end(kind receipt.Kind, arrivals ...int64) {
	e := receipt.Entry{Kind: kind}
	if kind == receipt.Turn {
		e.Number = h.tick()
	}
	for _, arrival := range arrivals {
		e.Tickets = append(e.Tickets, receipt.Ticket{Arrival: arrival})
		h.waiting = slices.DeleteFunc(h.waiting, func(a int64) bool { return a == arrival })
	}
	h.write(e.String())
}

// turn serves the first n who wait.
func (h *history) turn(n int) { h.end(receipt.Turn, slices.Clone(h.waiting[:n])...) }

// receipts gives everybody who waits a receipt.
func (h *history) receipts(t *testing.T) []receipt.Receipt {
	t.Helper()
	if err := h.book.Append(h.texts[h.book.From():]); err != nil {
		t.Fatal(err)
	}
	var given []receipt.Receipt
	for _, arrival := range h.waiting {
		r, ok := h.book.Receipt(ticketOf(arrival), arrival, time.UnixMicro(h.clock))
		if !ok {
			t.Fatalf("no receipt for %d", arrival)
		}
		given = append(given, r)
	}
	signer(t).Sign(given)
	h.given = append(h.given, given...)
	return given
}

// live lets a random thing happen.
func (h *history) live(t *testing.T) {
	t.Helper()
	switch n := len(h.waiting); {
	case n == 0 || h.rand.IntN(3) == 0:
		h.enter(1 + h.rand.IntN(4))
		if h.rand.IntN(2) == 0 {
			h.receipts(t)
		}
	case h.rand.IntN(6) == 0:
		h.end(receipt.Left, h.waiting[h.rand.IntN(n)])
	case h.rand.IntN(20) == 0:
		h.end(receipt.Lost, h.waiting[0])
	case h.rand.IntN(20) == 0:
		h.end(receipt.Closed, slices.Clone(h.waiting)...)
	default:
		h.turn(1 + h.rand.IntN(n))
	}
}

// finish serves everybody who still waits, and returns the log as it is published.
func (h *history) finish(t *testing.T) receipt.Log {
	t.Helper()
	if n := len(h.waiting); n > 0 {
		h.turn(n)
	}
	return published(t, h.texts)
}

func published(t *testing.T, texts []string) receipt.Log {
	t.Helper()
	return receipt.Log{Line: line, LogID: receipt.LogID(line, texts[0]), State: receipt.Ended,
		PublicKey: signer(t).PublicKeys()[0], Entries: texts}
}

func signer(t *testing.T) receipt.Signer {
	t.Helper()
	s, err := receipt.NewSigner(token.Secrets{"a secret of an installation of LunchGo"})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func verify(t *testing.T, r receipt.Receipt, l receipt.Log) receipt.Finding {
	t.Helper()
	return receipt.Verify(r, l, receipt.Check{Keys: signer(t).PublicKeys()})
}
