package against

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
)

const (
	// poolSize is how many connections to the database a server has.
	poolSize = 10
	// connectionTime bounds the wait for one of them. It is a little less than diners wait for an answer.
	connectionTime = 28 * time.Second
)

// schema is what the designs keep. A slot's row is made by the first reservation.
const schema = `
	CREATE TABLE restaurants (
		id       bigint PRIMARY KEY,
		capacity integer NOT NULL
	);
	CREATE TABLE slots (
		id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
		restaurant_id bigint NOT NULL,
		service_date  date NOT NULL,
		service_time  time NOT NULL,
		capacity      integer NOT NULL,
		CONSTRAINT slots_one_per_time UNIQUE (restaurant_id, service_date, service_time)
	);
	CREATE TABLE reservations (
		id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
		slot_id    bigint NOT NULL,
		user_id    text NOT NULL,
		party_size integer NOT NULL,
		state      text NOT NULL,
		created_at timestamptz NOT NULL DEFAULT clock_timestamp()
	);
	CREATE UNIQUE INDEX reservations_one_live ON reservations (slot_id, user_id) WHERE ` + holdsSeats + `;`

// holdsSeats says which states hold their seats.
const holdsSeats = `state IN ('temporary', 'confirmed', 'prepaid_confirmed', 'refund_pending')`

// The statements of a reservation.
const (
	findSlot = `
		SELECT id, capacity
		FROM slots
		WHERE restaurant_id = $1 AND service_date = $2::date AND service_time = $3::time`
	lockSlot = findSlot + ` FOR UPDATE`
	makeSlot = `
		INSERT INTO slots (restaurant_id, service_date, service_time, capacity)
		SELECT id, $2::date, $3::time, capacity
		FROM restaurants
		WHERE id = $1
		ON CONFLICT ON CONSTRAINT slots_one_per_time DO NOTHING`
	sumSeats = `
		SELECT coalesce(sum(party_size), 0)
		FROM reservations
		WHERE slot_id = $1 AND ` + holdsSeats
	insertReservation = `
		INSERT INTO reservations (slot_id, user_id, party_size, state)
		VALUES ($1, $2, $3, 'temporary')
		RETURNING id`
	readPage = `SELECT count(*) FROM restaurants`
)

// seats books in the database. Connections are given in the order in which they are asked for: of those who wait for
// one, database/sql takes any.
type seats struct {
	db     *sql.DB
	free   chan struct{}
	inUse  atomic.Int64
	most   atomic.Int64 // connections in use at once
	find   *sql.Stmt
	lock   *sql.Stmt
	make   *sql.Stmt
	sum    *sql.Stmt
	insert *sql.Stmt
	page   *sql.Stmt
}

func openSeats(ctx context.Context, databaseURL string) (*seats, error) {
	config, err := pq.NewConfig(databaseURL)
	if err != nil {
		return nil, err
	}
	if config.Runtime == nil {
		config.Runtime = map[string]string{}
	}
	config.Runtime["plan_cache_mode"] = "force_generic_plan" // as the product has it
	connector, err := pq.NewConnectorConfig(config)
	if err != nil {
		return nil, err
	}
	s := &seats{db: sql.OpenDB(connector), free: make(chan struct{}, poolSize)}
	s.db.SetMaxOpenConns(poolSize)
	s.db.SetMaxIdleConns(poolSize)
	for statement, query := range map[**sql.Stmt]string{ // in any order
		&s.find: findSlot, &s.lock: lockSlot, &s.make: makeSlot, &s.sum: sumSeats, &s.insert: insertReservation,
		&s.page: readPage,
	} {
		if *statement, err = s.db.PrepareContext(ctx, query); err != nil {
			return nil, errors.Join(err, s.db.Close())
		}
	}
	if err := s.warmUp(ctx); err != nil {
		return nil, errors.Join(err, s.db.Close())
	}
	return s, nil
}

// warmUp opens all connections, with the statements prepared, so that the first diners do not wait for that.
func (s *seats) warmUp(ctx context.Context) error {
	for range poolSize {
		tx, err := s.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }()
		for _, statement := range []*sql.Stmt{s.find, s.lock, s.make, s.sum, s.insert, s.page} {
			tx.StmtContext(ctx, statement)
		}
	}
	return nil
}

// take takes a connection, or returns errBusy. Give it back.
func (s *seats) take() error {
	select {
	case s.free <- struct{}{}:
	default:
		limit := time.NewTimer(connectionTime)
		defer limit.Stop()
		select {
		case s.free <- struct{}{}:
		case <-limit.C:
			return errBusy
		}
	}
	for n := s.inUse.Add(1); ; {
		most := s.most.Load()
		if n <= most || s.most.CompareAndSwap(most, n) {
			return nil
		}
	}
}

func (s *seats) giveBack() {
	s.inUse.Add(-1)
	<-s.free
}

// book makes a reservation in one transaction, if the seats are there: it reads the slot, adds up what is held, and
// inserts. read is s.lock, which waits for the slot's row, or s.find, for who holds a lock elsewhere. beforeCommit is
// called with the seats that are left then; nil: nothing is.
func (s *seats) book(p press, read *sql.Stmt, beforeCommit func(left int)) (id string, err error) {
	if err := s.take(); err != nil {
		return "", err
	}
	defer s.giveBack()
	tx, err := s.db.BeginTx(background, nil)
	if err != nil {
		return "", fmt.Errorf("begin: %w", err)
	}
	defer func() {
		if err != nil {
			_ = tx.Rollback()
		}
	}()
	slot, capacity, err := s.slotOf(tx, p, read)
	if err != nil {
		return "", fmt.Errorf("read the slot: %w", err)
	}
	var held int
	if err := tx.Stmt(s.sum).QueryRow(slot).Scan(&held); err != nil {
		return "", fmt.Errorf("add up the seats: %w", err)
	}
	left := capacity - held - p.PartySize
	if left < 0 {
		return "", errSoldOut
	}
	var made int64
	err = tx.Stmt(s.insert).QueryRow(slot, p.UserID, p.PartySize).Scan(&made)
	if pq.As(err, pqerror.UniqueViolation) != nil {
		return "", errDuplicate
	}
	if err != nil {
		return "", fmt.Errorf("insert: %w", err)
	}
	if beforeCommit != nil {
		beforeCommit(left)
	}
	return strconv.FormatInt(made, 10), tx.Commit()
}

// readPage reads what some other page shows, with a connection of the same pool.
func (s *seats) readPage() error {
	if err := s.take(); err != nil {
		return err
	}
	defer s.giveBack()
	var n int
	return s.page.QueryRow().Scan(&n)
}

// slotOf reads a slot, and makes its row before if it is the first to ask.
func (s *seats) slotOf(tx *sql.Tx, p press, read *sql.Stmt) (id int64, capacity int, err error) {
	for range 2 {
		err = tx.Stmt(read).QueryRow(p.RestaurantID, p.Date, p.Time).Scan(&id, &capacity)
		if !errors.Is(err, sql.ErrNoRows) {
			return id, capacity, err
		}
		if _, err := tx.Stmt(s.make).Exec(p.RestaurantID, p.Date, p.Time); err != nil {
			return 0, 0, err
		}
	}
	return 0, 0, err
}
