package pages

import (
	"strings"

	"lunchgo/views"
	"lunchgo/views/i18n"
)

// words are the catalogue's keys of a title and a text.
type words struct {
	title string
	text  string
}

var outcomeWords = map[views.OutcomeKind]words{
	views.OutcomeSoldOut:    {"outcome.sold_out", "outcome.sold_out_text"},
	views.OutcomeDuplicate:  {"outcome.duplicate", "outcome.duplicate_text"},
	views.OutcomeClosed:     {"outcome.closed", "outcome.closed_text"},
	views.OutcomeOutOfStock: {"outcome.out_of_stock", "outcome.out_of_stock_text"},
	views.OutcomeTimedOut:   {"outcome.timed_out", "outcome.timed_out_text"},
	views.OutcomeLeft:       {"outcome.left", "outcome.left_text"},
	views.OutcomeInProgress: {"outcome.in_progress", "outcome.in_progress_text"},
	views.OutcomeFailed:     {"outcome.failed", "outcome.failed_text"},
}

// wordsOf are an outcome's words; those of a failure for one that has none.
func wordsOf(kind views.OutcomeKind) words {
	if known, ok := outcomeWords[kind]; ok {
		return known
	}
	return outcomeWords[views.OutcomeFailed]
}

// retriable tells whether the same wish may be tried again.
func retriable(kind views.OutcomeKind) bool {
	switch kind {
	case views.OutcomeTimedOut, views.OutcomeLeft, views.OutcomeFailed, views.OutcomeOutOfStock:
		return true
	}
	return false
}

// heldText says that seats held for payment may come back, and until when, where that is known.
func heldText(o views.Outcome) string {
	if o.HeldUntil.IsZero() {
		return o.T("outcome.held", "Count", o.HeldSeats)
	}
	return o.T("outcome.held_until", "Count", o.HeldSeats, "Time", i18n.Time(o.Lang, o.HeldUntil))
}

func dishes(names []string) string { return strings.Join(names, ", ") }

func alternatives(slug string, slots []views.Slot, f views.Frame, party int) views.SlotLinks {
	return views.SlotLinks{Lang: f.Lang, Slug: slug, Party: party, Slots: slots, Dated: true}
}
