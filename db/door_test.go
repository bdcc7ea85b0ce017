package db

import (
	"errors"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/door"
	"lunchgo/db/dbtest"
	dbdoor "lunchgo/db/door"
)

// doorway is a restaurant with a queue at its door, and two hosts.
type doorway struct {
	*harness
	store *dbdoor.Store
	hosts []string
}

func newDoorway(t *testing.T) doorway {
	t.Helper()
	h := setup(t)
	return doorway{h, dbdoor.NewStore(h.Pool), h.diners(t, 2, 0)}
}

func (d doorway) party(key string) door.Party {
	return door.Party{RestaurantID: d.restaurant.ID, Date: d.slot("19:00").Date, StaffID: d.hosts[0], Key: key,
		Name: "김하늘", Phone: "010-1234-5678", PartySize: 2}
}

func (d doorway) mustJoin(t *testing.T, key string) door.Party {
	t.Helper()
	p, err := d.store.Join(t.Context(), d.party(key))
	dbtest.Must(t, err)
	return p
}

func (d doorway) step(p door.Party, host int, state door.State) door.Step {
	return door.Step{RestaurantID: p.RestaurantID, PartyID: p.ID, StaffID: d.hosts[host], State: state,
		ClaimTime: 30 * time.Minute}
}

// Parties get the next number of their day, a repeat the same one; what becomes of them is stored, and who was passed
// over is counted while it waits.
func TestDoor_JoinsAndSteps(t *testing.T) {
	t.Parallel()
	d := newDoorway(t)
	first, second := d.mustJoin(t, "a"), d.mustJoin(t, "b")
	if again := d.mustJoin(t, "a"); again != first || first.Number != 1 || second.Number != 2 {
		t.Errorf("first %+v, again %+v, second %+v", first, again, second)
	}
	other := d.party("a")
	other.PartySize = 3
	if _, err := d.store.Join(t.Context(), other); !errors.Is(err, booking.ErrKeyReused) {
		t.Errorf("another party under the same key: %v", err)
	}
	call := d.step(second, 0, door.Called)
	call.PassedOver = []string{first.ID}
	dbtest.Must(t, d.store.Take(t.Context(), call))
	for _, c := range []struct {
		state door.State
		want  error
	}{{door.Called, booking.ErrWrongState}, {door.Waiting, nil}, {door.Waiting, booking.ErrWrongState}, {door.Called, nil},
		{door.Gone, nil}, {door.Gone, booking.ErrWrongState}, {door.Waiting, nil}} {
		if err := d.store.Take(t.Context(), d.step(second, 0, c.state)); !errors.Is(err, c.want) {
			t.Errorf("to %s: %v, want %v", c.state, err, c.want)
		}
	}
	dbtest.Must(t, d.store.Take(t.Context(), d.step(first, 0, door.Left)))
	if err := d.store.Take(t.Context(), d.step(first, 0, door.Left)); !errors.Is(err, booking.ErrWrongState) {
		t.Errorf("leaves twice: %v", err)
	}
	foreign := d.step(second, 0, door.Called)
	foreign.RestaurantID++
	if err := d.store.Take(t.Context(), foreign); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("another restaurant's: %v", err)
	}
	all, err := d.store.ListParties(t.Context(), d.restaurant.ID, first.Date)
	if err != nil || len(all) != 2 || all[0].State != door.Left || all[0].Passed != 1 || all[1].State != door.Waiting ||
		!all[1].CalledAt.IsZero() || !all[1].EndedAt.IsZero() {
		t.Errorf("parties: %+v, %v", all, err)
	}
	if n := d.count(t, `SELECT count(*) FROM audit_log WHERE action LIKE 'door.%'`); n != 7 {
		t.Errorf("%d acts, want 7", n)
	}
}

// The queue has an end.
func TestDoor_IsFull(t *testing.T) {
	t.Parallel()
	d := newDoorway(t)
	p := d.party("")
	d.mustExec(t, `
		INSERT INTO door_parties (id, restaurant_id, service_date, number, staff_id, idempotency_key, party_size)
		SELECT n, $1, $2::date, n, $3, n, 2
		FROM generate_series(1, $4::int) n`, p.RestaurantID, string(p.Date), p.StaffID, door.MaxWaiting)
	if _, err := d.store.Join(t.Context(), d.party("a")); !errors.Is(err, door.ErrFull) {
		t.Errorf("one too many: %v", err)
	}
	p.ID = "7"
	dbtest.Must(t, d.store.Take(t.Context(), d.step(p, 0, door.Left)))
	if p := d.mustJoin(t, "a"); p.Number != door.MaxWaiting+1 {
		t.Errorf("joined as %d", p.Number)
	}
}

