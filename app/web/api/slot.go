package api

import (
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/waiting"
)

// slot is a bookable time as the API tells it.
type slot struct {
	Date       booking.Date      `json:"date"`
	Time       booking.TimeOfDay `json:"time"`
	StartsAt   time.Time         `json:"startsAt"`
	SlotCount  int               `json:"slotCount"` // for how many slots the party would stay
	EndTime    booking.TimeOfDay `json:"endTime"`
	Capacity   int               `json:"capacity"`
	Remaining  int               `json:"remaining"`
	OnHold     int               `json:"onHold"`
	Waiting    int               `json:"waiting"`
	Waitlisted int               `json:"waitlisted"` // parties on the waitlist
	State      string            `json:"state"`
	Reason     string            `json:"reason,omitempty"` // why it is paused
	steering
}

// steering is what the restaurant has set of a slot's line, besides why it is paused.
type steering struct {
	Paused  bool       `json:"paused,omitempty"`  // its line stands still, and goes on by itself
	Notice  string     `json:"notice,omitempty"`  // to all who wait
	OpensAt *time.Time `json:"opensAt,omitempty"` // when it begins to take reservations; missing once it has
	Order   string     `json:"order,omitempty"`   // in which those are served who wait then: arrival or draw
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
	for _, s := range slots {
		list = append(list, slot{Date: s.Key.Date, Time: s.Key.Time, StartsAt: s.Start,
			SlotCount: len(s.Stay) + 1, EndTime: booking.TimeOfDay(s.End.Format("15:04")), Capacity: s.Capacity,
			Remaining: s.Remaining, OnHold: s.OnHold, Waiting: s.Waiting, Waitlisted: s.Waitlisted, State: s.State,
			Reason: s.Steering.Reason, steering: newSteering(s.Steering)})
	}
	return list
}
