// Package reviews stores reviews of visits.
package reviews

import (
	"context"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/reviews"
	"lunchgo/db/auditlog"
	"lunchgo/db/pg"
)

// Guards of the package.
const (
	WriteReview pg.Guard = "write the review of a visit"
)

// Store implements reviews.Store. Triggers keep the ratings of restaurants.
type Store struct {
	db *pg.Pool
}

// NewStore returns the reviews stored in db.
func NewStore(db *pg.Pool) *Store { return &Store{db: db} }

// reviewColumns are a review v, with the whole name of its author u: see shortened.
const reviewColumns = `
	v.id, v.reservation_id, v.restaurant_id, u.name AS author, v.stars, v.text,
	to_char(v.visited_on, 'YYYY-MM-DD') AS visited, v.created_at AS written_at, v.answer, v.answered_at,
	COALESCE(v.answered_at < v.changed_at, false) AS is_outdated, v.hidden_reason`

func shortened(r reviews.Review) reviews.Review {
	r.Author = reviews.ShortName(r.Author)
	return r
}

func keyOfReview(r reviews.Review) keyset.Cursor { return keyset.Cursor{Number: r.ID} }

type visitRow struct {
	State      booking.State
	Visited    booking.Date
	Today      booking.Date // at the restaurant
	IsReviewed bool         // read apart
}

// Write implements reviews.Store. The lock of the visit keeps staff from taking it back meanwhile.
func (s *Store) Write(ctx context.Context, draft reviews.Draft) (reviews.Review, error) {
	return pg.Within(ctx, s.db, func(ctx context.Context, t *pg.Tx) (review reviews.Review, err error) {
		visit, err := lockVisit(ctx, t, draft.UserID, draft.ReservationID)
		if err == nil && !visit.IsReviewed {
			err = reviews.CheckVisit(visit.State, visit.Visited, visit.Today)
		}
		if err != nil {
			return review, err
		}
		review, err = pg.Find[reviews.Review](ctx, t, reviews.ErrHidden, s.db.Guarded(WriteReview, `
			WITH v AS (
				INSERT INTO reviews AS r (reservation_id, restaurant_id, user_id, visited_on, stars, text)
				SELECT visit.id, visit.restaurant_id, visit.user_id, s.service_date, $2, $3
				FROM reservations visit
				JOIN slots s ON s.id = visit.slot_id
				WHERE visit.id = $1
				ON CONFLICT ON CONSTRAINT reviews_one_a_visit DO UPDATE
				SET stars = excluded.stars, text = excluded.text, changed_at = clock_timestamp()
				WHERE r.hidden_reason = ''
				RETURNING *
			)
			SELECT `+reviewColumns+`
			FROM v
			JOIN users u ON u.id = v.user_id`), draft.ReservationID, draft.Stars, draft.Text)
		return shortened(review), err
	})
}

// lockVisit locks a diner's visit, and with it its review. Returns booking.ErrNotFound.
func lockVisit(ctx context.Context, t *pg.Tx, userID, reservationID string) (visit visitRow, err error) {
	err = t.Get(ctx, &visit, `
		SELECT r.state, to_char(s.service_date, 'YYYY-MM-DD') AS visited,
			to_char(clock_timestamp() AT TIME ZONE p.time_zone, 'YYYY-MM-DD') AS today
		FROM reservations r
		JOIN slots s ON s.id = r.slot_id
		JOIN restaurants p ON p.id = r.restaurant_id AND NOT p.shadow
		WHERE r.id = $1 AND r.user_id = $2
		FOR NO KEY UPDATE OF r`, reservationID, userID)
	if err != nil {
		return visit, pg.OrNotFound(err, booking.ErrNotFound)
	}
	err = t.Get(ctx, &visit.IsReviewed, `SELECT EXISTS (SELECT FROM reviews WHERE reservation_id = $1)`, reservationID)
	return visit, err
}

// Delete implements reviews.Store.
func (s *Store) Delete(ctx context.Context, userID, reservationID string) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		visit, err := lockVisit(ctx, t, userID, reservationID)
		if err != nil {
			return err
		}
		deleted, err := t.Exec(ctx, `DELETE FROM reviews WHERE reservation_id = $1 AND hidden_reason = ''`,
			reservationID)
		if err == nil && deleted == 0 && visit.IsReviewed {
			err = reviews.ErrHidden
		}
		return err
	})
}

const selectReviews = `
	SELECT ` + reviewColumns + `
	FROM reviews v
	JOIN users u ON u.id = v.user_id`

// Find implements reviews.Store.
func (s *Store) Find(ctx context.Context, id int64) (reviews.Review, error) {
	review, err := pg.Find[reviews.Review](ctx, s.db, booking.ErrNotFound,
		selectReviews+` WHERE v.id = $1 AND v.hidden_reason = ''`, id)
	return shortened(review), err
}

// ListOf implements reviews.Store.
func (s *Store) ListOf(ctx context.Context, reservationIDs []string) (map[string]reviews.Review, error) {
	byVisit := func(r reviews.Review) (string, reviews.Review) { return r.ReservationID, shortened(r) }
	return pg.Mapped(ctx, s.db, byVisit, selectReviews+` WHERE v.reservation_id = ANY ($1)`,
		pq.StringArray(reservationIDs))
}

