package pages

import (
	"lunchgo/app/booking"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// waits are places on waitlists in a reader's language.
type waits struct {
	lang string
	rows []views.WaitlistRow
}

// waitlistRefresh is how often a browser without JavaScript asks again, in seconds; 0 once nothing changes any more.
func waitlistRefresh(w views.Waitlist) int {
	if w.Status.State == booking.EntryWaiting {
		return w.Refresh
	}
	return 0
}

func waitlistAhead(s views.WaitlistStatus) string {
	if s.Ahead == 0 {
		return i18n.T(s.Lang, "waitlist.nobody_ahead")
	}
	return i18n.T(s.Lang, "waitlist.ahead", "N", s.Ahead)
}

var waitKeys = map[booking.EntryState]string{
	booking.EntryWaiting:  "waitlist.state_waiting",
	booking.EntryOffered:  "waitlist.state_offered",
	booking.EntryAccepted: "waitlist.state_accepted",
	booking.EntryDeclined: "waitlist.state_declined",
	booking.EntryLapsed:   "waitlist.state_lapsed",
	booking.EntryLeft:     "waitlist.state_left",
	booking.EntryOver:     "waitlist.state_over",
}

func waitKey(state booking.EntryState) string { return waitKeys[state] }

// listedText says how many wait already on the list that somebody is about to join.
func listedText(j views.JoinWaitlist) string {
	if j.Listed == 0 {
		return j.T("waitlist.listed_first")
	}
	return j.T("waitlist.listed", "N", j.Listed)
}

// waitURL is where a place on a waitlist leads: to its offer while that is open.
func waitURL(row views.WaitlistRow) string {
	if row.Offer != "" {
		return views.OfferURL(row.Offer)
	}
	return views.WaitlistURL(row.ID)
}

// style is a tone and an icon.
type style struct{ tone, icon string }

func waitStyle(state booking.EntryState) style {
	switch state {
	case booking.EntryOffered, booking.EntryAccepted:
		return style{"success", "check"}
	case booking.EntryWaiting:
		return style{"info", "clock"}
	}
	return style{"warning", "info"}
}

// offerTitle is the key of an offer's title; that of its text ends with _text.
func offerTitle(o views.Offer) string {
	switch {
	case o.IsOpen:
		return "offer.title"
	case o.Paid:
		return "offer.paid"
	case o.State == booking.EntryDeclined:
		return "offer.declined"
	}
	return "offer.over"
}

// phaseKey is the text for what becomes of seats that come free.
func phaseKey(phase string) string {
	switch phase {
	case "runs":
		return "waitlist.phase_runs"
	case "spent":
		return "waitlist.phase_spent"
	case "late":
		return "waitlist.phase_late"
	}
	return "waitlist.phase_counts"
}

// acceptText is the button that accepts an offer, with what is to be paid then.
func acceptText(o offerLink) string {
	if o.deposit == 0 {
		return i18n.T(o.lang, "offer.accept_free")
	}
	return i18n.T(o.lang, "offer.accept", "Amount", i18n.Won(o.lang, o.deposit))
}

func offerMenu(deposit int64) string {
	if deposit == 0 {
		return "offer.menu_free"
	}
	return "offer.menu"
}
