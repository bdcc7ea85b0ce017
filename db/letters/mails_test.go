package letters_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"lunchgo/app/jobs"
	"lunchgo/app/mail"
	"lunchgo/db/dbtest"
	"lunchgo/db/letters"
	"lunchgo/db/pg"
	"lunchgo/db/testkit"
)

// Whatever changes a reservation, its diner gets a letter.
func TestMails_WrittenForEveryChange(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	id, diner := h.Confirmed(t, h.StartingIn(72*time.Hour))
	h.MustCancel(t, id, diner)
	if _, err := h.Reservations.SettleRefunds(t.Context(), 10); err != nil {
		t.Fatal(err)
	}
	if got := h.Letters(t, diner); !slices.Equal(got, []mail.Kind{mail.Confirmed, mail.Cancelled, mail.Refunded}) {
		t.Errorf("letters: %v", got)
	}

	// A diner who waited long gets a letter about the turn; one who was served at once gets none.
	patient, quick := h.Request(h.Diners(t, 1, 0)[0], h.Slot("19:00")), h.Request(h.Diners(t, 1, 0)[0], h.Slot("19:00"))
	patient.Arrival, quick.Arrival = time.Now().Add(-time.Minute).UnixMicro(), time.Now().UnixMicro()
	h.Reserve(t, patient)
	dropped := h.Reserve(t, quick)
	h.MustCancel(t, dropped, quick.UserID)
	if got := h.Letters(t, patient.UserID); !slices.Equal(got, []mail.Kind{mail.Turn}) {
		t.Errorf("who waited: %v", got)
	}
	if got := h.Letters(t, quick.UserID); len(got) != 0 {
		t.Errorf("who paid nothing and gave it up: %v", got)
	}
}

// Load tests write no letters.
func TestMails_NoneForShadows(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	h.MustExec(t, `UPDATE restaurants SET shadow = true`)
	if _, diner := h.Confirmed(t, h.StartingIn(72*time.Hour)); len(h.Letters(t, diner)) != 0 {
		t.Error("somebody was written to")
	}
}

// A reminder comes once, the evening before.
func TestAddReminders_Once(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	store := letters.NewMailStore(h.Pool)
	soon, diner := h.Confirmed(t, h.StartingIn(20*time.Hour))
	_, late := h.Confirmed(t, h.StartingIn(72*time.Hour))
	_, now := h.Confirmed(t, h.StartingIn(21*time.Hour)) // reserved since: that is reminder enough
	h.MustExec(t, `UPDATE reservations SET created_at = created_at - interval '3 days' WHERE user_id <> $1`, now)
	for range 2 {
		dbtest.Must(t, store.AddReminders(t.Context(), 24*time.Hour))
	}
	at := time.Now().Add(72 * time.Hour).In(h.Restaurant.Location)
	dayBegins := time.Until(time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, at.Location()))
	dbtest.Must(t, store.AddReminders(t.Context(), dayBegins-time.Minute))
	check := func(want map[string]int) {
		t.Helper()
		for user, want := range want {
			got := h.Count(t, `SELECT count(*) FROM mails WHERE kind = 'reminder' AND user_id = $1`, user)
			if got != want {
				t.Errorf("%d reminders, want %d", got, want)
			}
		}
	}
	check(map[string]int{diner: 1, late: 0, now: 0})
	dbtest.Must(t, store.AddReminders(t.Context(), dayBegins+time.Minute))
	check(map[string]int{diner: 1, late: 1, now: 0})
	h.MustExec(t, `UPDATE mails SET due_at = now()`)
	notes, err := store.TakeMails(t.Context(), 100)
	if err != nil || !slices.ContainsFunc(notes, func(n mail.Note) bool {
		return n.Kind == mail.Reminder && n.Reservation.ID == soon
	}) {
		t.Errorf("taken: %+v, %v", notes, err)
	}
}

// countingCarrier counts how often each letter is carried, and fails as often as the test asks for.
type countingCarrier struct {
	carry   func() // what happens first, if not nil
	mu      sync.Mutex
	carried map[int64]int
	fail    int
}

