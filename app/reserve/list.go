package reserve

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
)

// reservationList is how a page of a diner's reservations is read.
type reservationList func(ctx context.Context, userID string, page keyset.Request) (keyset.Page[booking.Reservation],
	error)

// List shows a diner a page of their reservations, latest slot first.
func (s *Service) List(ctx context.Context, userID string, page keyset.Request) (keyset.Page[booking.Reservation],
	error) {
	return s.show(ctx, s.Reservations.ListByUser, userID, page)
}

// ListUpcoming shows a diner a page of their reservations that hold seats, the soonest slot first.
func (s *Service) ListUpcoming(ctx context.Context, userID string,
	page keyset.Request) (keyset.Page[booking.Reservation], error) {
	return s.show(ctx, s.Reservations.ListUpcoming, userID, page)
}

// show reads a page of a list, and notes that its diner sees the holds on it, unless nobody reads it.
func (s *Service) show(ctx context.Context, list reservationList, userID string,
	page keyset.Request) (keyset.Page[booking.Reservation], error) {
	shown, err := list(ctx, userID, page)
	if err != nil {
		return shown, err
	}
	var unseen []string
	for _, r := range shown.Items {
		if r.IsUnseen() {
			unseen = append(unseen, r.ID)
		}
	}
	if len(unseen) == 0 || !isRead(ctx) {
		return shown, nil
	}
	if err := s.Reservations.SeeHolds(ctx, unseen); err != nil {
		return shown, err
	}
	return list(ctx, userID, page)
}

type withoutReader struct{}

// WithoutReader returns a context of what is shown to nobody yet, such as a copy for later: holds stay unseen.
func WithoutReader(ctx context.Context) context.Context {
	return context.WithValue(ctx, withoutReader{}, true)
}

func isRead(ctx context.Context) bool { return ctx.Value(withoutReader{}) == nil }
