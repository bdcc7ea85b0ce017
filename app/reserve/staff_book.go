package reserve

import (
	"context"
	"errors"
	"slices"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/lineup"
	"lunchgo/app/team"
	"lunchgo/app/waiting"
)

// BookGuest checks a draft of staff and enters it into the line of its slots, behind those who wait there: staff take
// seats from the same stock as diners. Where a slot stands still nothing enters the line: nobody knows for how long it
// would wait. A repeat with the same key finds the ticket or the result of the first. The caller must Close the watch.
// It returns the restaurant with most errors too. Returns ErrNotFound and ErrForbidden, *booking.InvalidError with
// every invalid field, *booking.PausedError and *booking.NotOpenError, booking.ErrKeyReused, and the errors of
// waiting.Room.Enter.
func (s *Service) BookGuest(ctx context.Context, by team.Staff, key string,
	draft booking.GuestDraft) (*waiting.Watch, booking.Restaurant, error) {
	if err := by.Check(draft.RestaurantID, team.BookForGuest); err != nil {
		return nil, booking.Restaurant{}, err
	}
	var err error
	if draft.Override, err = checkOverride(by, draft.RestaurantID, draft.Override); err != nil {
		return nil, booking.Restaurant{}, err
	}
	draft.Name, draft.Phone = identity.NormalName(draft.Name), strings.TrimSpace(draft.Phone)
	draft.Email = identity.NormalEmail(draft.Email)
	r, request, err := s.checkGuest(ctx, draft)
	if err != nil {
		draft.Draft = draft.At(r, s.Now())
		watch, err := s.repeatGuest(ctx, by, key, draft, err)
		return watch, r, err
	}
	if draft.Source == booking.WalkIn && len(r.Seats) > 0 && r.Runs(request.Slot, s.Now()) {
		if request.Occupied, err = s.Reservations.ListOverstayed(ctx, r.ID); err != nil {
			return nil, r, err
		}
	}
	if err := s.introduce(ctx, by, key, request.Guest, draft.Language); err != nil {
		return nil, r, err
	}
	watch, err := s.enterAsStaff(ctx, by, r, key, request)
	return watch, r, err
}

// checkOverride returns an override, if any, as it is stored. Returns ErrForbidden to who may not seat over the plan.
func checkOverride(by team.Staff, restaurantID int64, o *booking.Override) (*booking.Override, error) {
	if o == nil {
		return nil, nil
	}
	return &booking.Override{Reason: strings.Clone(booking.PlainText(o.Reason))}, by.Check(restaurantID, team.SeatOverPlan)
}

// introduce makes the account of a guest who is asked for the deposit: a hold is somebody's.
func (s *Service) introduce(ctx context.Context, by team.Staff, key string, g *booking.Guest, lang string) (err error) {
	if g.PayWithin != "" {
		g.Account, err = s.Accounts.IntroduceGuest(ctx, identity.Guest{Email: g.Email, Name: g.Name, Phone: g.Phone,
			Language: lang}, by.UserID()+"\x00"+key)
	}
	return err
}

// checkGuest turns a draft of staff into a request that can enter the line.
func (s *Service) checkGuest(ctx context.Context, draft booking.GuestDraft) (booking.Restaurant, booking.Request,
	error) {
	r, menu, err := s.houseOf(ctx, draft.RestaurantID)
	if err != nil {
		return r, booking.Request{}, err
	}
	request, err := draft.Check(r, menu, s.Now())
	return r, request, booking.AddFaults(err, s.personFaults(draft))
}

// NameFaults returns what is wrong with the name of who comes.
func NameFaults(name string) []booking.FieldError {
	if reason := identity.CheckName(name); reason != "" {
		return []booking.FieldError{{Field: "name", Reason: reason, Max: identity.MaxName}}
	}
	return nil
}

// PhoneFaults returns what is wrong with the number of who comes. It may be missing: some callers withhold theirs.
func PhoneFaults(phone string) []booking.FieldError {
	if phone != "" && !identity.IsPhone(phone) {
		return []booking.FieldError{{Field: "phone", Reason: "invalid_phone"}}
	}
	return nil
}

// personFaults returns what is wrong with who comes.
func (s *Service) personFaults(draft booking.GuestDraft) []booking.FieldError {
	faults := append(NameFaults(draft.Name), PhoneFaults(draft.Phone)...)
	if draft.PayWithin != "" && s.CannotAsk != "" {
		faults = append(faults, booking.FieldError{Field: "payWithin", Reason: s.CannotAsk})
	}
	if draft.PayWithin != "" && !identity.IsEmail(draft.Email) {
		faults = append(faults, booking.FieldError{Field: "email", Reason: "invalid_email"})
	}
	return faults
}

// enterAsStaff enters a checked request into the line of its slots in the name of a member of staff, unless a slot
// stands still. One that stands still only from a moment later on finds the request in its line, where it keeps its
// place.
func (s *Service) enterAsStaff(ctx context.Context, by team.Staff, r booking.Restaurant, key string,
	request booking.Request) (*waiting.Watch, error) {
	request.EndTime = booking.TimeOfDay(strings.Clone(string(request.EndTime)))
	if g := request.Guest; g != nil {
		request.Guest = &booking.Guest{Name: strings.Clone(g.Name), Phone: strings.Clone(g.Phone), Source: g.Source,
			State: g.State, Email: strings.Clone(g.Email),
			PayWithin: booking.PayWithin(strings.Clone(string(g.PayWithin))), PayBy: g.PayBy, Account: g.Account}
	}
	if err := s.checkStill(ctx, r, request.Slots()); err != nil {
		return s.earlier(ctx, by, staffAsked{key, request.Slots(), request.Fingerprint()}, err)
	}
	return s.enter(ctx, Submitter{UserID: by.UserID(), IdempotencyKey: key}, request)
}

