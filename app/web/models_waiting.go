package web

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/waiting"
	"lunchgo/views"
)

// standing is what a ticket was drawn for, as the pages of the line show it.
type standing struct {
	restaurant booking.Restaurant
	slot       booking.SlotKey
	at         time.Time
	party      int
}

// standingOf reads it from the ticket. It asks the catalogue only.
func (s *site) standingOf(ctx context.Context, watch *waiting.Watch) (standing, error) {
	asked, ok := watch.Asked()
	if !ok {
		return standing{}, waiting.ErrUnknownTicket
	}
	var request booking.Request
	if err := json.Unmarshal(asked.Payload, &request); err != nil {
		return standing{}, fmt.Errorf("web: request of a ticket: %w", err)
	}
	r, err := s.Bookings.Catalog.FindRestaurant(ctx, request.Slot.RestaurantID)
	if err != nil {
		return standing{}, err
	}
	at, err := r.Start(request.Slot.Date, request.Slot.Time)
	return standing{restaurant: r, slot: request.Slot, at: at, party: request.PartySize}, err
}

// notKnown says of the seats that people ahead ask for that they are not known: the line counts tickets.
const notKnown = -1

// waitingStatus is the moving part of the page. Seats are a moment old, and none when nobody can tell.
func (s *site) waitingStatus(ctx context.Context, lang string, st standing, status waiting.Status, first int) views.WaitingStatus {
	o, err := s.occupancy(ctx, st.restaurant, st.slot)
	if err != nil {
		s.Log.Warn("seats left are not known", "error", err)
	}
	return views.WaitingStatus{
		Lang:          lang,
		Position:      status.Position,
		WaitingCount:  status.Count,
		FirstPosition: first,
		Estimated:     status.Estimate,
		SeatsLeft:     o.Remaining(),
		CoversAhead:   notKnown,
		Party:         st.party,
	}
}

func (s *site) outcome(ctx context.Context, f views.Frame, st standing, pass string, result waiting.Result) views.Outcome {
	outcome := views.Outcome{
		Frame:         f,
		Ticket:        pass,
		Restaurant:    headOf(f.Lang, st.restaurant),
		At:            st.at,
		Party:         st.party,
		Kind:          outcomeKind(result),
		Remaining:     result.Remaining,
		HeldSeats:     result.OnHold,
		ReservationID: result.ReservationID,
	}
	if outcome.Kind == views.OutcomeLeft || outcome.Kind == views.OutcomeDuplicate {
		return outcome
	}
	near, err := s.alternatives(ctx, st.restaurant, wish{st.slot, st.party})
	if err != nil {
		s.Log.Warn("alternatives are not known", "error", err)
	}
	outcome.Alternatives = slotsOf(near)
	return outcome
}
