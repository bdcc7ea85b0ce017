// Package rehearsals stores rehearsals and makes and deletes the copies of restaurants at which they are held.
package rehearsals

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"lunchgo/app/booking"
	"lunchgo/app/rehearsal"
	"lunchgo/db"
	"lunchgo/db/auditlog"
	"lunchgo/db/catalog"
	"lunchgo/db/pg"
	"lunchgo/db/seed"
)

// Guards of the package.
const (
	LockRehearsals  pg.Guard = "lock the rehearsals"
	InsertRehearsal pg.Guard = "begin a rehearsal"
)

// Store implements rehearsal.Store.
type Store struct {
	db      *pg.Pool
	seeds   *seed.Store
	catalog *catalog.Store
	slots   *db.SlotStore
}

// NewStore returns the rehearsals stored in a database, in whose slots they are held.
func NewStore(pool *pg.Pool, slots *db.SlotStore) *Store {
	return &Store{db: pool, seeds: seed.NewStore(pool), catalog: catalog.NewStore(pool), slots: slots}
}

// Begin implements rehearsal.Store. It cleans up first what servers that died have left.
func (s *Store) Begin(ctx context.Context, start rehearsal.Start) (id string, err error) {
	if err := s.EndDead(ctx); err != nil {
		return "", err
	}
	id = rand.Text()
	err = s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		err := t.Run(ctx, s.db.Guarded(LockRehearsals,
			`SELECT pg_advisory_xact_lock(hashtextextended('rehearsals', 0))`))
		if err == nil {
			err = checkRehearsals(ctx, t, start)
		}
		if err != nil {
			return err
		}
		report := map[string]any{"guests": start.Plan.Guests, "estimatePercent": -1}
		err = t.Run(ctx, s.db.Guarded(InsertRehearsal, `
			INSERT INTO rehearsals (id, restaurant_id, started_by, ends_by, report)
			VALUES ($1, $2, $3, clock_timestamp() + $4 * interval '1 microsecond', $5::jsonb)`),
			id, start.RestaurantID, start.By, start.Life.Microseconds(), pg.JSON(report))
		if err != nil {
			return err
		}
		return auditlog.Write(ctx, t, auditlog.Entry{StaffID: start.By, RestaurantID: start.RestaurantID,
			Action: "rehearsal.run"})
	})
	return id, err
}

// checkRehearsals returns why another rehearsal may not begin.
func checkRehearsals(ctx context.Context, t *pg.Tx, start rehearsal.Start) error {
	var known struct {
		Here           bool
		Others, Recent int
	}
	err := t.Get(ctx, &known, `
		SELECT
			EXISTS (SELECT FROM rehearsals WHERE ended_at IS NULL AND ends_by > clock_timestamp()
				AND restaurant_id = $1) AS here,
			(
				SELECT count(*)
				FROM rehearsals
				WHERE ended_at IS NULL AND ends_by > clock_timestamp() AND restaurant_id <> $1
			) AS others,
			(
				SELECT count(*)
				FROM rehearsals
				WHERE restaurant_id = $1 AND created_at > clock_timestamp() - interval '1 hour'
			) AS recent`, start.RestaurantID)
	switch {
	case err != nil:
		return err
	case known.Here:
		return rehearsal.ErrRunning
	case known.Others >= start.AtATime:
		return rehearsal.ErrElsewhere
	case known.Recent >= start.AnHour:
		return rehearsal.ErrTooMany
	}
	return nil
}

// EndDead implements rehearsal.Store. Several processes may do it at once: who comes second finds it done.
func (s *Store) EndDead(ctx context.Context) error {
	var dead []rehearsal.Rehearsal
	err := s.db.List(ctx, &dead, `
		SELECT id, report
		FROM rehearsals
		WHERE ended_at IS NULL AND ends_by <= clock_timestamp()`)
	for _, r := range dead {
		if err = s.End(ctx, r.ID, r.Report); err != nil && !errors.Is(err, booking.ErrNotFound) {
			return err
		}
		err = nil
	}
	return err
}

// Open implements rehearsal.Store.
func (s *Store) Open(ctx context.Context, id string, copied rehearsal.Copy) (rehearsal.Stage, error) {
	menu, err := s.catalog.ListMenu(ctx, copied.Of)
	if err != nil {
		return rehearsal.Stage{}, err
	}
	r := copied.Restaurant
	r.OpeningRule = booking.OpeningRule{} // it opens when the rehearsal begins
	r.Shadow, r.Slug = true, rehearsal.SlugPrefix+strings.ToLower(id)
	shadow, err := s.seeds.PutRestaurant(ctx, r, menu)
	if err != nil {
		return rehearsal.Stage{}, err
	}
	if err := s.db.Exec(ctx, `UPDATE rehearsals SET shadow_id = $2 WHERE id = $1`, id, shadow); err != nil {
		return rehearsal.Stage{}, err
	}
	stage := rehearsal.Stage{ID: id, Slot: booking.SlotKey{RestaurantID: shadow, Date: copied.Plan.Date,
		Time: copied.Plan.Time}}
	if stage.Restaurant, err = s.catalog.FindRestaurant(ctx, shadow); err != nil {
		return rehearsal.Stage{}, err
	}
	if stage.Menu, err = s.catalog.ListMenu(ctx, shadow); err != nil {
		return rehearsal.Stage{}, err
	}
	for n := range copied.Plan.Guests {
		stage.Guests = append(stage.Guests, fmt.Sprintf("%s-%d", id, n+1))
	}
	return stage, s.db.Exec(ctx, `
		INSERT INTO users (id, email, name, phone, password_hash, email_confirmed_at)
		SELECT $1 || '-' || n, lower($1) || '-' || n || '@rehearsal.lunchgo.example', 'Rehearsal ' || n, '010-0000-0000',
			'', clock_timestamp()
		FROM generate_series(1, $2::integer) n`, id, copied.Plan.Guests)
}

