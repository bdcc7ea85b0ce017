package accounts_test

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lunchgo/app/identity"
	"lunchgo/app/mail"
	"lunchgo/db/accounts"
	"lunchgo/db/dbtest"
	"lunchgo/db/rowlock"
)

func passkeyOf(userID, id string) identity.Passkey {
	return identity.Passkey{ID: id, UserID: userID, Name: "휴대폰", PublicKey: []byte{1, 2, 3}, SignCount: 7,
		BackupEligible: true}
}

func TestPasskeys_AreStoredAndRemoved(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ids := h.Diners(t, 2, 0)
	ann, bob := ids[0], ids[1]
	dbtest.Must(t, h.Users.AddPasskey(t.Context(), passkeyOf(ann, "k1")))
	if err := h.Users.AddPasskey(t.Context(), passkeyOf(bob, "k1")); !errors.Is(err, identity.ErrPasskeyTaken) {
		t.Errorf("the passkey of another account is added: %v", err)
	}
	dbtest.Must(t, h.Users.RemovePasskey(t.Context(), bob, "k1"))
	all, err := h.Users.ListPasskeys(t.Context(), ann)
	dbtest.Must(t, err)
	if len(all) != 1 {
		t.Fatalf("%+v: somebody else removes a passkey", all)
	}
	if k := all[0]; k.Name != "휴대폰" || k.SignCount != 7 || !k.BackupEligible || string(k.PublicKey) != "\x01\x02\x03" ||
		time.Since(k.CreatedAt) > time.Hour || k.UsedAt.Before(k.CreatedAt) {
		t.Errorf("it is stored as %+v", k)
	}
	dbtest.Must(t, h.Users.RemovePasskey(t.Context(), ann, "k1"))
	if _, err := h.Users.FindPasskey(t.Context(), "k1"); !errors.Is(err, identity.ErrNotFound) {
		t.Errorf("it is not removed: %v", err)
	}
}

// Whoever owns the address hears of it, and an objection ends what somebody else added.
func TestPasskeys_AreWrittenAbout(t *testing.T) {
	t.Parallel()
	h := setup(t)
	u := h.Person(t)
	dbtest.Must(t, h.Users.AddPasskey(t.Context(), passkeyOf(u.ID, "k1")))
	dbtest.Must(t, h.Users.AddPasskey(t.Context(), passkeyOf(u.ID, "k2")))
	dbtest.Must(t, h.Users.RemovePasskey(t.Context(), u.ID, "k1"))
	dbtest.Must(t, h.Users.RemovePasskey(t.Context(), u.ID, "k1")) // it is gone already
	want := []mail.Kind{mail.PasskeyAdded, mail.PasskeyAdded, mail.PasskeyRemoved}
	if got := h.Letters(t, u.ID); !slices.Equal(got, want) {
		t.Fatalf("letters: %v, want %v", got, want)
	}
	if used := h.mustPress(t, h.letter(t, mail.PasskeyAdded, u.Email)); used.Kind != identity.LinkObject || !used.Reset {
		t.Errorf("the objection does %+v", used)
	}
	if all, err := h.Users.ListPasskeys(t.Context(), u.ID); err != nil || len(all) > 0 {
		t.Errorf("%+v stay, %v", all, err)
	}
	stranger := h.SignUp(t, "mistyped@example.org")
	dbtest.Must(t, h.Users.AddPasskey(t.Context(), passkeyOf(stranger.ID, "k3")))
	if got := h.Letters(t, stranger.ID); !slices.Equal(got, []mail.Kind{mail.Confirm}) {
		t.Errorf("letters to an unconfirmed address: %v", got)
	}
}

