package reserve

import (
	"context"
	"errors"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/app/guests"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/team"
)

// The methods in this file act for a restaurant's staff, and return ErrNotFound or ErrForbidden to who may not; the
// store writes down who did what.

// Guests returns a page of the reservations of a slot with who comes; those that are over come last.
func (s *Service) Guests(ctx context.Context, by team.Staff, slot booking.SlotKey,
	page keyset.Request) (keyset.Page[Guest], error) {
	if err := by.Check(slot.RestaurantID, team.SeeEvening); err != nil {
		return keyset.Page[Guest]{}, err
	}
	return s.Reservations.ListGuests(ctx, slot, page)
}

// Guest returns a reservation with who comes.
func (s *Service) Guest(ctx context.Context, by team.Staff, res booking.Reservation) (Guest, error) {
	if err := by.Check(res.RestaurantID, team.SeeEvening); err != nil {
		return Guest{}, err
	}
	return s.Reservations.FindGuest(ctx, res.ID)
}

// Seated returns, by named seat, the names of the parties that hold the seats of a slot.
func (s *Service) Seated(ctx context.Context, by team.Staff, slot booking.SlotKey) (map[int64]string, error) {
	if err := by.Check(slot.RestaurantID, team.SeeEvening); err != nil {
		return nil, err
	}
	return s.Reservations.ListSeated(ctx, slot)
}

// Waiting returns a page of who is on the waitlist of a slot, in order.
func (w *Waitlists) Waiting(ctx context.Context, by team.Staff, slot booking.SlotKey,
	page keyset.Request) (keyset.Page[WaitingGuest], error) {
	if err := by.Check(slot.RestaurantID, team.SeeEvening); err != nil {
		return keyset.Page[WaitingGuest]{}, err
	}
	return w.Store.ListWaiting(ctx, slot, page)
}

// Occupancies returns how full the slots of a restaurant's date are, from the database: staff see the truth, not the
// cache. Times in opening hours without a row yet have the restaurant's capacity; slots outside today's opening hours
// are included if they have a row. In the slot that runs now the tables of parties that overstay are taken too.
func (s *Service) Occupancies(ctx context.Context, by team.Staff, r booking.Restaurant,
	date booking.Date) (map[booking.TimeOfDay]booking.Occupancy, error) {
	if err := by.Check(r.ID, team.SeeEvening); err != nil {
		return nil, err
	}
	return s.OccupanciesOf(ctx, r, date)
}

// OccupanciesOf is Occupancies for the program itself.
func (s *Service) OccupanciesOf(ctx context.Context, r booking.Restaurant,
	date booking.Date) (map[booking.TimeOfDay]booking.Occupancy, error) {
	known, err := s.Slots.ListOccupancy(ctx, r.ID, date, date)
	if err != nil {
		return nil, err
	}
	slots := make(map[booking.TimeOfDay]booking.Occupancy, len(known))
	for _, at := range r.Times(date) {
		slots[at] = r.EmptySlot(date)
	}
	for key, o := range known {
		slots[key.Time] = o
	}
	if len(r.Seats) == 0 || date != booking.DateOf(s.Now(), r.Location) {
		return slots, nil
	}
	occupied, err := s.Reservations.ListOverstayed(ctx, r.ID)
	r.Occupy(slots, date, occupied, s.Now())
	return slots, err
}

// Mark marks what became of a party: Arrived, Seated, Completed or NoShow. Returns ErrNotFound and the errors of
// CheckMark.
func (s *Service) Mark(ctx context.Context, by team.Staff, id string, state booking.State) (booking.Reservation,
	error) {
	return s.changeGuest(ctx, by, team.MarkGuest, id, func() (booking.Reservation, error) {
		return s.Reservations.Mark(ctx, id, state, by.UserID())
	})
}

// Undo takes a mark back. Returns ErrNotFound, the errors of Reservation.Undo, and ErrSeatsGiven when the seats that
// the mark freed are gone.
func (s *Service) Undo(ctx context.Context, by team.Staff, id string, mark booking.State) (booking.Reservation, error) {
	return s.changeGuest(ctx, by, team.MarkGuest, id, func() (booking.Reservation, error) {
		return s.Reservations.Undo(ctx, id, mark, by.UserID())
	})
}

