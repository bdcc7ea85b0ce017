package identity

import (
	"context"
	"errors"
	"testing"
	"time"

	"lunchgo/app/token"
)

// demoRegister is a register with one user of the demo.
type demoRegister struct {
	*register
	demo []string
}

func (r *demoRegister) ListDemoUsers(context.Context) ([]string, error) { return r.demo, nil }

func TestSessions_OfTheDemoEndWithIt(t *testing.T) {
	t.Parallel()
	store := &demoRegister{register: newRegister(), demo: []string{"visitor"}}
	s := NewSessions(token.Secrets{"secret"}, store, time.Now)
	visitor, _ := s.Issue("visitor")
	ann, _ := s.Issue("ann")
	if _, err := s.Verify(visitor); err != nil {
		t.Fatalf("in a demo: %v", err)
	}
	if err := s.BarDemo(t.Context()); err != nil {
		t.Fatal(err)
	}
	later, _ := s.Issue("visitor")
	for _, token := range []string{visitor, later} {
		if _, err := s.Verify(token); !errors.Is(err, ErrInvalidSession) {
			t.Errorf("after the demo: %v", err)
		}
	}
	if _, err := s.Verify(ann); err != nil {
		t.Errorf("somebody else: %v", err)
	}
	store.demo = append(store.demo, "ann") // by another instance, which loads the demo
	if err := s.refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Verify(ann); !errors.Is(err, ErrInvalidSession) {
		t.Errorf("of a demo that came later: %v", err)
	}
}

func TestSignIn_DemoAccountsOnlyInADemo(t *testing.T) {
	t.Parallel()
	hasher, err := NewHasher(Strong, 2, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	store := newRegister()
	s := &Service{Store: store, Hasher: hasher, Sessions: NewSessions(token.Secrets{"secret"}, store, time.Now),
		Now: time.Now}
	hash, err := hasher.Hash(t.Context(), "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	store.users["demo@example.com"] = User{ID: "visitor", Email: "demo@example.com", PasswordHash: hash, Demo: true}
	if _, _, err := s.SignIn(t.Context(), "demo@example.com", "correct horse"); !errors.Is(err, ErrWrongPassword) {
		t.Errorf("outside a demo: %v", err)
	}
	s.Demo = true
	if _, _, err := s.SignIn(t.Context(), "demo@example.com", "correct horse"); err != nil {
		t.Errorf("in a demo: %v", err)
	}
}
