package db_test

import (
	"errors"
	"testing"
	"time"

	"github.com/lib/pq"

	"lunchgo/app/booking"
	"lunchgo/db/dbtest"
	"lunchgo/db/testkit"
)

// refusalOf serves a request alone and returns why it was refused; nil if it was not.
func (h *harness) refusalOf(t *testing.T, req booking.Request) error {
	t.Helper()
	outcomes, _, err := h.Slots.Serve(t.Context(), h.TurnOf(req, 1_000, 0), []booking.Request{req})
	dbtest.Must(t, err)
	return outcomes[0].Err
}

// overlaps fails the test unless an error says that a reservation is in the way.
func overlaps(t *testing.T, what string, err error, reservation string) {
	t.Helper()
	var overlapping *booking.OverlappingError
	if !errors.As(err, &overlapping) || overlapping.ReservationID != reservation {
		t.Errorf("%s: %v, want one that overlaps %s", what, err, reservation)
	}
}

// Reservations overlap by the instant, whatever the clocks of their restaurants say, and for as long as a party stays.
func TestLimits_OverlapAcrossZonesAndStays(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diner := h.Diners(t, 1, 0)[0]
	long := h.Request(diner, h.Slot("12:00")) // in Seoul, until 14:00
	long.Stay = []booking.TimeOfDay{"13:00"}
	id := h.Reserve(t, long)
	overlaps(t, "the second hour", h.refusalOf(t, h.Request(diner, h.Slot("13:30"))), id)
	zone, err := time.LoadLocation("America/New_York")
	dbtest.Must(t, err)
	abroad := testkit.Restaurant()
	abroad.Slug, abroad.Location = "abroad", zone
	h.Open(t, abroad)
	evening := h.Slot("23:30") // of the day before; 12:30 in Seoul
	evening.Date = evening.Date.AddDays(-1)
	overlaps(t, "the same instant abroad", h.refusalOf(t, h.Request(diner, evening)), id)
	if err := h.refusalOf(t, h.Request(diner, h.Slot("12:00"))); err != nil {
		t.Errorf("the same clock abroad: %v", err)
	}
	checkBalances(t, h)
}

// A slot in which a hold has expired takes the diner's next one after the length of a hold, also where the hold was
// moved away before, or is to be moved there, or was extended.
func TestLimits_HeldRecently(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diner := h.Diners(t, 1, 0)[0]
	recently := func(what string, err error) {
		t.Helper()
		var held *booking.HeldRecentlyError
		if !errors.As(err, &held) {
			t.Errorf("%s: %v", what, err)
		}
	}
	id := h.Reserve(t, h.Request(diner, h.Slot("12:00")))
	if _, err := h.Change(t, id, func(req *booking.Request) { req.Slot = h.Slot("14:00") }); err != nil {
		t.Fatal(err)
	}
	h.MustExec(t, `UPDATE reservations SET hold_expires_at = clock_timestamp() WHERE id = $1`, id)
	h.sweepHolds(t)
	recently("where it expired", h.refusalOf(t, h.Request(diner, h.Slot("14:00"))))
	recently("where it was before", h.refusalOf(t, h.Request(diner, h.Slot("12:00"))))
	other := h.Reserve(t, h.Request(diner, h.Slot("18:00")))
	_, err := h.Change(t, other, func(req *booking.Request) { req.Slot, req.HoldTime = h.Slot("14:00"), 7*time.Minute })
	recently("by a change", err)
	if err := h.refusalOf(t, h.Request(h.Diners(t, 1, 0)[0], h.Slot("14:00"))); err != nil {
		t.Errorf("somebody else: %v", err)
	}
	h.MustExec(t, `UPDATE reservations SET hold_expires_at = hold_expires_at - interval '7 minutes' WHERE id = $1`, id)
	if err := h.refusalOf(t, h.Request(diner, h.Slot("14:00"))); err != nil {
		t.Errorf("after the length of a hold: %v", err)
	}
}

// A change does not make two reservations overlap, and a payment that comes too late does not either: its money goes
// back.
func TestLimits_ChangesAndLatePaymentsDoNotOverlap(t *testing.T) {
	t.Parallel()
	h := setup(t)
	late, diner := h.expired(t, h.Slot("12:00"), 100_000)
	now := h.Reserve(t, h.Request(diner, h.Slot("12:30")))
	if got, err := h.Pay(t, late, diner, booking.Deposit, "pay"); !errors.Is(err, booking.ErrReturned) ||
		got.State != booking.Expired {
		t.Errorf("the late payment: %+v, %v", got, err)
	}
	if balance := h.balance(t, diner); balance != 100_000 {
		t.Errorf("%d won are left of 100,000", balance)
	}
	other := h.Reserve(t, h.Request(diner, h.Slot("18:00")))
	_, err := h.Change(t, other, func(req *booking.Request) { req.Slot = h.Slot("13:00") })
	overlaps(t, "the change", err, now)
	checkBalances(t, h)
}

