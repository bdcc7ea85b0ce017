package views

import (
	"time"

	"lunchgo/views/i18n"
)

// Waiting is the page of a place in the line. Component: pages.Waiting(views.Waiting).
type Waiting struct {
	Layout
	Ticket string
	Visit
	Coupon     *CouponHead // of a line for coupons; nil for a line for tables
	Status     WaitingStatus
	HoldUnseen time.Duration // how long a table is held for who is away when their turn comes
	Push       Push
	Refresh    int // seconds after which a browser without JavaScript asks again
}

// Push is how a browser can be pushed to.
type Push struct {
	Key     string // of the site, that subscriptions are made with; empty: it cannot
	Session string // id of the reader's, with which a subscription ends
	Tag     string // of notifications about what the page is about
}

// ConfirmsAtOnce returns whether the table is the diner's for good once their turn comes: nothing is paid for it. An
// account whose address is not confirmed has to say so then.
func (w Waiting) ConfirmsAtOnce() bool {
	return w.EmailConfirmed && w.IsFree()
}

// IsFree returns whether nothing is paid for the table.
func (w Waiting) IsFree() bool {
	return w.Restaurant != nil && w.AskedDeposit() == 0
}

// WaitingStatus is the live part of the waiting page; the stream sends it as event "waiting".
// Component: pages.WaitingStatus(views.WaitingStatus).
type WaitingStatus struct {
	Lang            string
	Position        int           // 1 is the next; 0 when it is this diner's turn right now
	WaitingCount    int           // tickets in the line, this diner's among them
	FirstPosition   int           // where the ticket stood at first; the progress counts from it; 0 when not known
	EstimatedLow    time.Duration // the result comes between this
	EstimatedHigh   time.Duration // and this, from now
	EstimateKnown   bool          // false until a line has shown how fast it moves
	SeatsLeft       int           // seats of the slot, or coupons, that nobody holds
	SeatsAhead      int           // seats or coupons that the people ahead ask for: the sum of their party sizes
	SeatsAheadKnown bool
	Party           int
	Steering        Steering
	ForCoupon       bool // the line is one for coupons
	Local           bool // Redis is away: each server keeps its own line until it is back
}

// OfWaiters is the key of a text about those who wait: parties want a table, people a coupon.
func (w WaitingStatus) OfWaiters(key string) string {
	if w.ForCoupon {
		return key + "_people"
	}
	return key
}

// Waiters says how many tickets the line has: each is a party, or for coupons somebody.
func (w WaitingStatus) Waiters() string {
	if w.ForCoupon {
		return i18n.Party(w.Lang, w.WaitingCount)
	}
	return i18n.T(w.Lang, "party.parties", "Count", w.WaitingCount)
}

// Ahead is the number of tickets in front.
func (w WaitingStatus) Ahead() int { return max(w.Position-1, 0) }

// Progress is how far the ticket has come from its first position, 0 to 100.
func (w WaitingStatus) Progress() int {
	if w.Position <= 0 {
		return 100
	}
	first := max(w.FirstPosition, w.Position)
	return (first - w.Position) * 100 / first
}

// Odds is what the seats left mean for somebody in the line.
type Odds string

// Odds of getting a table.
const (
	OddsGood Odds = "good" // enough seats even if everybody ahead takes theirs
	OddsFair Odds = "fair" // enough seats if somebody ahead leaves or takes fewer
	OddsPoor Odds = "poor" // seats are left, but far fewer than are asked for ahead
	OddsNone Odds = "none" // too few seats for this party: only one that comes back helps
	OddsOpen Odds = "open" // seats are left, but nobody knows how many the people ahead ask for
)

// Odds weighs the seats left against those that the people ahead ask for. It never guesses a party size: while the sum
// is unknown, it counts the one seat that each of them asks for at least, and promises nothing.
func (w WaitingStatus) Odds() Odds {
	asked := max(w.SeatsAhead, w.Ahead()) + w.Party
	switch {
	case w.SeatsLeft < w.Party:
		return OddsNone
	case w.SeatsLeft >= asked && w.knowsSeatsAhead():
		return OddsGood
	case w.SeatsLeft >= asked:
		return OddsOpen
	case w.SeatsLeft*2 >= asked:
		return OddsFair
	}
	return OddsPoor
}

// knowsSeatsAhead is also true for the next in the line: nobody ahead asks for no seats.
func (w WaitingStatus) knowsSeatsAhead() bool { return w.SeatsAheadKnown || w.Ahead() == 0 }

