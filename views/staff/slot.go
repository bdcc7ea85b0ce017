package staff

import (
	"strconv"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/views"
	"lunchgo/views/components"
	"lunchgo/views/i18n"
)

// slotFigures are a slot's figures above its reservations.
func slotFigures(s views.StaffSlotPage) []components.Count {
	return []components.Count{
		{Label: s.T("staff.capacity"), Value: s.Slot.Capacity},
		{Label: s.T("staff.confirmed"), Value: s.Slot.Confirmed()},
		{Label: s.T("staff.temporary"), Value: s.Slot.OnHold},
		{Label: s.T("staff.left"), Value: s.Slot.Left},
		{Label: s.T("staff.waiting"), Value: s.Slot.Line.Waiting},
	}
}

// seatClass makes seating the main thing to do with a party that has arrived.
func seatClass(r views.StaffReservation) string {
	if r.CanArrive {
		return "button button-secondary"
	}
	return "button"
}

// guestLine is the code, the end of the phone number, and the payment or its deadline.
func guestLine(g guestOf) string {
	parts := []string{g.reservation.Code}
	if g.reservation.PhoneTail != "" {
		parts = append(parts, "☎ "+g.reservation.PhoneTail)
	}
	if len(g.reservation.Seats) > 0 {
		parts = append(parts, g.layout.T("seats.booked", "Labels", strings.Join(g.reservation.Seats, ", ")))
	}
	if g.reservation.State == booking.Temporary {
		until := i18n.Time(g.layout.Lang, g.reservation.HoldExpiresAt)
		parts = append(parts, g.layout.T("hold.until", "Time", until))
	} else if g.reservation.Paid > 0 {
		parts = append(parts, g.layout.T("staff.paid", "Amount", i18n.Won(g.layout.Lang, g.reservation.Paid)))
	}
	return strings.Join(parts, " · ")
}

func dishesText(lang string, lines []booking.Item) string {
	texts := make([]string, len(lines))
	for i, line := range lines {
		texts[i] = line.Name.In(lang) + " × " + strconv.Itoa(line.Quantity)
	}
	return strings.Join(texts, ", ")
}

// roomText says what the map of a slot shows: which seats are free. The list below it says who has the others.
func roomText(s views.StaffSlotPage) string {
	var free []string
	for _, seat := range s.Room.Seats {
		if seat.State == booking.SeatFree {
			free = append(free, seat.Label)
		}
	}
	if len(free) == 0 {
		return s.T("seats.map_full")
	}
	return s.T("seats.map_free", "Labels", strings.Join(free, ", "))
}
