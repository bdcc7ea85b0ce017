package respond

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/refusal"
	"lunchgo/app/waiting"
	"lunchgo/locks"
)

// A pause that is the same for everybody brings all of them back at once: no refusal names one.
func TestProblemOf_NoPauseIsFixed(t *testing.T) {
	t.Parallel()
	for _, r := range refusal.All() {
		if what := NewProblem(r); what.RetryAfter != 0 {
			t.Errorf("%s: everybody comes back after %v", what.Code, what.RetryAfter)
		}
		for _, err := range []error{r, r.Because("a test"), fmt.Errorf("a test: %w", r)} {
			if what := ProblemOf(err); what.Code != r.Code || (what.RetryAfter > 0) != (r.Retry > 0) {
				t.Errorf("%v is %s, retried after %v", err, what.Code, what.RetryAfter)
			}
		}
	}
}

// What is no refusal of the program means one all the same.
func TestProblemOf_OtherPartsErrors(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]*refusal.Refusal{
		locks.ErrServing: waiting.ErrServing, context.DeadlineExceeded: Unavailable, context.Canceled: Unavailable,
		fiber.ErrNotFound: NotFound, fiber.ErrMethodNotAllowed: methodNotAllowed, errors.New("a secret"): Internal,
	} {
		if what := ProblemOf(fmt.Errorf("a test: %w", err)); what.Code != want.Code {
			t.Errorf("%v is %s, want %s", err, what.Code, want.Code)
		}
	}
}

// A refusal that only a newer version knows, which served the ticket while instances are updated, is one to come back
// for.
func TestProblemOfResult_OfANewerVersion(t *testing.T) {
	t.Parallel()
	what, refused := ProblemOfResult(waiting.Result{State: waiting.Rejected, Code: "eclipse"})
	if !refused || what.Status != 503 || what.RetryAfter == 0 {
		t.Errorf("%+v, %t", what, refused)
	}
}

func TestProblemOf_SpreadsRetries(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func() Problem{
		"error": func() Problem { return ProblemOf(waiting.ErrClosing) },
		"own":   func() Problem { return ProblemOf(Unavailable) },
		"result": func() Problem {
			f, _ := ProblemOfResult(waiting.Result{State: waiting.Rejected, Code: refusal.Unavailable.Code})
			return f
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := map[time.Duration]bool{}
			for range 200 {
				seen[answer().RetryAfter] = true
			}
			if len(seen) != 3 || !seen[2*time.Second] || !seen[3*time.Second] || !seen[4*time.Second] {
				t.Errorf("clients come back after %v, want 2, 3 and 4 s", seen)
			}
		})
	}
}

// A limiter knows to the second when the next try may do: its time stays.
func TestProblemOf_ExactPausesStay(t *testing.T) {
	t.Parallel()
	if f := ProblemOf(Problem{Status: 429, RetryAfter: 17 * time.Second}); f.RetryAfter != 17*time.Second {
		t.Errorf("a limiter's own time became %v", f.RetryAfter)
	}
}
