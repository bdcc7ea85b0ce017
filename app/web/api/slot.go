package api

import (
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/waiting"
)

// slot is a bookable time as the API tells it.
type slot struct {
	Date     booking.Date      `json:"date"`
	Time     booking.TimeOfDay `json:"time"`
	StartsAt time.Time         `json:"startsAt"` // the instant it begins
	// For how many slots, from this one on, a party of the asked size stays; what is left is what is left in all of
	// them. A menu may make it more.
	SlotCount   int               `json:"slotCount"`
	StayMinutes int               `json:"stayMinutes"` // how long that stay lasts
	EndTime     booking.TimeOfDay `json:"endTime"`     // the local time at which it ends
	Capacity    int               `json:"capacity"`    // covers
	// Seats left for a party of the asked size. Of a slot that is sold out for it: how many people could still sit
	// together.
	Remaining int `json:"remaining"`
	Fits      int `json:"fits"`    // how many parties of that size would still get seats
	OnHold    int `json:"onHold"`  // seats that wait for payment and may return
	Waiting   int `json:"waiting"` // people in its line now
	// Parties on its waitlist. Seats to which they have a right are not among the remaining ones.
	Waitlisted int `json:"waitlisted"`
	// open: a reservation for a party of that size and stay would be accepted now, by tables and covers; while the slot
	// is paused or not open yet, once it goes on. sold_out: fewer seats are left than the party needs, or none that it
	// can have together. closed: the slot takes no reservations, or none of that size.
	State booking.OfferState `json:"state"`
	// The key of the service that it is in. Missing without one; only in the list of slots.
	Service string `json:"service,omitempty"`
	// Why the line is paused, in the restaurant's words.
	Reason string `json:"reason,omitempty"`
	steering
}

// steering is what the restaurant has set of a slot's line, besides why it is paused.
type steering struct {
	// The restaurant has paused the line: nobody is served, every place is kept, and it goes on by itself. Missing
	// while it is not.
	Paused bool   `json:"paused,omitempty"`
	Notice string `json:"notice,omitempty"` // what the restaurant says to all who wait
	// When the slot begins to take reservations. Who asks before that waits, and is served from then on. Missing
	// once it has opened.
	OpensAt *time.Time `json:"opensAt,omitempty"`
	// In which order those are served who wait when the slot opens: that of arrival, or one that is drawn at random.
	// Until a draw the position is how many wait. Whoever comes later stands behind them.
	Order string `json:"order,omitempty"`
}

// newSteering is the steering of a line now.
func newSteering(s waiting.Steering) steering {
	s = s.At(time.Now())
	shown := steering{Paused: s.Paused, Notice: s.Notice}
	if at, ahead := s.Opens(time.Now()); ahead {
		shown.OpensAt, shown.Order = &at, orderArrival
		if s.Draw {
			shown.Order = orderDraw
		}
	}
	return shown
}

func newSlots(slots []reserve.Slot) []slot {
	list := make([]slot, 0, len(slots))
	fits := 0
	for i, s := range slots {
		if i == 0 || !s.FitsLike(slots[i-1].Offer) {
			fits = s.Fits()
		}
		list = append(list, slot{Date: s.Key.Date, Time: s.Key.Time, StartsAt: s.Start,
			SlotCount: len(s.Stay) + 1, StayMinutes: s.StayMinutes, EndTime: booking.TimeOfDay(s.End.Format("15:04")),
			Capacity:  s.Joint.Capacity,
			Remaining: s.Remaining, Fits: fits, OnHold: s.Joint.OnHold, Waiting: s.Waiting,
			Waitlisted: s.Joint.Waitlisted, State: s.State,
			Reason: s.Steering.Reason, steering: newSteering(s.Steering)})
	}
	return list
}