// Who has a reservation at that time by now is offered nothing, and keeps nothing from those behind.
func TestLimits_OffersDoNotOverlap(t *testing.T) {
	t.Parallel()
	h := setup(t)
	w := newWaitlist(t, h, "12:00")
	first, second := w.join(t, 2), w.join(t, 2)
	h.Reserve(t, h.Request(first.UserID, h.Slot("12:30")))
	w.cancel(t, 0)
	w.offer(t)
	w.is(t, first, booking.EntryLeft)
	w.offer(t)
	w.is(t, second, booking.EntryOffered)
	for _, at := range []booking.TimeOfDay{"14:00", "16:00", "18:00"} {
		if err := h.refusalOf(t, h.Request(second.UserID, h.Slot(at))); err != nil {
			t.Errorf("an offer counts as a hold: %v", err)
		}
	}
	overlaps(t, "a press at the time of an offer", h.refusalOf(t, h.Request(second.UserID, h.Slot("12:30"))),
		w.offerOf(t, second))
	checkBalances(t, h)
}

// Accounts whose address is not confirmed hold a share of a slot together, also by changes, and extend no hold; with the
// address confirmed they do.
func TestLimits_OfUnconfirmedAccountsTogether(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diners := h.Diners(t, 4, 0)
	h.MustExec(t, `UPDATE users SET email_confirmed_at = NULL`)
	reserve := func(diner string, size int) (string, error) {
		t.Helper()
		req := h.Request(diner, h.Slot("19:00"))
		req.PartySize, req.Policy.ExtensionMinutes = size, 5
		outcomes, _, err := h.Slots.Serve(t.Context(), h.TurnOf(req, 10, 0), []booking.Request{req})
		dbtest.Must(t, err)
		return outcomes[0].ReservationID, outcomes[0].Err
	}
	full := &booking.TooManyHoldsError{Limit: 5, Reason: booking.TooManyInSlot}
	var many *booking.TooManyHoldsError
	first, err := reserve(diners[0], 3)
	dbtest.Must(t, err)
	if _, err := reserve(diners[1], 3); !errors.As(err, &many) || *many != *full {
		t.Errorf("6 of 10 covers: %v", err)
	}
	if _, err := reserve(diners[1], 2); err != nil {
		t.Errorf("5 of 10 covers: %v", err)
	}
	larger := func(req *booking.Request) { req.PartySize = 4 }
	if _, err := h.Change(t, first, larger); !errors.As(err, &many) || *many != *full {
		t.Errorf("6 of 10 by a change: %v", err)
	}
	if _, err := h.Reservations.Extend(t.Context(), first, diners[0]); !errors.Is(err, booking.ErrUnconfirmed) {
		t.Errorf("extended by an account without a confirmed address: %v", err)
	}
	h.MustExec(t, `UPDATE users SET email_confirmed_at = now() WHERE id = ANY ($1)`, pq.StringArray(diners[:3]))
	if _, err := reserve(diners[2], 4); err != nil {
		t.Errorf("with a confirmed address: %v", err)
	}
	if _, err := h.Reservations.Extend(t.Context(), first, diners[0]); err != nil {
		t.Errorf("extended with a confirmed address: %v", err)
	}
	checkBalances(t, h)
}

// What a press can learn of the limits before it waits is what its turn would say.
func TestCheckHolds_SaysWhatTheTurnWould(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diner := h.Diners(t, 1, 0)[0]
	check := func(at booking.TimeOfDay) error { return h.Slots.CheckHolds(t.Context(), h.Request(diner, h.Slot(at))) }
	if err := check("12:00"); err != nil {
		t.Errorf("with nothing: %v", err)
	}
	first := h.Reserve(t, h.Request(diner, h.Slot("12:00")))
	var many *booking.TooManyHoldsError
	h.MustExec(t, `UPDATE users SET email_confirmed_at = NULL WHERE id = $1`, diner)
	if err := check("14:00"); !errors.As(err, &many) || many.Reason != booking.TooManyUnconfirmed {
		t.Errorf("one hold of an unconfirmed account: %v", err)
	}
	h.MustExec(t, `UPDATE users SET email_confirmed_at = now() WHERE id = $1`, diner)
	for _, at := range []booking.TimeOfDay{"14:00", "16:00"} {
		if err := check(at); err != nil {
			t.Errorf("at %s: %v", at, err)
		}
		h.Reserve(t, h.Request(diner, h.Slot(at)))
	}
	if err := check("18:00"); !errors.As(err, &many) || many.Reason != booking.TooManyHolds {
		t.Errorf("three holds: %v", err)
	}
	if err := check("12:00"); err != nil {
		t.Errorf("where the diner has one, the turn answers: %v", err)
	}
	h.MustExec(t, `UPDATE reservations SET hold_expires_at = clock_timestamp() WHERE id = $1`, first)
	h.sweepHolds(t)
	var recently *booking.HeldRecentlyError
	if err := check("12:00"); !errors.As(err, &recently) {
		t.Errorf("where a hold has just expired: %v", err)
	}
}
