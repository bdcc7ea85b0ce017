package messages_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/mail"
	"lunchgo/app/messages"
	"lunchgo/db/dbtest"
	"lunchgo/db/letters"
	dbmessages "lunchgo/db/messages"
	"lunchgo/db/testkit"
)

// byPhone is a reservation of a guest without an account.
func byPhone(t *testing.T, w testkit.Writing, at booking.TimeOfDay) string {
	t.Helper()
	req := w.Request(w.Staff, w.Slot(at))
	req.DepositAmount, req.Guest = 0, &booking.Guest{Name: "박민수", Phone: "010-2222-3333", Source: booking.Phone,
		State: booking.Confirmed}
	return w.Reserve(t, req)
}

// reached are the reservations that a message reaches, and those that it does not.
func reached(m messages.Message) (yes, no []string) {
	for _, r := range m.Recipients {
		if r.Reached {
			yes = append(yes, r.ReservationID)
		} else {
			no = append(no, r.ReservationID)
		}
	}
	return yes, no
}

// A message goes to the parties of its slot, its day or its reservation, a letter to each who has an address; whose
// reservation is over gets none.
func TestSendMessage_ToItsAudience(t *testing.T) {
	t.Parallel()
	w := testkit.NewWriting(t)
	seven, diner := w.Confirmed(t, w.Slot("19:00"))
	called := byPhone(t, w, "19:00")
	eight, late := w.Confirmed(t, w.Slot("20:00"))
	gone, cancelled := w.Confirmed(t, w.Slot("19:00"))
	if _, err := w.Reservations.CancelByStaff(t.Context(), gone, w.Staff, ""); err != nil {
		t.Fatal(err)
	}
	date := w.Slot("19:00").Date
	for _, c := range []struct {
		to      messages.Audience
		yes, no []string
	}{
		{messages.Audience{Date: date, Time: "19:00"}, []string{seven}, []string{called}},
		{messages.Audience{Date: date}, []string{seven, eight}, []string{called}},
		{messages.Audience{ReservationID: eight}, []string{eight}, nil},
		{messages.Audience{ReservationID: called}, nil, []string{called}},
	} {
		sent := w.MustSend(t, w.Message(c.to.ReservationID+string(c.to.Time), c.to))
		if _, err := w.Store.Find(t.Context(), w.Restaurant.ID+1, sent.ID); !errors.Is(err, booking.ErrNotFound) {
			t.Errorf("another restaurant's: %v", err)
		}
		yes, no := reached(sent)
		if !slices.Equal(yes, c.yes) || !slices.Equal(no, c.no) {
			t.Errorf("%+v: reached %v and not %v", c.to, yes, no)
		}
	}
	for _, to := range []messages.Audience{{ReservationID: gone}, {Date: date, Time: "18:00"}} {
		if _, err := w.Store.Send(t.Context(), w.Message("nobody", to)); !errors.Is(err, messages.ErrNobody) {
			t.Errorf("%+v: %v", to, err)
		}
	}
	for person, want := range map[string]int{diner: 2, late: 2, cancelled: 0} {
		letters, err := letters.NewMailStore(w.Pool).ListMails(t.Context(), person, keyset.Request{})
		got := 0
		for _, n := range letters.Items {
			if n.Kind == mail.Message && n.Message == "주방이 30분 늦습니다.\nSorry!" {
				got++
			}
		}
		if err != nil || got != want {
			t.Errorf("%s has %d letters, want %d, %v", person, got, want, err)
		}
	}
	if n := w.Count(t, `SELECT count(*) FROM audit_log WHERE action LIKE 'message.%'`); n != 4 {
		t.Errorf("%d acts, want 4", n)
	}
	var copied strings.Builder
	if err := w.Users.Export(t.Context(), diner, &copied); err != nil || !strings.Contains(copied.String(), "주방이 30분") {
		t.Errorf("the copy of the diner's data lacks the message: %v", err)
	}
}

// A double press sends once, and both get the same answer. Without the lock one of them fails.
func TestSendMessage_OnceForAKey(t *testing.T) {
	t.Parallel()
	for name, guarded := range map[string]bool{"guarded": true, "control": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := testkit.NewWriting(t)
			id, _ := w.Confirmed(t, w.Slot("19:00"))
			together := dbtest.Meeting(2)
			w.Weaken(dbmessages.LockMessages, func(query string) string {
				if guarded {
					return together(query)
				}
				return "SELECT $1::bigint"
			})
			if !guarded {
				w.Weaken(dbmessages.InsertMessage, together)
			}
			m := w.Message("key", messages.Audience{ReservationID: id})
			var sent [2]messages.Message
			var errs [2]error
			var both sync.WaitGroup
			for i := range sent {
				both.Go(func() { sent[i], errs[i] = w.Store.Send(t.Context(), m) })
			}
			both.Wait()
			if same := sent[0].ID == sent[1].ID && errors.Join(errs[:]...) == nil; same != guarded {
				t.Errorf("%v and %v, %v", sent[0].ID, sent[1].ID, errs)
			}
			if n := w.Count(t, `SELECT count(*) FROM mails WHERE kind = 'message'`); n != 1 {
				t.Errorf("%d letters, want 1", n)
			}
			m.Text = "Something else"
			if _, err := w.Store.Send(t.Context(), m); !errors.Is(err, booking.ErrKeyReused) {
				t.Errorf("another text under the same key: %v", err)
			}
		})
	}
}

