package against

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lib/pq"
	"github.com/redis/go-redis/v9"

	"lunchgo/app/rush"
)

// Scratch is where a design keeps its data: a database of its own on the product's server, and a prefix of keys in its
// Redis. Both go with Close.
type Scratch struct {
	URL    string // of the database
	Prefix string // of all keys

	name   string
	server *sql.DB // the database beside which it is
	db     *sql.DB
	redis  redis.UniversalClient
}

// maxBeside is how much of the name of the product's database that of a scratch database begins with: PostgreSQL takes
// 63 bytes in all.
const maxBeside = 24

// OpenScratch makes a database beside the one at the address, with the tables of the designs.
func OpenScratch(ctx context.Context, databaseURL string, client redis.UniversalClient) (*Scratch, error) {
	beside, err := pq.NewConfig(databaseURL)
	if err != nil {
		return nil, err
	}
	token := strings.ToLower(rand.Text())
	s := &Scratch{name: beside.Database[:min(len(beside.Database), maxBeside)] + "_against_" + token,
		Prefix: "against:" + token + ":", redis: client}
	if s.URL, err = withDatabase(databaseURL, s.name); err != nil {
		return nil, err
	}
	if s.server, err = sql.Open("postgres", databaseURL); err != nil {
		return nil, err
	}
	if _, err := s.server.ExecContext(ctx, `CREATE DATABASE `+pq.QuoteIdentifier(s.name)); err != nil {
		return nil, errors.Join(fmt.Errorf("make a scratch database: %w", err), s.server.Close())
	}
	if s.db, err = sql.Open("postgres", s.URL); err == nil {
		_, err = s.db.ExecContext(ctx, schema)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// withDatabase is the address of another database of a server.
func withDatabase(address, name string) (string, error) {
	if !strings.Contains(address, "://") {
		return address + " dbname=" + name, nil // of two the last counts
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", err
	}
	u.Path = "/" + name
	return u.String(), nil
}

// closeTime bounds Close.
const closeTime = 30 * time.Second

// Close removes database and keys.
func (s *Scratch) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTime)
	defer cancel()
	var faults []error
	if s.db != nil {
		faults = append(faults, s.db.Close())
	}
	_, err := s.server.ExecContext(ctx, `DROP DATABASE `+pq.QuoteIdentifier(s.name)+` WITH (FORCE)`)
	faults = append(faults, err, s.server.Close(), s.deleteKeys(ctx))
	return errors.Join(faults...)
}

// deleteKeys deletes all keys of the prefix, in a cluster at each master.
func (s *Scratch) deleteKeys(ctx context.Context) error {
	cluster, ok := s.redis.(*redis.ClusterClient)
	if !ok {
		return s.deleteKeysAt(ctx, s.redis)
	}
	var mu sync.Mutex // so that the masters are asked one after the other
	return cluster.ForEachMaster(ctx, func(ctx context.Context, master *redis.Client) error {
		mu.Lock()
		defer mu.Unlock()
		return s.deleteKeysAt(ctx, master)
	})
}

func (s *Scratch) deleteKeysAt(ctx context.Context, server redis.Cmdable) error {
	const page = 1000
	found := server.Scan(ctx, 0, s.Prefix+"*", page).Iterator()
	for found.Next(ctx) {
		if err := s.redis.Unlink(ctx, found.Val()).Err(); err != nil {
			return err
		}
	}
	return found.Err()
}

// Prepare implements rush.Installation. Diners need no account: their token is their id.
func (s *Scratch) Prepare(ctx context.Context, o rush.Options) (rush.Stage, error) {
	var stage rush.Stage
	const date, slotMinutes = "2030-01-01", 15
	for i := range o.Restaurants {
		id := int64(i + 1)
		if _, err := s.db.ExecContext(ctx, `INSERT INTO restaurants (id, capacity) VALUES ($1, $2)`, id,
			o.Seats); err != nil {
			return stage, err
		}
		restaurant := rush.Restaurant{ID: id}
		slots, _ := o.Share(i)
		for j := range slots {
			at := time.Duration(j*slotMinutes) * time.Minute
			restaurant.Slots = append(restaurant.Slots,
				rush.Slot{RestaurantID: id, Date: date, Time: time.Time{}.Add(at).Format("15:04")})
		}
		stage.Restaurants = append(stage.Restaurants, restaurant)
	}
	for i := range o.Diners {
		id := "diner-" + strconv.Itoa(i)
		stage.Diners = append(stage.Diners, rush.Diner{UserID: id, Token: id})
	}
	return stage, nil
}

// Seats implements rush.Installation.
func (s *Scratch) Seats(ctx context.Context, _ rush.Stage) ([]rush.Seats, error) {
	rows, err := s.db.QueryContext(ctx, `
		SELECT s.capacity, coalesce(sum(r.party_size), 0)
		FROM slots s
		LEFT JOIN reservations r ON r.slot_id = s.id AND r.`+holdsSeats+`
		GROUP BY s.id, s.capacity`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []rush.Seats
	for rows.Next() {
		var one rush.Seats
		if err := rows.Scan(&one.Capacity, &one.Held); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// Decisions implements rush.Installation. There are no numbers in a line but those of the reservations.
func (s *Scratch) Decisions(ctx context.Context, slot rush.Slot) ([]rush.Decision, error) {
	rows, err := s.db.QueryContext(ctx, `
		SELECT r.id, r.created_at
		FROM slots s
		JOIN reservations r ON r.slot_id = s.id
		WHERE s.restaurant_id = $1 AND s.service_date = $2::date AND s.service_time = $3::time
		ORDER BY r.id`, slot.RestaurantID, slot.Date, slot.Time)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []rush.Decision
	for rows.Next() {
		var one rush.Decision
		if err := rows.Scan(&one.Arrival, &one.At); err != nil {
			return nil, err
		}
		one.ReservationID = strconv.FormatInt(one.Arrival, 10)
		all = append(all, one)
	}
	return all, rows.Err()
}

// Arrival implements rush.Installation: nobody has a ticket.
func (s *Scratch) Arrival(string, string) (int64, bool) { return 0, false }

// Free implements rush.Installation: all goes with Close.
func (s *Scratch) Free(context.Context, rush.Stage) error { return nil }