// A counter rises with every signature, unless the authenticator does not count.
func TestUsePasskey_OnlyWithARisingCount(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ann := h.Diners(t, 1, 0)[0]
	counted, uncounted := passkeyOf(ann, "counted"), passkeyOf(ann, "uncounted")
	uncounted.SignCount = 0
	for _, k := range []identity.Passkey{counted, uncounted} {
		dbtest.Must(t, h.Users.AddPasskey(t.Context(), k))
	}
	for _, c := range []struct {
		id    string
		count uint32
		rises bool
	}{
		{"counted", 7, false}, {"counted", 0, false}, {"counted", 9, true}, {"counted", 8, false},
		{"counted", 1 << 31, true}, {"counted", 1<<31 + 1, true},
		{"uncounted", 0, true}, {"uncounted", 0, true}, {"uncounted", 3, true}, {"uncounted", 0, false},
		{"unknown", 1, false},
	} {
		rose, err := h.Users.UsePasskey(t.Context(), c.id, c.count)
		if err != nil || rose != c.rises {
			t.Errorf("%s with %d: %v, %v", c.id, c.count, rose, err)
		}
	}
}

// useAtOnce has one signature used several times at the same moment, once start is done, and returns how often that
// went well.
func useAtOnce(t *testing.T, h *harness, start func()) int64 {
	t.Helper()
	ann := h.Diners(t, 1, 0)[0]
	dbtest.Must(t, h.Users.AddPasskey(t.Context(), passkeyOf(ann, "k1")))
	holder := h.SQL().MustBeginTx(t.Context(), nil)
	defer func() { _ = holder.Rollback() }()
	holder.MustExec(`SELECT FROM passkeys FOR UPDATE`)
	var used atomic.Int64
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			rose, err := h.Users.UsePasskey(t.Context(), "k1", 8)
			if err != nil {
				t.Error(err)
			}
			if rose {
				used.Add(1)
			}
		})
	}
	start()
	dbtest.Must(t, holder.Rollback())
	wg.Wait()
	return used.Load()
}

// One signature signs in once, at however many servers it is sent to at the same moment.
func TestUsePasskey_OnceForOneSignature(t *testing.T) {
	t.Parallel()
	h := setup(t)
	if n := useAtOnce(t, h, func() { dbtest.AwaitLocks(t, h.SQL(), 2) }); n != 1 {
		t.Errorf("it was used %d times", n)
	}
}

// The control: where the count is not compared, each of them is used.
func TestUsePasskey_Uncompared(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Weaken(accounts.UsePasskey, dbtest.Replacing("(sign_count < $2 OR sign_count = 0 AND $2 = 0)", "true"))
	if n := useAtOnce(t, h, func() { dbtest.AwaitLocks(t, h.SQL(), 2) }); n != 2 {
		t.Errorf("it was used %d times: the test above proves nothing", n)
	}
}

// addAtOnce has two passkeys added to an account that has room for one more, once start is done, and returns how many
// it has then.
func addAtOnce(t *testing.T, h *harness, start func()) int {
	t.Helper()
	ann := h.Diners(t, 1, 0)[0]
	h.MustExec(t, `
		INSERT INTO passkeys (id, user_id, name, public_key, sign_count, backup_eligible)
		SELECT 'k' || n, $1, '', '', 0, false
		FROM generate_series(2, $2) n`, ann, identity.MaxPasskeys)
	holder := h.SQL().MustBeginTx(t.Context(), nil)
	defer func() { _ = holder.Rollback() }()
	holder.MustExec(`SELECT FROM users FOR UPDATE`)
	var wg sync.WaitGroup
	for _, id := range []string{"a", "b"} {
		wg.Go(func() {
			err := h.Users.AddPasskey(t.Context(), passkeyOf(ann, id))
			if err != nil && !errors.Is(err, identity.ErrTooManyPasskeys) {
				t.Error(err)
			}
		})
	}
	start()
	dbtest.Must(t, holder.Rollback())
	wg.Wait()
	return h.Count(t, `SELECT count(*) FROM passkeys`)
}

func TestAddPasskey_BoundedForAnAccount(t *testing.T) {
	t.Parallel()
	h := setup(t)
	if n := addAtOnce(t, h, func() { dbtest.AwaitLocks(t, h.SQL(), 2) }); n != identity.MaxPasskeys {
		t.Errorf("%d passkeys, want %d", n, identity.MaxPasskeys)
	}
}

