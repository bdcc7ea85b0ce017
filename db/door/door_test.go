package door_test

import (
	"errors"
	"sync"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/door"
	"lunchgo/db/dbtest"
	dbdoor "lunchgo/db/door"
	"lunchgo/db/testkit"
)

// Parties get the next number of their day, a repeat the same one; what becomes of them is stored, and who was passed
// over is counted while it waits.
func TestDoor_JoinsAndSteps(t *testing.T) {
	t.Parallel()
	d := testkit.NewDoorway(t)
	first, second := d.MustJoin(t, "a"), d.MustJoin(t, "b")
	if again := d.MustJoin(t, "a"); again != first || first.Number != 1 || second.Number != 2 {
		t.Errorf("first %+v, again %+v, second %+v", first, again, second)
	}
	other := d.Party("a")
	other.PartySize = 3
	if _, err := d.Store.Join(t.Context(), other); !errors.Is(err, booking.ErrKeyReused) {
		t.Errorf("another party under the same key: %v", err)
	}
	call := d.Step(second, 0, door.Called)
	call.PassedOver = []string{first.ID}
	dbtest.Must(t, d.Store.Take(t.Context(), call))
	for _, c := range []struct {
		state door.State
		want  error
	}{{door.Called, booking.ErrWrongState}, {door.Waiting, nil}, {door.Waiting, booking.ErrWrongState}, {door.Called, nil},
		{door.Gone, nil}, {door.Gone, booking.ErrWrongState}, {door.Waiting, nil}} {
		if err := d.Store.Take(t.Context(), d.Step(second, 0, c.state)); !errors.Is(err, c.want) {
			t.Errorf("to %s: %v, want %v", c.state, err, c.want)
		}
	}
	dbtest.Must(t, d.Store.Take(t.Context(), d.Step(first, 0, door.Left)))
	if err := d.Store.Take(t.Context(), d.Step(first, 0, door.Left)); !errors.Is(err, booking.ErrWrongState) {
		t.Errorf("leaves twice: %v", err)
	}
	foreign := d.Step(second, 0, door.Called)
	foreign.RestaurantID++
	if err := d.Store.Take(t.Context(), foreign); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("another restaurant's: %v", err)
	}
	all, err := d.Store.ListParties(t.Context(), d.Restaurant.ID, first.Date)
	if err != nil || len(all) != 2 || all[0].State != door.Left || all[0].Passed != 1 || all[1].State != door.Waiting ||
		!all[1].CalledAt.IsZero() || !all[1].EndedAt.IsZero() {
		t.Errorf("parties: %+v, %v", all, err)
	}
	if n := d.Count(t, `SELECT count(*) FROM audit_log WHERE action LIKE 'door.%'`); n != 7 {
		t.Errorf("%d acts, want 7", n)
	}
}

