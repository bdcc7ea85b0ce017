package db_test

import (
	"crypto/rand"
	"errors"
	"slices"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/mail"
	"lunchgo/app/reserve"
	"lunchgo/db"
	"lunchgo/db/dbtest"
	"lunchgo/db/letters"
)

// waitlist is a full slot of the fixture and those who wait for it.
type waitlist struct {
	*harness
	*db.WaitlistStore
	slot booking.SlotKey
	held []string // reservations of two seats each, by five diners
	by   []string // those diners
}

// newWaitlist fills the ten seats of a slot.
func newWaitlist(t testing.TB, h *harness, at booking.TimeOfDay) *waitlist {
	t.Helper()
	w := &waitlist{harness: h, WaitlistStore: db.NewWaitlistStore(h.Pool), slot: h.Slot(at), by: h.Diners(t, 5,
		1_000_000)}
	for _, id := range w.by {
		req := h.Request(id, w.slot)
		outcomes, _, err := h.Slots.Serve(t.Context(), h.Turn(w.slot, 10, 0), []booking.Request{req})
		if err != nil || !outcomes[0].Reserves() {
			t.Fatalf("%+v, %v", outcomes, err)
		}
		w.held = append(w.held, outcomes[0].ReservationID)
	}
	return w
}

// joinRequest returns a request to wait for the slot.
func (w *waitlist) joinRequest(userID string, party int) reserve.WaitRequest {
	return reserve.WaitRequest{UserID: userID, IdempotencyKey: "wait-" + rand.Text(), Slot: w.slot,
		Times: []booking.TimeOfDay{w.slot.Time}, PartySize: party, Capacity: 10,
		KeepBefore: time.Now().Add(2 * time.Hour)}
}

// join lets a new diner wait.
func (w *waitlist) join(t testing.TB, party int) booking.Entry {
	t.Helper()
	e, err := w.Join(t.Context(), w.joinRequest(w.Diners(t, 1, 1_000_000)[0], party))
	dbtest.Must(t, err)
	return e
}

// cancel lets the n-th of those who sit there cancel.
func (w *waitlist) cancel(t testing.TB, n int) {
	t.Helper()
	w.MustCancel(t, w.held[n], w.by[n])
}

// offer offers what is free.
func (w *waitlist) offer(t testing.TB) {
	t.Helper()
	if _, err := w.MakeOffers(t.Context(), w.Restaurant, w.slot); err != nil {
		t.Fatal(err)
	}
}

// is fails unless entries are in the states.
func (w *waitlist) is(t testing.TB, entry booking.Entry, state booking.EntryState) booking.Entry {
	t.Helper()
	now, err := w.FindEntry(t.Context(), entry.ID)
	if err != nil || now.State != state {
		t.Fatalf("the entry is %s, want %s; %v", now.State, state, err)
	}
	return now
}

func TestWaitlist_OffersInOrder(t *testing.T) {
	t.Parallel()
	w := newWaitlist(t, setup(t), "19:00")
	large, first, second := w.join(t, 3), w.join(t, 2), w.join(t, 2)
	w.offer(t)
	if e := w.is(t, second, booking.EntryWaiting); e.Ahead != 2 || e.SeatsAhead != 5 || e.Offer != nil {
		t.Errorf("the third reads %+v", e)
	}
	w.cancel(t, 0)
	w.offer(t)
	offered := w.is(t, first, booking.EntryOffered)
	if left := time.Until(offered.Offer.Deadline); offered.Offer.State != booking.Temporary || left < 9*time.Minute ||
		left > booking.OfferTime {
		t.Errorf("the offer is %+v and stands for %v", offered.Offer, left)
	}
	if e := w.is(t, large, booking.EntryWaiting); e.Passes != 1 {
		t.Errorf("passed %d times, want once", e.Passes)
	}
	r, err := w.Reservations.Find(t.Context(), offered.Offer.ReservationID)
	if err != nil || r.PartySize != 2 || r.UserID != offered.UserID || r.DepositAmount != 20_000 || r.Slot != w.slot {
		t.Errorf("offered %+v, %v", r, err)
	}
	w.cancel(t, 1)
	w.cancel(t, 2)
	w.offer(t)
	w.is(t, large, booking.EntryOffered)
	w.is(t, second, booking.EntryWaiting)
	checkBalances(t, w.harness)
}

