package db_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/mail"
	"lunchgo/db"
	"lunchgo/db/dbtest"
)

// away makes a hold for a diner who is away: it has seven minutes, and so long while it is unseen.
func (h *harness) away(t testing.TB, slot booking.SlotKey, unseen time.Duration) (id, diner string) {
	t.Helper()
	diner = h.Diners(t, 1, 0)[0]
	req := h.Ordering(diner, slot, 2)
	req.UnseenTime = unseen
	return h.Reserve(t, req), diner
}

// mustFind reads a reservation, and how long its hold lasts from when it was made.
func (h *harness) mustFind(t testing.TB, id string) (r booking.Reservation, hold time.Duration) {
	t.Helper()
	r, err := h.Reservations.Find(t.Context(), id)
	dbtest.Must(t, err)
	return r, r.HoldExpiresAt.Sub(r.CreatedAt).Round(time.Second)
}

func (h *harness) mustSee(t testing.TB, ids ...string) {
	t.Helper()
	dbtest.Must(t, h.Reservations.SeeHolds(t.Context(), ids))
}

// The deadline of an unseen hold is the earlier one; once it is seen, the full one, whatever is seen again.
func TestSeeHolds_AHoldLastsInFullOnceItIsSeen(t *testing.T) {
	t.Parallel()
	h := setup(t)
	for at, c := range map[booking.TimeOfDay]struct{ unseen, before time.Duration }{
		"18:00": {3 * time.Minute, 3 * time.Minute},
		"18:30": {time.Hour, 7 * time.Minute},
	} {
		id, _ := h.away(t, h.Slot(at), c.unseen)
		if r, hold := h.mustFind(t, id); !r.IsUnseen() || hold != c.before {
			t.Errorf("unseen for at most %v: it lasts %v, unseen: %v", c.unseen, hold, r.IsUnseen())
		}
		for range 2 {
			h.mustSee(t, id)
			if r, hold := h.mustFind(t, id); r.IsUnseen() || hold != 7*time.Minute {
				t.Errorf("once it is seen it lasts %v, unseen: %v", hold, r.IsUnseen())
			}
		}
	}
	watching := h.Request(h.Diners(t, 1, 0)[0], h.Slot("19:00"))
	if r, hold := h.mustFind(t, h.Reserve(t, watching)); r.IsUnseen() || hold != 7*time.Minute {
		t.Errorf("of a diner who watches it lasts %v, unseen: %v", hold, r.IsUnseen())
	}
}

// Who extends a hold has seen it.
func TestSeeHolds_AnExtensionGoesBeyondTheFullTime(t *testing.T) {
	t.Parallel()
	h := setup(t)
	id, diner := h.away(t, h.Slot("19:00"), time.Minute)
	h.MustExec(t, `UPDATE reservations SET policy = policy || '{"extensionMinutes": 5}' WHERE id = $1`, id)
	if r, err := h.Reservations.Extend(t.Context(), id, diner); err != nil || r.IsUnseen() {
		t.Fatalf("%+v, %v", r, err)
	}
	if r, hold := h.mustFind(t, id); r.IsUnseen() || hold != 12*time.Minute {
		t.Errorf("it lasts %v, unseen: %v", hold, r.IsUnseen())
	}
}

// An unseen hold ends as every other does: seats, dishes and the coupon come back once. Its diner gets two letters, one
// that the turn has come and one that the hold has ended; who has seen theirs gets neither, nor does anybody twice.
func TestExpireHolds_UnseenOnesEndEarly(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Limit(t, h.Menu[0], scarcePortions)
	diner := h.Diners(t, 1, 0)[0]
	campaign := h.menuCampaign(t, "unseen", 10)
	h.GiveCoupons(t, campaign, diner)
	req := h.with(campaign, diner, h.Slot("19:00"))
	req.UnseenTime = time.Minute
	gone := h.Reserve(t, req)
	seen, watcher := h.away(t, h.Slot("19:00"), time.Minute)
	h.mustSee(t, seen)
	h.MustExec(t, `UPDATE users SET email_confirmed_at = now()`)
	for range 2 {
		dbtest.Must(t, h.Reservations.WriteToUnseen(t.Context(), 0))
	}
	h.MustExec(t, `UPDATE reservations SET hold_expires_at = hold_expires_at - interval '1 minute'`)
	for range 2 {
		h.sweepHolds(t)
	}
	if r, _ := h.mustFind(t, gone); r.State != booking.Expired || h.usedFor(t, campaign, diner) != "" {
		t.Errorf("the unseen hold is %s, its coupon used for %q", r.State, h.usedFor(t, campaign, diner))
	}
	if r, _ := h.mustFind(t, seen); r.State != booking.Temporary {
		t.Errorf("the seen hold is %s", r.State)
	}
	if held := h.held(t, h.Slot("19:00")); held != 2 {
		t.Errorf("%d seats are held, want the two of the seen hold", held)
	}
	h.CheckStock(t)
	if got := h.Letters(t, diner); !slices.Equal(got, []mail.Kind{mail.Turn, mail.Unseen}) {
		t.Errorf("letters to who was away: %v", got)
	}
	if got := h.Letters(t, watcher); len(got) != 0 {
		t.Errorf("letters to who has seen it: %v", got)
	}
}