// Save implements rehearsal.Store.
func (s *Store) Save(ctx context.Context, id string, report rehearsal.Report) error {
	return s.db.Exec(ctx, `UPDATE rehearsals SET report = $2::jsonb WHERE id = $1 AND ended_at IS NULL`, id,
		pg.JSON(report))
}

// shadowRows delete what belongs to a copy of a restaurant: nothing of it is money, a change or an act of staff, which
// are kept.
var shadowRows = []string{
	`DELETE FROM reservation_seats WHERE restaurant_id = $1`,
	`DELETE FROM reservation_stays WHERE reservation_id IN (SELECT id FROM reservations WHERE restaurant_id = $1)`,
	`DELETE FROM reservation_overrides WHERE reservation_id IN (SELECT id FROM reservations WHERE restaurant_id = $1)`,
	`DELETE FROM reservation_items WHERE reservation_id IN (SELECT id FROM reservations WHERE restaurant_id = $1)`,
	`DELETE FROM mails WHERE reservation_id IN (SELECT id FROM reservations WHERE restaurant_id = $1)`,
	`DELETE FROM reservations WHERE restaurant_id = $1`,
	`DELETE FROM line_outcomes WHERE restaurant_id = $1`,
	`DELETE FROM slots WHERE restaurant_id = $1`,
	`DELETE FROM seat_partners WHERE restaurant_id = $1`,
	`DELETE FROM seats WHERE restaurant_id = $1`,
	`DELETE FROM menu_stock WHERE menu_item_id IN (SELECT id FROM menu_items WHERE restaurant_id = $1)`,
	`DELETE FROM menu_items WHERE restaurant_id = $1`,
	`DELETE FROM opening_hours WHERE restaurant_id = $1`,
	`DELETE FROM special_hours WHERE restaurant_id = $1`,
	`DELETE FROM closures WHERE restaurant_id = $1`,
	`DELETE FROM restaurants WHERE id = $1 AND shadow`,
}

// End implements rehearsal.Store.
func (s *Store) End(ctx context.Context, id string, report rehearsal.Report) error {
	return s.db.InTx(ctx, func(ctx context.Context, t *pg.Tx) error {
		shadow, err := pg.Find[int64](ctx, t, booking.ErrNotFound, `
			SELECT COALESCE(p.id, 0)
			FROM rehearsals r
			LEFT JOIN restaurants p ON p.slug = $2 || lower(r.id) AND p.shadow
			WHERE r.id = $1 AND r.ended_at IS NULL
			FOR UPDATE OF r`, id, rehearsal.SlugPrefix)
		if err != nil {
			return err
		}
		if shadow != 0 {
			for _, statement := range shadowRows {
				if _, err := t.Exec(ctx, statement, shadow); err != nil {
					return err
				}
			}
		}
		err = t.Run(ctx, `
			DELETE FROM users
			WHERE id IN (SELECT $1 || '-' || n FROM generate_series(1, 10000) n)
				AND email LIKE '%@rehearsal.lunchgo.example'`, id)
		if err != nil {
			return err
		}
		return t.Run(ctx, `
			UPDATE rehearsals
			SET ended_at = clock_timestamp(), report = $2::jsonb
			WHERE id = $1`, id, pg.JSON(report))
	})
}

// selectRehearsals takes one whose process died as ended.
const selectRehearsals = `
	SELECT id, restaurant_id, created_at AS started_at,
		COALESCE(ended_at, CASE WHEN ends_by <= statement_timestamp() THEN ends_by END) AS ended_at, report
	FROM rehearsals
	WHERE restaurant_id = $1 `

// Find implements rehearsal.Store.
func (s *Store) Find(ctx context.Context, restaurantID int64, id string) (rehearsal.Rehearsal, error) {
	return pg.Find[rehearsal.Rehearsal](ctx, s.db, booking.ErrNotFound, selectRehearsals+`AND id = $2`,
		restaurantID, id)
}

// Latest implements rehearsal.Store.
func (s *Store) Latest(ctx context.Context, restaurantID int64) ([]rehearsal.Rehearsal, error) {
	return pg.List[rehearsal.Rehearsal](ctx, s.db, selectRehearsals+
		`AND created_at > statement_timestamp() - interval '1 day' ORDER BY created_at DESC LIMIT 10`, restaurantID)
}

// Outcome implements rehearsal.Store.
func (s *Store) Outcome(ctx context.Context, slot booking.SlotKey) (seats, taken, inversions int, err error) {
	known, err := s.slots.ListOccupancy(ctx, slot.RestaurantID, slot.Date, slot.Date)
	if err != nil {
		return 0, 0, 0, err
	}
	arrivals, err := s.slots.ListArrivals(ctx, slot)
	for i, a := range arrivals {
		if i > 0 && a.Number < arrivals[i-1].Number {
			inversions++
		}
	}
	return known[slot].Capacity, known[slot].Held, inversions, err
}