// checkStill returns why one of some slots gives no seats for now: *booking.PausedError or *booking.NotOpenError. It
// asks the database: staff see the truth, not the cache.
func (s *Service) checkStill(ctx context.Context, r booking.Restaurant, slots []booking.SlotKey) error {
	known, err := s.Slots.ListOccupancy(ctx, slots[0].RestaurantID, slots[0].Date, slots[len(slots)-1].Date)
	if err != nil {
		return err
	}
	for _, slot := range slots {
		o, ok := known[slot]
		if !ok {
			o = r.EmptySlot(slot.Date)
		}
		if err := o.CheckStill(slot, s.Now()); err != nil {
			return err
		}
	}
	return nil
}

// staffAsked is what staff ask for, as its ticket has it.
type staffAsked struct {
	key         string
	slots       []booking.SlotKey
	fingerprint string
}

// earlier finds the ticket of what staff have asked for before. Returns refusal if there is none.
func (s *Service) earlier(ctx context.Context, by team.Staff, what staffAsked, refusal error) (*waiting.Watch, error) {
	watch, err := s.Room.FindByKey(ctx, lineup.OfStay(what.slots), waiting.StaffPerson(by.UserID(), what.key),
		strings.Clone(what.key))
	if err != nil {
		return nil, refusedUnless(err, refusal)
	}
	if asked, ok := watch.OriginalRequest(); !ok || lineup.FingerprintOf(asked) != what.fingerprint {
		watch.Close()
		return nil, refusal
	}
	return watch, nil
}

// repeatGuest finds the ticket of an earlier submission of a draft that is refused now. Returns refusal if there is
// none.
func (s *Service) repeatGuest(ctx context.Context, by team.Staff, key string, draft booking.GuestDraft,
	refusal error) (*waiting.Watch, error) {
	var invalid *booking.InvalidError
	date, dateErr := booking.ParseDate(draft.Date)
	at, timeErr := booking.ParseTimeOfDay(draft.Time)
	if !errors.As(refusal, &invalid) || dateErr != nil || timeErr != nil {
		return nil, refusal
	}
	slots, err := s.SlotsOf(ctx, draft.Draft, booking.SlotKey{RestaurantID: draft.RestaurantID, Date: date, Time: at})
	if err != nil {
		return nil, refusal
	}
	if draft.EndTime != "" {
		slots = slices.DeleteFunc(slots, func(slot booking.SlotKey) bool {
			return slot.Time != at && string(slot.Time) >= draft.EndTime
		})
	}
	return s.earlier(ctx, by, staffAsked{key, slots, draft.Fingerprint()}, refusal)
}

// MatchesGuest returns whether a reservation that staff made equals a draft, so that a repeated key never returns
// another reservation.
func MatchesGuest(r booking.Reservation, draft booking.GuestDraft) bool {
	draft.CouponID = 0
	return Matches(r, draft.Draft) && (draft.EndTime == "" || string(r.EndTime()) == draft.EndTime) &&
		r.Source == draft.Source && (r.DetailsChanged ||
		r.GuestName == identity.NormalName(draft.Name) && r.GuestPhone == strings.TrimSpace(draft.Phone))
}

// MoveGuest checks a change by staff and enters it into the line of its slots, as a diner's change does. A repeat with
// the same key finds the ticket or the result of the first. The caller must Close the watch. Returns ErrNotFound and
// ErrForbidden, the errors of booking.GuestChange.Check, *booking.PausedError and *booking.NotOpenError,
// booking.ErrKeyReused, and the errors of waiting.Room.Enter.
func (s *Service) MoveGuest(ctx context.Context, by team.Staff, move Move) (*waiting.Watch, error) {
	guest, err := s.Reservations.FindGuest(ctx, move.ReservationID)
	res := guest.Reservation
	if err == nil {
		err = by.Check(res.RestaurantID, team.MoveGuest)
	}
	if err == nil {
		move.Override, err = checkOverride(by, res.RestaurantID, move.Override)
	}
	if err != nil {
		return nil, err
	}
	if past, err := s.Reservations.FindChangeByStaff(ctx, by.UserID(), move.Key); err == nil {
		if !past.MatchesMove(res, guest.Override, move.GuestChange) {
			return nil, booking.ErrKeyReused
		}
		return waiting.WatchChanged(past.ReservationID), nil
	} else if !errors.Is(err, booking.ErrNotFound) {
		return nil, err
	}
	r, menu, err := s.houseOf(ctx, res.RestaurantID)
	if err != nil {
		return nil, err
	}
	request, err := move.Check(r, res, menu, s.Now())
	if err != nil {
		return nil, err
	}
	return s.enterAsStaff(ctx, by, r, move.Key, request)
}

// Move is a change that staff make of a reservation, and the key that makes a repeat the same.
type Move struct {
	booking.GuestChange
	ReservationID string
	Key           string
}
