package staff

import (
	"slices"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/evening"
	"lunchgo/app/team"
	"lunchgo/views"
)

// addTimeline adds who has which table when.
func (m eveningModel) addTimeline(out *views.TonightLive) {
	length := time.Duration(m.e.Restaurant.SlotMinutes) * time.Minute
	for i, s := range m.e.Slots {
		s.ArrivalLimit = 0 // which does not bind staff
		slot := views.TimelineSlot{At: s.Start, Left: s.Remaining(),
			IsGap: i > 0 && s.Start.After(m.e.Slots[i-1].Start.Add(length)),
			IsNow: !m.e.Now.Before(s.Start) && m.e.Now.Before(s.Start.Add(length))}
		switch {
		case !m.e.Now.Before(s.Start.Add(length)):
			slot.Shut = "over"
		case s.Closed:
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

// span is a part of a row. A party that is there keeps its time.
func (m eveningModel) span(seat booking.Seat, s evening.Span) views.TimelineSpan {
	out := views.TimelineSpan{From: s.From, Slots: s.Slots}
	if s.Party == nil {
		out.IsTaken, out.Blocked = s.State != booking.SeatFree && s.State != "", s.State == booking.SeatBlocked
		return out
	}
	party := m.party(*s.Party)
	out.Party, out.SeatIDs = &party, s.Party.SeatIDs()
	out.Part = max(0, slices.Index(out.SeatIDs, seat.ID))
	out.AnyTime = m.By.May(team.MoveGuest) && s.Party.State.IsConfirmed()
	out.CanMove = out.AnyTime || m.By.May(team.MoveGuest) && s.Party.IsPresent()
	return out
}