// List implements reviews.Store.
func (s *Store) List(ctx context.Context, restaurantID int64, filter reviews.Filter,
	page keyset.Request) (keyset.Page[reviews.Review], error) {
	where := ` WHERE v.restaurant_id = $1 AND v.id < $2 AND v.hidden_reason = ''`
	if filter.Unanswered {
		where += ` AND (v.answer = '' OR v.answered_at < v.changed_at)`
	}
	return pg.Paged(ctx, s.db, page, keyOfReview, shortened, selectReviews+where+` ORDER BY v.id DESC LIMIT $3`,
		restaurantID, page.Below().Number, page.Rows())
}

// Answer implements reviews.Store.
func (s *Store) Answer(ctx context.Context, a reviews.Answer) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		reservation, err := pg.Find[string](ctx, t, booking.ErrNotFound, `
			UPDATE reviews
			SET answer = $3, answered_at = clock_timestamp()
			WHERE id = $1 AND restaurant_id = $2 AND hidden_reason = ''
			RETURNING reservation_id`, a.ReviewID, a.RestaurantID, a.Text)
		if err != nil {
			return err
		}
		return auditlog.Write(ctx, t, auditlog.Entry{StaffID: a.StaffID, RestaurantID: a.RestaurantID,
			ReservationID: reservation, Action: "review.answer", Detail: map[string]any{"is": a.Text}})
	})
}

// Report implements reviews.Store.
func (s *Store) Report(ctx context.Context, reviewID int64, userID, reason string) error {
	_, err := pg.Find[int64](ctx, s.db, booking.ErrNotFound, `
		WITH found AS (
			SELECT id, changed_at FROM reviews WHERE id = $1 AND hidden_reason = '' FOR SHARE
		), made AS (
			INSERT INTO review_reports AS r (review_id, user_id, reason)
			SELECT id, $2, $3 FROM found
			ON CONFLICT (review_id, user_id) DO UPDATE
			SET reason = excluded.reason, created_at = clock_timestamp(), decided_at = NULL
			WHERE r.decided_at < (SELECT changed_at FROM found)
		)
		SELECT id FROM found`, reviewID, userID, reason)
	return err
}

// Version is the time of the last change of a review v, or of its last open report, in µs.
const Version = `(extract(epoch FROM greatest(v.changed_at, (
	SELECT max(created_at) FROM review_reports WHERE review_id = v.id AND decided_at IS NULL
))) * 1000000)::bigint`

// ListReported implements reviews.Store.
func (s *Store) ListReported(ctx context.Context, page keyset.Request) (keyset.Page[reviews.Reported], error) {
	key := func(r reviews.Reported) keyset.Cursor { return keyOfReview(r.Review) }
	show := func(r reviews.Reported) reviews.Reported {
		r.Review = shortened(r.Review)
		return r
	}
	return pg.Paged(ctx, s.db, page, key, show, `
		SELECT `+reviewColumns+`, open.reasons[:$3] AS reasons, open.reports, `+Version+` AS version
		FROM (
			SELECT review_id, array_agg(reason ORDER BY created_at) AS reasons, count(*) AS reports
			FROM review_reports
			WHERE decided_at IS NULL AND review_id > $1
			GROUP BY review_id
			ORDER BY review_id
			LIMIT $2
		) open
		JOIN reviews v ON v.id = open.review_id
		JOIN users u ON u.id = v.user_id
		ORDER BY v.id`, page.Above().Number, page.Rows(), reviews.MaxReasons)
}

// Decide implements reviews.Store.
func (s *Store) Decide(ctx context.Context, d reviews.Decision) error {
	action, hidden := "review.keep", ""
	if d.Hide {
		action, hidden = "review.hide", d.Reason
	}
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		var row struct {
			RestaurantID  int64
			ReservationID string
			Version       int64
		}
		// Reports that are being made are waited for before the version is read.
		if _, err := t.Exec(ctx, `SELECT FROM reviews WHERE id = $1 FOR UPDATE`, d.ReviewID); err != nil {
			return err
		}
		err := t.Get(ctx, &row, `
			SELECT restaurant_id, reservation_id, `+Version+` AS version
			FROM reviews v
			WHERE id = $1`, d.ReviewID)
		if err != nil {
			return pg.OrNotFound(err, booking.ErrNotFound)
		}
		if row.Version != d.Version {
			return reviews.ErrChanged
		}
		err = t.Run(ctx, `UPDATE reviews SET hidden_reason = $2 WHERE id = $1`, d.ReviewID, hidden)
		if err == nil {
			err = t.Run(ctx, `
				UPDATE review_reports
				SET decided_at = clock_timestamp()
				WHERE review_id = $1 AND decided_at IS NULL`, d.ReviewID)
		}
		if err != nil {
			return err
		}
		return auditlog.Write(ctx, t, auditlog.Entry{StaffID: d.OperatorID, RestaurantID: row.RestaurantID,
			ReservationID: row.ReservationID, Action: action, Detail: map[string]any{"reason": d.Reason}})
	})
}
