package reports

import "math"

// Figures are what is counted of slots; those of several slots add up. A reservation counts on the day and at the time
// of its slot, whenever it was made. Money is integer won.
type Figures struct {
	Slots    int `json:"-"` // that had a reservation once, or were changed by staff
	Capacity int `json:"-"` // covers that they take

	// Slots that were open, with a reservation or without; their seats times the minutes of a slot; and how many of
	// those minutes parties that came or are expected have by the plan, in the slot in which they come and in those in
	// which they stay. Hours and the length of slots are those that the restaurant has now.
	OpenSlots        int `json:"-"`
	SeatMinutesOpen  int `json:"seatMinutesOpen"`
	SeatMinutesTaken int `json:"seatMinutesTaken"`

	// That came, or are expected: paid, and neither cancelled nor a no-show.
	Parties int `json:"parties"`
	Covers  int `json:"covers"` // their people
	// Of Parties, those of days that are over whom nobody marked as come or as a no-show.
	NotMarkedParties int `json:"notMarkedParties"`
	NoShowParties    int `json:"noShowParties"`
	NoShowCovers     int `json:"noShowCovers"`
	// Cancelled after they were confirmed.
	CancelledParties int `json:"cancelledParties"`
	CancelledCovers  int `json:"cancelledCovers"`
	ExpiredHolds     int `json:"expiredHolds"`   // not paid in time
	AbandonedHolds   int `json:"abandonedHolds"` // cancelled before they were paid

	// Won paid as deposits, and what changes kept.
	Deposits   int64 `json:"deposits"`
	Prepaid    int64 `json:"prepaid"`    // won paid for menus in advance
	Refunds    int64 `json:"refunds"`    // won that is back in the wallets
	RefundsDue int64 `json:"refundsDue"` // won that will be

	// What of Deposits and Prepaid was paid through a payment provider, and what of Refunds and RefundsDue goes back
	// there; the wallets have the rest.
	PaidByCard     int64 `json:"-"`
	RefundedByCard int64 `json:"-"`

	// Slots in which no seat was left once, for any party that the restaurant takes.
	SoldOutSlots int `json:"soldOutSlots"`
	// Of SoldOutSlots, those of which it is known how long that took: from the opening, or the first reservation, to
	// that moment. Nobody knows of a slot that the first party filled, or that was full before it opened.
	TimedSoldOutSlots int   `json:"-"`
	SellOutSeconds    int64 `json:"-"` // the sum over TimedSoldOutSlots

	Line     Line     `json:"-"`
	Waitlist Waitlist `json:"waitlist"`
}

// Line is what became of those who asked for a table in line.
type Line struct {
	Served   int `json:"served"`   // who got one
	SoldOut  int `json:"soldOut"`  // for whom no seat was left
	Left     int `json:"left"`     // who left
	TimedOut int `json:"timedOut"` // who waited too long
	// Tries that were refused for another reason (closed, a reservation at that time, a limit); not among those who
	// asked.
	Refused int `json:"refused"`
}

// Asked is how many there were. A try that was refused is not somebody who wanted another table.
func (l Line) Asked() int { return l.Served + l.SoldOut + l.Left + l.TimedOut }

// Waitlist is what became of those who waited for seats that come free.
type Waitlist struct {
	Joined   int `json:"joined"`
	Offered  int `json:"offered"`
	Accepted int `json:"accepted"`
}

