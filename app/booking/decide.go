package booking

import (
	"maps"
	"slices"
	"time"
)

// Occupancy is how full a slot is.
type Occupancy struct {
	Capacity   int // covers
	Held       int // covers of all reservations that hold seats
	OnHold     int // the part of Held that waits for payment and may return
	Promised   int // free covers that are promised to the waitlist
	Arriving   int // covers of the parties of Held and of the waitlist's promises that begin their stay there
	Waitlisted int // parties on the waitlist
	// ArrivalLimit is how many covers diners may have begin there; 0: any number. Staff may go beyond it. It is known
	// where the restaurant is.
	ArrivalLimit int
	// PassesLeft is how many more parties can be seated past those who wait for larger tables before seats are kept for
	// them; 0: any number.
	PassesLeft int
	KeptUntil  time.Time  // until when the free covers are kept for a waitlist entry at the latest; zero: they are not
	Closed     bool       // by staff, or because its restaurant is stopped
	Stopped    bool       // its restaurant takes no new reservations anywhere
	Paused     bool       // by staff: its line waits
	Reason     string     // why it is closed or paused, for diners; may be empty
	Notice     string     // what staff say to all who wait; may be empty
	OpensAt    time.Time  // when it begins to take reservations; zero: it does already
	Draw       bool       // whoever waits when it opens is served in drawn order, not in that of arrival
	Seats      TakenSeats // named seats, including those promised to the waitlist
}

// Waits returns why a slot gives no seats at now although it is not closed: ErrPaused or ErrNotOpenYet; nil if it gives
// some.
func (o Occupancy) Waits(now time.Time) error {
	switch {
	case o.Paused:
		return ErrPaused
	case o.OpensAt.After(now):
		return ErrNotOpenYet
	}
	return nil
}

// Free returns how many seats no reservation holds; never negative.
func (o Occupancy) Free() int { return max(0, o.Capacity-o.Held) }

// Remaining returns how many seats a new reservation that begins there can take; never negative.
func (o Occupancy) Remaining() int {
	if o.ArrivalLimit > 0 {
		return max(0, min(o.left(), o.ArrivalLimit-o.Arriving))
	}
	return o.left()
}

// left returns how many seats neither a reservation nor the waitlist has, whoever may begin there; never negative.
func (o Occupancy) left() int { return max(0, o.Free()-o.Promised) }

// SlotState is what the booking transaction reads of a turn's slots under their row locks, and of what the run changes.
type SlotState struct {
	// Slots has the occupancy of each slot of the turn; at least one. Every request of the run needs seats in all of
	// them.
	Slots []Occupancy
	Plan  SeatPlan // of the restaurant
	// Live has, by user id, the reservations that already hold seats in one of the slots.
	Live map[string][]Reservation
	// Stock has the remaining portions of the limited items that the run orders, on the day of the slots.
	Stock Stock
	// Coupons has the coupons that the run asks for, or that its reservations have, and its users own.
	Coupons map[Owner]Coupon
	Now     time.Time // by the database's clock
	// Repeats has the reservations of earlier requests with the same idempotency keys, in any state.
	Repeats map[Submission]Reservation
	// Waitlist has the entries that wait for seats in one of the slots; Times are the times of Slots. Vacancies has the
	// further slots that some entries need.
	Waitlist  Waitlist
	Times     []TimeOfDay
	Vacancies map[TimeOfDay]Vacancy
	// Diners has, by user id, what the limits look at; they bind nobody else. Start and End are those of the stay.
	Diners      map[string]Diner
	Unconfirmed Unconfirmed
	Limits      Limits
	Start, End  time.Time
	// FireLimit is how many people may be in the house at once; it is known where a request overrides the plan.
	FireLimit int
	// IDs has an id for each request of the run, should it make a reservation.
	IDs []string
	// Changing has, by id, the reservations that the run changes.
	Changing map[string]Changing
	// Past has the earlier changes under the keys of changes that came too late for what they saw.
	Past map[Submission]PastChange
	// Balances has, by user id, the won in the wallets of those whose change can cost something.
	Balances map[string]int64
	// Cards has, by payment, the won that a provider has ready for changes of the run.
	Cards map[string]int64
}

