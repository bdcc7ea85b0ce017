package staff

import (
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
	"lunchgo/app/team"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// undoTime is how long a mark is offered to be taken back at the top of the page.
const undoTime = 10 * time.Second

// guestIn is a guest on the page of a slot, who comes then, or came before and stays.
func (w place) guestIn(slot booking.SlotKey, g reserve.Guest, lang string, now time.Time) views.StaffReservation {
	start, err := w.Restaurant.Start(g.Slot.Date, g.Slot.Time)
	if err != nil {
		return views.StaffReservation{}
	}
	end, err := w.Restaurant.End(g.Slot, g.Stay)
	if err != nil {
		end = start
	}
	r := views.StaffReservation{
		ID: g.ID, Code: g.Code(), Name: guestName(lang, g.Name), PhoneTail: tail(g.Phone), Party: g.PartySize,
		State: g.State, Note: g.Note, Allergies: g.PartyAllergies(), Paid: g.PaidAmount,
		GivenBack: g.GivenBack, Left: g.Left(), Discount: g.Discount,
		HoldExpiresAt: g.HoldExpiresAt.In(start.Location()), From: start, Stays: g.Slot != slot,
		Seats: g.SeatLabels(), Items: g.Items, AskedToPay: g.IsAskedToPay(),
	}
	if g.StayMinutes() != g.SlotMinutes {
		r.Until, _ = w.Restaurant.LeaveAt(g.Slot, g.Stay, g.Policy)
	}
	w.offerActions(&r, g.Reservation, visit{start, end, now})
	return r
}

// visit is when a stay begins and ends, and the time it is.
type visit struct{ start, end, now time.Time }

// offerActions says what this member of staff can do with a reservation now.
func (w place) offerActions(r *views.StaffReservation, res booking.Reservation, v visit) {
	may := w.By.May(team.MarkGuest)
	can := func(state booking.State) bool { return may && res.CheckMark(state, v.start, v.now) == nil }
	r.CanArrive, r.CanSeat = can(booking.Arrived), can(booking.Seated)
	r.CanComplete, r.CanNoShow = can(booking.Completed), can(booking.NoShow)
	_, err := res.Undo(res.State, v.end, v.now)
	r.CanUndo = may && err == nil
	r.JustMarked = r.CanUndo && v.now.Sub(res.Attendance.MarkedAt()) < undoTime
	r.CanWaive = res.AwaitsDeposit(v.now) && w.By.May(team.BookForGuest)
	_, err = res.CancellationByStaff()
	r.CanCancel = err == nil && w.By.May(team.CancelWithRefund)
}

// tail is the last four digits of a phone number: enough to tell two guests of one name apart.
func tail(phone string) string {
	var digits []rune
	for _, r := range phone {
		if r >= '0' && r <= '9' {
			digits = append(digits, r)
		}
	}
	return string(digits[max(0, len(digits)-4):])
}

// guestName is what staff call a guest, also one who has deleted their account since.
func guestName(lang, name string) string {
	if name == "" {
		return i18n.T(lang, "account.deleted")
	}
	return name
}
