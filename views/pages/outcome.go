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
	views.OutcomeSeatTaken:  {"outcome.seat_taken", "outcome.seat_taken_text"},
	views.OutcomeOutOfStock: {"outcome.out_of_stock", "outcome.out_of_stock_text"},
	views.OutcomeTimedOut:   {"outcome.timed_out", "outcome.timed_out_text"},
	views.OutcomeLeft:       {"outcome.left", "outcome.left_text"},
	views.OutcomeRemoved:    {"outcome.removed", "outcome.removed_text"},
	views.OutcomeInProgress: {"outcome.in_progress", "outcome.in_progress_text"},
	views.OutcomeFailed:     {"outcome.failed", "outcome.failed_text"},
	views.OutcomeCoupon:     {"outcome.coupon", "outcome.coupon_text"},

	views.OutcomeOverlapping:  {"outcome.overlapping", "outcome.limit_text"},
	views.OutcomeHeldRecently: {"outcome.held_recently", "outcome.limit_text"},
	views.OutcomeTooManyHolds: {"outcome.too_many_holds", "outcome.limit_text"},
}

// wordsOf are an outcome's words in a table; those of a failure for one that the table lacks.
func wordsOf(table map[views.OutcomeKind]words, kind views.OutcomeKind) words {
	if known, ok := table[kind]; ok {
		return known
	}
	return table[views.OutcomeFailed]
}

// OutcomeTitle says in a few words why a wait led to nothing.
func OutcomeTitle(lang string, kind views.OutcomeKind, ofCoupon bool) string {
	if ofCoupon {
		return i18n.T(lang, wordsOf(couponWords, kind).title)
	}
	return i18n.T(lang, wordsOf(outcomeWords, kind).title)
}

// retriable returns whether the same request makes sense again.
func retriable(kind views.OutcomeKind) bool {
	switch kind {
	case views.OutcomeTimedOut, views.OutcomeLeft, views.OutcomeFailed, views.OutcomeOutOfStock, views.OutcomeCoupon,
		views.OutcomeSeatTaken, views.OutcomeOverlapping, views.OutcomeTooManyHolds:
		return true
	}
	return false
}

// seatsText says which of the chosen seats are taken, and which others are free.
func seatsText(f views.Layout, taken, others []string) string {
	text := f.T("outcome.seats", "Labels", strings.Join(taken, ", "))
	if len(others) > 0 {
		text += " " + f.T("outcome.other_seats", "Labels", strings.Join(others, ", "))
	}
	return text
}

func alternatives(slug string, slots []views.Slot, f views.Layout, party int) views.SlotLinks {
	return views.SlotLinks{Lang: f.Lang, Slug: slug, Party: party, Slots: slots, Dated: true}
}
