package api

import (
	"cmp"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/evening"
	workplaces "lunchgo/app/web/workplace"
)

// eveningAnswer is a restaurant's date as those see it who work there.
type eveningAnswer struct {
	Date         booking.Date         `json:"date"`
	Slots        []eveningSlot        `json:"slots"`
	Reservations []eveningReservation `json:"reservations"` // in any state, by time
	Totals       evening.Totals       `json:"totals"`
	Alerts       []eveningAlert       `json:"alerts"`
}

// eveningSlot counts covers; those seated, confirmed, temporary and remaining make up the capacity.
type eveningSlot struct {
	Time booking.TimeOfDay `json:"time"`
	// planned: it opens later. over: it has begun.
	State evening.SlotState `json:"state"`
	// Covers. It is the sum of seated, confirmed, temporary and remaining, unless more are seated than it has.
	Capacity int `json:"capacity"`
	// Covers of parties that have their table, those that came earlier and stay among them.
	Seated int `json:"seated"`
	// Covers of parties that are there and wait for their table; part of confirmed.
	Arrived   int `json:"arrived"`
	Confirmed int `json:"confirmed"` // covers of parties that come
	Temporary int `json:"temporary"` // covers that wait for payment
	Remaining int `json:"remaining"` // covers that nobody holds
	// Seats that a party could still have, of whatever size: fewer than remaining where tables are taken, kept for the
	// waitlist, or taken before the stay ends.
	SeatsLeft int `json:"seatsLeft"`
	// Covers that are kept for the waitlist; part of remaining.
	Promised int `json:"promised"`
	// Covers of the parties that begin their stay in it, those that are promised to the waitlist among them.
	Arriving int `json:"arriving"`
	// How many covers diners may have begin there; 0: any number. Staff may go beyond it.
	ArrivalLimit int `json:"arrivalLimit"`
	Waitlisted   int `json:"waitlisted"` // parties on the waitlist
	Waiting      int `json:"waiting"`    // people in the line
	// Of the first who waits; 0 if nobody does, or it is not known.
	LongestWaitSeconds int `json:"longestWaitSeconds"`
	// How long somebody who enters the line now waits.
	EstimatedSeconds int `json:"estimatedSeconds"`
	// By the line, at its present pace; 0 if none was measured.
	ServedPerMinute float64    `json:"servedPerMinute"`
	Closed          bool       `json:"closed"`
	Paused          bool       `json:"paused"`
	Reason          string     `json:"reason"`
	Message         string     `json:"message"` // to all who wait
	OpensAt         *time.Time `json:"opensAt"`
}

type eveningReservation struct {
	ID        string            `json:"id"`
	Code      string            `json:"code"` // short enough to be said at the door
	State     booking.State     `json:"state"`
	Time      booking.TimeOfDay `json:"time"`
	EndTime   booking.TimeOfDay `json:"endTime"`
	PartySize int               `json:"partySize"`
	Name      string            `json:"name"`
	Phone     string            `json:"phone"`
	SeatIDs   []int64           `json:"seatIds"`
	Items     []item            `json:"items"`
	Note      string            `json:"note"`
	Allergies string            `json:"allergies"` // of the whole party
	Source    booking.Source    `json:"source"`    // how it was booked, such as web
	// When the diner, reminded, said that the party comes; null if not.
	ComingAt *time.Time `json:"comingAt"`
	// The guest has had no stay at the restaurant before.
	FirstVisit bool `json:"firstVisit"`
	// null for a party that is in the plan
	Override      *override  `json:"override"`
	PaidAmount    int64      `json:"paidAmount"`    // won
	HoldExpiresAt *time.Time `json:"holdExpiresAt"` // null unless it is temporary
	ArrivedAt     *time.Time `json:"arrivedAt"`
	SeatedAt      *time.Time `json:"seatedAt"`
	// The guest's id at this restaurant; empty when there is no account and no number.
	GuestID   string   `json:"guestId"`
	GuestTags []string `json:"guestTags"` // as staff tagged the guest
	// The latest that staff noted about the guest; empty for nothing.
	GuestNote string `json:"guestNote"`
}