// bothHosts has two hosts do the same with a party at once, and returns how many could.
func bothHosts(act func(host int) error) (could int) {
	var mu sync.Mutex
	var both sync.WaitGroup
	for host := range 2 {
		both.Go(func() {
			err := act(host)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				could++
			}
		})
	}
	both.Wait()
	return could
}

// Two hosts call the same party: one of them does. Without the lock both do.
func TestDoor_CalledOnce(t *testing.T) {
	t.Parallel()
	for name, guarded := range map[string]bool{"guarded": true, "control": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDoorway(t)
			p, want := d.mustJoin(t, "a"), 1
			if together := meeting(2); guarded {
				d.Weaken(dbdoor.LockDoorRow, together)
			} else {
				d.Weaken(dbdoor.LockDoorRow, replacing("FOR UPDATE", ""))
				d.Weaken(dbdoor.UpdateDoorParty, together)
				want = 2
			}
			got := bothHosts(func(host int) error { return d.store.Take(t.Context(), d.step(p, host, door.Called)) })
			if n := d.count(t, `SELECT count(*) FROM audit_log WHERE action = 'door.called'`); got != want || n != want {
				t.Errorf("%d called it, and %d are written down, want %d", got, n, want)
			}
		})
	}
}

// Two hosts seat the same party: one of them has the right to. Without the condition both have.
func TestDoor_ClaimedOnce(t *testing.T) {
	t.Parallel()
	for name, guarded := range map[string]bool{"guarded": true, "control": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDoorway(t)
			p, want := d.mustJoin(t, "a"), 1
			d.Weaken(dbdoor.LockDoorRow, meeting(2))
			if !guarded {
				d.Weaken(dbdoor.ClaimDoorParty, replacing("claimed_by = $2 OR", "true OR"))
				want = 2
			}
			got := bothHosts(func(host int) error {
				_, err := d.store.Claim(t.Context(), d.step(p, host, door.Seated))
				return err
			})
			if got != want {
				t.Errorf("%d may seat it, want %d", got, want)
			}
		})
	}
}

// A claim is the same for its host until it is released or its time is over. One whose reservation was made, and whose
// server ended before it said so, has seated the party.
func TestDoor_ClaimOutlivesItsServer(t *testing.T) {
	t.Parallel()
	d := newDoorway(t)
	p := d.mustJoin(t, "a")
	claim := func(host, attempt int, want error) door.Claim {
		t.Helper()
		c, err := d.store.Claim(t.Context(), d.step(p, host, door.Seated))
		if !errors.Is(err, want) || err == nil && c.Attempt != attempt {
			t.Fatalf("host %d: attempt %d, %v, want %d, %v", host, c.Attempt, err, attempt, want)
		}
		return c
	}
	claim(0, 0, nil)
	mine := claim(0, 0, nil)
	claim(1, 0, door.ErrBusy)
	d.mustExec(t, `UPDATE door_parties SET claimed_at = now() - interval '29 minutes'`) // its ticket may wait still
	claim(1, 0, door.ErrBusy)
	dbtest.Must(t, d.store.Release(t.Context(), mine))
	claim(1, 1, nil)
	d.mustExec(t, `UPDATE door_parties SET claimed_at = now() - interval '31 minutes'`)
	last := claim(0, 2, nil)

	id := d.tableOf(t, last)
	found, err := d.store.FindParty(t.Context(), p.ID)
	if err != nil || found.State != door.Seated || found.ReservationID != id {
		t.Errorf("found %+v, %v", found, err)
	}
	d.mustExec(t, `UPDATE door_parties SET claimed_at = now() - interval '31 minutes'`)
	claim(1, 0, booking.ErrWrongState)
	claim(0, 0, booking.ErrWrongState)
	if err := d.store.Take(t.Context(), d.step(p, 1, door.Gone)); !errors.Is(err, booking.ErrWrongState) {
		t.Errorf("marked as gone: %v", err)
	}
	dbtest.Must(t, d.store.Seat(t.Context(), last, id, nil))
	if n := d.count(t, `SELECT count(*) FROM door_parties WHERE state = 'seated' AND reservation_id = $1`, id); n != 1 {
		t.Error("it is not noted")
	}
}

