package webhooks

import (
	"slices"
	"strings"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/refusal"
)

// Bounds of endpoints.
const (
	MaxEndpoints   = 10  // of a restaurant
	MaxURL         = 500 // bytes
	MaxDescription = 100 // runes
)

// Why an endpoint stays as it is.
var (
	ErrTooMany = refusal.New(refusal.Conflict, "too_many_webhooks",
		"webhooks: the restaurant has as many endpoints as it may")
	ErrSameURL = refusal.New(refusal.Conflict, "webhook_exists",
		"webhooks: the restaurant has an endpoint of this address")
	ErrNotActive = refusal.New(refusal.Conflict, "webhook_inactive", "webhooks: the endpoint is not active")
)

// State is whether an endpoint is sent to.
type State string

// The states of endpoints.
const (
	Active  State = "active"
	Paused  State = "paused"  // by its owner: deliveries wait
	Gone    State = "gone"    // disabled: it answered 410
	Failing State = "failing" // disabled: nothing was delivered for days
)

// Disabled says whether the program has given the endpoint up: it gets no deliveries until its owner resumes it.
func (s State) Disabled() bool { return s == Gone || s == Failing }

// Endpoint is an address to which events of a restaurant are sent.
type Endpoint struct {
	ID           string   `json:"id"`
	RestaurantID int64    `json:"-"`
	URL          string   `json:"url"`
	Description  string   `json:"description"`
	Types        []string `json:"types"` // types of events that are sent
	// gone and failing are disabled: it answered 410, or took nothing for days.
	State        State     `json:"state"`
	CreatedAt    time.Time `json:"createdAt"`
	FailingSince time.Time `json:"-"` // of the first try that failed since the last delivery; zero while tries succeed
	Rotations    int       `json:"-"` // how often the secret was changed
	Keys         Keys      `json:"-"`
}

// Keys are the secrets of an endpoint as a Vault seals them.
type Keys struct {
	Current  []byte
	Old      []byte    // nil: none
	OldUntil time.Time // the old one signs until then
}

// Draft is what an owner says of a new endpoint.
type Draft struct {
	URL         string   `json:"url"` // https, reachable from the internet
	Description string   `json:"description,omitempty"`
	Types       []string `json:"types"` // types of events that are sent
}

// Patch changes an endpoint; what is nil stays.
type Patch struct {
	URL         *string
	Description *string
	Types       *[]string
	State       *State // Active or Paused
}

// Names of fields, in forms, JSON and errors.
const (
	FieldURL         = "url"
	FieldDescription = "description"
	FieldTypes       = "types"
	FieldState       = "state"
	FieldSince       = "since"
)

// check cleans a draft and returns what is wrong with it; private allows addresses that only tests send to.
func (d *Draft) check(private bool) (faults []booking.FieldError) {
	d.URL, d.Description = strings.TrimSpace(d.URL), booking.PlainText(d.Description)
	if reason := CheckURL(d.URL, MaxURL, private); reason != "" {
		faults = append(faults, booking.FieldError{Field: FieldURL, Reason: reason, Max: MaxURL})
	}
	faults = append(faults, booking.CheckText(FieldDescription, d.Description, MaxDescription)...)
	if len(d.Types) == 0 {
		faults = append(faults, booking.FieldError{Field: FieldTypes, Reason: "required"})
	}
	var known []string
	for _, name := range Types() {
		if slices.Contains(d.Types, name) {
			known = append(known, name)
		}
	}
	for _, name := range d.Types {
		if !slices.Contains(known, name) {
			faults = append(faults, booking.FieldError{Field: FieldTypes, Reason: "unknown"})
			break
		}
	}
	d.Types = known
	return faults
}

// apply changes an endpoint. Returns *booking.InvalidError.
func (p Patch) apply(e *Endpoint, private bool) error {
	d := Draft{URL: e.URL, Description: e.Description, Types: e.Types}
	for _, field := range []struct{ from, to *string }{{p.URL, &d.URL}, {p.Description, &d.Description}} {
		if field.from != nil {
			*field.to = *field.from
		}
	}
	if p.Types != nil {
		d.Types = *p.Types
	}
	faults := d.check(private)
	if p.State != nil && *p.State != Active && *p.State != Paused {
		faults = append(faults, booking.FieldError{Field: FieldState, Reason: "unknown"})
	}
	if len(faults) > 0 {
		return &booking.InvalidError{Fields: faults}
	}
	e.URL, e.Description, e.Types = d.URL, d.Description, d.Types
	if p.State != nil && *p.State != e.State {
		e.State = *p.State
		e.FailingSince = time.Time{} // what failed before its owner saw to it counts no more
	}
	return nil
}

// PublicURL is an endpoint's address without what may be secret in it: no query.
func (e Endpoint) PublicURL() string {
	before, _, _ := strings.Cut(e.URL, "?")
	return before
}
