package identity

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"lunchgo/app/token"
)

// register is a store that keeps what a test gives it.
type register struct {
	LinkStore
	Store        // what a test does not need is not there
	SessionStore // nor here
	mu           sync.Mutex
	users        map[string]User
	revocations  Revocations
}

func (r *register) CreateUser(_ context.Context, u User) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, taken := r.users[u.Email]; taken {
		return ErrEmailTaken
	}
	r.users[u.Email] = u
	return nil
}

func (r *register) SignUp(ctx context.Context, u User) error {
	if err := r.CreateUser(ctx, u); !errors.Is(err, ErrEmailTaken) {
		return err
	}
	return nil
}

func (r *register) FindUserByEmail(_ context.Context, email string) (User, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if u, ok := r.users[email]; ok {
		return u, nil
	}
	return User{}, ErrNotFound
}

func (r *register) RevokeSession(_ context.Context, session Session) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.revocations.Sessions = append(r.revocations.Sessions, session)
	return nil
}

func (r *register) EndSessions(_ context.Context, ended EndedSessions) (EndedSessions, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.revocations.Ended = append(r.revocations.Ended, ended)
	return ended, nil
}

func (r *register) ListRevocations(context.Context, time.Time) (Revocations, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.revocations, nil
}

func newRegister() *register {
	return &register{users: map[string]User{}}
}

func TestOnlyAGenuineSessionIsBelieved(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 24, 12, 0, 0, 0, time.UTC)
	s := NewSessions(token.Secrets{"the installation's secret"}, newRegister(), func() time.Time { return now })
	signed, issued := s.Issue("ann")
	if got, err := s.Verify(signed); err != nil || got.UserID != "ann" || got.ID != issued.ID {
		t.Fatalf("got %+v, %v", got, err)
	}
	other := NewSessions(token.Secrets{"another secret"}, newRegister(), func() time.Time { return now })
	foreign, _ := other.Issue("ann")
	for name, forged := range map[string]string{
		"empty":           "",
		"no dots":         "token",
		"another user":    strings.Replace(signed, "ann.", "bob.", 1),
		"another secret":  foreign,
		"no signature":    signed[:strings.LastIndexByte(signed, '.')+1],
		"more than there": signed + "A",
	} {
		if _, err := s.Verify(forged); !errors.Is(err, ErrInvalidSession) {
			t.Errorf("%s: %v", name, err)
		}
	}
	now = now.Add(SessionLife)
	if _, err := s.Verify(signed); !errors.Is(err, ErrInvalidSession) {
		t.Errorf("an expired session: %v", err)
	}
}

func TestARevokedSessionEndsEverywhere(t *testing.T) {
	t.Parallel()
	store := newRegister()
	here := NewSessions(token.Secrets{"secret"}, store, time.Now)
	there := NewSessions(token.Secrets{"secret"}, store, time.Now)
	token, session := here.Issue("ann")
	if err := here.Revoke(t.Context(), session); err != nil {
		t.Fatal(err)
	}
	if _, err := here.Verify(token); !errors.Is(err, ErrInvalidSession) {
		t.Errorf("in the process that revoked it: %v", err)
	}
	if err := there.refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := there.Verify(token); !errors.Is(err, ErrInvalidSession) {
		t.Errorf("in another process: %v", err)
	}
}

// Whoever ends the other sessions of somebody also ends those that nobody has recorded, and none that begins
// afterwards.
func TestSessions_EndOthersEndsThoseIssuedBefore(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 24, 12, 0, 0, 0, time.UTC)
	store, clock := newRegister(), func() time.Time { return now }
	here, there := NewSessions(token.Secrets{"secret"}, store, clock),
		NewSessions(token.Secrets{"secret"}, store, clock)
	old, _ := there.Issue("ann")
	strangers, _ := there.Issue("bob")
	kept, session := here.IssueByLink("ann")
	if err := here.EndOthers(t.Context(), session); err != nil {
		t.Fatal(err)
	}
	now = now.Add(time.Millisecond)
	fresh, _ := there.Issue("ann")
	check := func(in *Sessions, where string) {
		t.Helper()
		if _, err := in.Verify(old); !errors.Is(err, ErrInvalidSession) {
			t.Errorf("%s: an old one: %v", where, err)
		}
		for name, token := range map[string]string{"kept": kept, "fresh": fresh, "stranger's": strangers} {
			if _, err := in.Verify(token); err != nil {
				t.Errorf("%s: %s: %v", where, name, err)
			}
		}
	}
	if _, err := there.Verify(old); err != nil {
		t.Errorf("before the others hear of it: %v", err)
	}
	check(here, "at once")
	if err := there.refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(there, "in another process")
	now = now.Add(2 * SessionLife)
	there.forget()
	if len(there.ended)+len(there.revoked) != 0 {
		t.Errorf("%d and %d are remembered for ever", len(there.ended), len(there.revoked))
	}
}

