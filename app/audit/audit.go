// Package audit is the auditor: it proves from the tables that nothing is oversold and that the books balance. What it
// checks is a list of named checks that its store knows; it imports only the standard library.
package audit

import (
	"context"
	"time"
)

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
	Examples []Finding `json:"examples,omitempty"` // the first of them
}

// Report is what all checks found, as of one moment.
type Report struct {
	At      time.Time `json:"at"`
	Seconds float64   `json:"seconds"` // how long it took
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

// Books are what is audited.
type Books interface {
	// AuditIfDue runs all checks as of one moment and keeps the report, unless one was kept that is younger than age or
	// another instance is about to: then it returns the last one that was kept, and false. A report without a time says
	// that there is none yet.
	AuditIfDue(ctx context.Context, age time.Duration) (report Report, ran bool, err error)
	// ListConcerns returns at which restaurants the examples of a report are.
	ListConcerns(ctx context.Context, report Report) ([]Concern, error)
}
