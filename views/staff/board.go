package staff

import (
	"time"

	"lunchgo/views"
	"lunchgo/views/components"
	"lunchgo/views/i18n"
)

// taken is the number of seats that somebody has.
func taken(s views.StaffSlot) int { return s.Confirmed + s.Temporary }

// totals are the day's figures above the board.
func totals(b views.BoardSlots) []components.Count {
	var confirmed, temporary, left, waiting int
	for _, s := range b.Slots {
		confirmed += s.Confirmed
		temporary += s.Temporary
		waiting += s.Waiting
		if s.State != views.SlotClosed && s.State != views.SlotOver {
			left += s.Left
		}
	}
	return []components.Count{
		{Label: i18n.T(b.Lang, "staff.confirmed"), Value: confirmed},
		{Label: i18n.T(b.Lang, "staff.temporary"), Value: temporary},
		{Label: i18n.T(b.Lang, "staff.left"), Value: left},
		{Label: i18n.T(b.Lang, "staff.waiting"), Value: waiting},
	}
}

func slotKey(s views.StaffSlot) string {
	switch s.State {
	case views.SlotClosed:
		return "slot.closed"
	case views.SlotSoldOut:
		return "slot.sold_out"
	case views.SlotOver:
		return "slot.over"
	}
	return "slot.open"
}

func slotTone(s views.StaffSlot) string {
	switch s.State {
	case views.SlotClosed, views.SlotOver:
		return "muted"
	case views.SlotSoldOut:
		return "warning"
	}
	return "success"
}

func boardDays(b views.StaffBoard) days {
	return days{b.Layout, b.Date, b.Today, func(day time.Time) string { return views.StaffBoardURL(b.RestaurantID, day) }}
}
