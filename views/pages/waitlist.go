package pages

import (
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
	if w.Status.State == views.WaitlistWaiting {
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

var waitKeys = map[views.EntryState]string{
	views.WaitlistWaiting:  "waitlist.state_waiting",
	views.WaitlistOffered:  "waitlist.state_offered",
	views.WaitlistAccepted: "waitlist.state_accepted",
	views.WaitlistDeclined: "waitlist.state_declined",
	views.WaitlistLapsed:   "waitlist.state_lapsed",
	views.WaitlistLeft:     "waitlist.state_left",
	views.WaitlistOver:     "waitlist.state_over",
}

func waitKey(state views.EntryState) string { return waitKeys[state] }

// waitURL is where a place on a waitlist leads: to its offer while that is open.
func waitURL(row views.WaitlistRow) string {
	if row.Offer != "" {
		return views.OfferURL(row.Offer)
	}
	return views.WaitlistURL(row.ID)
}

// style is a tone and an icon.
type style struct{ tone, icon string }

func waitStyle(state views.EntryState) style {
	switch state {
	case views.WaitlistOffered, views.WaitlistAccepted:
		return style{"success", "check"}
	case views.WaitlistWaiting:
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
	case o.State == views.WaitlistDeclined:
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