// Plus is the sum of both.
func (f Figures) Plus(g Figures) Figures {
	return Figures{
		Slots: f.Slots + g.Slots, Capacity: f.Capacity + g.Capacity, OpenSlots: f.OpenSlots + g.OpenSlots,
		SeatMinutesOpen:  f.SeatMinutesOpen + g.SeatMinutesOpen,
		SeatMinutesTaken: f.SeatMinutesTaken + g.SeatMinutesTaken,
		Parties:          f.Parties + g.Parties, Covers: f.Covers + g.Covers,
		NotMarkedParties: f.NotMarkedParties + g.NotMarkedParties,
		NoShowParties:    f.NoShowParties + g.NoShowParties, NoShowCovers: f.NoShowCovers + g.NoShowCovers,
		CancelledParties: f.CancelledParties + g.CancelledParties,
		CancelledCovers:  f.CancelledCovers + g.CancelledCovers,
		ExpiredHolds:     f.ExpiredHolds + g.ExpiredHolds, AbandonedHolds: f.AbandonedHolds + g.AbandonedHolds,
		Deposits: f.Deposits + g.Deposits, Prepaid: f.Prepaid + g.Prepaid,
		Refunds: f.Refunds + g.Refunds, RefundsDue: f.RefundsDue + g.RefundsDue,
		PaidByCard: f.PaidByCard + g.PaidByCard, RefundedByCard: f.RefundedByCard + g.RefundedByCard,
		SoldOutSlots:      f.SoldOutSlots + g.SoldOutSlots,
		TimedSoldOutSlots: f.TimedSoldOutSlots + g.TimedSoldOutSlots,
		SellOutSeconds:    f.SellOutSeconds + g.SellOutSeconds,
		Line: Line{f.Line.Served + g.Line.Served, f.Line.SoldOut + g.Line.SoldOut, f.Line.Left + g.Line.Left,
			f.Line.TimedOut + g.Line.TimedOut, f.Line.Refused + g.Line.Refused},
		Waitlist: Waitlist{f.Waitlist.Joined + g.Waitlist.Joined, f.Waitlist.Offered + g.Waitlist.Offered,
			f.Waitlist.Accepted + g.Waitlist.Accepted},
	}
}

// Revenue is what was paid and does not come back.
func (f Figures) Revenue() int64 { return f.Deposits + f.Prepaid - f.Refunds - f.RefundsDue }

// SeatHourRevenue is the revenue per seat and hour: Revenue over the hours that each seat of the restaurant was open,
// taken or not. 0 where nothing was open.
func (f Figures) SeatHourRevenue() int64 {
	if f.SeatMinutesOpen == 0 {
		return 0
	}
	return int64(math.Round(float64(f.Revenue()) * 60 / float64(f.SeatMinutesOpen)))
}

// SeatUse is the share of the open hours of seats that was taken, in thousandths.
func (f Figures) SeatUse() int { return share(f.SeatMinutesTaken, f.SeatMinutesOpen, 1000) }

// Method is how money was paid.
type Method string

// The methods of payments.
const (
	ByWallet Method = "wallet"
	ByCard   Method = "card" // through a payment provider, whatever it took
)

// Money is what was paid by one method, and what goes back that way. What a change of a reservation gave back is in
// neither.
type Money struct {
	Method         Method
	Paid, Refunded int64
}

// Net is what was paid and does not come back.
func (m Money) Net() int64 { return m.Paid - m.Refunded }

// ByMethod are the parts of what was paid and comes back.
func (f Figures) ByMethod() []Money {
	return []Money{
		{ByWallet, f.Deposits + f.Prepaid - f.PaidByCard, f.Refunds + f.RefundsDue - f.RefundedByCard},
		{ByCard, f.PaidByCard, f.RefundedByCard},
	}
}

// AverageParty is the people of a party in hundredths; 0 without parties.
func (f Figures) AverageParty() int { return share(f.Covers, f.Parties, 100) }

// NoShowShare is the share of no-shows, in thousandths of the parties that came, are expected, or did not come.
func (f Figures) NoShowShare() int { return share(f.NoShowParties, f.Parties+f.NoShowParties, 1000) }

// Served is the share of those in line who got a table, in thousandths.
func (f Figures) Served() int { return share(f.Line.Served, f.Line.Asked(), 1000) }

// SellOutMean is the average seconds to sell out a slot; 0 when of none that is known.
func (f Figures) SellOutMean() int64 {
	if f.TimedSoldOutSlots == 0 {
		return 0
	}
	return f.SellOutSeconds / int64(f.TimedSoldOutSlots)
}

// share is part of whole in units, rounded; 0 of nothing.
func share(part, whole, units int) int {
	if whole == 0 {
		return 0
	}
	return (part*units + whole/2) / whole
}
