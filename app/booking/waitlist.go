package booking

import (
	"cmp"
	"math"
	"slices"
	"time"

	"lunchgo/app/refusal"
)

// OfferTime is how long an offer is valid, at most until its slot begins.
const OfferTime = 10 * time.Minute

// EntryState is the state of a waitlist entry.
type EntryState string

// The states of an entry:
//
//	waiting → offered | left | over
//	offered → accepted | declined | lapsed
//	accepted → declined | lapsed, while unpaid
//	lapsed → accepted by a late payment that finds its seats free
const (
	EntryWaiting  EntryState = "waiting"
	EntryOffered  EntryState = "offered"  // seats are held for it until the offer's deadline
	EntryAccepted EntryState = "accepted" // the diner said yes, or has paid
	EntryDeclined EntryState = "declined"
	EntryLapsed   EntryState = "lapsed" // the deadline has passed
	EntryLeft     EntryState = "left"   // the diner left the list, or has another reservation in the slot
	EntryOver     EntryState = "over"   // the slot takes no more reservations
)

// Live returns whether an entry in this state still waits, for seats or for an answer.
func (s EntryState) Live() bool { return s == EntryWaiting || s == EntryOffered }

// Errors of the waitlist.
var (
	ErrSeatsAvailable = refusal.New(refusal.Conflict, "seats_available", "booking: there are seats for the party")
	ErrAlreadyListed  = refusal.New(refusal.Conflict, "already_listed",
		"booking: the diner is on the slot's waitlist already")
	ErrTooManyEntries = refusal.New(refusal.Conflict, "too_many_entries",
		"booking: the diner is on as many waitlists as the limit allows")
	ErrOfferOver = refusal.New(refusal.Conflict, "offer_over", "booking: the offer is no longer valid")
)

// Entry is a party on the waitlist of a slot.
type Entry struct {
	ID             string
	Slot           SlotKey
	UserID         string
	PartySize      int
	State          EntryState
	Passes         int       // parties that have overtaken it since seats were last kept for it
	Keeps          int       // how often seats were kept for it
	KeptUntil      time.Time // seats are or were kept for it; zero: never yet
	KeepBefore     time.Time // nothing is kept for it from then on
	Ahead          int       // parties ahead of it
	SeatsAhead     int       // seats that those wait for
	IdempotencyKey string
	CreatedAt      time.Time
	Offer          *EntryOffer // nil before the offer
}

// EntryOffer is an offer of seats to an entry: a temporary reservation that ends with the offer.
type EntryOffer struct {
	ReservationID string
	State         State // of the reservation
	Deadline      time.Time
}

// Stands returns whether an offer can be accepted or declined at now.
func (o *EntryOffer) Stands(now time.Time) bool {
	return o != nil && o.State == Temporary && now.Before(o.Deadline)
}

// WaitingEntry is a waiting entry, as the allocation of seats sees it.
type WaitingEntry struct {
	ID        string      `json:"id"`
	Number    int64       `json:"number"` // orders all entries of all lists
	UserID    string      `json:"userId"`
	PartySize int         `json:"partySize"`
	Passes    int         `json:"passes"` // since seats were last kept for it
	Times     []TimeOfDay `json:"times"`  // slots in which it needs seats

	Keeps      int       `json:"keeps"`      // how often seats were kept for it
	KeptUntil  time.Time `json:"keptUntil"`  // zero: never yet
	KeepBefore time.Time `json:"keepBefore"` // nothing is kept for it from then on
	// SlotsKeptUntil is the latest time until which seats of one of its slots are or were kept, for whomever; zero:
	// never yet.
	SlotsKeptUntil time.Time `json:"slotsKeptUntil"`
}

// Waitlist has waiting entries in order. They may wait for different slots of one restaurant and day.
type Waitlist []WaitingEntry

// Shares returns whether two entries need seats in the same slot.
func (l WaitingEntry) Shares(other WaitingEntry) bool { return share(l.Times, other.Times) }

// Sorted returns the list in order, each entry once.
func (w Waitlist) Sorted() Waitlist {
	slices.SortFunc(w, func(a, b WaitingEntry) int { return cmp.Compare(a.Number, b.Number) })
	return slices.CompactFunc(w, func(a, b WaitingEntry) bool { return a.Number == b.Number })
}

// Vacancy has the capacity and the free seats of a slot.
type Vacancy struct {
	Capacity int
	Free     int        // negative where staff lowered the capacity; 0 if closed
	Seats    TakenSeats // of the named seats
	Closed   bool

	Arriving, ArrivalLimit int // as in Occupancy
}

// mayBegin returns how many covers may still begin there, were there seats for them.
func (v Vacancy) mayBegin() int {
	if v.ArrivalLimit > 0 {
		return v.ArrivalLimit - v.Arriving
	}
	return math.MaxInt
}

// Allocation is the allocation of free seats to a waitlist.
type Allocation struct {
	Offered      []int                 // indexes of the entries that get an offer, in order
	SeatIDs      [][]int64             // the named seats of each offer
	Passes       []int                 // of each entry after the offers
	Begins       []Keep                // the entries for which keeping seats begins
	Remaining    map[TimeOfDay]int     // seats that remain for diners who book
	OfferedSeats map[TimeOfDay][]int64 // named seats that are offered
	Arriving     map[TimeOfDay]int     // covers of the offers that begin there
	// KeptUntil has the slots that give no seat away but to the entries in order, and until when.
	KeptUntil map[TimeOfDay]time.Time
	// PassesLeft has, of slots that will keep seats for an entry, how many more parties can be seated before that.
	PassesLeft map[TimeOfDay]int
}

