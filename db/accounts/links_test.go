package accounts_test

import (
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/keyset"
	"lunchgo/app/mail"
	"lunchgo/db/accounts"
	"lunchgo/db/dbtest"
	"lunchgo/db/letters"
	"lunchgo/db/pg"
)

// letter is the latest letter of a kind that is to be sent to an address.
func (h *harness) letter(t testing.TB, kind mail.Kind, email string) mail.Note {
	t.Helper()
	var userID string
	err := h.SQL().GetContext(t.Context(), &userID, `
		SELECT m.user_id FROM mails m JOIN email_links l ON l.id = m.link_id WHERE m.kind = $1 AND l.email = $2 LIMIT 1`, string(kind), email)
	if err != nil {
		t.Fatalf("no letter %s to %s: %v", kind, email, err)
	}
	notes, err := letters.NewMailStore(h.Pool).ListMails(t.Context(), userID, keyset.Request{})
	dbtest.Must(t, err)
	at := slices.IndexFunc(notes.Items, func(n mail.Note) bool { return n.Kind == kind && n.Email == email })
	return notes.Items[at]
}

// press uses a link, as a page for links of all kinds would.
func (h *harness) press(t testing.TB, id string) (identity.UsedLink, error) {
	t.Helper()
	return h.Users.UseLink(t.Context(), identity.LinkUse{ID: id, At: time.Now(), Kinds: []identity.LinkKind{
		identity.LinkConfirm, identity.LinkSignIn, identity.LinkChange, identity.LinkObject}})
}

func (h *harness) mustPress(t testing.TB, n mail.Note) identity.UsedLink {
	t.Helper()
	used, err := h.press(t, n.Link.ID)
	if err != nil {
		t.Fatalf("%s: %v", n.Kind, err)
	}
	return used
}

func (h *harness) mustChange(t testing.TB, u identity.User, email string) {
	t.Helper()
	h.MustExec(t, `UPDATE email_links SET created_at = created_at - interval '2 hours' WHERE user_id = $1`, u.ID)
	dbtest.Must(t, h.Users.SendChange(t.Context(), u.ID, email))
}

func TestSignUp_WritesOneLetterToNewAndKnownAddresses(t *testing.T) {
	t.Parallel()
	h := setup(t)
	fresh := h.SignUp(t, "haru@example.org")
	again := h.SignUp(t, "Haru@Example.org")
	if again != fresh {
		t.Errorf("the second sign-up changed %+v into %+v", fresh, again)
	}
	if got := h.Letters(t, fresh.ID); !slices.Equal(got, []mail.Kind{mail.Confirm, mail.AlreadyRegistered}) {
		t.Errorf("letters: %v", got)
	}
	for range 5 {
		h.SignUp(t, "haru@example.org")
	}
	if got := h.Letters(t, fresh.ID); len(got) != 2 {
		t.Errorf("after five more: %v", got)
	}
}

// An address without an account costs as many steps, and leaves no trace of itself.
func TestSendLink_UnknownAddressIsNotStored(t *testing.T) {
	t.Parallel()
	h := setup(t)
	to := identity.Addressee{Email: "nobody@example.org"}
	dbtest.Must(t, h.Users.SendLink(t.Context(), identity.LinkSignIn, to))
	var limit *identity.LetterLimitError
	if err := h.Users.SendLink(t.Context(), identity.LinkSignIn, to); !errors.As(err, &limit) {
		t.Errorf("again: %v, as for a known address", err)
	}
	if n := h.Count(t, `SELECT count(*) FROM email_links WHERE user_id IS NULL AND email NOT LIKE '%nobody%'`); n != 1 {
		t.Errorf("%d links, want one", n)
	}
	if n := h.Count(t, `SELECT count(*) FROM mails`); n != 0 {
		t.Errorf("%d letters", n)
	}
	id := ""
	dbtest.Must(t, h.SQL().Get(&id, `SELECT id FROM email_links`))
	if _, err := h.press(t, id); !errors.Is(err, identity.ErrLinkOver) {
		t.Errorf("it opens something: %v", err)
	}
}