// Submission identifies what somebody submitted: as a diner, or as staff for somebody else.
type Submission struct {
	UserID, IdempotencyKey string
	ByStaff                bool
}

// Submission returns what identifies the request.
func (r Request) Submission() Submission {
	return Submission{r.UserID, r.IdempotencyKey, r.IsByStaff()}
}

// Outcome is the answer to one request of a run. Err nil and Existing nil: the request makes a new reservation, or,
// with Changed, changes one. Err nil and Existing set: that is the reservation of an earlier request with the same key.
// Err is the reason for the refusal.
type Outcome struct {
	Request Request
	// of the new reservation, the repeated or changed one, or the one that makes it a duplicate
	ReservationID string
	Existing      *Reservation // set on a repeat
	Changed       *Changed     // set when it changes a reservation
	SeatIDs       []int64      // of the new reservation, ascending
	Discount      Discount     // of the new reservation
	// AtOnce is set when the new reservation is confirmed without a hold: nothing has to be paid for that, and its
	// diner's e-mail address is confirmed.
	AtOnce bool
	// Overridden is set when the new or changed reservation is seated over the plan.
	Overridden bool
	Passed     []string // ids of the waitlist entries that the new or changed reservation overtakes
	// Err is ErrDuplicate, ErrClosed or *ClosedError, ErrPaused, ErrNotOpenYet, ErrKeyReused, *SoldOutError,
	// *SeatTakenError, *OutOfStockError, *FireLimitError, an ErrCoupon, or one of Limits; of a change also ErrNotFound,
	// ErrBalanceTooLow and the errors of DecideChange.
	Err error
}

// Reserves returns whether the outcome makes a new reservation.
func (o Outcome) Reserves() bool { return o.Err == nil && o.Existing == nil && o.Changed == nil }

// State returns the state of the new reservation.
func (o Outcome) State() State {
	switch {
	case o.Request.Guest != nil:
		return o.Request.Guest.State
	case o.AtOnce:
		return Confirmed
	}
	return Temporary
}

// Decide returns the outcome of each request of a run, new reservations and changes alike, and the occupancy of each
// slot after the run. It takes the requests in arrival order; each sees what those before it have taken and freed, as
// if they had been served one by one. A request that does not fit, or that orders more of a dish than is left, does not
// block later ones. Seats promised to the waitlist are not available. Decide reads only its arguments and changes none
// of them, so its result holds exactly while the locks on the rows of slots, reservations, stock, coupons and wallets
// are held.
func Decide(state SlotState, run []Request) ([]Outcome, []Occupancy) {
	outcomes := make([]Outcome, 0, len(run))
	state = state.clone()
	for i, req := range run {
		if req.Change != nil {
			outcomes = append(outcomes, state.change(req))
			continue
		}
		out := state.reserve(req)
		if i < len(state.IDs) && out.Reserves() {
			out.ReservationID = state.IDs[i]
		}
		if out.Reserves() {
			state.seat(out)
		}
		outcomes = append(outcomes, out)
	}
	state.applyPromises()
	return outcomes, state.Slots
}

// clone copies what Decide changes as it goes on.
func (s SlotState) clone() SlotState {
	s.Stock, s.Slots, s.Waitlist = s.Stock.clone(), slices.Clone(s.Slots), slices.Clone(s.Waitlist)
	s.Live, s.Repeats = copied(s.Live), copied(s.Repeats)
	s.Vacancies, s.Changing = copied(s.Vacancies), copied(s.Changing)
	s.Past, s.Balances = copied(s.Past), copied(s.Balances)
	s.Unconfirmed = s.Unconfirmed.clone()
	return s
}

// copied returns a copy of a map that is never nil.
func copied[M ~map[K]V, K comparable, V any](m M) M {
	if m == nil {
		return M{}
	}
	return maps.Clone(m)
}

