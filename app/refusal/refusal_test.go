package refusal_test

import (
	"errors"
	"fmt"
	"testing"

	"lunchgo/app/refusal"
)

type shortError struct {
	Left int `json:"left"`
}

func (e *shortError) Error() string { return "short" }
func (e *shortError) Unwrap() error { return errShort }

var errShort = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "test_short", Text: "short",
	New: func() error { return new(shortError) }})

func TestOf_FindsTheRefusal(t *testing.T) {
	t.Parallel()
	secret := errors.New("a secret")
	for err, want := range map[error]*refusal.Refusal{
		nil:                                     nil,
		secret:                                  nil,
		refusal.NotFound:                        refusal.NotFound,
		&shortError{}:                           errShort,
		errShort.Because("why"):                 errShort,
		fmt.Errorf("serve: %w", &shortError{}):  errShort,
		fmt.Errorf("%w: %w", secret, errShort):  errShort,
		errors.Join(secret, errShort, secret):   errShort,
		errors.Join(secret, errors.New("more")): nil,
	} {
		if got := refusal.Of(err); got != want {
			t.Errorf("of %v: %v, want %v", err, got, want)
		}
	}
}

// The program tells refusals apart that mean the same to everybody else.
func TestBecause_IsItsOwnError(t *testing.T) {
	t.Parallel()
	one, other := refusal.NotFound.Because("no user"), refusal.NotFound.Because("no slot")
	if !errors.Is(one, refusal.NotFound) {
		t.Error("a reason of a refusal is not the refusal")
	}
	for _, differ := range [][2]error{{one, other}, {refusal.NotFound, one}} {
		if errors.Is(differ[0], differ[1]) {
			t.Errorf("%v is %v", differ[0], differ[1])
		}
	}
	if one.Error() != "no user" {
		t.Error(one)
	}
}

func TestDetails_AreTheCarriersOwn(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("serve: %w", &shortError{Left: 3})
	if got := refusal.Details[shortError](err); got.Left != 3 {
		t.Errorf("%+v", got)
	}
	if got := refusal.Details[shortError](errShort); got.Left != 0 {
		t.Errorf("a refusal without values has %+v", got)
	}
	if got := errShort.Carrier(err); got != errors.Unwrap(err) {
		t.Errorf("the carrier is %v", got)
	}
	if got := errShort.Carrier(errShort.Because("why")); got != nil {
		t.Errorf("a refusal without values has the carrier %v", got)
	}
}

func TestDeclare_RefusesACodeTwice(t *testing.T) {
	t.Parallel()
	if refusal.ByCode("test_short") != errShort || refusal.ByCode("eclipse") != nil {
		t.Error("a code is another refusal's")
	}
	defer func() {
		if recover() == nil {
			t.Error("a code is declared twice")
		}
	}()
	refusal.New(refusal.Conflict, "test_short", "again")
}
