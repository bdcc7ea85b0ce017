package staff

import (
	"slices"

	"lunchgo/app/booking"
	"lunchgo/app/evening"
	"lunchgo/app/team"
	"lunchgo/views"
)

// addTimeline adds who has which table when.
func (m eveningModel) addTimeline(out *views.TonightLive) {
	hours := m.e.Restaurant.Times(m.e.Date)
	for i, s := range m.e.Slots {
		s.ArrivalLimit = 0 // which does not bind staff
		isOpen := slices.Contains(hours, s.Key.Time)
		slot := views.TimelineSlot{At: s.Start, Ends: s.End, Left: s.Remaining(),
			IsGap: i > 0 && (!isOpen || s.Start.After(m.e.Slots[i-1].End)),
			IsNow: !m.e.Now.Before(s.Start) && m.e.Now.Before(s.End)}
		switch {
		case !m.e.Now.Before(s.End):
			slot.Shut = "over"
		case s.Closed || !isOpen:
			slot.Shut = "closed"
		case s.Waits(m.e.Now) != nil:
			slot.Shut = "paused"
		}
		out.Timeline.Slots = append(out.Timeline.Slots, slot)
	}
	for _, row := range m.e.Timeline() {
		view := views.TimelineRow{Seat: row.Seat}
		for _, s := range row.Spans {
			view.Spans = append(view.Spans, m.span(row.Seat, s))
		}
		out.Timeline.Rows = append(out.Timeline.Rows, view)
	}
}

// span is a part of a row. A party that is there keeps its time; one whose stay is over cannot be moved here.
func (m eveningModel) span(seat booking.Seat, s evening.Span) views.TimelineSpan {
	out := views.TimelineSpan{From: s.From, Slots: s.Slots}
	if s.Party == nil {
		out.IsTaken, out.Blocked = s.State != booking.SeatFree && s.State != "", s.State == booking.SeatBlocked
		return out
	}
	party := m.party(*s.Party)
	out.Party = &party
	out.SeatIDs = slices.DeleteFunc(s.Party.SeatIDs(), func(id int64) bool { // of a former plan
		_, known := m.e.Restaurant.Seats.Find(id)
		return !known
	})
	out.Part = max(0, slices.Index(out.SeatIDs, seat.ID))
	mayMove := m.By.May(team.MoveGuest) && m.e.Now.Before(s.Party.End)
	out.AnyTime = mayMove && s.Party.State.IsConfirmed()
	out.CanMove = out.AnyTime || mayMove && s.Party.IsPresent()
	return out
}