// A key under which a message went out sends nothing to anybody else: to another reservation, its slot or its day.
func TestSendMessage_KeyOfAnotherAudience(t *testing.T) {
	t.Parallel()
	w := testkit.NewWriting(t)
	one, _ := w.Confirmed(t, w.Slot("19:00"))
	other, _ := w.Confirmed(t, w.Slot("19:00"))
	date := w.Slot("19:00").Date
	audiences := []messages.Audience{
		{ReservationID: one}, {ReservationID: other}, {Date: date, Time: "19:00"}, {Date: date},
	}
	for i, first := range audiences {
		key := strconv.Itoa(i)
		sent := w.MustSend(t, w.Message(key, first))
		for j, second := range audiences {
			again, err := w.Store.Send(t.Context(), w.Message(key, second))
			if i == j && (err != nil || again.ID != sent.ID) || i != j && !errors.Is(err, booking.ErrKeyReused) {
				t.Errorf("%+v after %+v: %q, %v", second, first, again.ID, err)
			}
		}
	}
}

// A restaurant writes so often a day, and goes on when the first is a day old.
func TestSendMessage_SoOftenADay(t *testing.T) {
	t.Parallel()
	w := testkit.NewWriting(t)
	id, _ := w.Confirmed(t, w.Slot("19:00"))
	w.MustExec(t, `
		INSERT INTO guest_messages (id, restaurant_id, staff_id, idempotency_key, service_date, text, created_at)
		SELECT n, $1, $2, n, '2040-05-07', 'x', now() - interval '23 hours' + n * interval '1 second'
		FROM generate_series(1, $3::int) n`, w.Restaurant.ID, w.Staff, messages.MaxADay)
	m := w.Message("key", messages.Audience{ReservationID: id})
	var limit *identity.LetterLimitError
	if _, err := w.Store.Send(t.Context(), m); !errors.As(err, &limit) || limit.Wait > 2*time.Hour ||
		limit.Wait < 50*time.Minute {
		t.Errorf("one too many: %v", err)
	}
	w.MustExec(t, `UPDATE guest_messages SET created_at = now() - interval '25 hours' WHERE id = '1'`)
	w.MustSend(t, m)
}

// Who has deleted their account is not written to, nor named.
func TestSendMessage_NotToDeletedAccounts(t *testing.T) {
	t.Parallel()
	w := testkit.NewWriting(t)
	diner := w.Diners(t, 1, 0)[0]
	id := w.Reserve(t, w.Request(diner, w.Slot("19:00")))
	w.MustExec(t, `UPDATE reservations SET state = 'completed', ended_at = now() WHERE id = $1`, id)
	before := w.MustSend(t, w.Message("before", messages.Audience{ReservationID: id}))
	if n := w.Count(t, `SELECT count(*) FROM mails WHERE kind = 'message'`); n != 1 {
		t.Fatalf("%d letters before", n)
	}
	dbtest.Must(t, w.DeleteAccount(t, diner))
	after := w.MustSend(t, w.Message("after", messages.Audience{ReservationID: id}))
	if yes, no := reached(after); len(yes) != 0 || len(no) != 1 {
		t.Errorf("reached %v, and not %v", yes, no)
	}
	found, err := w.Store.Find(t.Context(), w.Restaurant.ID, before.ID)
	if err != nil || found.Recipients[0].Name != "" || found.Recipients[0].Phone != "" {
		t.Errorf("found %+v, %v", found.Recipients, err)
	}
	if n := w.Count(t, `SELECT count(*) FROM mails`); n != 0 {
		t.Errorf("%d letters are left", n)
	}
}

// A message is pushed in the restaurant's words, each beside the others, and to the browsers of its guests alone.
func TestPush_BringsMessages(t *testing.T) {
	t.Parallel()
	p := testkit.NewPushing(t)
	w := testkit.Writing{Harness: p.Harness, Store: dbmessages.NewStore(p.Pool), Staff: p.Diners(t, 1, 0)[0]}
	id, diner := w.Confirmed(t, w.Slot("19:00"))
	p.Subscribe(t, p.SignedIn(t, diner))
	p.Subscribe(t, p.SignedIn(t, w.Staff))
	for _, key := range []string{"a", "b"} {
		w.MustSend(t, w.Message(key, messages.Audience{ReservationID: id}))
	}
	p.Send(t, p.Sender(p.Pool, false))
	got, _ := p.Service.Received()
	if len(got) != 2 || got[0].Tag == got[1].Tag || got[0].Body != "주방이 30분 늦습니다.\nSorry!" ||
		!strings.Contains(got[0].URL, id) || got[0].TTL == "0" {
		t.Errorf("pushes: %+v", got)
	}
}
