package door_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/door"
	"lunchgo/app/keyset"
	"lunchgo/app/mail"
	"lunchgo/app/push"
	"lunchgo/app/token"
	"lunchgo/db/dbtest"
	dbdoor "lunchgo/db/door"
	"lunchgo/db/letters"
	"lunchgo/db/testkit"
)

// A call is pushed to the phones of the party that have asked for it, in its language, each time that it is called; and
// no more once it is not. All of it goes with the party.
func TestDoor_CallIsPushed(t *testing.T) {
	t.Parallel()
	p := testkit.NewPushing(t)
	d := testkit.Doorway{Harness: p.Harness, Store: dbdoor.NewStore(p.Pool), Hosts: p.Diners(t, 2, 0)}
	party, other := d.MustJoin(t, "a"), d.MustJoin(t, "b")
	phone := p.Service.Subscribe(t, p.Keys[0].Public())
	for range 2 { // a repeat changes nothing
		dbtest.Must(t, p.Store.SubscribeParty(t.Context(), party.ID, phone))
	}
	dbtest.Must(t, d.Store.Ask(t.Context(), door.Asked{PartyID: party.ID, Language: "en"}))
	d.Call(t, other) // has not asked
	d.Call(t, party)
	p.Send(t, p.Sender(p.Pool, false))
	got, asked := p.Service.Received()
	if asked != 1 || len(got) != 1 || got[0].Endpoint != phone.Endpoint || got[0].Title != "Your table is ready" ||
		!strings.Contains(got[0].Body, "(number 1)") || got[0].Urgency != "high" ||
		got[0].URL != "/door/"+door.NewLinks(token.Secrets{"secret"}).Seal(party.ID) {
		t.Fatalf("%d pushes: %+v", asked, got)
	}
	d.Call(t, party)
	p.Send(t, p.Sender(p.Pool, false))
	if _, again := p.Service.Received(); again != 2 {
		t.Errorf("called anew: %d pushes", again)
	}
	d.Call(t, party)
	dbtest.Must(t, d.Store.Take(t.Context(), d.Step(party, 0, door.Waiting)))
	p.Send(t, p.Sender(p.Pool, false))
	if _, after := p.Service.Received(); after != 2 {
		t.Error("a call that was taken back is pushed")
	}
	if calls := d.CallsOf(t); len(calls) != 0 {
		t.Errorf("letters to nobody: %+v", calls)
	}
	d.Call(t, party)
	p.MustExec(t, `DELETE FROM door_parties WHERE id = $1`, party.ID)
	if subscriptions, pushes := p.Counts(t); subscriptions != 0 || pushes != 0 ||
		p.Count(t, `SELECT count(*) FROM mails`) != 0 {
		t.Errorf("of a party that is forgotten: %d subscriptions, %d pushes", subscriptions, pushes)
	}
}

// Only a party that waits is subscribed, with so many phones. A browser with a session stays that of its session.
func TestSubscribeParty_OfThoseThatWait(t *testing.T) {
	t.Parallel()
	p := testkit.NewPushing(t)
	d := testkit.Doorway{Harness: p.Harness, Store: dbdoor.NewStore(p.Pool), Hosts: p.Diners(t, 2, 0)}
	party, gone := d.MustJoin(t, "a"), d.MustJoin(t, "b")
	dbtest.Must(t, d.Store.Take(t.Context(), d.Step(gone, 0, door.Left)))
	sub := p.Service.Subscribe(t, p.Keys[0].Public())
	if err := p.Store.SubscribeParty(t.Context(), gone.ID, sub); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("a party that has left: %v", err)
	}
	if err := d.Store.Ask(t.Context(), door.Asked{PartyID: gone.ID, Language: "ko"}); !errors.Is(err,
		booking.ErrWrongState) {
		t.Errorf("a party that has left asks: %v", err)
	}
	session := p.SignedIn(t, d.Hosts[1])
	own := p.Subscribe(t, session)
	dbtest.Must(t, p.Store.SubscribeParty(t.Context(), party.ID, own))
	for range push.MaxSubscriptions - 1 {
		dbtest.Must(t, p.Store.SubscribeParty(t.Context(), party.ID, p.Service.Subscribe(t, p.Keys[0].Public())))
	}
	if err := p.Store.SubscribeParty(t.Context(), party.ID, sub); !errors.Is(err, booking.ErrNotFound) {
		t.Errorf("one phone more: %v", err)
	}
	dbtest.Must(t, p.Users.RevokeSession(t.Context(), session))
	if n := p.Count(t, `SELECT count(*) FROM push_subscriptions WHERE endpoint = $1`, own.Endpoint); n != 0 {
		t.Error("the browser of a session that has ended is pushed to")
	}
}

// Who was signed in gets a letter, in the language of the account, while the call stands; an address that nobody has
// confirmed gets none, and a deleted account neither.
func TestDoor_CallIsWritten(t *testing.T) {
	t.Parallel()
	d := testkit.NewDoorway(t)
	people := d.Diners(t, 2, 0)
	d.MustExec(t, `UPDATE users SET language = 'en', email_confirmed_at = now() WHERE id = $1`, people[0])
	d.MustExec(t, `UPDATE users SET email_confirmed_at = NULL WHERE id = $1`, people[1])
	confirmed, unconfirmed := d.MustJoin(t, "a"), d.MustJoin(t, "b")
	for i, party := range []door.Party{confirmed, unconfirmed} {
		dbtest.Must(t, d.Store.Ask(t.Context(), door.Asked{PartyID: party.ID, Language: "ko", UserID: people[i]}))
		d.Call(t, party)
	}
	calls := d.CallsOf(t)
	if len(calls) != 1 || calls[0].Door.PartyID != confirmed.ID || calls[0].Email == "" ||
		calls[0].IsOutdated(time.Now()) {
		t.Fatalf("letters: %+v", calls)
	}
	letter, err := d.Composer().Compose(t.Context(), calls[0])
	if err != nil || !strings.Contains(letter.Text(), "Number 1: please come") ||
		!strings.Contains(letter.Text(), "/door/") || strings.Contains(letter.Subject+letter.Text(), "mail.") {
		t.Errorf("%v: %s\n%s", err, letter.Subject, letter.Text())
	}
	if !calls[0].IsOutdated(time.Now().Add(mail.CallTime + time.Minute)) {
		t.Error("a call of long ago is written")
	}
	d.MustExec(t, `UPDATE mails SET due_at = now()`)
	dbtest.Must(t, d.Store.Take(t.Context(), d.Step(confirmed, 0, door.Gone)))
	if calls = d.CallsOf(t); len(calls) != 1 || !calls[0].IsOutdated(time.Now()) {
		t.Errorf("of a party that is gone: %+v", calls)
	}
	page, err := letters.NewMailStore(d.Pool).ListMails(t.Context(), people[0], keyset.Request{})
	if err != nil || len(page.Items) != 1 || page.Items[0].Door.Number != 1 {
		t.Errorf("the mailbox: %+v, %v", page.Items, err)
	}
}
