package booking

import (
	"cmp"
	"errors"
	"slices"
	"time"
)

// MaxPasses is how many parties at most are seated past one that waits for more seats than come free at once: diners who
// were behind it on the list, and diners who press. After that whatever comes free is kept until it is enough.
const MaxPasses = 3

// OfferTime is how long an offer of the waitlist stands; never past the start of its slot.
const OfferTime = 10 * time.Minute

// EntryState is where an entry of a waitlist stands in its life.
type EntryState string

// The states of an entry:
//
//	waiting → offered | left | over
//	offered → accepted | declined | lapsed
//	accepted → declined | lapsed, as long as it is not paid for
//	lapsed → accepted by a payment that comes a little late and finds its seats free
const (
	EntryWaiting  EntryState = "waiting"
	EntryOffered  EntryState = "offered"  // seats are held for it until the offer's deadline
	EntryAccepted EntryState = "accepted" // the diner said yes, or has paid
	EntryDeclined EntryState = "declined"
	EntryLapsed   EntryState = "lapsed" // the deadline has passed
	EntryLeft     EntryState = "left"   // the diner left the list, or sits in the slot by another reservation
	EntryOver     EntryState = "over"   // the slot takes no more reservations
)

// Live says whether an entry in this state still leads somewhere by itself.
func (s EntryState) Live() bool { return s == EntryWaiting || s == EntryOffered }

// Errors of the waitlist.
var (
	ErrSeatsAvailable = errors.New("booking: there are seats for the party: it need not wait")
	ErrListed         = errors.New("booking: the diner is on the slot's waitlist")
	ErrOfferOver      = errors.New("booking: the offer does not stand any more")
)

// Entry is a party on the waitlist of a slot.
type Entry struct {
	ID             string
	Slot           SlotKey
	UserID         string
	PartySize      int
	State          EntryState
	Passes         int // parties that were seated past it
	Ahead          int // parties that wait before it
	SeatsAhead     int // that those wait for
	IdempotencyKey string
	CreatedAt      time.Time
	Offer          *EntryOffer // nil until there is one
}

// EntryOffer are the seats that an entry was offered: a temporary reservation that ends with the offer.
type EntryOffer struct {
	ReservationID string
	State         State // of the reservation
	Deadline      time.Time
}

// Stands says whether an offer can be accepted or declined at now.
func (o *EntryOffer) Stands(now time.Time) bool {
	return o != nil && o.State == Temporary && now.Before(o.Deadline)
}

// Listed is an entry that waits, as those who give seats away see it.
type Listed struct {
	ID        string      `json:"id"`
	Number    int64       `json:"number"` // rises with the order of all lists
	UserID    string      `json:"userId"`
	PartySize int         `json:"partySize"`
	Passes    int         `json:"passes"`
	Times     []TimeOfDay `json:"times"` // of the slots in which it needs seats
}

// Waitlist are entries that wait, in their order. They may wait for different slots of one restaurant and day.
type Waitlist []Listed

// Shares says whether two entries need seats in the same slot.
func (l Listed) Shares(other Listed) bool { return share(l.Times, other.Times) }

// Sorted is the list in its order, each entry once.
func (w Waitlist) Sorted() Waitlist {
	slices.SortFunc(w, func(a, b Listed) int { return cmp.Compare(a.Number, b.Number) })
	return slices.CompactFunc(w, func(a, b Listed) bool { return a.Number == b.Number })
}

// Room is how many seats a slot has, and how many of them nobody holds.
type Room struct {
	Capacity int
	Free     int
	Seats    TakenSeats // where the restaurant names them
}

// Settlement is what comes of a waitlist.
type Settlement struct {
	Offered []int                 // who is offered seats: indexes of the list, in its order
	SeatIDs [][]int64             // the named seats of each of those
	Passes  []int                 // of each entry, once those are
	Left    map[TimeOfDay]int     // seats for diners who press, which nobody on the list has a right to
	Kept    map[TimeOfDay][]int64 // named seats that are offered
}

