package db

import (
	"context"

	"lunchgo/app/booking"
	"lunchgo/app/guests"
	"lunchgo/db/auditlog"
	dbguests "lunchgo/db/guests"
	"lunchgo/db/pg"
)

// ChangeDetails implements reserve.ReservationStore. The log has which details changed, not what they say: it keeps
// that for ever.
func (s *ReservationStore) ChangeDetails(ctx context.Context, id, staffID string,
	d booking.Details) (booking.Reservation, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (after booking.Reservation, err error) {
		if d.Tags != nil { // the account comes first in the order of locks
			if err := t.Run(ctx, `
				SELECT
				FROM users
				WHERE id = (SELECT user_id FROM reservations WHERE id = $1)
				FOR SHARE`, id); err != nil {
				return after, err
			}
		}
		r, err := s.lock(ctx, t, id)
		if err != nil {
			return after, err
		}
		after, differ, err := r.WithDetails(d)
		if err == nil && len(differ) > 0 {
			err = s.storeDetails(ctx, t, after, r.act(staffID, "reservation.details", map[string]any{"fields": differ}))
		}
		if err == nil && d.Tags != nil {
			err = s.tagGuestOf(ctx, t, after, staffID, d)
		}
		return after, err
	})
}

// storeDetails stores the details of a locked reservation, and the act that changed them.
func (s *ReservationStore) storeDetails(ctx context.Context, t *pg.Tx, r booking.Reservation,
	act auditlog.Entry) error {
	_, err := t.Exec(ctx, `
		UPDATE reservations
		SET note = $2, allergies = $3, details_changed = true,
			guest_name = CASE WHEN booked_by IS NOT NULL THEN $4 END,
			guest_phone = CASE WHEN booked_by IS NOT NULL THEN $5 END
		WHERE id = $1`, r.ID, r.Note, r.Allergies, r.GuestName, r.GuestPhone)
	if err != nil {
		return err
	}
	return auditlog.Write(ctx, t, act)
}

// tagGuestOf tags who comes with a reservation. Returns *booking.InvalidError for nobody whom the restaurant would know
// again, and for too many tags, and guests.ErrNoConsent.
func (s *ReservationStore) tagGuestOf(ctx context.Context, t *pg.Tx, r booking.Reservation, staffID string,
	d booking.Details) error {
	var known []struct {
		ID   string
		Tags []string
	}
	err := t.List(ctx, &known, `
		SELECT g.id, g.tags
		FROM reservations r
		JOIN guests g ON g.id = guest_id(r.restaurant_id, r.user_id, r.guest_phone)
		WHERE r.id = $1
		FOR NO KEY UPDATE OF g`, r.ID)
	switch {
	case err != nil:
		return err
	case len(known) > 0:
		tags, err := guests.Retag(known[0].Tags, d.TagsSeen, d.Tags)
		if err != nil {
			return err
		}
		about := guests.About{RestaurantID: r.RestaurantID, Guest: known[0].ID, By: staffID}
		return dbguests.ReplaceTags(ctx, t, about, tags)
	case len(d.Tags) == 0:
		return nil
	}
	return &booking.InvalidError{Fields: []booking.FieldError{{Field: guests.FieldTags, Reason: "unknown_guest"}}}
}
