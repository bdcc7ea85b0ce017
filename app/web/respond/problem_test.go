package respond

import (
	"testing"
	"time"

	"lunchgo/app/waiting"
)

// A pause that is the same for everybody brings all of them back at once: no row of the table names one.
func TestProblemOf_NoPauseIsFixed(t *testing.T) {
	t.Parallel()
	for _, outcome := range outcomes {
		if what := NewProblem(outcome.Code); what.RetryAfter != 0 {
			t.Errorf("%s: everybody comes back after %v", what.Code, what.RetryAfter)
		}
		for _, err := range outcome.Errs {
			if what := ProblemOf(err); what.Code != outcome.Code || (what.RetryAfter > 0) != (outcome.MeanRetry > 0) {
				t.Errorf("%v is %s, retried after %v", err, what.Code, what.RetryAfter)
			}
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
			f, _ := ProblemOfResult(waiting.Result{State: waiting.Rejected, Code: waiting.CodeUnavailable})
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
