package reserve

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/team"
	"lunchgo/app/waiting"
)

// Service holds the use cases of diners and staff for restaurants, slots and reservations.
type Service struct {
	Catalog      Catalog
	Directory    func(context.Context) (*Directory, error) // what diners search
	Slots        SlotStore
	Stocks       StockStore
	Reservations ReservationStore
	Availability Availability
	Lines        Lines
	Members      team.Memberships
	Accounts     GuestAccounts // of guests who are asked for the deposit
	CannotAsk    string        // why nobody can be asked for it here, a reason of an invalid field; or empty
	Coupons      *coupon.Service
	Room         *waiting.Room
	HoldUnseen   time.Duration // how long a hold lasts for whom nobody watched, until they see it
	Now          Clock
	Log          *slog.Logger
}

// Check turns a draft into a request that can enter the line. Returns ErrNotFound for an unknown restaurant and
// *booking.InvalidError with every invalid field. It reads only the catalogue.
func (s *Service) Check(ctx context.Context, d booking.Draft) (booking.Restaurant, booking.Request, error) {
	r, menu, err := s.houseOf(ctx, d.RestaurantID)
	if err != nil {
		return booking.Restaurant{}, booking.Request{}, err
	}
	req, err := d.Check(r, menu, s.Now())
	return r, req, err
}

// Serve decides a run of requests for the slots of a turn, and notifies the watchers of the slots, and of those that
// changed reservations leave. The turn gets what it needs to know of the restaurant. The occupancies
// are in the order of the turn's slots.
func (s *Service) Serve(ctx context.Context, turn booking.Turn, run []booking.Request) ([]booking.Outcome,
	[]booking.Occupancy, error) {
	r, err := s.Catalog.FindRestaurant(ctx, turn.Slot.RestaurantID)
	if err != nil {
		return nil, nil, err
	}
	outcomes, after, err := s.Slots.Serve(ctx, turn.By(r), run)
	if err == nil {
		s.Availability.Served(turn.Slots())
		s.refresh(leftSlots(turn, outcomes))
	}
	return outcomes, after, err
}

// CheckHolds returns the limit that speaks against another hold of the requesting diner, as things are now.
func (s *Service) CheckHolds(ctx context.Context, req booking.Request) error {
	return s.Slots.CheckHolds(ctx, req)
}

// leftSlots are the slots besides those of a turn that changed reservations have left, each once.
func leftSlots(turn booking.Turn, outcomes []booking.Outcome) []booking.SlotKey {
	var slots []booking.SlotKey
	for _, out := range outcomes {
		if out.Changed == nil {
			continue
		}
		for _, slot := range out.Changed.Was.Slots() {
			if !slices.Contains(turn.Slots(), slot) && !slices.Contains(slots, slot) {
				slots = append(slots, slot)
			}
		}
	}
	return slots
}

func (s *Service) refresh(slots []booking.SlotKey) {
	for _, slot := range slots {
		s.Availability.Changed(slot)
	}
}

// Find shows a diner's own reservation to its diner. Returns ErrNotFound for those of others too, so that an id reveals
// nothing.
func (s *Service) Find(ctx context.Context, userID, id string) (booking.Reservation, error) {
	res, err := s.Reservations.Find(ctx, id)
	if err == nil && res.UserID != userID {
		return booking.Reservation{}, booking.ErrNotFound
	}
	if err != nil || !res.IsUnseen() || !isRead(ctx) {
		return res, err
	}
	if err := s.Reservations.SeeHolds(ctx, []string{id}); err != nil {
		return booking.Reservation{}, err
	}
	return s.Reservations.Find(ctx, id)
}

// Extend extends the hold of a diner's reservation, once.
func (s *Service) Extend(ctx context.Context, userID, id string) (booking.Reservation, error) {
	return s.Reservations.Extend(ctx, id, userID)
}

// Pay pays for a diner's reservation from the wallet; once for any number of repeats with the same key. Returns the
// errors of ReservationStore.Pay, ErrReturned among them.
func (s *Service) Pay(ctx context.Context, order booking.PaymentOrder) (booking.Reservation, error) {
	res, err := s.Reservations.Pay(ctx, order)
	if err == nil {
		s.refresh(res.Slots())
	}
	return res, err
}

// Quote returns what cancelling a reservation now would lead to.
func (s *Service) Quote(ctx context.Context, res booking.Reservation) (booking.Cancellation, error) {
	r, err := s.Catalog.FindRestaurant(ctx, res.RestaurantID)
	if err != nil {
		return booking.Cancellation{}, err
	}
	start, err := r.Start(res.Slot.Date, res.Slot.Time)
	if err != nil {
		return booking.Cancellation{}, err
	}
	return res.CancellationFor(start, s.Now())
}

// Cancel cancels a reservation on behalf of its diner. Returns the errors of ReservationStore.Cancel.
func (s *Service) Cancel(ctx context.Context, id string, by Canceller) (booking.Reservation, error) {
	res, err := s.Reservations.Cancel(ctx, id, by)
	if err == nil {
		s.refresh(res.Slots())
	}
	return res, err
}

// SlotsOf returns the slots of a draft whose stay begins in the given slot. It ignores invalid fields.
func (s *Service) SlotsOf(ctx context.Context, d booking.Draft, first booking.SlotKey) ([]booking.SlotKey, error) {
	r, menu, err := s.houseOf(ctx, d.RestaurantID)
	if err != nil {
		return nil, err
	}
	return d.Slots(r, menu, first), nil
}

// houseOf returns a restaurant with its menu.
func (s *Service) houseOf(ctx context.Context, id int64) (booking.Restaurant, []booking.MenuItem, error) {
	r, err := s.Catalog.FindRestaurant(ctx, id)
	if err != nil {
		return booking.Restaurant{}, nil, err
	}
	menu, err := s.Catalog.ListMenu(ctx, r.ID)
	return r, menu, err
}

// FindRestaurant returns ErrNotFound if there is none with that id.
func (s *Service) FindRestaurant(ctx context.Context, id int64) (booking.Restaurant, error) {
	return s.Catalog.FindRestaurant(ctx, id)
}

// CachedOccupancy returns how full the slots of a date were a moment ago, without asking the database each time.
func (s *Service) CachedOccupancy(ctx context.Context, restaurantID int64,
	date booking.Date) (map[booking.TimeOfDay]booking.Occupancy, error) {
	return s.Availability.List(ctx, restaurantID, date)
}

// FindReserved implements lineup.Bookings.
func (s *Service) FindReserved(ctx context.Context,
	asked []booking.Submission) (map[booking.Submission]booking.Reservation, error) {
	return s.Reservations.FindReserved(ctx, asked)
}

// FindChanged implements lineup.Bookings.
func (s *Service) FindChanged(ctx context.Context, asked []booking.Submission) (map[booking.Submission]string, error) {
	return s.Reservations.FindChanged(ctx, asked)
}

// FindServed returns the reservation that a ticket of the line made, or changed. Returns ErrNotFound.
func (s *Service) FindServed(ctx context.Context, ticket string) (id string, changed bool, err error) {
	res, err := s.Reservations.FindByTicket(ctx, ticket)
	if !errors.Is(err, booking.ErrNotFound) {
		return res.ID, false, err
	}
	past, err := s.Reservations.FindChangeByTicket(ctx, ticket)
	return past.ReservationID, true, err
}