// Allocate allocates the free seats of some slots to the waiting entries at now, in order. An entry that needs more
// seats than are free goes on waiting; smaller parties behind it may overtake it, which counts as a pass. After
// MaxPasses passes nobody overtakes it for a while (see KeepTime), neither entries behind it nor diners who book: its
// slots give no seat away until they have enough for it. An entry larger than a whole slot (staff lowered the
// capacity), or larger than any seats of the plan, blocks nobody. Allocate reads only its arguments, so its result
// holds exactly while the locks on the rows of the slots are held. It allocates nothing in slots that rooms does not
// contain.
func (w Waitlist) Allocate(plan SeatPlan, rooms map[TimeOfDay]Vacancy, now time.Time) Allocation {
	s := allocator{list: w, plan: plan, rooms: rooms, now: now, Allocation: Allocation{
		Remaining: map[TimeOfDay]int{}, OfferedSeats: map[TimeOfDay][]int64{}, Arriving: map[TimeOfDay]int{},
		KeptUntil: map[TimeOfDay]time.Time{}}}
	for at, room := range rooms {
		s.Remaining[at] = max(room.Free, 0)
	}
	for i, entry := range w {
		s.Passes = append(s.Passes, entry.Passes)
		if s.tooLarge(entry) {
			continue
		}
		if seats, fits := s.seatsFor(entry); fits {
			s.offer(i, seats)
		} else {
			s.passOver(i)
		}
	}
	s.begin()
	s.countPassesLeft()
	for at := range s.KeptUntil {
		s.Remaining[at] = 0
	}
	return s.Allocation
}

type allocator struct {
	Allocation
	list    Waitlist
	plan    SeatPlan
	rooms   map[TimeOfDay]Vacancy
	now     time.Time
	skipped []int        // indexes of entries that need more seats than are free
	size    map[int]bool // by party size, whether the empty plan can seat it
}

func (s *allocator) tooLarge(entry WaitingEntry) bool {
	if !s.seatable(entry.PartySize) {
		return true
	}
	return slices.ContainsFunc(entry.Times, func(at TimeOfDay) bool {
		room, known := s.rooms[at]
		beyond := at == entry.Times[0] && room.ArrivalLimit > 0 && entry.PartySize > room.ArrivalLimit
		return known && (entry.PartySize > room.Capacity || beyond)
	})
}

// seatable returns whether the empty plan can seat a party.
func (s *allocator) seatable(party int) bool {
	known, ok := s.size[party]
	if !ok {
		if s.size == nil {
			s.size = map[int]bool{}
		}
		known = s.plan.CanSeat(nil, party)
		s.size[party] = known
	}
	return known
}

// seatsFor returns whether all slots of an entry have enough seats, and its best named seats.
func (s *allocator) seatsFor(entry WaitingEntry) (seats []int64, fits bool) {
	var taken TakenSeats
	if first := entry.Times[0]; entry.PartySize > s.mayBegin(first) {
		return nil, false
	}
	for _, at := range entry.Times {
		if !s.KeptUntil[at].IsZero() || s.Remaining[at] < entry.PartySize {
			return nil, false
		}
		taken = taken.Union(s.rooms[at].Seats.With(s.OfferedSeats[at]))
	}
	if len(s.plan) == 0 {
		return nil, true
	}
	seats = s.plan.Best(taken, entry.PartySize)
	return seats, seats != nil
}

func (s *allocator) offer(i int, seats []int64) {
	entry := s.list[i]
	s.Offered, s.SeatIDs = append(s.Offered, i), append(s.SeatIDs, seats)
	if s.rooms[entry.Times[0]].ArrivalLimit > 0 {
		s.Arriving[entry.Times[0]] += entry.PartySize
	}
	for _, at := range entry.Times {
		s.Remaining[at] -= entry.PartySize
		s.OfferedSeats[at] = append(s.OfferedSeats[at], seats...)
	}
	for _, over := range s.skipped {
		if s.list[over].Shares(entry) {
			s.Passes[over] = min(s.Passes[over]+1, MaxPasses)
			s.blockIfDue(over)
		}
	}
}

func (s *allocator) passOver(i int) {
	s.skipped = append(s.skipped, i)
	s.blockIfDue(i)
}

func share(a, b []TimeOfDay) bool {
	return slices.ContainsFunc(a, func(at TimeOfDay) bool { return slices.Contains(b, at) })
}

// countPasses counts a pass for each entry that a new reservation at some times overtakes, up to MaxPasses, and returns
// their ids. An entry that gets an offer all the same is not overtaken.
func (w Waitlist) countPasses(times []TimeOfDay, plan SeatPlan, rooms map[TimeOfDay]Vacancy,
	now time.Time) (passed []string) {
	settled := w.Allocate(plan, rooms, now)
	s := allocator{plan: plan, rooms: rooms}
	for i := range w {
		if w[i].Passes < MaxPasses && !slices.Contains(settled.Offered, i) && share(w[i].Times, times) &&
			!s.tooLarge(w[i]) {
			w[i].Passes++
			passed = append(passed, w[i].ID)
		}
	}
	return passed
}

// withoutUser returns the list without a user's entry: it must not block the user's own booking.
func (w Waitlist) withoutUser(userID string) Waitlist {
	at := slices.IndexFunc(w, func(entry WaitingEntry) bool { return entry.UserID == userID })
	if at < 0 {
		return w
	}
	return slices.Delete(slices.Clone(w), at, at+1)
}
