// Package audit is the auditor: it proves from the tables that nothing is oversold and that the books balance. What it
// checks is a list of named checks that its store knows; it imports only the standard library.
package audit

import (
	"context"
	"slices"
	"time"
)

// MaxExamples is how many findings of a check a report quotes.
const MaxExamples = 10

// Finding is one thing that is wrong.
type Finding struct {
	Subject string `json:"subject"` // such as "slot 17"
	Problem string `json:"problem"`
}

// Result is what one check found. Found is 0 where all is well.
type Result struct {
	Check    string    `json:"check"`
	Proves   string    `json:"proves"` // the sentence that is true as long as nothing is found
	Found    int       `json:"found"`
	At       time.Time `json:"at,omitzero"`        // of the last audit that found it; zero where each looks at all
	Examples []Finding `json:"examples,omitempty"` // the first of them
}

// Report is what all checks found, as of one moment; of an audit in slices, as of the moment of each.
type Report struct {
	At      time.Time `json:"at"`             // when it began
	Since   time.Time `json:"since,omitzero"` // it looked at what was touched since then; zero: at everything
	Whole   time.Time `json:"whole,omitzero"` // when the last audit of everything in slices began, of those that ended
	Ended   time.Time `json:"ended,omitzero"` // when its last slice ended; zero for one without slices
	Seconds float64   `json:"seconds"`        // how long it took
	Checks  []Result  `json:"checks"`
}

// Found is how many things are wrong.
func (r Report) Found() int {
	n := 0
	for _, result := range r.Checks {
		n += result.Found
	}
	return n
}

// Wrong are the results that found something.
func (r Report) Wrong() []Result {
	var wrong []Result
	for _, result := range r.Checks {
		if result.Found > 0 {
			wrong = append(wrong, result)
		}
	}
	return wrong
}

// And adds what the same checks found in another slice.
func (r Report) And(slice Report) Report {
	r.Seconds += slice.Seconds
	r.Checks = slices.Clone(r.Checks)
	for _, result := range slice.Checks {
		at := r.index(result.Check)
		if at < 0 {
			r.Checks = append(r.Checks, result)
			continue
		}
		if sum := &r.Checks[at]; result.Found > 0 {
			sum.Found, sum.At = sum.Found+result.Found, result.At
			sum.Examples = append(slices.Clone(sum.Examples), result.Examples...)
			sum.Examples = sum.Examples[:min(len(sum.Examples), MaxExamples)]
		}
	}
	return r
}

// Or has each check say what it found in another audit too: how much where it found more, and the examples of both.
func (r Report) Or(other Report) Report {
	r.Checks = slices.Clone(r.Checks)
	for i, result := range r.Checks {
		at := other.index(result.Check)
		switch {
		case at < 0:
		case result.Found == 0:
			r.Checks[i] = other.Checks[at]
		default:
			r.Checks[i].Found = max(result.Found, other.Checks[at].Found)
			r.Checks[i].Examples = together(result.Examples, other.Checks[at].Examples)
		}
	}
	return r
}

// index is where the result of a check is, or -1: the checks of a release are not those of another.
func (r Report) index(check string) int {
	return slices.IndexFunc(r.Checks, func(result Result) bool { return result.Check == check })
}

// together returns the first examples of both, each once.
func together(some, more []Finding) []Finding {
	some = slices.Clone(some)
	for _, finding := range more {
		if !slices.Contains(some, finding) && len(some) < MaxExamples {
			some = append(some, finding)
		}
	}
	return some
}

// RoundDue says whether everything is to be audited again after the audit of which r is the report: each night, at
// other hours when a night was missed, and an hour after the end of one if something is found, to know when that is
// mended.
func (r Report) RoundDue(now time.Time, hour int) bool {
	age := now.Sub(r.At)
	rest := min(age, now.Sub(r.Ended))
	return age > 30*time.Hour || age > 20*time.Hour && hour >= 2 && hour < 5 || rest > time.Hour && r.Found() > 0
}

// Books are what is audited.
type Books interface {
	// AuditIfDue runs the checks over what was touched since the last such audit and keeps the report, unless one was
	// kept that is younger than age or another instance is about to: then ran is false. It returns the last report that
	// was kept, with what the last audit of everything found besides. A report without a time says that there is none
	// yet.
	AuditIfDue(ctx context.Context, age time.Duration) (report Report, ran bool, err error)
	// AuditSlice runs the checks over the next slice of everything and returns what they found, unless no audit of
	// everything is due or another instance is at it: then ran is false. One that a process began another goes on with.
	AuditSlice(ctx context.Context) (found Report, ran bool, err error)
	// ListConcerns returns at which restaurants the examples of a report are.
	ListConcerns(ctx context.Context, report Report) ([]Concern, error)
}
