package booking

import (
	"slices"
	"time"
)

// State is where a reservation stands in its life.
type State string

// The states of a reservation:
//
//	temporary → confirmed | prepaid_confirmed | expired | cancelled
//	expired → confirmed | prepaid_confirmed by a payment that comes a little late and finds its seats free
//	confirmed | prepaid_confirmed → arrived → seated → completed
//	confirmed | prepaid_confirmed → seated | no_show | refund_pending → refunded
//	confirmed → cancelled where there is no account to which anything could come back
//
// Staff may undo what they have marked: see Undo.
const (
	Temporary        State = "temporary" // seats held until the deposit is paid or the hold ends
	Confirmed        State = "confirmed"
	PrepaidConfirmed State = "prepaid_confirmed"
	Expired          State = "expired"
	Cancelled        State = "cancelled"
	Arrived          State = "arrived"   // the party is there and waits for its table
	Seated           State = "seated"    // the party has its table
	Completed        State = "completed" // the stay has ended, or staff say that the table is free
	NoShow           State = "no_show"
	RefundPending    State = "refund_pending" // still holds its seats until refunded
	Refunded         State = "refunded"
)

// HoldingStates are the states whose reservations hold seats.
var HoldingStates = []State{Temporary, Confirmed, PrepaidConfirmed, Arrived, Seated, RefundPending}

var transitions = map[State][]State{
	Temporary:        {Confirmed, PrepaidConfirmed, Expired, Cancelled},
	Expired:          {Confirmed, PrepaidConfirmed},
	Confirmed:        {Arrived, Seated, NoShow, RefundPending, Cancelled},
	PrepaidConfirmed: {Arrived, Seated, NoShow, RefundPending},
	Arrived:          {Seated, Completed},
	Seated:           {Completed},
	RefundPending:    {Refunded},
}

// HoldsSeats says whether a reservation in this state counts against its slot's capacity.
func (s State) HoldsSeats() bool { return slices.Contains(HoldingStates, s) }

// IsConfirmed says whether the party has its table and has not arrived: its pass can be shown at the door.
func (s State) IsConfirmed() bool { return s == Confirmed || s == PrepaidConfirmed }

// IsPresent says whether the party is in the restaurant.
func (s State) IsPresent() bool { return s == Arrived || s == Seated }

// CanBecome says whether the life of a reservation allows the step from s to next.
func (s State) CanBecome(next State) bool { return slices.Contains(transitions[s], next) }

// Reservation is a party's claim to seats in a slot.
type Reservation struct {
	ID           string
	RestaurantID int64
	Slot         SlotKey     // in which the party comes
	Stay         []TimeOfDay // of the further slots of that day for which it stays, in order
	UserID       string      // empty: staff booked it for a guest without an account
	Source       Source
	GuestName    string // of a guest without an account, as is the phone number
	GuestPhone   string
	BookedBy     string // the member of staff who booked it; empty: its diner did
	CancelReason string // what the restaurant says of its cancellation; empty if it says nothing
	SlotMinutes  int    // from one slot of the restaurant to the next
	PartySize    int
	State        State
	Items        []Item
	Seats        []ReservedSeat // ascending; none where the restaurant names none
	// Lacks are those of Seats that it does not hold in a later slot of its stay, since it is seated over the plan. They
	// are known where it is changed, and to staff.
	Lacks         []SeatAt
	Attendance    Attendance
	ComingAt      time.Time   // when the diner, reminded, said that the party comes at this time; zero if not
	PaymentKind   PaymentKind // empty until it is paid
	DepositAmount int64       // won
	MenuAmount    int64
	Discount      Discount // what a coupon takes off one of them
	PaidAmount    int64
	RefundAmount  int64
	// GivenBack is what of PaidAmount staff have given back besides, in won; what a cancellation refunds is less by as
	// much at most.
	GivenBack     int64
	HoldExpiresAt time.Time // as it is now: earlier while the hold is unseen
	// what it becomes once the diner has seen the hold; zero from then on, and of all other holds
	SeenExpiresAt  time.Time
	Extended       bool      // the hold was prolonged
	Policy         Policy    // frozen when the reservation was made
	ConfirmedAt    time.Time // zero before that, and of the oldest ones
	Note           string
	Allergies      string      // of the diner; PartyAllergies are those of all
	Companions     []Companion // in the order in which they said something
	DetailsChanged bool        // by staff: who comes, the note or the allergies differ from what was asked for
	IdempotencyKey string
	Changes        int // how often the diner changed it
	CreatedAt      time.Time
}

// SeatAt is a seat at a time of a day.
type SeatAt struct {
	Time TimeOfDay `json:"time"`
	ID   int64     `json:"id"`
}

// ReservedSeat is a seat of a reservation: held by it, or, once that is over, the one that it had.
type ReservedSeat struct {
	ID     int64  `json:"id"`
	Label  string `json:"label"`
	Chosen bool   `json:"chosen"` // by the diner
}

// SeatIDs are the ids of the reservation's seats, ascending.
func (r Reservation) SeatIDs() []int64 {
	ids := make([]int64, 0, len(r.Seats))
	for _, seat := range r.Seats {
		ids = append(ids, seat.ID)
	}
	return ids
}

