package api

import (
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/evening"
)

// eveningAnswer is a restaurant's date as those see it who work there.
type eveningAnswer struct {
	Date         booking.Date         `json:"date"`
	Slots        []eveningSlot        `json:"slots"`
	Reservations []eveningReservation `json:"reservations"`
	Totals       eveningTotals        `json:"totals"`
	Alerts       []eveningAlert       `json:"alerts"`
}

// eveningSlot counts covers; those seated, confirmed, temporary and remaining make up the capacity.
type eveningSlot struct {
	Time               booking.TimeOfDay `json:"time"`
	State              evening.SlotState `json:"state"`
	Capacity           int               `json:"capacity"`
	Seated             int               `json:"seated"`
	Arrived            int               `json:"arrived"` // of those confirmed
	Confirmed          int               `json:"confirmed"`
	Temporary          int               `json:"temporary"`
	Remaining          int               `json:"remaining"`
	Promised           int               `json:"promised"` // of those remaining, to the waitlist
	Waitlisted         int               `json:"waitlisted"`
	Waiting            int               `json:"waiting"`
	LongestWaitSeconds int               `json:"longestWaitSeconds"`
	EstimatedSeconds   int               `json:"estimatedSeconds"`
	ServedPerMinute    float64           `json:"servedPerMinute"` // 0: not measured
	Closed             bool              `json:"closed"`
	Paused             bool              `json:"paused"`
	Reason             string            `json:"reason"`
	Message            string            `json:"message"`
	OpensAt            *time.Time        `json:"opensAt"`
}

type eveningReservation struct {
	ID            string            `json:"id"`
	Code          string            `json:"code"`
	State         booking.State     `json:"state"`
	Time          booking.TimeOfDay `json:"time"`
	EndTime       booking.TimeOfDay `json:"endTime"`
	PartySize     int               `json:"partySize"`
	Name          string            `json:"name"`
	Phone         string            `json:"phone"`
	SeatIDs       []int64           `json:"seatIds"`
	Items         []item            `json:"items"`
	Note          string            `json:"note"`
	Allergies     string            `json:"allergies"`
	Source        booking.Source    `json:"source"`
	FirstVisit    bool              `json:"firstVisit"`
	PaidAmount    int64             `json:"paidAmount"`
	HoldExpiresAt *time.Time        `json:"holdExpiresAt"` // null unless it is temporary
	ArrivedAt     *time.Time        `json:"arrivedAt"`
	SeatedAt      *time.Time        `json:"seatedAt"`
	GuestID       string            `json:"guestId"` // empty for nobody whom the restaurant knows again
	GuestTags     []string          `json:"guestTags"`
	GuestNote     string            `json:"guestNote"` // the latest of staff
}

// eveningTotals count covers, but for parties, tickets in lines, no-shows and money.
type eveningTotals struct {
	Parties   int   `json:"parties"`
	Covers    int   `json:"covers"`
	Present   int   `json:"present"`
	Temporary int   `json:"temporary"`
	Waiting   int   `json:"waiting"`
	NoShows   int   `json:"noShows"`
	Deposits  int64 `json:"deposits"`
	Prepaid   int64 `json:"prepaid"`
}

type eveningAlert struct {
	Kind           evening.AlertKind   `json:"kind"`
	ReservationIDs []string            `json:"reservationIds"`
	Times          []booking.TimeOfDay `json:"times"`
	Checks         []string            `json:"checks"` // of the auditor, that found something wrong
}

// findEvening answers GET /api/staff/restaurants/{id}/evening: today unless the query says another date.
func (a *API) findEvening(c *fiber.Ctx) error {
	w, err := a.Places.Published(c)
	if err != nil {
		return err
	}
	date := w.Today(a.Bookings.Now())
	if asked := c.Query("date"); asked != "" {
		if date, err = booking.ParseDate(strings.Clone(asked)); err != nil {
			return err
		}
	}
	e, err := a.Evenings.Read(c.UserContext(), w.By, w.Restaurant, date)
	if err != nil {
		return err
	}
	speak(c)
	return c.JSON(newEvening(language(c), e))
}

func newEvening(lang string, e evening.Evening) eveningAnswer {
	t := e.Totals()
	out := eveningAnswer{Date: e.Date, Slots: make([]eveningSlot, 0, len(e.Slots)), Alerts: []eveningAlert{},
		Reservations: make([]eveningReservation, 0, len(e.Parties)),
		Totals: eveningTotals{Parties: t.Parties, Covers: t.Covers, Present: t.Present, Temporary: t.OnHold,
			Waiting: t.Waiting,
			NoShows: t.NoShows, Deposits: t.Deposits, Prepaid: t.Prepaid}}
	for _, s := range e.Slots {
		out.Slots = append(out.Slots, newEveningSlot(s, s.State(e.Restaurant, e.Now)))
	}
	for _, p := range e.Parties {
		out.Reservations = append(out.Reservations, newEveningReservation(lang, p))
	}
	for _, alert := range e.Alerts(nil) {
		said := eveningAlert{Kind: alert.Kind, ReservationIDs: []string{}, Times: []booking.TimeOfDay{},
			Checks: []string{}}
		for _, p := range alert.Parties {
			said.ReservationIDs = append(said.ReservationIDs, p.ID)
		}
		for _, s := range alert.Slots {
			said.Times = append(said.Times, s.Key.Time)
		}
		for _, c := range alert.Concerns {
			said.Checks = append(said.Checks, c.Check)
		}
		out.Alerts = append(out.Alerts, said)
	}
	return out
}

func newEveningSlot(s evening.Slot, state evening.SlotState) eveningSlot {
	out := eveningSlot{Time: s.Key.Time, State: state, Capacity: s.Capacity, Seated: s.Seated, Arrived: s.Arrived,
		Confirmed: s.Confirmed(), Temporary: s.OnHold, Remaining: s.Free(), Promised: s.Promised,
		Waitlisted: s.Waitlisted, Waiting: s.Line.Waiting, LongestWaitSeconds: int(s.Line.Longest.Seconds()),
		EstimatedSeconds: int(s.Line.Estimate.Seconds()), ServedPerMinute: s.Line.PerMinute(),
		Closed: s.Closed, Paused: s.Paused, Reason: s.Reason, Message: s.Notice, OpensAt: instant(s.OpensAt)}
	return out
}

func newEveningReservation(lang string, p evening.Party) eveningReservation {
	out := eveningReservation{ID: p.ID, Code: p.Code(), State: p.State, Time: p.Slot.Time, EndTime: p.EndTime(),
		PartySize: p.PartySize, Name: p.Name, Phone: p.Phone, SeatIDs: p.SeatIDs(),
		Items: make([]item, 0, len(p.Items)), Note: p.Note, Allergies: p.Allergies, Source: p.Source,
		FirstVisit: p.FirstVisit, PaidAmount: p.PaidAmount, ArrivedAt: instant(p.Attendance.ArrivedAt),
		SeatedAt: instant(p.Attendance.SeatedAt), GuestID: p.Known.Guest,
		GuestTags: append([]string{}, p.Known.Tags...), GuestNote: p.Known.Note}
	if p.State == booking.Temporary {
		out.HoldExpiresAt = instant(p.HoldExpiresAt)
	}
	for _, it := range p.Items {
		out.Items = append(out.Items, item{it.MenuItemID, it.Name.In(lang), it.Quantity, it.UnitPrice})
	}
	return out
}

// instant is a time as the API says it; null for the zero time.
func instant(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	utc := t.UTC()
	return &utc
}