type eveningAlert struct {
	Kind           evening.AlertKind   `json:"kind"`
	ReservationIDs []string            `json:"reservationIds"`
	Times          []booking.TimeOfDay `json:"times"`
	// The auditor's checks that found records of the restaurant that do not agree.
	Checks []string `json:"checks"`
}

// findEvening answers with today unless the query says another date.
func (a *API) findEvening(c *fiber.Ctx, w workplaces.Workplace) (of eveningAnswer, err error) {
	date, err := dateOf(c)
	if err != nil {
		return of, err
	}
	date = cmp.Or(date, w.Today(a.Bookings.Now()))
	return as(spoken(c, newEvening))(a.Evenings.Read(c.UserContext(), w.By, w.Restaurant, date))
}

func newEvening(lang string, e evening.Evening) eveningAnswer {
	return eveningAnswer{Date: e.Date, Totals: e.Totals(), Alerts: list(e.Alerts(nil), newEveningAlert),
		Slots: list(e.Slots, func(s evening.Slot) eveningSlot {
			return newEveningSlot(s, s.State(e.Restaurant, e.Now))
		}),
		Reservations: list(e.Parties, func(p evening.Party) eveningReservation {
			return newEveningReservation(lang, p)
		})}
}

func newEveningAlert(a evening.Alert) eveningAlert {
	shown := eveningAlert{Kind: a.Kind, Checks: []string{},
		ReservationIDs: list(a.Parties, func(p evening.Party) string { return p.ID }),
		Times:          list(a.Slots, func(s evening.Slot) booking.TimeOfDay { return s.Key.Time })}
	for _, c := range a.Concerns {
		shown.Checks = append(shown.Checks, c.Check)
	}
	return shown
}

func newEveningSlot(s evening.Slot, state evening.SlotState) eveningSlot {
	return eveningSlot{Time: s.Key.Time, State: state, Capacity: s.Capacity, Seated: s.Seated, Arrived: s.Arrived,
		Confirmed: s.Confirmed(), Temporary: s.OnHold, Remaining: s.Free(), SeatsLeft: s.Left, Promised: s.Promised,
		Arriving: s.Arriving, ArrivalLimit: s.ArrivalLimit,
		Waitlisted: s.Waitlisted, Waiting: s.Line.Waiting, LongestWaitSeconds: int(s.Line.Longest.Seconds()),
		EstimatedSeconds: int(s.Line.Estimate.Seconds()), ServedPerMinute: s.Line.PerMinute(),
		Closed: s.Closed, Paused: s.Paused, Reason: s.Reason, Message: s.Notice, OpensAt: timeOrNull(s.OpensAt.UTC())}
}

func newEveningReservation(lang string, p evening.Party) eveningReservation {
	out := eveningReservation{ID: p.ID, Code: p.Code(), State: p.State, Time: p.Slot.Time, EndTime: p.EndTime(),
		PartySize: p.PartySize, Name: p.Name, Phone: p.Phone, SeatIDs: p.SeatIDs(), Items: newItems(lang, p.Items),
		Note: p.Note, Allergies: p.PartyAllergies(), Source: p.Source, FirstVisit: p.FirstVisit,
		ComingAt: timeOrNull(p.ComingAt.UTC()),
		Override: newOverride(p.Guest), PaidAmount: p.PaidAmount, ArrivedAt: timeOrNull(p.Attendance.ArrivedAt.UTC()),
		SeatedAt: timeOrNull(p.Attendance.SeatedAt.UTC()), GuestID: p.Known.Guest, GuestTags: orEmpty(p.Tags),
		GuestNote: p.Known.Note}
	if p.State == booking.Temporary {
		out.HoldExpiresAt = timeOrNull(p.HoldExpiresAt.UTC())
	}
	return out
}
