package identity

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// register is a Store that keeps what a test gives it.
type register struct {
	Store   // what a test does not need is not there
	mu      sync.Mutex
	users   map[string]User
	revoked map[string]time.Time
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

func (r *register) FindUserByEmail(_ context.Context, email string) (User, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if u, ok := r.users[email]; ok {
		return u, nil
	}
	return User{}, ErrNotFound
}

func (r *register) RevokeSession(_ context.Context, id string, expires time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.revoked[id] = expires
	return nil
}

func (r *register) ListRevokedSessions(context.Context, time.Time) (ids []string, latest time.Time, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id := range r.revoked {
		ids = append(ids, id)
	}
	return ids, time.Now(), nil
}

func newRegister() *register {
	return &register{users: map[string]User{}, revoked: map[string]time.Time{}}
}

var quiet = slog.New(slog.DiscardHandler)

func TestOnlyAGenuineSessionIsBelieved(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 24, 12, 0, 0, 0, time.UTC)
	s := NewSessions([]byte("the installation's secret"), newRegister(), func() time.Time { return now }, quiet)
	token, issued := s.Issue("ann")
	if got, err := s.Verify(token); err != nil || got.UserID != "ann" || got.ID != issued.ID {
		t.Fatalf("got %+v, %v", got, err)
	}
	other := NewSessions([]byte("another secret"), newRegister(), func() time.Time { return now }, quiet)
	foreign, _ := other.Issue("ann")
	for name, forged := range map[string]string{
		"empty":           "",
		"no dots":         "token",
		"another user":    strings.Replace(token, "ann.", "bob.", 1),
		"another secret":  foreign,
		"no signature":    token[:strings.LastIndexByte(token, '.')+1],
		"more than there": token + "A",
	} {
		if _, err := s.Verify(forged); !errors.Is(err, ErrInvalidSession) {
			t.Errorf("%s: %v", name, err)
		}
	}
	now = now.Add(SessionLife)
	if _, err := s.Verify(token); !errors.Is(err, ErrInvalidSession) {
		t.Errorf("an expired session: %v", err)
	}
}

func TestARevokedSessionEndsEverywhere(t *testing.T) {
	t.Parallel()
	store := newRegister()
	here := NewSessions([]byte("secret"), store, time.Now, quiet)
	there := NewSessions([]byte("secret"), store, time.Now, quiet)
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

func TestSignUpAndSignIn(t *testing.T) {
	t.Parallel()
	hasher, err := NewHasher(Strong, 2, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	store := newRegister()
	s := &Service{Store: store, Hasher: hasher, Sessions: NewSessions([]byte("secret"), store, time.Now, quiet), Now: time.Now}
	ann := SignUp{Email: " Ann@Example.com ", Password: "correct horse", Name: "앤", Phone: "010-1234-5678"}
	user, err := s.SignUp(t.Context(), ann)
	if err != nil || user.Email != "ann@example.com" || strings.Contains(user.PasswordHash, ann.Password) {
		t.Fatalf("got %+v, %v", user, err)
	}
	if _, err := s.SignUp(t.Context(), ann); !errors.Is(err, ErrEmailTaken) {
		t.Errorf("the same address again: %v", err)
	}
	if _, session, err := s.SignIn(t.Context(), "ANN@example.com", ann.Password); err != nil || session.UserID != user.ID {
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
		var invalid *InvalidError
		if errors.As(in.Check(), &invalid) {
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
	if err := hasher.acquire(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := hasher.Hash(t.Context(), "correct horse"); !errors.Is(err, ErrBusy) {
		t.Errorf("got %v, want ErrBusy", err)
	}
	hasher.release()
	if _, err := hasher.Hash(t.Context(), "correct horse"); err != nil {
		t.Error(err)
	}
}