// UndoTo takes a reservation back to an earlier state, Confirmed or a mark. Returns ErrNotFound, the errors of
// Reservation.UndoTo, and ErrSeatsGiven.
func (s *Service) UndoTo(ctx context.Context, by team.Staff, seen booking.Reservation,
	state booking.State) (booking.Reservation, error) {
	return s.changeGuest(ctx, by, team.MarkGuest, seen.ID, func() (booking.Reservation, error) {
		return s.Reservations.UndoTo(ctx, seen, state, by.UserID())
	})
}

// GuestByID returns a reservation with who comes. Returns ErrNotFound and ErrForbidden.
func (s *Service) GuestByID(ctx context.Context, by team.Staff, id string) (Guest, error) {
	g, err := s.Reservations.FindGuest(ctx, id)
	if err == nil {
		err = by.Check(g.RestaurantID, team.SeeEvening)
	}
	if err != nil {
		return Guest{}, err
	}
	return g, nil
}

// StateChange is a state that staff set for a reservation, as they saw it.
type StateChange struct {
	Seen booking.Reservation
	// Arrived, Seated, Completed, NoShow, Cancelled, or Confirmed, which takes marks back, or waives the deposit.
	State  booking.State
	Reason string // of a cancellation, for the diner
}

// CheckState returns why SetState would be refused now, as far as the time and the state tell.
func (s *Service) CheckState(ctx context.Context, change StateChange) error {
	r, err := s.Catalog.FindRestaurant(ctx, change.Seen.RestaurantID)
	if err != nil {
		return err
	}
	start, err := r.Start(change.Seen.Slot.Date, change.Seen.Slot.Time)
	if err != nil {
		return err
	}
	switch {
	case change.waives():
		_, err := change.Seen.Waive(s.Now())
		return err
	case change.undoes():
		end, err := r.End(change.Seen.Slot, change.Seen.Stay)
		if err == nil {
			_, err = change.Seen.UndoTo(change.State, end, s.Now())
		}
		return err
	}
	return change.Seen.CheckMark(change.State, start, s.Now())
}

// waives returns whether the change confirms what awaits a deposit.
func (c StateChange) waives() bool {
	return c.State == booking.Confirmed && c.Seen.State == booking.Temporary && c.Seen.IsAskedToPay()
}

// undoes returns whether the state lies behind the reservation.
func (c StateChange) undoes() bool {
	return c.State == booking.Confirmed || !c.Seen.State.CanBecome(c.State)
}

// SetState marks a party, takes marks back where the state lies behind it, waives a deposit, or cancels. Returns the
// errors of Mark, UndoTo, Waive and CancelGuest.
func (s *Service) SetState(ctx context.Context, by team.Staff, change StateChange) (booking.Reservation, error) {
	switch {
	case change.State == booking.Cancelled:
		return s.CancelGuest(ctx, by, change.Seen.ID, change.Reason)
	case change.waives():
		return s.Waive(ctx, by, change.Seen.ID)
	case change.undoes():
		return s.UndoTo(ctx, by, change.Seen, change.State)
	}
	return s.Mark(ctx, by, change.Seen.ID, change.State)
}

// CancelGuest cancels a reservation for the restaurant: all that was paid comes back. The reason is for the diner; it
// may be empty. Returns ErrNotFound, ErrWrongState, and *booking.InvalidError for a reason that is no text.
func (s *Service) CancelGuest(ctx context.Context, by team.Staff, id, reason string) (booking.Reservation, error) {
	reason = strings.TrimSpace(reason)
	return s.changeGuest(ctx, by, team.CancelWithRefund, id, func() (booking.Reservation, error) {
		if faults := booking.CheckNote("reason", reason); len(faults) > 0 {
			return booking.Reservation{}, &booking.InvalidError{Fields: faults}
		}
		return s.Reservations.CancelByStaff(ctx, id, by.UserID(), reason)
	})
}

// Waive confirms a reservation without the deposit that staff had asked for. Returns ErrNotFound, and the errors of
// booking.Reservation.Waive.
func (s *Service) Waive(ctx context.Context, by team.Staff, id string) (booking.Reservation, error) {
	return s.changeGuest(ctx, by, team.BookForGuest, id, func() (booking.Reservation, error) {
		return s.Reservations.Waive(ctx, id, by.UserID())
	})
}

