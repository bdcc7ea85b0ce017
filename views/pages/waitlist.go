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

// waitlistRefresh is how often a browser without JavaScript asks again, in seconds; 0 when nothing moves any more.
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

// waitURL is where a place on a waitlist leads: to its offer while that stands.
func waitURL(row views.WaitlistRow) string {
	if row.Offer != "" {
		return views.OfferURL(row.Offer)
	}
	return views.WaitlistURL(row.ID)
}

func waitTone(state views.EntryState) string {
	switch state {
	case views.WaitlistOffered, views.WaitlistAccepted:
		return "success"
	case views.WaitlistWaiting:
		return "info"
	}
	return "warning"
}

func waitIcon(state views.EntryState) string {
	switch state {
	case views.WaitlistOffered, views.WaitlistAccepted:
		return "check"
	case views.WaitlistWaiting:
		return "clock"
	}
	return "info"
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
