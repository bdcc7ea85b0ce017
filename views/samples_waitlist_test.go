package views_test

import (
	"time"

	"github.com/a-h/templ"

	"lunchgo/app/booking"
	"lunchgo/views"
	"lunchgo/views/pages"
)

func addWaitlist(lang string, all map[string]templ.Component) {
	join := views.JoinWaitlist{Layout: layout(lang, "/restaurants/sol-bap/waitlist"), Visit: visit(4),
		PartyTyped: "4", Listed: 3, IdempotencyKey: "key-1"}
	all["waitlist-join"] = pages.JoinWaitlist(join)
	join.PartyTyped, join.Errors = "99", views.FieldErrors{views.FieldParty: join.T("fault.party", "Min", 1, "Max", 8)}
	all["waitlist-join-errors"] = pages.JoinWaitlist(join)
	join.Errors = views.FieldErrors{views.FieldForm: join.T("error.already_listed")}
	all["waitlist-join-again"] = pages.JoinWaitlist(join)
	for name, change := range map[string]func(j *views.JoinWaitlist){
		"available": func(j *views.JoinWaitlist) { j.Available = true },
		"duplicate": func(j *views.JoinWaitlist) { j.HasReservation = true },
		"closed":    func(j *views.JoinWaitlist) { j.Closed = true },
	} {
		other := join
		change(&other)
		all["waitlist-join-"+name] = pages.JoinWaitlist(other)
	}
	page := views.Waitlist{Layout: layout(lang, "/waitlist/w1"), ID: "w1", Visit: visit(4), Refresh: 10,
		Status: views.WaitlistStatus{Lang: lang, Ahead: 2, SeatsAhead: 5,
			Passes: 1, MaxPasses: 3,
			MaxKeeps: 2, Phase: "counts"}}
	page.Until = evening.Add(2 * time.Hour)
	for _, phase := range []string{"runs", "spent", "late"} {
		other := page
		other.Status.State, other.Status.Phase, other.Status.KeptUntil = booking.EntryWaiting, phase, evening
		all["waitlist-waiting-"+phase] = pages.Waitlist(other)
	}
	for _, state := range []booking.EntryState{booking.EntryWaiting, booking.EntryOffered, booking.EntryAccepted,
		booking.EntryDeclined, booking.EntryLapsed, booking.EntryLeft, booking.EntryOver} {
		page.Status.State, page.Status.Offer = state, ""
		if state == booking.EntryOffered {
			page.Status.Offer, page.Status.Deadline, page.Status.ReservationID = "token", evening, "r1"
		}
		all["waitlist-"+string(state)] = pages.Waitlist(page)
	}
	offer := views.Offer{Layout: layout(lang, "/offers/token"), Token: "token", Visit: visit(4),
		State: booking.EntryOffered, IsOpen: true, Deadline: evening.Add(10 * time.Minute), Now: evening,
		ReservationID: "r1"}
	all["offer"] = pages.Offer(offer)
	offer.IsOpen, offer.State = false, booking.EntryLapsed
	all["offer-over"] = pages.Offer(offer)
	offer.State = booking.EntryDeclined
	all["offer-declined"] = pages.Offer(offer)
	offer.State, offer.Paid = booking.EntryAccepted, true
	all["offer-paid"] = pages.Offer(offer)
	all["reservations-waits"] = pages.Reservations(offered(lang))
}

// offered is the list of a diner with a place on a waitlist and an offer, whose seats are a temporary reservation.
func offered(lang string) views.Reservations {
	tomorrow := visit(2)
	tomorrow.At = evening.AddDate(0, 0, 1)
	list := views.Reservations{Layout: layout(lang, "/reservations"), Upcoming: []views.ReservationRow{
		{ID: "r1", Visit: visit(4), State: booking.Temporary, HoldExpiresAt: evening},
		{ID: "r2", Visit: tomorrow, State: booking.Temporary, HoldExpiresAt: evening},
	}}
	list.SetWaits([]views.WaitlistRow{
		{ID: "w1", Visit: visit(4), State: booking.EntryWaiting, Ahead: 2},
		{ID: "w2", Visit: tomorrow, State: booking.EntryOffered, Deadline: evening,
			Offer: "token", ReservationID: "r2"},
	})
	return list
}