func TestUseLink_ConfirmsAnAddress(t *testing.T) {
	t.Parallel()
	h := setup(t)
	u := h.SignUp(t, "haru@example.org")
	if u.EmailConfirmed {
		t.Fatal("it is confirmed already")
	}
	link := h.letter(t, mail.Confirm, u.Email).Link.ID
	if found, err := h.Users.FindLink(t.Context(), link); err != nil || found.Email != u.Email ||
		found.Kind != identity.LinkConfirm {
		t.Errorf("the link is %+v, %v", found, err)
	}
	if h.UserAt(t, u.Email).EmailConfirmed {
		t.Error("looking at the link confirmed the address")
	}
	if _, err := h.Users.UseLink(t.Context(),
		identity.LinkUse{ID: link, Kinds: []identity.LinkKind{identity.LinkSignIn}}); !errors.Is(err,
		identity.ErrLinkOver) {
		t.Errorf("it signs in: %v", err)
	}
	if used, err := h.press(t, link); err != nil || used.Reset || used.UserID != u.ID {
		t.Errorf("pressed: %+v, %v", used, err)
	}
	if after := h.UserAt(t, u.Email); !after.EmailConfirmed || after.PasswordHash != "hash" {
		t.Errorf("afterwards: %+v", after)
	}
	if _, err := h.Users.FindLink(t.Context(), link); !errors.Is(err, identity.ErrLinkOver) {
		t.Errorf("it is good for more: %v", err)
	}
}

func TestUseLink_Expires(t *testing.T) {
	t.Parallel()
	h := setup(t)
	u := h.SignUp(t, "haru@example.org")
	n := h.letter(t, mail.Confirm, u.Email)
	if life := time.Until(n.Link.Expires); life > 24*time.Hour || life < 23*time.Hour {
		t.Errorf("it lives for %v", life)
	}
	h.MustExec(t, `UPDATE email_links SET expires_at = now() - interval '1 second'`)
	if _, err := h.Users.FindLink(t.Context(), n.Link.ID); !errors.Is(err, identity.ErrLinkOver) {
		t.Errorf("found: %v", err)
	}
	if _, err := h.press(t, n.Link.ID); !errors.Is(err, identity.ErrLinkOver) || h.UserAt(t, u.Email).EmailConfirmed {
		t.Errorf("pressed: %v", err)
	}
}

// pressAtOnce lets many press a link, and returns for how many it did something.
func (h *harness) pressAtOnce(t *testing.T, id string, n int) int {
	t.Helper()
	var done atomic.Int64
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			switch _, err := h.press(t, id); {
			case err == nil:
				done.Add(1)
			case !errors.Is(err, identity.ErrLinkOver):
				t.Error(err)
			}
		})
	}
	all.Wait()
	return int(done.Load())
}

func TestUseLink_WorksOnceForFiftyPresses(t *testing.T) {
	t.Parallel()
	h := setup(t)
	u := h.SignUp(t, "haru@example.org")
	if got := h.pressAtOnce(t, h.letter(t, mail.Confirm, u.Email).Link.ID, 50); got != 1 {
		t.Errorf("%d of 50 presses did something", got)
	}
	dbtest.Must(t, h.Users.SendLink(t.Context(), identity.LinkSignIn, identity.Addressee{Email: u.Email}))
	if got := h.pressAtOnce(t, h.letter(t, mail.SignIn, u.Email).Link.ID, 50); got != 1 {
		t.Errorf("%d of 50 presses signed in", got)
	}
}

func TestUseLink_UncheckedWorksForEveryPress(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Weaken(accounts.TakeLink, dbtest.Replacing("used_at IS NULL AND", ""))
	u := h.SignUp(t, "haru@example.org")
	if got := h.pressAtOnce(t, h.letter(t, mail.Confirm, u.Email).Link.ID, 50); got != 50 {
		t.Errorf("%d of 50 presses did something: the test above proves nothing", got)
	}
}

// Who signed up with somebody else's address does not get into the account when its owner does.
func TestUseLink_SignInForgetsThePasswordOfAnUnconfirmedAddress(t *testing.T) {
	t.Parallel()
	h := setup(t)
	u := h.SignUp(t, "haru@example.org") // by a stranger
	h.SignUp(t, "haru@example.org")      // by the owner
	used := h.mustPress(t, h.letter(t, mail.AlreadyRegistered, u.Email))
	if !used.Reset || used.Ended.UserID != u.ID {
		t.Errorf("used: %+v", used)
	}
	if after := h.UserAt(t, u.Email); after.PasswordHash != "" || !after.EmailConfirmed {
		t.Errorf("afterwards: %+v", after)
	}
	known, err := h.Users.ListRevocations(t.Context(), time.Now().Add(-time.Minute))
	if err != nil || len(known.Ended) != 1 || known.Ended[0].UserID != u.ID {
		t.Errorf("ended: %+v, %v", known.Ended, err)
	}
	h.MustExec(t, `UPDATE users SET password_hash = 'own'`)
	h.MustExec(t, `UPDATE email_links SET created_at = created_at - interval '2 hours'`)
	dbtest.Must(t, h.Users.SendLink(t.Context(), identity.LinkSignIn, identity.Addressee{Email: u.Email}))
	if used := h.mustPress(t, h.letter(t, mail.SignIn, u.Email)); used.Reset ||
		h.UserAt(t, u.Email).PasswordHash != "own" {
		t.Error("a confirmed address loses its password too")
	}
}