func TestSessions_ReadsTokensOfBefore(t *testing.T) {
	t.Parallel()
	s := NewSessions(token.Secrets{"secret"}, newRegister(), time.Now)
	expires := time.Now().Add(time.Hour).Truncate(time.Second)
	got, err := s.Verify(s.signer.Sign("ann.id1." + strconv.FormatInt(expires.Unix(), 36)))
	if err != nil || got.UserID != "ann" || got.ID != "id1" || !got.Expires.Equal(expires) ||
		!got.Issued.Equal(expires.Add(-SessionLife)) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, body := range []string{"ann.id1", "ann.id1.x y", "ann.id1.1.2", "ann.id1.zz.!.p", "ann.id1.1.2.p.q"} {
		if _, err := s.Verify(s.signer.Sign(body)); !errors.Is(err, ErrInvalidSession) {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// A session's id is shown to its owner, and is no proof of it.
func TestSessions_IDIsNoToken(t *testing.T) {
	t.Parallel()
	s := NewSessions(token.Secrets{"secret"}, newRegister(), time.Now)
	_, session := s.Issue("ann")
	for _, guess := range []string{session.ID, "ann." + session.ID, "ann." + session.ID + "." + millis(session.Issued) +
		"." + millis(session.Expires) + ".p"} {
		if _, err := s.Verify(guess); !errors.Is(err, ErrInvalidSession) {
			t.Errorf("%s: %v", guess, err)
		}
	}
}

func TestDeviceOf(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]string{
		"Mozilla/5.0 (Linux; Android 14; SM-S921N) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36":           "Chrome, Android",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0":    "Edge, Windows",
		"Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile Safari/604.1": "Safari, iPhone",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:132.0) Gecko/20100101 Firefox/132.0":                                             "Firefox, macOS",
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Whale/4.29.282.14 Safari/537.36":    "Whale, Windows",
		"curl/8.14.1": "curl", "<script>alert(1)</script>": "", "": "", "Go-http-client/1.1": "",
	} {
		if got := DeviceOf(agent); got != want {
			t.Errorf("%q is %q, want %q", agent, got, want)
		}
	}
}

func TestSignUpAndSignIn(t *testing.T) {
	t.Parallel()
	hasher, err := NewHasher(Strong, 2, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	store := newRegister()
	s := &Service{Store: store, Links: store, Hasher: hasher,
		Sessions: NewSessions(token.Secrets{"secret"}, store, time.Now), Now: time.Now}
	ann := SignUp{Email: " Ann@Example.com ", Password: "correct horse", Name: "앤", Phone: "010-1234-5678"}
	user, err := s.SignUp(t.Context(), ann)
	if err != nil || user.Email != "ann@example.com" || strings.Contains(user.PasswordHash, ann.Password) {
		t.Fatalf("got %+v, %v", user, err)
	}
	another := ann
	another.Password = "another password"
	if again, err := s.SignUp(t.Context(), another); err != nil || again.ID == "" || again.ID == user.ID {
		t.Errorf("the same address again: %+v, %v", again, err)
	}
	if _, session, err := s.SignIn(t.Context(), "ANN@example.com", ann.Password); err != nil ||
		session.UserID != user.ID {
		t.Errorf("signing in: %+v, %v", session, err)
	}
	for _, wrong := range [][2]string{{"ann@example.com", "correct hors"}, {"bob@example.com", ann.Password},
		{"ann@example.com", strings.Repeat("x", MaxPassword+1)}, {"", ""}} {
		if _, _, err := s.SignIn(t.Context(), wrong[0], wrong[1]); !errors.Is(err, ErrWrongPassword) {
			t.Errorf("%v: %v, want ErrWrongPassword", wrong, err)
		}
	}
}

func TestSignUpNamesEveryFault(t *testing.T) {
	t.Parallel()
	good := SignUp{Email: "ann@example.com", Password: "correct horse", Name: "Ann", Phone: "+82 10-1234-5678"}
	for name, c := range map[string]struct {
		change func(*SignUp)
		want   []string
	}{
		"nothing":       {func(*SignUp) {}, nil},
		"emoji name":    {func(s *SignUp) { s.Name = "🍚" }, nil},
		"no address":    {func(s *SignUp) { s.Email = "ann" }, []string{"email invalid_email"}},
		"named address": {func(s *SignUp) { s.Email = "Ann <ann@example.com>" }, []string{"email invalid_email"}},
		"long name":     {func(s *SignUp) { s.Name = strings.Repeat("가", 10_000) }, []string{"name too_long"}},
		"line break":    {func(s *SignUp) { s.Name = "a\nb" }, []string{"name invalid_text"}},
		"letters":       {func(s *SignUp) { s.Phone = "call me" }, []string{"phone invalid_phone"}},
		"nothing at all": {func(s *SignUp) { *s = SignUp{} },
			[]string{"email invalid_email", "password too_short", "name required", "phone invalid_phone"}},
	} {
		in := good
		c.change(&in)
		var got []string
		if invalid, ok := errors.AsType[*InvalidError](in.Check()); ok {
			for _, f := range invalid.Fields {
				got = append(got, f.Field+" "+f.Reason)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestHasher_RefusesACrowd(t *testing.T) {
	t.Parallel()
	hasher, err := NewHasher(Strong, 1, time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	if err := hasher.acquire(t.Context(), hasher.making); err != nil {
		t.Fatal(err)
	}
	if _, err := hasher.Hash(t.Context(), "correct horse"); !errors.Is(err, ErrBusy) {
		t.Errorf("got %v, want ErrBusy", err)
	}
	if err := hasher.Verify(t.Context(), "correct horse", ""); !errors.Is(err, ErrWrongPassword) {
		t.Errorf("a sign-in waits behind sign-ups: %v", err)
	}
	hasher.making.Release(1)
	if _, err := hasher.Hash(t.Context(), "correct horse"); err != nil {
		t.Error(err)
	}
}