func (c *countingCarrier) Carry(_ context.Context, n mail.Note, l mail.Letter) error {
	if c.carry != nil {
		c.carry()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.fail > 0 {
		c.fail--
		return errors.New("not now")
	}
	if l.Subject == "" || n.Email == "" {
		return fmt.Errorf("nothing to send: %+v", n)
	}
	c.carried[n.ID]++
	return nil
}

// sendAll lets three instances send until every letter has been carried, and returns how often each was.
func sendAll(t *testing.T, h *testkit.Harness, guard func(string) string, c *countingCarrier) map[int64]int {
	t.Helper()
	c.carried = map[int64]int{}
	ctx, cancel := context.WithTimeout(t.Context(), dbtest.Patience)
	defer cancel()
	var running sync.WaitGroup
	for range 3 {
		instance := testkit.OpenAt(t, pg.Config{URL: h.URL})
		instance.Weaken(letters.TakeMails, guard)
		post := mail.Post{Store: letters.NewMailStore(instance), Composer: h.Composer(), Carrier: c, Now: time.Now,
			Log: slog.New(slog.DiscardHandler)}
		running.Go(func() { jobs.Runner{Log: post.Log}.Run(ctx, post.Jobs(5*time.Millisecond)...) })
	}
	for h.Count(t, `SELECT count(*) FROM mails WHERE sent_at IS NULL AND kind = 'confirmed'`) > 0 && ctx.Err() == nil {
		h.MustExec(t, `UPDATE mails SET due_at = now() WHERE error <> ''`) // what has failed need not wait for long
	}
	cancel()
	running.Wait()
	return c.carried
}

// notices notes so many letters at once.
func notices(t *testing.T, h *testkit.Harness, n int) {
	t.Helper()
	id, _ := h.Confirmed(t, h.StartingIn(72*time.Hour))
	h.MustExec(t, `
		INSERT INTO mails (kind, user_id, reservation_id)
		SELECT 'confirmed', user_id, id FROM reservations CROSS JOIN generate_series(2, $2::int) WHERE id = $1`, id, n)
}

func TestTakeMails_OnceByManyInstances(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	notices(t, h, 100)
	carried := sendAll(t, h, dbtest.Intact, &countingCarrier{fail: 20})
	for id, times := range carried {
		if times != 1 {
			t.Errorf("letter %d was sent %d times", id, times)
		}
	}
	if len(carried) != 100 || h.Count(t, `SELECT count(*) FROM mails WHERE sent_at IS NULL`) != 0 {
		t.Errorf("%d letters were sent, want 100", len(carried))
	}
}

// TestTakeMails_WithoutDelayIsTwice holds whoever carries the letter until somebody else does so too.
func TestTakeMails_WithoutDelayIsTwice(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	notices(t, h, 1)
	meet := dbtest.Meeting(2)
	c := &countingCarrier{carry: func() { meet("") }}
	for _, times := range sendAll(t, h, dbtest.Replacing("least(30 * 2 ^ attempts, 21600)", "0"), c) {
		if times < 2 {
			t.Error("the letter was not sent twice: the test above proves nothing")
		}
	}
}

// A letter is given up after the last attempt.
func TestTakeMails_GivesUp(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	notices(t, h, 1)
	store := letters.NewMailStore(h.Pool)
	for attempt := 1; attempt <= mail.MaxAttempts; attempt++ {
		notes, err := store.TakeMails(t.Context(), 10)
		if err != nil || len(notes) != 1 || notes[0].Attempts != attempt {
			t.Fatalf("attempt %d: %+v, %v", attempt, notes, err)
		}
		if again, err := store.TakeMails(t.Context(), 10); err != nil || len(again) != 0 {
			t.Fatalf("it was taken twice: %+v, %v", again, err)
		}
		dbtest.Must(t, store.MarkMail(t.Context(), notes[0].ID, errors.New("no such address")))
		h.MustExec(t, `UPDATE mails SET due_at = now()`)
	}
	if notes, err := store.TakeMails(t.Context(), 10); err != nil || len(notes) != 0 {
		t.Errorf("after the last attempt: %+v, %v", notes, err)
	}
}

// Old letters go a portion at a time, the oldest first, and no others.
func TestTrimMails_TakesOldOnes(t *testing.T) {
	t.Parallel()
	h := testkit.Setup(t)
	diner := h.Diners(t, 1, 0)[0]
	id := h.Reserve(t, h.Request(diner, h.StartingIn(72*time.Hour)))
	for _, days := range []int{9, 8, 7, 5, 4} {
		h.MustExec(t, `
			INSERT INTO mails (kind, user_id, reservation_id, created_at)
			VALUES ('confirmed', $1, $2, now() - $3 * interval '1 day')`, diner, id, days)
	}
	store := letters.NewMailStore(h.Pool)
	for _, want := range []struct{ trimmed, left int }{{2, 3}, {1, 2}, {0, 2}} {
		trimmed, err := store.TrimMails(t.Context(), 6*24*time.Hour, 2)
		if left := len(h.Letters(t, diner)); err != nil || trimmed != want.trimmed || left != want.left {
			t.Errorf("%d went, %d are left, %v; want %+v", trimmed, left, err, want)
		}
	}
}
