package api

import (
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
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
}

func newSlots(slots []reserve.Slot) []slot {
	list := make([]slot, 0, len(slots))
	for _, s := range slots {
		list = append(list, slot{Date: s.Key.Date, Time: s.Key.Time, StartsAt: s.Start,
			SlotCount: len(s.Stay) + 1, EndTime: booking.TimeOfDay(s.End.Format("15:04")), Capacity: s.Capacity,
			Remaining: s.Remaining, OnHold: s.OnHold, Waiting: s.Waiting, Waitlisted: s.Waitlisted, State: s.State})
	}
	return list
}