func TestOffer_PassesToNext(t *testing.T) {
	t.Parallel()
	w := newWaitlist(t, setup(t), "19:00")
	first, second, third := w.join(t, 2), w.join(t, 2), w.join(t, 2)
	w.cancel(t, 0)
	w.offer(t)
	if _, err := w.Decline(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	w.offer(t)
	w.is(t, first, booking.EntryDeclined)
	w.is(t, second, booking.EntryOffered)
	w.MustExec(t, `UPDATE reservations SET hold_expires_at = now() - interval '1 second'
		WHERE id = (SELECT reservation_id FROM waitlist_entries WHERE id = $1)`, second.ID)
	if _, err := w.Reservations.ExpireHolds(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	w.offer(t)
	w.is(t, second, booking.EntryLapsed)
	w.is(t, third, booking.EntryOffered)
	for name, late := range map[string]func() error{
		"accept what was declined": func() error { _, err := w.Accept(t.Context(), first.ID); return err },
		"accept what has lapsed":   func() error { _, err := w.Accept(t.Context(), second.ID); return err },
		"decline what has lapsed":  func() error { _, err := w.Decline(t.Context(), second.ID); return err },
	} {
		if err := late(); !errors.Is(err, booking.ErrOfferOver) {
			t.Errorf("%s: %v, want %v", name, err, booking.ErrOfferOver)
		}
	}
	if e, err := w.Decline(t.Context(), first.ID); err != nil || e.State != booking.EntryDeclined {
		t.Errorf("declining twice: %+v, %v", e, err)
	}
	checkBalances(t, w.harness)
}

func TestOffer_AcceptedIsPaidLikeHold(t *testing.T) {
	t.Parallel()
	w := newWaitlist(t, setup(t), "19:00")
	entry, unanswered := w.join(t, 2), w.join(t, 2)
	w.cancel(t, 0)
	w.cancel(t, 1)
	w.offer(t)
	for range 2 {
		if e, err := w.Accept(t.Context(), entry.ID); err != nil || e.State != booking.EntryAccepted {
			t.Fatalf("accept: %+v, %v", e, err)
		}
	}
	for _, e := range []booking.Entry{entry, unanswered} { // whoever pays has accepted
		id := w.offerOf(t, e)
		order := booking.PaymentOrder{ReservationID: id, UserID: e.UserID, Kind: booking.Deposit,
			IdempotencyKey: "pay-" + id}
		if r, err := w.Reservations.Pay(t.Context(), order); err != nil || r.State != booking.Confirmed {
			t.Fatalf("pay: %+v, %v", r, err)
		}
		w.is(t, e, booking.EntryAccepted)
	}
	if _, err := w.Accept(t.Context(), entry.ID); err != nil {
		t.Errorf("accepting what is paid for: %v", err)
	}
	if _, err := w.Decline(t.Context(), entry.ID); !errors.Is(err, booking.ErrOfferOver) {
		t.Errorf("declining what is paid for: %v, want %v", err, booking.ErrOfferOver)
	}
	checkBalances(t, w.harness)
}

func (w *waitlist) offerOf(t testing.TB, entry booking.Entry) string {
	t.Helper()
	e, err := w.FindEntry(t.Context(), entry.ID)
	if err != nil || e.Offer == nil {
		t.Fatalf("%+v, %v", e, err)
	}
	return e.Offer.ReservationID
}

func TestOffer_WritesMail(t *testing.T) {
	t.Parallel()
	w := newWaitlist(t, setup(t), "19:00")
	entry := w.join(t, 2)
	w.cancel(t, 0)
	w.offer(t)
	notes, err := letters.NewMailStore(w.harness.Pool).TakeMails(t.Context(), 10)
	dbtest.Must(t, err)
	at := slices.IndexFunc(notes, func(n mail.Note) bool { return n.Kind == mail.Offer })
	if at < 0 || notes[at].Reservation.UserID != entry.UserID || notes[at].EntryID != entry.ID {
		t.Errorf("noted %+v", notes)
	}
}

func TestJoin_Refusals(t *testing.T) {
	t.Parallel()
	w := newWaitlist(t, setup(t), "19:00")
	diner := w.Diners(t, 1, 0)[0]
	req := w.joinRequest(diner, 2)
	made, err := w.Join(t.Context(), req)
	dbtest.Must(t, err)
	if again, err := w.Join(t.Context(), req); err != nil || again.ID != made.ID {
		t.Errorf("the same key again: %+v, %v", again, err)
	}
	other := req
	other.PartySize = 3
	open := w.joinRequest(w.Diners(t, 1, 0)[0], 2)
	open.Slot.Time, open.Times = "20:00", []booking.TimeOfDay{"20:00"}
	closed := w.joinRequest(w.Diners(t, 1, 0)[0], 2)
	closed.Slot.Time, closed.Times = "18:00", []booking.TimeOfDay{"18:00"}
	dbtest.Must(t, w.setClosed(t, closed.Slot, true, w.by[0]))
	without := w.joinRequest(w.Diners(t, 1, 0)[0], 2)
	without.Slot.Time, without.Times = "21:00", []booking.TimeOfDay{"21:00"}
	dbtest.Must(t, w.SetCapacity(t, without.Slot, 0, w.by[0]))
	for name, c := range map[string]struct {
		req  reserve.WaitRequest
		want error
	}{
		"where there are no seats":    {without, booking.ErrClosed},
		"the key for another party":   {other, booking.ErrKeyReused},
		"who waits already":           {w.joinRequest(diner, 2), booking.ErrAlreadyListed},
		"who sits there":              {w.joinRequest(w.by[0], 2), booking.ErrDuplicate},
		"where there are seats":       {open, booking.ErrSeatsAvailable},
		"where the slot is closed":    {closed, booking.ErrClosed},
		"more than the slot can take": {w.joinRequest(w.Diners(t, 1, 0)[0], 11), &booking.InvalidError{}},
	} {
		_, err := w.Join(t.Context(), c.req)
		var invalid *booking.InvalidError
		if !errors.Is(err, c.want) && !(errors.As(c.want, &invalid) && errors.As(err, &invalid)) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if n := w.Count(t, `SELECT count(*) FROM waitlist_entries`); n != 1 {
		t.Errorf("%d entries, want 1", n)
	}
}

func TestLeave(t *testing.T) {
	t.Parallel()
	w := newWaitlist(t, setup(t), "19:00")
	leaves, sits, stays := w.join(t, 2), w.join(t, 2), w.join(t, 2)
	if _, err := w.Leave(t.Context(), leaves.ID, stays.UserID); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("leaving for another: %v", err)
	}
	for range 2 {
		if e, err := w.Leave(t.Context(), leaves.ID, leaves.UserID); err != nil || e.State != booking.EntryLeft {
			t.Errorf("leave: %+v, %v", e, err)
		}
	}
	w.MustExec(t, `UPDATE slots SET capacity = 14`) // two for who waits, two for who presses
	outcomes, after, err := w.Slots.Serve(t.Context(), w.Turn(w.slot, 10, 1),
		[]booking.Request{w.Request(sits.UserID, w.slot)})
	if err != nil || !outcomes[0].Reserves() || after[0].Waitlisted != 1 {
		t.Fatalf("%+v, %+v, %v", outcomes, after, err)
	}
	w.is(t, sits, booking.EntryLeft)
	w.is(t, stays, booking.EntryWaiting)
	checkBalances(t, w.harness)
}

// A waitlist ends when its slot takes no more reservations.
func TestWaitlist_EndsWithSlot(t *testing.T) {
	t.Parallel()
	w := newWaitlist(t, setup(t), "19:00")
	entry := w.join(t, 2)
	w.cancel(t, 0)
	w.MustExec(t, `UPDATE slots SET service_date = (now() AT TIME ZONE 'Asia/Seoul')::date - 1`)
	w.slot.Date = booking.DateOf(time.Now(), w.Restaurant.Location).AddDays(-1)
	if due, err := w.ListDue(t.Context()); err != nil || !slices.Contains(due, w.slot) {
		t.Errorf("due are %v, %v", due, err)
	}
	w.offer(t)
	w.is(t, entry, booking.EntryOver)
	if due, err := w.ListDue(t.Context()); err != nil || len(due) != 0 {
		t.Errorf("due are %v, %v", due, err)
	}
}