// The control: without the lock both take the last place.
func TestAddPasskey_WithoutTheLock(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Weaken(rowlock.LockUsers, dbtest.Replacing("FOR NO KEY UPDATE", ""))
	h.Weaken(accounts.InsertPasskey, dbtest.Meeting(2))
	if n := addAtOnce(t, h, func() {}); n != identity.MaxPasskeys+1 {
		t.Errorf("%d passkeys: the test above proves nothing", n)
	}
}

// removeAtOnce has the passkey and the provider of somebody without another way in end at the same moment, once start
// is done, and returns how many are left.
func removeAtOnce(t *testing.T, h *harness, start func()) int {
	t.Helper()
	ann := h.Diners(t, 1, 0)[0]
	h.MustExec(t, `UPDATE users SET password_hash = '', email_confirmed_at = NULL WHERE id = $1`, ann)
	h.MustExec(t, `INSERT INTO user_identities (issuer, subject, user_id) VALUES ('a', '1', $1)`, ann)
	dbtest.Must(t, h.Users.AddPasskey(t.Context(), passkeyOf(ann, "k1")))
	holder := h.SQL().MustBeginTx(t.Context(), nil)
	defer func() { _ = holder.Rollback() }()
	holder.MustExec(`SELECT FROM users FOR UPDATE`)
	var wg sync.WaitGroup
	for _, end := range []func() error{
		func() error { return h.Users.EndIdentity(t.Context(), ann, "a") },
		func() error { return h.Users.RemovePasskey(t.Context(), ann, "k1") },
	} {
		wg.Go(func() {
			if err := end(); err != nil && !errors.Is(err, identity.ErrLastWayIn) {
				t.Error(err)
			}
		})
	}
	start()
	dbtest.Must(t, holder.Rollback())
	wg.Wait()
	return h.Count(t, `SELECT (SELECT count(*) FROM user_identities) + (SELECT count(*) FROM passkeys)`)
}

// Of a passkey and a provider that end at once, one stays.
func TestRemovePasskey_LeavesAWayIn(t *testing.T) {
	t.Parallel()
	h := setup(t)
	if n := removeAtOnce(t, h, func() { dbtest.AwaitLocks(t, h.SQL(), 2) }); n != 1 {
		t.Errorf("%d are left, want 1", n)
	}
}

// The control: without the lock each ends because there is the other.
func TestRemovePasskey_WithoutTheLock(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.Weaken(rowlock.LockUsers, dbtest.Replacing("FOR NO KEY UPDATE", ""))
	both := dbtest.Meeting(2)
	h.Weaken(accounts.EndIdentity, both)
	h.Weaken(accounts.EndPasskey, both)
	if n := removeAtOnce(t, h, func() {}); n != 0 {
		t.Errorf("%d are left: the test above proves nothing", n)
	}
}

// A passkey ends where a password does, and goes with the account; an account that is gone gets none.
func TestPasskeys_EndWithPasswordAndAccount(t *testing.T) {
	t.Parallel()
	h := setup(t)
	ann := h.Diners(t, 1, 0)[0]
	dbtest.Must(t, h.Users.AddPasskey(t.Context(), passkeyOf(ann, "k1")))
	_, err := h.Users.SetPassword(t.Context(), "hash", identity.EndedSessions{UserID: ann})
	dbtest.Must(t, err)
	if n := h.Count(t, `SELECT count(*) FROM passkeys`); n != 0 {
		t.Error("a passkey outlives a new password")
	}
	dbtest.Must(t, h.Users.AddPasskey(t.Context(), passkeyOf(ann, "k1")))
	dbtest.Must(t, h.DeleteAccount(t, ann))
	if n := h.Count(t, `SELECT count(*) FROM passkeys`); n != 0 {
		t.Error("a passkey outlives its account")
	}
	if err := h.Users.AddPasskey(t.Context(), passkeyOf(ann, "k2")); !errors.Is(err, identity.ErrInvalidSession) {
		t.Errorf("a deleted account gets a passkey: %v", err)
	}
}