// A diner who has not confirmed their address gets the letter at once too: the hold does not wait for that.
func TestWriteToUnseen_DoesNotWaitForTheConfirmation(t *testing.T) {
	t.Parallel()
	h := setup(t)
	id, diner := h.away(t, h.Slot("19:00"), time.Minute)
	h.MustExec(t, `UPDATE users SET email_confirmed_at = NULL WHERE id = $1`, diner)
	for range 2 {
		dbtest.Must(t, h.Reservations.WriteToUnseen(t.Context(), 0))
	}
	const due = `SELECT count(*) FROM mails WHERE reservation_id = $1 AND due_at <= now()`
	if n := h.Count(t, due, id); n != 1 {
		t.Errorf("%d letters go out, want 1", n)
	}
}

// seeAgainstExpiry lets diners see their holds at the moment at which those end, and returns how many have both
// outcomes: they are seen, so that their diners count on the full time, and expired.
func seeAgainstExpiry(t *testing.T, h *harness, holds int) (torn int) {
	t.Helper()
	var ids []string
	for i := range holds {
		id, _ := h.away(t, h.Slot(booking.TimeOfDay(fmt.Sprintf("12:%02d", i%60))), time.Minute)
		ids = append(ids, id)
	}
	stores := h.instances(t, 4)
	for _, store := range stores {
		store.Pool().Weakening.Store(h.Weakening.Load())
	}
	h.MustExec(t, `UPDATE reservations
		SET hold_expires_at = clock_timestamp() + ordinal % 20 * interval '5 milliseconds'
		WHERE state = 'temporary' AND seen_expires_at IS NOT NULL`)
	var all sync.WaitGroup
	for i, store := range stores {
		all.Go(func() {
			for n := range ids {
				err := store.SeeHolds(t.Context(), ids[(n+i)%len(ids):(n+i)%len(ids)+1])
				if i%2 == 0 {
					_, err = store.ExpireHolds(t.Context(), 5)
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	for h.Count(t, `SELECT count(*) FROM reservations WHERE state = 'temporary' AND hold_expires_at <= now()`) > 0 {
		h.sweepHolds(t)
	}
	const some = `SELECT count(*) FROM reservations WHERE `
	t.Logf("%d are seen, %d have ended", h.Count(t, some+`seen_expires_at IS NULL`),
		h.Count(t, some+`state = 'expired'`))
	return h.Count(t, some+`(state = 'expired') <> (seen_expires_at IS NOT NULL)`)
}

// A hold that is seen at the moment at which it ends is either seen, and lasts in full, or has ended.
func TestSeeHolds_AgainstExpiryHasOneOutcome(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Limit(t, h.Menu[0], 10*scarcePortions)
	torn := seeAgainstExpiry(t, h, 40)
	h.Weaken(db.SeeHolds, h.sweepingBefore(t, dbtest.Intact))
	if torn += seeAgainstExpiry(t, h, 5); torn != 0 {
		t.Errorf("%d holds are both seen and ended, or neither", torn)
	}
	h.CheckStock(t)
}

// Control: without the look at the state a hold that has ended is seen as if it lasted.
func TestSeeHolds_WithoutTheStateAnEndedHoldIsSeen(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Weaken(db.SeeHolds, h.sweepingBefore(t, dbtest.Instead(`
		UPDATE reservations
		SET hold_expires_at = seen_expires_at, seen_expires_at = NULL
		WHERE id = ANY ($1) AND seen_expires_at IS NOT NULL`)))
	if torn := seeAgainstExpiry(t, h, 5); torn == 0 {
		t.Error("no hold has both outcomes: the test above proves nothing")
	}
}