// Postpone gives a guest more time for the deposit, and writes to them again. Returns ErrNotFound, and the errors of
// booking.Reservation.Postpone.
func (s *Service) Postpone(ctx context.Context, by team.Staff, id string,
	within booking.PayWithin) (booking.Reservation, error) {
	return s.changeGuest(ctx, by, team.BookForGuest, id, func() (booking.Reservation, error) {
		return s.Reservations.Postpone(ctx, id, by.UserID(), within)
	})
}

// ChangeDetails corrects who comes with a reservation. Returns ErrNotFound, *booking.InvalidError with every invalid
// field, and the errors of ReservationStore.ChangeDetails.
func (s *Service) ChangeDetails(ctx context.Context, by team.Staff, id string,
	d booking.Details) (booking.Reservation, error) {
	if d.Tags != nil {
		res, err := s.Reservations.Find(ctx, id)
		if err == nil {
			err = by.Check(res.RestaurantID, team.NoteGuests)
		}
		if err != nil {
			return booking.Reservation{}, err
		}
	}
	return s.changeGuest(ctx, by, team.BookForGuest, id, func() (booking.Reservation, error) {
		d, err := checkDetails(d)
		if err != nil {
			return booking.Reservation{}, err
		}
		return s.Reservations.ChangeDetails(ctx, id, by.UserID(), d)
	})
}

// checkDetails returns details as they are stored, or *booking.InvalidError with every invalid field.
func checkDetails(d booking.Details) (booking.Details, error) {
	var faults []booking.FieldError
	if d.Name != nil {
		name := identity.NormalName(*d.Name)
		faults, d.Name = append(faults, NameFaults(name)...), &name
	}
	if d.Phone != nil {
		phone := strings.TrimSpace(*d.Phone)
		faults, d.Phone = append(faults, PhoneFaults(phone)...), &phone
	}
	if d.Note != nil {
		note := booking.Lines(*d.Note)
		faults, d.Note = append(faults, booking.CheckNote("note", note)...), &note
	}
	if d.Allergies != nil {
		allergies := booking.Lines(*d.Allergies)
		faults, d.Allergies = append(faults, booking.CheckNote("allergies", allergies)...), &allergies
	}
	if d.Tags != nil {
		var invalid *booking.InvalidError
		tags, err := guests.ParseTags(d.Tags)
		if errors.As(err, &invalid) {
			faults = append(faults, invalid.Fields...)
		}
		d.Tags = tags
		if d.TagsSeen != nil {
			d.TagsSeen, _ = guests.ParseTags(d.TagsSeen) // as they are stored
		}
	}
	if len(faults) > 0 {
		return d, &booking.InvalidError{Fields: faults}
	}
	return d, nil
}

// GiveBack gives a part of what a reservation's diner has paid back, or all of it, the way it came, and writes to them.
// A repeat with the same key finds the first one. Returns ErrNotFound, *booking.InvalidError with what is wrong with
// amount and reason, booking.ErrKeyReused, and the errors of booking.Reservation.CheckGiveBack.
func (s *Service) GiveBack(ctx context.Context, by team.Staff, g booking.GiveBack) (booking.Reservation, error) {
	g.Reason, g.StaffID = strings.TrimSpace(g.Reason), by.UserID()
	return s.changeGuest(ctx, by, team.GiveBack, g.ReservationID, func() (booking.Reservation, error) {
		faults := booking.CheckNote("reason", g.Reason)
		if g.Reason == "" {
			faults = append(faults, booking.FieldError{Field: "reason", Reason: "required"})
		}
		if g.Amount < 1 {
			faults = append(faults, booking.FieldError{Field: "amount", Reason: "not_positive"})
		}
		if len(faults) > 0 {
			return booking.Reservation{}, &booking.InvalidError{Fields: faults}
		}
		return s.Reservations.GiveBack(ctx, g)
	})
}

// changeGuest takes a step with a reservation, if it is one of their restaurant and they may.
func (s *Service) changeGuest(ctx context.Context, by team.Staff, action team.Action, id string,
	step func() (booking.Reservation, error)) (booking.Reservation, error) {
	res, err := s.Reservations.Find(ctx, id)
	if err == nil {
		err = by.Check(res.RestaurantID, action)
	}
	if err != nil {
		return booking.Reservation{}, err
	}
	if res, err = step(); err != nil {
		return booking.Reservation{}, err
	}
	s.refresh(res.Slots())
	return res, nil
}