// tableOf makes the reservation of a claim.
func (d doorway) tableOf(t *testing.T, c door.Claim) string {
	t.Helper()
	req := d.request(c.By, d.slot("19:00"))
	req.DepositAmount, req.IdempotencyKey = 0, door.KeyOf(c.ID, c.Attempt)
	req.Guest = &booking.Guest{Name: "김하늘", Source: booking.WalkIn, State: booking.Seated}
	return d.reserve(t, req)
}

// Nobody marks a party as gone while a host seats it, nor does it leave. One that has got a table sits there, whatever
// was said of it; that is written down once, with how many were passed over.
func TestDoor_ClaimKeepsTheParty(t *testing.T) {
	t.Parallel()
	d := newDoorway(t)
	first, p := d.mustJoin(t, "a"), d.mustJoin(t, "b")
	claim, err := d.store.Claim(t.Context(), d.step(p, 0, door.Seated))
	dbtest.Must(t, err)
	for _, state := range []door.State{door.Called, door.Gone} {
		if err := d.store.Take(t.Context(), d.step(p, 1, state)); !errors.Is(err, door.ErrBusy) {
			t.Errorf("to %s: %v", state, err)
		}
	}
	if err := d.store.Take(t.Context(), d.step(p, 0, door.Left)); !errors.Is(err, door.ErrBusy) {
		t.Errorf("leaves: %v", err)
	}
	d.mustExec(t, `UPDATE door_parties SET claimed_at = now() - interval '31 minutes' WHERE id = $1`, p.ID)
	dbtest.Must(t, d.store.Take(t.Context(), d.step(p, 1, door.Gone)))
	id := d.tableOf(t, claim)
	for range 2 {
		dbtest.Must(t, d.store.Seat(t.Context(), claim, id, []string{first.ID}))
	}
	if err := d.store.Seat(t.Context(), claim, "another", nil); !errors.Is(err, booking.ErrWrongState) {
		t.Errorf("another table: %v", err)
	}
	if found, err := d.store.FindParty(t.Context(), p.ID); err != nil || found.State != door.Seated ||
		found.ReservationID != id {
		t.Errorf("found %+v, %v", found, err)
	}
	if n := d.count(t, `
		SELECT count(*) FROM audit_log WHERE action = 'door.seated' AND (detail ->> 'passedOver')::int = 1`); n != 1 {
		t.Errorf("%d acts, want 1", n)
	}
	if found, err := d.store.FindParty(t.Context(), first.ID); err != nil || found.Passed != 1 {
		t.Errorf("passed over: %+v, %v", found, err)
	}
}

// A key is that of a host at one restaurant.
func TestDoor_KeyAtAnotherRestaurant(t *testing.T) {
	t.Parallel()
	d := newDoorway(t)
	d.mustJoin(t, "a")
	other := d.party("a")
	other.RestaurantID = d.anotherRestaurant(t)
	if p, err := d.store.Join(t.Context(), other); err != nil || p.RestaurantID != other.RestaurantID || p.Number != 1 {
		t.Errorf("joined as %+v, %v", p, err)
	}
}

// Parties are deleted with what they have said when their day is over, by the clock of the restaurant.
func TestDoor_Forgets(t *testing.T) {
	t.Parallel()
	d := newDoorway(t)
	today := d.mustJoin(t, "today")
	old := d.mustJoin(t, "old")
	const local = `(now() AT TIME ZONE (SELECT time_zone FROM restaurants WHERE id = $2) - interval '4 hours')::date`
	d.mustExec(t, `UPDATE door_parties SET service_date = `+local+` WHERE id = $1`, today.ID, d.restaurant.ID)
	d.mustExec(t, `UPDATE door_parties SET service_date = `+local+` - 1 WHERE id = $1`, old.ID, d.restaurant.ID)
	if n, err := d.store.Forget(t.Context(), 10); err != nil || n != 1 {
		t.Errorf("%d deleted, %v", n, err)
	}
	if _, err := d.store.FindParty(t.Context(), today.ID); err != nil {
		t.Errorf("today's: %v", err)
	}
	if _, err := d.store.FindParty(t.Context(), old.ID); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("yesterday's: %v", err)
	}
}
