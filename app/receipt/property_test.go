package receipt_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"lunchgo/app/receipt"
)

var start = time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)

func TestVerify_ProvesEveryReceiptOfHonestHistories(t *testing.T) {
	t.Parallel()
	for seed := range uint64(30) {
		h := newHistory(seed)
		for range 40 {
			h.live(t)
		}
		log := h.finish(t)
		for _, r := range h.given {
			if got := verify(t, r, log); got.Outcome != receipt.Proven || got.Elsewhere > 0 {
				t.Fatalf("seed %d: %+v of %+v", seed, got, r)
			}
		}
	}
}

// mutate falsifies one thing in a log at random.
func mutate(random *rand.Rand, texts []string) []string {
	texts = slices.Clone(texts)
	i, j := random.IntN(len(texts)), random.IntN(len(texts))
	switch random.IntN(5) {
	case 0:
		texts[i], texts[j] = texts[j], texts[i]
	case 1:
		return slices.Delete(texts, i, i+1)
	case 2:
		return slices.Insert(texts, i, texts[j])
	case 3:
		return texts[:i]
	default:
		at := random.IntN(len(texts[i]))
		texts[i] = texts[i][:at] + string("0123456789abcdef,: "[random.IntN(19)]) + texts[i][at+1:]
	}
	return texts
}

// A log with one thing changed does not pass: either the finding is no proof, or what it proves is what was true,
// because the change came after the receipt's entries and touched nothing that concerns the ticket.
func TestVerify_NoMutationProvesWhatWasNot(t *testing.T) {
	t.Parallel()
	refuted, checked := 0, 0
	for seed := range uint64(60) {
		h := newHistory(seed)
		for range 20 {
			h.live(t)
		}
		log := h.finish(t)
		for range 4 {
			changed := log
			changed.Entries = mutate(h.rand, log.Entries)
			if slices.Equal(changed.Entries, log.Entries) {
				continue
			}
			for _, r := range h.given {
				got, was := verify(t, r, changed), verify(t, r, log)
				checked++
				if got.Outcome != receipt.Proven {
					refuted++
					continue
				}
				got.Elsewhere, got.Entry, was.Entry = 0, 0, 0 // an entry more or less moves the later ones
				if got != was || len(changed.Entries) < r.Entries ||
					!slices.Equal(changed.Entries[:r.Entries], log.Entries[:r.Entries]) {
					t.Fatalf("seed %d: %+v was %+v\n%s\n---\n%s", seed, got, was,
						strings.Join(log.Entries, "\n"), strings.Join(changed.Entries, "\n"))
				}
			}
		}
	}
	if refuted < checked/4 {
		t.Errorf("of %d receipts only %d did not verify", checked, refuted)
	}
}