// An address moves when the link to the new one is pressed, and not before.
func TestSendChange_MovesTheAccountByTheLink(t *testing.T) {
	t.Parallel()
	h := setup(t)
	u := h.Person(t)
	h.mustChange(t, u, "new@example.org")
	if h.UserAt(t, u.Email).ID != u.ID {
		t.Fatal("it moved already")
	}
	h.letter(t, mail.AddressChanged, u.Email)
	h.mustPress(t, h.letter(t, mail.Change, "new@example.org"))
	if after := h.UserAt(t, "new@example.org"); after.ID != u.ID || !after.EmailConfirmed {
		t.Errorf("afterwards: %+v", after)
	}
	if _, err := h.Users.FindUserByEmail(t.Context(), u.Email); !errors.Is(err, identity.ErrNotFound) {
		t.Errorf("the old address: %v", err)
	}
}

// What was written while the clock was ahead does not count until then: no limit outlasts its window.
func TestSendLink_LimitsOutlastNoWindow(t *testing.T) {
	t.Parallel()
	h := setup(t)
	to := identity.Addressee{Email: "nobody@example.org"}
	send := func() error { return h.Users.SendLink(t.Context(), identity.LinkSignIn, to) }
	dbtest.Must(t, send())
	h.MustExec(t, `UPDATE email_links SET created_at = created_at + interval '1 hour'`)
	if err := send(); err != nil {
		t.Errorf("after one of the next hour: %v", err)
	}
	var limit *identity.LetterLimitError
	if err := send(); !errors.As(err, &limit) || limit.RetryAfter(time.Now()) > time.Hour {
		t.Errorf("after one of now: %v", err)
	}
}

// A taken address is not written to, and the person who asks sees no difference: the notice goes out, the limits hold.
func TestSendChange_TakenAddressIsNotWrittenTo(t *testing.T) {
	t.Parallel()
	h := setup(t)
	u, other := h.Person(t), h.Person(t)
	h.mustChange(t, u, other.Email)
	if got := h.Letters(t, u.ID); !slices.Equal(got, []mail.Kind{mail.AddressChanged}) {
		t.Errorf("letters: %v", got)
	}
	var limit *identity.LetterLimitError
	if err := h.Users.SendChange(t.Context(), u.ID, "free@example.org"); !errors.As(err, &limit) {
		t.Errorf("another at once: %v", err)
	}
}

// Of two who want one address, the first to press gets it; the other's link is over.
func TestUseLink_OneOfTwoGetsTheAddress(t *testing.T) {
	t.Parallel()
	h := setup(t)
	one, two := h.Person(t), h.Person(t)
	h.mustChange(t, one, "new@example.org")
	h.MustExec(t, `UPDATE email_links SET created_at = created_at - interval '2 hours'`)
	h.mustChange(t, two, "new@example.org")
	var links []string
	if err := h.SQL().Select(&links, `SELECT id FROM email_links WHERE kind = 'change'`); err != nil || len(links) != 2 {
		t.Fatalf("%v, %v", links, err)
	}
	var moved atomic.Int64
	var both sync.WaitGroup
	for _, id := range links {
		both.Go(func() {
			if _, err := h.press(t, id); err == nil {
				moved.Add(1)
			} else if !errors.Is(err, identity.ErrLinkOver) {
				t.Error(err)
			}
		})
	}
	both.Wait()
	if moved.Load() != 1 {
		t.Errorf("%d got the address", moved.Load())
	}
}

// An objection keeps the address or brings it back, however often it was changed meanwhile, and leaves a thief nothing.
func TestUseLink_ObjectionKeepsTheAddress(t *testing.T) {
	t.Parallel()
	for name, moves := range map[string][]string{
		"before the change": nil, "after it": {"thief@example.org"}, "after another": {"thief@example.org", "thief2@example.org"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			u := h.Person(t)
			h.mustChange(t, u, "thief@example.org")
			for i, email := range moves {
				if i > 0 {
					h.mustChange(t, u, email)
				}
				h.mustPress(t, h.letter(t, mail.Change, email))
			}
			used := h.mustPress(t, h.letter(t, mail.AddressChanged, u.Email))
			if after := h.UserAt(t, u.Email); after.ID != u.ID || after.PasswordHash != "" || !used.Reset ||
				used.Ended.UserID != u.ID {
				t.Errorf("afterwards: %+v, %+v", after, used)
			}
			if n := h.Count(t, `SELECT count(*) FROM email_links WHERE used_at IS NULL`); n != 0 {
				t.Errorf("%d links are good still", n)
			}
		})
	}
}

