package views_test

import (
	"github.com/a-h/templ"

	"lunchgo/app/booking"
	board "lunchgo/app/evening"
	"lunchgo/views"
	"lunchgo/views/pages"
	"lunchgo/views/staff"
)

// hall is a room with seats of every kind in every state.
func hall() views.Room {
	room := views.Room{Floor: booking.Floor{Width: 800, Height: 460, Fixtures: []booking.Fixture{
		{Kind: "window", Area: booking.Area{X: 40, Width: 700, Height: 20}},
		{Kind: "kitchen", Area: booking.Area{X: 500, Y: 330, Width: 260, Height: 110}},
		{Kind: "bar", Area: booking.Area{X: 60, Y: 330, Width: 300, Height: 50}},
		{Kind: "entrance", Area: booking.Area{Y: 200, Width: 24, Height: 90}},
	}}}
	table := func(id int64, label string, places, x int, state booking.SeatState, partners ...int64) {
		room.Seats = append(room.Seats, views.Seat{State: state, Seat: booking.Seat{ID: id, Label: label,
			Kind: booking.TableSeat, Places: places, MinParty: places - 1, Partners: partners,
			Area: booking.Area{X: x, Y: 90, Width: 40 + 20*places, Height: 80}}})
	}
	table(1, "W1", 2, 80, booking.SeatFree, 2)
	table(2, "W2", 2, 250, booking.SeatFree, 1)
	table(3, "M1", 4, 420, booking.SeatTaken)
	table(4, "L1", 6, 600, booking.SeatFree)
	for i, state := range []booking.SeatState{booking.SeatFree, booking.SeatHeld, booking.SeatTaken} {
		id := int64(5 + i)
		room.Seats = append(room.Seats, views.Seat{State: state, Seat: booking.Seat{ID: id,
			Label: "B" + string(rune('1'+i)), Places: 1, MinParty: 1, Partners: []int64{id - 1, id + 1},
			Area: booking.Area{X: 80 + 95*i, Y: 240, Width: 60, Height: 60}}})
	}
	return room
}

func picker(lang string, chosen ...int) views.SeatPicker {
	p := views.SeatPicker{Lang: lang, Slug: "sol-bap", At: evening, Stay: 1, Party: 2, Room: hall(),
		Suggested: []string{"W1"}}
	for _, at := range chosen {
		p.Room.Seats[at].Chosen = true
	}
	return p
}

func addSeats(lang string, all map[string]templ.Component) {
	form := bookingPage(lang)
	show := func(name string, p views.SeatPicker) {
		form.Seats = &p
		all[name] = pages.Booking(form)
	}
	show("booking-seats", picker(lang))
	show("booking-seats-chosen", picker(lang, 0))
	show("booking-seats-no-time", views.SeatPicker{Lang: lang, Slug: "sol-bap", Party: 2})
	own := form
	form.Layout.SignedInName, form.SignInURL = "", views.SignInURL("/")
	form.Form.Quantities, form.Form.Note, form.Dishes.Quantities = nil, "", nil
	form.Consent = asks(lang, "legal.by_booking")
	show("booking-seats-stranger", picker(lang))
	form = own
	wrong := picker(lang, 0, 1)
	form.Errors = views.FieldErrors{views.FieldSeat: form.T("fault.seats_too_many")}
	wrong.Error = form.Errors[views.FieldSeat]
	show("booking-seats-refused", wrong)
	form.Errors = nil
	form.Problem = &views.BookingProblem{Kind: views.OutcomeSeatTaken, Seats: []string{"M1"},
		OtherSeats: []string{"W1", "W2"}}
	full := picker(lang)
	full.Suggested = nil
	show("booking-seat-taken", full)

	gone := outcome(lang, views.OutcomeSeatTaken)
	gone.Seats, gone.OtherSeats = []string{"M1"}, []string{"W1"}
	all["outcome-seat_taken"] = pages.Outcome(gone)
	seated := reservation(lang, booking.Confirmed)
	seated.Reservation.Seats = []booking.ReservedSeat{{Label: "W1"}, {Label: "W2"}}
	all["reservation-seats"] = pages.Reservation(seated)

	room := hall()
	room.Seats[2].Guests = []views.SeatGuest{{Name: hostile}}
	slot := views.StaffSlotPage{StaffShell: shell(lang, "/staff"), Room: &room,
		Slot: views.EveningSlot{State: board.SlotOpen, Slot: board.Slot{Start: evening,
			Occupancy: booking.Occupancy{Capacity: 17, Held: 5}, Figures: board.Figures{Left: 12}}},
		Reservations: []views.StaffReservation{{ID: "r1", Code: "MZ4Q7C", Name: hostile, Party: 4,
			State: booking.Confirmed, Seats: []string{"M1"}}}}
	all["staff-slot-seats"] = staff.Slot(slot)
}