// The queue has an end.
func TestDoor_IsFull(t *testing.T) {
	t.Parallel()
	d := testkit.NewDoorway(t)
	p := d.Party("")
	d.MustExec(t, `
		INSERT INTO door_parties (id, restaurant_id, service_date, number, staff_id, idempotency_key, party_size)
		SELECT n, $1, $2::date, n, $3, n, 2
		FROM generate_series(1, $4::int) n`, p.RestaurantID, string(p.Date), p.StaffID, door.MaxWaiting)
	if _, err := d.Store.Join(t.Context(), d.Party("a")); !errors.Is(err, door.ErrFull) {
		t.Errorf("one too many: %v", err)
	}
	p.ID = "7"
	dbtest.Must(t, d.Store.Take(t.Context(), d.Step(p, 0, door.Left)))
	if p := d.MustJoin(t, "a"); p.Number != door.MaxWaiting+1 {
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
			d := testkit.NewDoorway(t)
			p, want := d.MustJoin(t, "a"), 1
			if together := dbtest.Meeting(2); guarded {
				d.Weaken(dbdoor.LockDoorRow, together)
			} else {
				d.Weaken(dbdoor.LockDoorRow, dbtest.Replacing("FOR UPDATE", ""))
				d.Weaken(dbdoor.UpdateDoorParty, together)
				want = 2
			}
			got := bothHosts(func(host int) error { return d.Store.Take(t.Context(), d.Step(p, host, door.Called)) })
			if n := d.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'door.called'`); got != want ||
				n != want {
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
			d := testkit.NewDoorway(t)
			p, want := d.MustJoin(t, "a"), 1
			d.Weaken(dbdoor.LockDoorRow, dbtest.Meeting(2))
			if !guarded {
				d.Weaken(dbdoor.ClaimDoorParty, dbtest.Replacing("claimed_by = $2 OR", "true OR"))
				want = 2
			}
			got := bothHosts(func(host int) error {
				_, err := d.Store.Claim(t.Context(), d.Step(p, host, door.Seated))
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
	d := testkit.NewDoorway(t)
	p := d.MustJoin(t, "a")
	claim := func(host, attempt int, want error) door.Claim {
		t.Helper()
		c, err := d.Store.Claim(t.Context(), d.Step(p, host, door.Seated))
		if !errors.Is(err, want) || err == nil && c.Attempt != attempt {
			t.Fatalf("host %d: attempt %d, %v, want %d, %v", host, c.Attempt, err, attempt, want)
		}
		return c
	}
	claim(0, 0, nil)
	mine := claim(0, 0, nil)
	claim(1, 0, door.ErrBusy)
	d.MustExec(t, `UPDATE door_parties SET claimed_at = now() - interval '29 minutes'`) // its ticket may wait still
	claim(1, 0, door.ErrBusy)
	dbtest.Must(t, d.Store.Release(t.Context(), mine))
	claim(1, 1, nil)
	d.MustExec(t, `UPDATE door_parties SET claimed_at = now() - interval '31 minutes'`)
	last := claim(0, 2, nil)

	id := tableOf(t, d, last)
	found, err := d.Store.FindParty(t.Context(), p.ID)
	if err != nil || found.State != door.Seated || found.ReservationID != id {
		t.Errorf("found %+v, %v", found, err)
	}
	d.MustExec(t, `UPDATE door_parties SET claimed_at = now() - interval '31 minutes'`)
	claim(1, 0, booking.ErrWrongState)
	claim(0, 0, booking.ErrWrongState)
	if err := d.Store.Take(t.Context(), d.Step(p, 1, door.Gone)); !errors.Is(err, booking.ErrWrongState) {
		t.Errorf("marked as gone: %v", err)
	}
	dbtest.Must(t, d.Store.Seat(t.Context(), last, id, nil))
	if n := d.Count(t, `SELECT count(*) FROM door_parties WHERE state = 'seated' AND reservation_id = $1`, id); n != 1 {
		t.Error("it is not noted")
	}
}

// tableOf makes the reservation of a claim.
func tableOf(t *testing.T, d testkit.Doorway, c door.Claim) string {
	t.Helper()
	req := d.Request(c.By, d.Slot("19:00"))
	req.DepositAmount, req.IdempotencyKey = 0, door.KeyOf(c.ID, c.Attempt)
	req.Guest = &booking.Guest{Name: "김하늘", Source: booking.WalkIn, State: booking.Seated}
	return d.Reserve(t, req)
}

// Nobody marks a party as gone while a host seats it, nor does it leave. One that has got a table sits there, whatever
// was said of it; that is written down once, with how many were passed over.
func TestDoor_ClaimKeepsTheParty(t *testing.T) {
	t.Parallel()
	d := testkit.NewDoorway(t)
	first, p := d.MustJoin(t, "a"), d.MustJoin(t, "b")
	claim, err := d.Store.Claim(t.Context(), d.Step(p, 0, door.Seated))
	dbtest.Must(t, err)
	for _, state := range []door.State{door.Called, door.Gone} {
		if err := d.Store.Take(t.Context(), d.Step(p, 1, state)); !errors.Is(err, door.ErrBusy) {
			t.Errorf("to %s: %v", state, err)
		}
	}
	if err := d.Store.Take(t.Context(), d.Step(p, 0, door.Left)); !errors.Is(err, door.ErrBusy) {
		t.Errorf("leaves: %v", err)
	}
	d.MustExec(t, `UPDATE door_parties SET claimed_at = now() - interval '31 minutes' WHERE id = $1`, p.ID)
	dbtest.Must(t, d.Store.Take(t.Context(), d.Step(p, 1, door.Gone)))
	id := tableOf(t, d, claim)
	for range 2 {
		dbtest.Must(t, d.Store.Seat(t.Context(), claim, id, []string{first.ID}))
	}
	if err := d.Store.Seat(t.Context(), claim, "another", nil); !errors.Is(err, booking.ErrWrongState) {
		t.Errorf("another table: %v", err)
	}
	if found, err := d.Store.FindParty(t.Context(), p.ID); err != nil || found.State != door.Seated ||
		found.ReservationID != id {
		t.Errorf("found %+v, %v", found, err)
	}
	if n := d.Count(t, `
		SELECT count(*) FROM audit_log WHERE action = 'door.seated' AND (detail ->> 'passedOver')::int = 1`); n != 1 {
		t.Errorf("%d acts, want 1", n)
	}
	if found, err := d.Store.FindParty(t.Context(), first.ID); err != nil || found.Passed != 1 {
		t.Errorf("passed over: %+v, %v", found, err)
	}
}

// A key is that of a host at one restaurant.
func TestDoor_KeyAtAnotherRestaurant(t *testing.T) {
	t.Parallel()
	d := testkit.NewDoorway(t)
	d.MustJoin(t, "a")
	other := d.Party("a")
	other.RestaurantID = d.AnotherRestaurant(t)
	if p, err := d.Store.Join(t.Context(), other); err != nil || p.RestaurantID != other.RestaurantID || p.Number != 1 {
		t.Errorf("joined as %+v, %v", p, err)
	}
}

// Parties are deleted with what they have said when their day is over, by the clock of the restaurant.
func TestDoor_Forgets(t *testing.T) {
	t.Parallel()
	d := testkit.NewDoorway(t)
	today := d.MustJoin(t, "today")
	old := d.MustJoin(t, "old")
	const local = `(now() AT TIME ZONE (SELECT time_zone FROM restaurants WHERE id = $2) - interval '4 hours')::date`
	d.MustExec(t, `UPDATE door_parties SET service_date = `+local+` WHERE id = $1`, today.ID, d.Restaurant.ID)
	d.MustExec(t, `UPDATE door_parties SET service_date = `+local+` - 1 WHERE id = $1`, old.ID, d.Restaurant.ID)
	if n, err := d.Store.Forget(t.Context(), 10); err != nil || n != 1 {
		t.Errorf("%d deleted, %v", n, err)
	}
	if _, err := d.Store.FindParty(t.Context(), today.ID); err != nil {
		t.Errorf("today's: %v", err)
	}
	if _, err := d.Store.FindParty(t.Context(), old.ID); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("yesterday's: %v", err)
	}
}
