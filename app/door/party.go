// Package door is the queue at the door: parties without a table, numbered in the order in which they came. Staff call
// and seat them; each follows its place on its own phone.
//
// It is no line of package waiting: that serves tickets by itself within seconds, while a host decides here, over
// hours, who gets which table. A row a party says all that is needed, and outlives every restart.
package door

import (
	"context"
	"strings"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/refusal"
	"lunchgo/app/reserve"
)

// State says what became of a party at the door.
type State string

// The states of parties.
const (
	Waiting State = "waiting"
	Called  State = "called" // its table is ready
	Seated  State = "seated"
	Gone    State = "gone" // staff have marked it so
	Left    State = "left" // it has said so itself
)

// MaxWaiting is how many parties of a restaurant can wait at once.
const MaxWaiting = 200

// Errors of the queue.
var (
	ErrFull = refusal.New(refusal.Conflict, "door_full", "door: as many parties wait as can")
	ErrBusy = refusal.New(refusal.Conflict, "door_busy", "door: another host is seating the party, or its time is busy")
	ErrOver = refusal.New(refusal.Conflict, "door_over", "door: nobody is seated any more today")
)

// Party is a party at the door.
type Party struct {
	ID            string
	RestaurantID  int64
	Date          booking.Date // of the day on which it waits
	Number        int          // among those of the day
	StaffID       string       // who has added it
	Key           string       // idempotency key of StaffID
	Name          string       // may be empty, as may Phone
	Phone         string
	PartySize     int
	State         State
	JoinedAt      time.Time
	CalledAt      time.Time // zero if it was not called
	EndedAt       time.Time // zero while it waits
	Passed        int       // parties that came later and were called or seated first, although it could have sat down
	ReservationID string    // of its table; empty for none
	UserID        string    // the account that is written to when it is called; empty for none

	Place Place `db:"-"` // as Locate finds it
}

// IsOpen returns whether the party still waits for a table.
func (p Party) IsOpen() bool { return p.State == Waiting || p.State == Called }

// Check returns *booking.InvalidError for a party that cannot wait.
func (p Party) Check(r booking.Restaurant) error {
	var faults []booking.FieldError
	if p.PartySize < 1 || p.PartySize > r.Capacity {
		faults = append(faults, booking.FieldError{Field: "partySize", Reason: "out_of_range", Min: 1, Max: r.Capacity})
	}
	if p.Name != "" {
		faults = append(faults, reserve.NameFaults(p.Name)...)
	}
	return booking.Invalid(append(faults, reserve.PhoneFaults(p.Phone)...))
}

// normal is the party with name and number as they are stored.
func (p Party) normal() Party {
	p.Name, p.Phone = strings.Clone(identity.NormalName(p.Name)), strings.Clone(strings.TrimSpace(p.Phone))
	return p
}

// Claim is the right of one member of staff to seat a party. It ends by itself.
type Claim struct {
	Party
	By      string
	Attempt int // to seat it; with another one the request for its table is another one
}

// Step is what staff do with a party.
type Step struct {
	RestaurantID int64
	PartyID      string
	StaffID      string
	State        State    // that it gets: Waiting takes a call, or Gone, back
	PassedOver   []string // those who came before and could have sat down
	// ClaimTime is how long a claim keeps others from the party: no request for a table waits for longer.
	ClaimTime time.Duration
}

// Asked says how a party wants to hear that it is called.
type Asked struct {
	PartyID  string
	Language string
	UserID   string // that is written to; empty: none, or that of an earlier time
}

// Store keeps the parties at doors. Each change of staff is written down.
type Store interface {
	// Join adds a party with the next number of its day. A repeat with the same key finds the first one. Returns
	// booking.ErrKeyReused and ErrFull.
	Join(ctx context.Context, p Party) (Party, error)
	// ListParties returns the parties of a restaurant's day in any state, by number.
	ListParties(ctx context.Context, restaurantID int64, date booking.Date) ([]Party, error)
	// FindParty returns booking.ErrNotFound if there is none.
	FindParty(ctx context.Context, id string) (Party, error)
	// Take takes a step, which is the party's own if it is to Left. Returns booking.ErrNotFound, booking.ErrWrongState
	// after somebody else's, and ErrBusy while somebody has claimed the party.
	Take(ctx context.Context, step Step) error
	// Ask stores how a party wants to hear that it is called. Returns booking.ErrWrongState for one that does not wait.
	Ask(ctx context.Context, asked Asked) error
	// Claim has one member of staff seat a party. Returns booking.ErrNotFound, booking.ErrWrongState for one that does
	// not wait, and ErrBusy while another one has claimed it.
	Claim(ctx context.Context, step Step) (Claim, error)
	// Release ends a claim that came to nothing.
	Release(ctx context.Context, c Claim) error
	// Seat notes the table that a claim has got, whatever has become of the party meanwhile: the table is its own. A
	// repeat changes nothing. Returns booking.ErrWrongState for a party that has another one, or another claim.
	Seat(ctx context.Context, c Claim, reservationID string, passedOver []string) error
	// Forget deletes up to limit parties of days that are over.
	Forget(ctx context.Context, limit int) (int, error)
}