// Estimate is the sentence, or its part, that says how long the wait still is.
func (w WaitingStatus) Estimate() string {
	switch {
	case w.Steering.Opens():
		return i18n.T(w.Lang, "steering.after_opening")
	case w.Steering.Paused:
		return i18n.T(w.Lang, "steering.after_pause")
	}
	if !w.EstimateKnown {
		return i18n.T(w.Lang, "waiting.measuring")
	}
	return i18n.DurationRange(w.Lang, w.EstimatedLow, w.EstimatedHigh)
}

// Announcement is the sentence a screen reader hears now and then.
func (w WaitingStatus) Announcement() string {
	opening := i18n.T(w.Lang, "steering.announce_opens", "Time", w.Steering.OpeningTime(w.Lang))
	switch {
	case w.Steering.Draws():
		return opening
	case w.Steering.Opens():
		return opening + " " + w.announcedPlace()
	case w.Steering.Paused:
		return i18n.T(w.Lang, "steering.announce_paused") + " " + w.announcedPlace()
	case w.Ahead() == 0 || !w.EstimateKnown:
		return w.announcedPlace()
	}
	return i18n.T(w.Lang, w.OfWaiters("waiting.announce"), "Count", w.Ahead(), "Time", w.Estimate())
}

// announcedPlace is the sentence of Announcement that says how many are ahead.
func (w WaitingStatus) announcedPlace() string {
	if w.Ahead() == 0 {
		return i18n.T(w.Lang, "waiting.announce_next")
	}
	return i18n.T(w.Lang, w.OfWaiters("waiting.announce_count"), "Count", w.Ahead())
}

// OutcomeKind is why a request did not become a reservation.
type OutcomeKind string

// Kinds of outcome.
const (
	OutcomeSoldOut    OutcomeKind = "sold_out"
	OutcomeDuplicate  OutcomeKind = "duplicate"    // the diner already has a reservation of this slot
	OutcomeClosed     OutcomeKind = "closed"       // the restaurant closed the slot, or its time has passed
	OutcomeSeatTaken  OutcomeKind = "seat_taken"   // somebody has a chosen seat
	OutcomeOutOfStock OutcomeKind = "out_of_stock" // less of a chosen dish is left than the diner asked for
	OutcomeTimedOut   OutcomeKind = "wait_timeout" // the diner waited longer than LINE_MAX_WAIT
	OutcomeLeft       OutcomeKind = "left"         // the diner left the line, or was away for too long
	OutcomeRemoved    OutcomeKind = "removed"      // the restaurant took the diner out of the line
	OutcomeInProgress OutcomeKind = "in_progress"  // another press of the same diner is still being served
	OutcomeFailed     OutcomeKind = "unavailable"  // something went wrong on our side; nothing was booked

	OutcomeOverlapping  OutcomeKind = "overlapping"    // the diner has another reservation at that time
	OutcomeHeldRecently OutcomeKind = "held_recently"  // the diner let a hold of this slot expire a moment ago
	OutcomeTooManyHolds OutcomeKind = "too_many_holds" // the diner has as many as an account can have

	OutcomeAlreadyClaimed OutcomeKind = "already_claimed" // the diner has the campaign's coupon
	OutcomeNotOpen        OutcomeKind = "not_open"        // the campaign has not begun
	OutcomeOver           OutcomeKind = "over"            // the campaign is over
	OutcomeCoupon         OutcomeKind = "coupon"          // the chosen coupon cannot be used for the reservation
)

// Outcome is the page of a ticket that did not lead to a reservation. Component: pages.Outcome(views.Outcome).
type Outcome struct {
	Layout
	Visit
	Kind          OutcomeKind
	Remaining     int      // seats left, for OutcomeSoldOut
	HeldSeats     int      // seats held for payment that may come back, for OutcomeSoldOut
	ReservationID string   // the diner's own, for OutcomeDuplicate and OutcomeOverlapping
	Items         []string // the dishes and what is left of them, for OutcomeOutOfStock
	Seats         []string // labels of chosen seats that are taken, for OutcomeSeatTaken
	OtherSeats    []string // labels of free ones that fit best
	Reason        string   // in a sentence, for OutcomeCoupon and the limits of an account
	Alternatives  []Slot   // the nearest open slots
	WaitlistURL   string   // where the party can wait for seats, for OutcomeSoldOut
}
