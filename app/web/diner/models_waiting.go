package diner

import (
	"cmp"
	"context"
	"strconv"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/lineup"
	"lunchgo/app/refusal"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// ticketSubject is what a ticket is for, as the pages of the line show it.
type ticketSubject struct {
	restaurant booking.Restaurant
	slot       booking.SlotKey
	stay       []booking.TimeOfDay // of the further slots
	at         time.Time
	minutes    int       // of the stay
	until      time.Time // the end of a stay that does not last for a slot; zero for one that does
	party      int
	changes    bool             // a reservation that the diner has
	campaign   *coupon.Campaign // instead of all that, for a ticket of a campaign's line
}

func (st ticketSubject) visit() views.Visit {
	return views.Visit{Restaurant: &st.restaurant, At: st.at, Until: st.until, Party: st.party}
}

// subjectOf reads it from the ticket. It asks the catalogue, or what is known of the campaigns, only.
func (s *Pages) subjectOf(ctx context.Context, watch *waiting.Watch) (ticketSubject, error) {
	asked, ok := watch.OriginalRequest()
	if !ok {
		return ticketSubject{}, waiting.ErrUnknownTicket
	}
	return s.subject(ctx, asked)
}

// subject is what a request in a line is for.
func (s *Pages) subject(ctx context.Context, asked waiting.Request) (ticketSubject, error) {
	if id, ok := lineup.CampaignOf(asked.Line); ok {
		campaign, err := s.Coupons.Look(ctx, id)
		return ticketSubject{campaign: &campaign}, err
	}
	request, err := lineup.BookingOf(asked)
	if err != nil {
		return ticketSubject{}, err
	}
	r, err := s.Bookings.Catalog.FindRestaurant(ctx, request.Slot.RestaurantID)
	if err != nil {
		return ticketSubject{}, err
	}
	at, err := r.Start(request.Slot.Date, request.Slot.Time)
	if err != nil {
		return ticketSubject{}, err
	}
	st := ticketSubject{restaurant: r, slot: request.Slot, stay: request.Stay, at: at, party: request.PartySize,
		minutes: r.MinutesOf(request), changes: request.Change != nil}
	if st.minutes != r.SlotMinutes {
		st.until, err = r.LeaveAt(st.slot, st.stay, request.Policy)
	}
	return st, err
}

// seatsAhead is how many seats those ahead of a ticket ask for; false where that is not known. Where seats have
// names, those left may lie apart: then only a ticket with nobody ahead is sure of what it asks for.
func seatsAhead(r booking.Restaurant, status waiting.Status) (int, bool) {
	if len(r.Seats) > 0 && status.SeatsAhead > 0 {
		return 0, false
	}
	return status.SeatsAhead, status.SeatsAheadKnown
}

// waitingView is how one diner sees the line.
type waitingView struct {
	*Pages
	subject ticketSubject
	lang    string
	first   int // position at which the ticket stood at first; 0 when that is not known
}

// status is the moving part of the page. What is left is a moment old, and none when nobody can tell.
func (v waitingView) status(ctx context.Context, status waiting.Status) views.WaitingStatus {
	moving := views.WaitingStatus{
		Lang:          v.lang,
		Position:      status.Position,
		WaitingCount:  status.Count,
		FirstPosition: v.first,
		EstimatedLow:  status.Range.Low,
		EstimatedHigh: status.Range.High,
		EstimateKnown: status.RangeKnown,
		Party:         v.subject.party,
		Local:         status.Local,
	}
	if v.subject.campaign == nil {
		moving.Steering = respond.Steering(status.Steering.At(v.now()), v.subject.at.Location(), time.Now())
		moving.Steering.Now = v.now()
	}
	if v.subject.campaign != nil {
		return v.couponStatus(ctx, moving)
	}
	var err error
	moving.SeatsLeft, err = v.seatsLeft(ctx, v.subject.restaurant, v.subject.slot,
		booking.PartyStay{Party: v.subject.party, Stay: 1 + len(v.subject.stay), Minutes: v.subject.minutes})
	if err != nil {
		v.Log.WarnContext(ctx, "count seats left failed", "error", err)
	}
	moving.SeatsAhead, moving.SeatsAheadKnown = seatsAhead(v.subject.restaurant, status)
	return moving
}

// couponStatus adds what is left of a campaign: everybody ahead asks for one coupon.
func (v waitingView) couponStatus(ctx context.Context, moving views.WaitingStatus) views.WaitingStatus {
	campaign, err := v.Coupons.Look(ctx, v.subject.campaign.ID)
	if err != nil {
		v.Log.WarnContext(ctx, "count coupons left failed", "error", err)
	}
	moving.ForCoupon, moving.Party = true, 1
	moving.SeatsLeft = campaign.Remaining()
	moving.SeatsAhead, moving.SeatsAheadKnown = moving.Ahead(), true
	return moving
}

// outcome is the page of a ticket whose turn, or whose line, led to nothing.
func (s *Pages) outcome(ctx context.Context, f views.Layout, st ticketSubject, result waiting.Result) views.Outcome {
	why, _ := respond.ProblemOfResult(result)
	outcome := views.Outcome{
		Layout:        f,
		Visit:         st.visit(),
		Kind:          headline(why),
		Remaining:     result.Remaining,
		HeldSeats:     result.OnHold,
		ReservationID: result.ReservationID,
	}
	if said := cmp.Or(refusal.Details[booking.ClosedError](why).Reason,
		refusal.Details[waiting.RemovedError](why).Reason); said != "" {
		outcome.Reason = f.T("steering.said", "Text", said)
	}
	switch outcome.Kind {
	case views.OutcomeLeft, views.OutcomeDuplicate, views.OutcomeRemoved:
		return outcome
	case views.OutcomeOverlapping, views.OutcomeHeldRecently, views.OutcomeTooManyHolds:
		outcome.Reason = respond.OwnSentence(f.Lang, why)
		return outcome
	case views.OutcomeCoupon:
		outcome.Reason = f.T("fault." + result.Code)
		return outcome
	case views.OutcomeOutOfStock: // other times of the day have no more of it
		outcome.Items = s.shortNames(ctx, f.Lang, st.restaurant.ID, refusal.Details[booking.OutOfStockError](why).Items)
		return outcome
	}
	seats := refusal.Details[booking.SeatTakenError](why)
	outcome.Seats, outcome.OtherSeats = labelsOf(st.restaurant, seats.Taken), labelsOf(st.restaurant, seats.Instead)
	near, err := s.nearby.List(ctx, st.restaurant, st.slot, st.restaurant.Elsewhere(st.slot, st.party, st.minutes))
	if err != nil {
		s.Log.WarnContext(ctx, "find alternatives failed", "error", err)
	}
	outcome.Alternatives = slotsOf(near)
	if outcome.Kind == views.OutcomeSoldOut {
		outcome.WaitlistURL = views.JoinWaitlistURL(st.restaurant.Slug, st.at, strconv.Itoa(st.party))
	}
	return outcome
}