// seatsIn are the ids of those of its seats that the reservation holds in a slot.
func (r Reservation) seatsIn(slot SlotKey) []int64 {
	return slices.DeleteFunc(r.SeatIDs(), func(id int64) bool { return slices.Contains(r.Lacks, SeatAt{slot.Time, id}) })
}

// SeatLabels name the reservation's seats; none where the restaurant names none.
func (r Reservation) SeatLabels() []string {
	labels := make([]string, 0, len(r.Seats))
	for _, seat := range r.Seats {
		labels = append(labels, seat.Label)
	}
	return labels
}

// ChosenSeatIDs are those of them that the diner has chosen: all or none.
func (r Reservation) ChosenSeatIDs() []int64 {
	if len(r.Seats) > 0 && r.Seats[0].Chosen {
		return r.SeatIDs()
	}
	return nil
}

// Request returns what a reservation would be asked for with, as it is now; without prices and terms.
func (r Reservation) Request() Request {
	req := Request{UserID: r.UserID, IdempotencyKey: r.IdempotencyKey, Slot: r.Slot, Stay: r.Stay, PartySize: r.PartySize,
		Items: r.Items, Note: r.Note, Allergies: r.Allergies, CouponID: r.Discount.CouponID, SeatIDs: r.ChosenSeatIDs()}
	if r.BookedBy != "" {
		req.UserID = r.BookedBy
		req.Guest = &Guest{Name: r.GuestName, Phone: r.GuestPhone, Source: r.Source, Account: r.UserID}
	}
	return req
}

// Item is an order line, with the price as it was when the reservation was made.
type Item struct {
	MenuItemID int64
	Name       Text
	Quantity   int
	UnitPrice  int64
}

// Amount is the price of all its portions, in won.
func (i Item) Amount() int64 { return i.UnitPrice * int64(i.Quantity) }

// Cancellation is where cancelling leads and what comes back.
type Cancellation struct {
	State     State
	Refund    int64     // won
	Reason    string    // what the restaurant says of it; empty if it says nothing
	At        time.Time // when the diner cancels; zero when the restaurant does
	FreeUntil time.Time // until when all comes back although the tiers say less; zero for no such time
}

// Check returns *RefundChangedError when the refund is less than quoted.
func (c Cancellation) Check(quoted int64) error {
	if c.Refund < quoted {
		return &RefundChangedError{Refund: c.Refund}
	}
	return nil
}

// FreeCancelUntil returns the last moment at which the reservation, whose slot begins at start, can be cancelled for
// free only because it was confirmed a short while ago. It is zero where the terms grant no such time, and where their
// tiers refund everything at that moment as well.
func (r Reservation) FreeCancelUntil(start time.Time) time.Time {
	if until := r.freeUntil(start); r.Policy.percent(start, until) < 100 {
		return until
	}
	return time.Time{}
}

// freeUntil returns until when a cancellation is free, however little the tiers refund; zero for never. That is never
// after start, when the slot begins.
func (r Reservation) freeUntil(start time.Time) time.Time {
	if r.ConfirmedAt.IsZero() || r.Policy.FreeCancelMinutes == 0 {
		return time.Time{}
	}
	until := r.ConfirmedAt.Add(time.Duration(r.Policy.FreeCancelMinutes) * time.Minute)
	if until.After(start) {
		return start
	}
	return until
}

// percent returns the share that a cancellation at now refunds; the slot begins at start.
func (r Reservation) percent(start, now time.Time) int {
	if free := r.freeUntil(start); !free.IsZero() && !now.After(free) {
		return 100
	}
	return r.Policy.percent(start, now)
}

// refund returns how many won of paid a cancellation at now refunds, rounded down; the slot begins at start.
func (r Reservation) refund(paid int64, start, now time.Time) int64 {
	return paid * int64(r.percent(start, now)) / 100
}

// CancellationFor decides what cancelling at now a reservation whose slot begins at start leads to. Returns
// ErrWrongState when it is over, and ErrPast when the slot has begun.
func (r Reservation) CancellationFor(start, now time.Time) (Cancellation, error) {
	switch r.State {
	case Temporary:
		return Cancellation{State: Cancelled, At: now}, nil
	case Confirmed, PrepaidConfirmed:
		if !now.Before(start) {
			return Cancellation{}, ErrPast
		}
		c := Cancellation{State: RefundPending, Refund: min(r.refund(r.PaidAmount, start, now), r.Left()), At: now}
		if until := r.FreeCancelUntil(start); !now.After(until) {
			c.FreeUntil = until
		}
		return c, nil
	default:
		return Cancellation{}, ErrWrongState
	}
}

// CancellationByStaff decides what cancelling by the restaurant leads to, whenever it is: all that was paid comes back.
// Returns ErrWrongState when the reservation is over, or the party has arrived.
func (r Reservation) CancellationByStaff() (Cancellation, error) {
	switch {
	case r.State == Temporary, r.State == Confirmed && r.UserID == "":
		return Cancellation{State: Cancelled}, nil
	case r.State == Confirmed, r.State == PrepaidConfirmed:
		return Cancellation{State: RefundPending, Refund: r.Left()}, nil
	default:
		return Cancellation{}, ErrWrongState
	}
}