// An unconfirmed address may be anybody's: it gets no notice when the person mends it.
func TestSendChange_UnconfirmedAddressGetsNoNotice(t *testing.T) {
	t.Parallel()
	h := setup(t)
	u := h.SignUp(t, "mistyped@example.org")
	h.mustChange(t, u, "haru@example.org")
	if got := h.Letters(t, u.ID); !slices.Equal(got, []mail.Kind{mail.Confirm, mail.Change}) {
		t.Errorf("letters: %v", got)
	}
	h.mustPress(t, h.letter(t, mail.Change, "haru@example.org"))
	if _, err := h.press(t, h.letter(t, mail.Confirm, u.Email).Link.ID); !errors.Is(err, identity.ErrLinkOver) {
		t.Errorf("the stranger at the old address confirms something: %v", err)
	}
}

// sendAtOnce lets all ask for a change at once, and returns how many letters go to the new addresses.
func (h *harness) sendAtOnce(t *testing.T, users []identity.User, email func(i int) string) int {
	t.Helper()
	var all sync.WaitGroup
	for i, u := range users {
		all.Go(func() {
			var limit *identity.LetterLimitError
			if err := h.Users.SendChange(t.Context(), u.ID, email(i)); err != nil && !errors.As(err, &limit) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	return h.Count(t, `SELECT count(*) FROM mails WHERE kind = 'change'`)
}

func TestSendChange_OneLetterAtATime(t *testing.T) {
	t.Parallel()
	toMany := func(int) string { return strings.ToLower(rand.Text()) + "@example.org" }
	toOne := func(int) string { return "victim@example.org" }
	for name, c := range map[string]struct {
		same  bool // one account asks for all
		email func(int) string
		guard pg.Guard
		weak  string
	}{
		"of an account to many addresses": {true, toMany, accounts.LockOwner, "FOR NO KEY UPDATE"},
		"of many accounts to an address":  {false, toOne, accounts.LockAddress, "pg_advisory_xact_lock"},
	} {
		for _, guarded := range []bool{true, false} {
			t.Run(map[bool]string{true: name, false: name + ", unguarded"}[guarded], func(t *testing.T) {
				t.Parallel()
				h := setup(t)
				users := make([]identity.User, 8)
				for i := range users {
					if users[i] = users[0]; !c.same || i == 0 {
						users[i] = h.Person(t)
					}
				}
				if !guarded {
					h.Weaken(c.guard, dbtest.Replacing(c.weak,
						map[pg.Guard]string{accounts.LockOwner: "", accounts.LockAddress: "abs"}[c.guard]))
					h.Weaken(accounts.InsertLink, dbtest.Meeting(2))
				}
				got := h.sendAtOnce(t, users, c.email)
				if guarded && got != 1 {
					t.Errorf("%d letters, want one", got)
				}
				if !guarded && got < 2 {
					t.Error("one letter without the lock too: the test above proves nothing")
				}
			})
		}
	}
}

// An unconfirmed address gets three letters of a kind; more come when it is confirmed, if they may still be read.
func TestMails_BeyondThreeWaitForTheConfirmation(t *testing.T) {
	t.Parallel()
	h := setup(t)
	id, diner := h.Confirmed(t, h.StartingIn(72*time.Hour))
	h.MustExec(t, `DELETE FROM mails`)
	h.MustExec(t, `UPDATE users SET email_confirmed_at = NULL WHERE id = $1`, diner)
	h.noteConfirmed(t, diner, id, 4)
	store := letters.NewMailStore(h.Pool)
	if notes, err := store.TakeMails(t.Context(), 10); err != nil || len(notes) != 3 {
		t.Fatalf("taken: %+v, %v", notes, err)
	}
	h.MustExec(t, `UPDATE mails SET sent_at = now() WHERE due_at < 'infinity'`)
	dbtest.Must(t, h.Users.SendLink(t.Context(), identity.LinkConfirm, identity.Addressee{UserID: diner}))
	notes, err := store.TakeMails(t.Context(), 10)
	if err != nil || len(notes) != 1 || notes[0].Kind != mail.Confirm {
		t.Fatalf("taken: %+v, %v", notes, err)
	}
	h.mustPress(t, notes[0])
	if notes, err := store.TakeMails(t.Context(), 10); err != nil || len(notes) != 1 ||
		notes[0].Kind != mail.Confirmed {
		t.Errorf("afterwards: %+v, %v", notes, err)
	}
	dbtest.Must(t, h.Users.SendLink(t.Context(), identity.LinkConfirm, identity.Addressee{UserID: diner}))
	if got := h.Letters(t, diner); len(got) != 4+1 {
		t.Errorf("a confirmed address is asked again: %v", got)
	}
}

// noteConfirmed notes letters that a reservation is confirmed.
func (h *harness) noteConfirmed(t *testing.T, diner, id string, letters int) {
	t.Helper()
	for range letters { // one by one, as they come
		h.MustExec(t, `INSERT INTO mails (kind, user_id, reservation_id) VALUES ('confirmed', $1, $2)`, diner, id)
	}
}

// That a table is held is written at once to an address that is not confirmed, three times an account.
func TestMails_OfATurnDoNotWaitForTheConfirmation(t *testing.T) {
	t.Parallel()
	h := setup(t)
	diner := h.Diners(t, 1, 0)[0]
	h.MustExec(t, `UPDATE users SET email_confirmed_at = NULL WHERE id = $1`, diner)
	store := letters.NewMailStore(h.Pool)
	var taken []mail.Kind
	for _, at := range []booking.TimeOfDay{"12:00", "14:00", "16:00", "18:00"} {
		req := h.Request(diner, h.Slot(at))
		req.Arrival = time.Now().Add(-time.Minute).UnixMicro()
		id := h.Reserve(t, req)
		notes, err := store.TakeMails(t.Context(), 10)
		dbtest.Must(t, err)
		for _, note := range notes {
			taken = append(taken, note.Kind)
		}
		h.MustExec(t, `UPDATE reservations SET state = 'cancelled' WHERE id = $1`, id)
	}
	if want := []mail.Kind{mail.Turn, mail.Turn, mail.Turn}; !slices.Equal(taken, want) {
		t.Errorf("letters %v, want %v", taken, want)
	}
}

// A letter that is noted while its reader confirms the address does not wait for ever.
func TestMails_NotedDuringTheConfirmationAreSent(t *testing.T) {
	t.Parallel()
	for _, guarded := range []bool{true, false} {
		t.Run(map[bool]string{true: "locked", false: "unlocked"}[guarded], func(t *testing.T) {
			t.Parallel()
			h := setup(t)
			if !guarded {
				h.MustExec(t,
					`DO $$ BEGIN EXECUTE replace(pg_get_functiondef('hold_back_letter'::regproc), 'FOR SHARE', ''); END $$`)
			}
			id, diner := h.Confirmed(t, h.StartingIn(72*time.Hour))
			h.MustExec(t, `DELETE FROM mails`)
			h.MustExec(t, `UPDATE users SET email_confirmed_at = NULL WHERE id = $1`, diner)
			h.noteConfirmed(t, diner, id, 3)
			dbtest.Must(t, h.Users.SendLink(t.Context(), identity.LinkConfirm,
				identity.Addressee{UserID: diner}))
			link := h.letter(t, mail.Confirm, h.emailOf(t, diner)).Link.ID
			writer := h.SQL().MustBegin()
			writer.MustExec(`INSERT INTO mails (kind, user_id, reservation_id) VALUES ('confirmed', $1, $2)`, diner, id)
			confirmed := make(chan error, 1)
			go func() {
				_, err := h.press(t, link)
				confirmed <- err
			}()
			dbtest.AwaitLockOr(t, h.SQL(), func() bool { return len(confirmed) > 0 })
			dbtest.Must(t, writer.Commit())
			dbtest.Must(t, <-confirmed)
			waiting := h.Count(t, `SELECT count(*) FROM mails WHERE kind = 'confirmed' AND due_at = 'infinity'`)
			if guarded && waiting != 0 {
				t.Error("the letter waits for ever")
			}
			if !guarded && waiting != 1 {
				t.Error("the letter is sent without the lock too: the other case proves nothing")
			}
		})
	}
}

func (h *harness) emailOf(t *testing.T, userID string) string {
	t.Helper()
	u, err := h.Users.FindUser(t.Context(), userID)
	dbtest.Must(t, err)
	return u.Email
}