// Settle gives the free seats of some slots to those who wait for them, in their order. An entry for which they are too few
// waits on, and those behind it who need fewer pass it, which is counted; one that was passed MaxPasses times is not passed
// any more, neither by them nor by diners who press: its slots give nothing away until they have enough for it. An entry that
// is larger than a whole slot (its capacity was lowered), or than any seats that the plan names, keeps nobody waiting. It
// reads nothing but its arguments, so it is right exactly while the locks of the slots' rows are held; of a slot that is not
// among rooms nobody is promised anything.
func (w Waitlist) Settle(plan SeatPlan, rooms map[TimeOfDay]Room) Settlement {
	s := settling{list: w, plan: plan, rooms: rooms, blocked: map[TimeOfDay]bool{},
		Settlement: Settlement{Left: map[TimeOfDay]int{}, Kept: map[TimeOfDay][]int64{}}}
	for at, room := range rooms {
		s.Left[at] = max(room.Free, 0)
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
	for at := range s.blocked {
		s.Left[at] = 0
	}
	return s.Settlement
}

type settling struct {
	Settlement
	list    Waitlist
	plan    SeatPlan
	rooms   map[TimeOfDay]Room
	blocked map[TimeOfDay]bool // by an entry that must not be passed
	skipped []int              // entries for which the seats were too few
	size    map[int]bool       // parties that the plan can seat in an empty room
}

func (s *settling) tooLarge(entry Listed) bool {
	if !s.seatable(entry.PartySize) {
		return true
	}
	return slices.ContainsFunc(entry.Times, func(at TimeOfDay) bool {
		room, known := s.rooms[at]
		return known && entry.PartySize > room.Capacity
	})
}

// seatable says whether the plan has seats for a party at all.
func (s *settling) seatable(party int) bool {
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

// seatsFor says whether there is enough for an entry in all its slots, and gives it the best of the named seats.
func (s *settling) seatsFor(entry Listed) (seats []int64, fits bool) {
	var taken TakenSeats
	for _, at := range entry.Times {
		if s.blocked[at] || s.Left[at] < entry.PartySize {
			return nil, false
		}
		taken = taken.And(s.rooms[at].Seats.With(s.Kept[at]))
	}
	if len(s.plan) == 0 {
		return nil, true
	}
	seats = s.plan.Best(taken, entry.PartySize)
	return seats, seats != nil
}

func (s *settling) offer(i int, seats []int64) {
	entry := s.list[i]
	s.Offered, s.SeatIDs = append(s.Offered, i), append(s.SeatIDs, seats)
	for _, at := range entry.Times {
		s.Left[at] -= entry.PartySize
		s.Kept[at] = append(s.Kept[at], seats...)
	}
	for _, over := range s.skipped {
		if s.list[over].Shares(entry) {
			s.Passes[over]++
			s.blockIfDue(over)
		}
	}
}

func (s *settling) passOver(i int) {
	s.skipped = append(s.skipped, i)
	s.blockIfDue(i)
}

func (s *settling) blockIfDue(i int) {
	if s.Passes[i] < MaxPasses {
		return
	}
	for _, at := range s.list[i].Times {
		s.blocked[at] = true
	}
}

func share(a, b []TimeOfDay) bool {
	return slices.ContainsFunc(a, func(at TimeOfDay) bool { return slices.Contains(b, at) })
}

// Pass counts that a diner who pressed was seated at some times, and returns whom that passed. Whoever is going to be offered
// seats all the same is not passed.
func (w Waitlist) Pass(times []TimeOfDay, plan SeatPlan, rooms map[TimeOfDay]Room) (passed []string) {
	settled := w.Settle(plan, rooms)
	s := settling{plan: plan, rooms: rooms}
	for i := range w {
		if !slices.Contains(settled.Offered, i) && share(w[i].Times, times) && !s.tooLarge(w[i]) {
			w[i].Passes++
			passed = append(passed, w[i].ID)
		}
	}
	return passed
}

// Without is the list without a person's entry: whoever presses does not stand in their own way.
func (w Waitlist) Without(userID string) Waitlist {
	at := slices.IndexFunc(w, func(entry Listed) bool { return entry.UserID == userID })
	if at < 0 {
		return w
	}
	return slices.Delete(slices.Clone(w), at, at+1)
}