// reserve decides a request for a new reservation.
func (s *SlotState) reserve(req Request) Outcome {
	if earlier, ok := s.Repeats[req.Submission()]; ok {
		return Repeat(earlier, req)
	}
	out := Outcome{Request: req}
	diner := req.Diner()
	if live := s.Live[diner]; len(live) > 0 {
		out.ReservationID, out.Err = live[len(live)-1].ID, ErrDuplicate
		return out
	}
	if s.withoutOwnEntry(diner).accept(&out); out.Err == nil {
		out.Passed = s.overtake(diner)
		return out
	}
	out.Err = s.override(req, out.Err, func(here SlotState) (err error) {
		out.SeatIDs, err = here.seatsFor(req)
		return err
	})
	out.Overridden = out.Err == nil
	return out
}

// seat adds a new reservation to the occupancy of each slot, and to what its diner has. It takes its dishes.
func (s *SlotState) seat(out Outcome) {
	req := out.Request
	state := out.State()
	for i := range s.Slots {
		s.Slots[i] = s.Slots[i].with(req.PartySize, out.SeatIDs, state == Temporary)
		if i == 0 {
			s.Slots[i].Arriving += req.PartySize
		}
		if state == Temporary && req.Guest == nil {
			s.Unconfirmed.add(req.Diner(), i, req.PartySize)
		}
	}
	s.Stock.take(req.Items)
	made := Reservation{ID: out.ReservationID, RestaurantID: req.Slot.RestaurantID, Slot: req.Slot, Stay: req.Stay,
		UserID: req.Diner(), PartySize: req.PartySize, State: state, Items: req.Items,
		IdempotencyKey: req.IdempotencyKey}
	s.Repeats[req.Submission()] = made
	if made.UserID != "" {
		s.Live[made.UserID] = []Reservation{made}
	}
}

// Repeat is the outcome of a request whose idempotency key has made a reservation before.
func Repeat(earlier Reservation, req Request) Outcome {
	if earlier.Slot != req.Slot || earlier.PartySize != req.PartySize {
		return Outcome{Request: req, Err: ErrKeyReused}
	}
	return Outcome{Request: req, Existing: &earlier, ReservationID: earlier.ID}
}

// accept sets the seats, the discount and the state of an outcome, or the error that refuses its request.
func (s SlotState) accept(out *Outcome) {
	if out.Err = refuse(s, out.Request, false); out.Err != nil {
		return
	}
	if out.SeatIDs, out.Err = s.seatsFor(out.Request); out.Err == nil {
		out.Discount, out.Err = s.discount(out.Request)
	}
	if out.Err == nil {
		out.Err = s.limit(*out)
	}
	out.AtOnce = out.Err == nil && s.confirmsAtOnce(*out)
}

// confirmsAtOnce returns whether a new reservation needs no hold. One of an account whose address is not confirmed has
// its hold: seats that cost nothing are kept from others for no longer than that before somebody shows that they come.
func (s SlotState) confirmsAtOnce(out Outcome) bool {
	req := out.Request
	made := Reservation{DepositAmount: req.DepositAmount, Discount: out.Discount}
	return req.Guest == nil && made.DepositToPay() == 0 && !s.Unconfirmed.Users[req.UserID]
}

// refuse returns why there are no seats or dishes for a request. duplicate says that its diner has another reservation
// there.
func refuse(state SlotState, req Request, duplicate bool) error {
	all := AllOf(state.Slots)
	if req.byRestaurant() {
		all.ArrivalLimit = 0
	}
	switch {
	case duplicate:
		return ErrDuplicate
	case all.Closed:
		return all.CheckClosed()
	case all.Waits(state.Now) != nil:
		return all.Waits(state.Now)
	case req.PartySize > all.Remaining():
		return &SoldOutError{Remaining: all.largest(state.Plan, req.PartySize), OnHold: all.OnHold}
	}
	if short := state.Stock.short(req.Items); len(short) > 0 {
		return &OutOfStockError{Items: short}
	}
	return nil
}
