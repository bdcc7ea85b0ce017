package api

import (
	"net/http"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/setup"
	"lunchgo/app/web/respond"
	"lunchgo/views/i18n"
)

// ContentTypeProblem is the media type of every error of the API (RFC 9457).
const ContentTypeProblem = "application/problem+json"

// problem is an error as the API shows it (RFC 9457). Code is for programs and stable; Detail is for people, in their
// language. The type is about:blank, so the title is the status's own phrase, as section 4.2.1 has it.
type problem struct {
	Type       string         `json:"type"`
	Title      string         `json:"title"`
	Status     int            `json:"status"`
	Detail     string         `json:"detail"`
	Code       string         `json:"code"`
	Fields     []fieldProblem `json:"fields,omitempty"`
	RetryAfter int            `json:"retryAfter,omitempty"` // seconds
	Refund     *int64         `json:"refund,omitempty"`     // won that cancelling gives back by now
	// Checks are what keeps a restaurant from being published.
	Checks  []booking.Contradiction `json:"checks,omitempty"`
	Sold    *int                    `json:"sold,omitempty"`    // covers that are taken
	Parties []party                 `json:"parties,omitempty"` // who keeps staff from a change
	OpensAt *time.Time              `json:"opensAt,omitempty"` // when the slot begins to take reservations

	PausedReason string `json:"pausedReason,omitempty"` // that staff gave
	// HeldSeats are those that a document of the room would take away from coming reservations.
	HeldSeats []setup.HeldSeat `json:"heldSeats,omitempty"`

	details
	*waitingTicket
}

// details are what problems of some codes add, and the tickets that ended with them: see Outcome.Carries of
// package respond.
type details struct {
	Remaining     *int   `json:"remaining,omitempty"` // seats left
	OnHold        *int   `json:"onHold,omitempty"`    // seats that wait for payment and may return
	Amount        *int64 `json:"amount,omitempty"`    // won that a change costs by now; negative for what comes back
	ReservationID string `json:"reservationId,omitempty"`
	ClaimID       string `json:"claimId,omitempty"` // of the coupon that the person has already
	Limit         int    `json:"limit,omitempty"`   // of reservations that the account can have
	Reason        string `json:"reason,omitempty"`  // which of the limits
	ClosedReason  string `json:"closedReason,omitempty"`
	RemovedReason string `json:"removedReason,omitempty"`
	Alternatives  []slot `json:"alternatives,omitempty"`
	// Items are those of which less is left than was ordered, and what is.
	Items []booking.Shortage `json:"items,omitempty"`
	// TakenSeatIDs are those of the chosen seats that somebody has; OtherSeatIDs are free and fit the party best.
	TakenSeatIDs []int64 `json:"takenSeatIds,omitempty"`
	OtherSeatIDs []int64 `json:"otherSeatIds,omitempty"`
	// TakenBy says to staff who has those that are taken.
	TakenBy []seatHolder `json:"takenBy,omitempty"`
}

func newDetails(p respond.Problem) details {
	d := details{ReservationID: p.ReservationID, ClaimID: p.ClaimID, Limit: p.Limit, Reason: string(p.Reason),
		Items: p.Short, ClosedReason: p.ClosedReason, RemovedReason: p.RemovedReason,
		TakenSeatIDs: p.Seats.Taken, OtherSeatIDs: p.Seats.Instead}
	outcome, _ := respond.OutcomeOf(p.Code)
	for _, member := range outcome.Carries { // numbers may be 0
		switch member {
		case "remaining":
			d.Remaining = &p.Remaining
		case "onHold":
			d.OnHold = &p.OnHold
		case "amount":
			d.Amount = &p.Amount
		}
	}
	return d
}

// fieldProblem is what is wrong with one field of a request.
type fieldProblem struct {
	Name   string `json:"name"`
	Reason string `json:"reason"`
	Detail string `json:"detail"`
	Min    *int   `json:"min,omitempty"`
	Max    *int   `json:"max,omitempty"`
}

// WriteProblem answers a request with a problem as application/problem+json, in the language of its Accept-Language.
func WriteProblem(c *fiber.Ctx, f respond.Problem) error { return newProblem(c, f).write(c) }

func newProblem(c *fiber.Ctx, f respond.Problem) problem {
	lang := language(c)
	p := problem{
		Type:   "about:blank",
		Title:  http.StatusText(f.Status),
		Status: f.Status,
		Detail: i18n.T(lang, "error."+f.Code,
			"Remaining", f.Remaining, "OnHold", f.OnHold, "Refund", f.Refund, "Amount", f.Amount),
		Code:       f.Code,
		RetryAfter: int(f.RetryAfter.Seconds()),
		details:    newDetails(f),
		Checks:     f.Checks,

		PausedReason: f.PausedReason,
		HeldSeats:    f.HeldSeats,
	}
	if sentence := respond.LimitSentence(lang, f); sentence != "" {
		p.Detail = sentence
	}
	if f.Code == respond.CodeRefundChanged {
		p.Refund = &f.Refund
	}
	if f.Code == respond.CodeBelowSold {
		p.Sold = &f.Sold
	}
	if !f.OpensAt.IsZero() {
		p.OpensAt = timeOrNull(f.OpensAt.UTC())
	}
	if len(f.Parties) > 0 {
		p.Parties = newParties(f.Parties)
	}
	for _, field := range f.Fields {
		p.Fields = append(p.Fields, newFieldProblem(lang, field))
	}
	return p
}

func newFieldProblem(lang string, field respond.Field) fieldProblem {
	p := fieldProblem{
		Name:   field.Name,
		Reason: field.Reason,
		Detail: i18n.T(lang, "error.field."+field.Reason, "Min", field.Min, "Max", field.Max),
	}
	if field.Max != 0 {
		p.Min, p.Max = &field.Min, &field.Max
	}
	return p
}

func (p problem) write(c *fiber.Ctx) error {
	switch {
	case p.Status == fiber.StatusUnauthorized:
		c.Set(fiber.HeaderWWWAuthenticate, `Bearer realm="lunchgo"`)
	case p.RetryAfter > 0:
		c.Set(fiber.HeaderRetryAfter, strconv.Itoa(p.RetryAfter))
	}
	c.Set(fiber.HeaderCacheControl, "no-store")
	speak(c)
	return c.Status(p.Status).JSON(p, ContentTypeProblem)
}

// language is the one the request asks for: Korean unless it prefers English.
func language(c *fiber.Ctx) string { return i18n.Lang("", c.Get(fiber.HeaderAcceptLanguage)) }

// speak says in which language the answer is, and that it depends on the request's.
func speak(c *fiber.Ctx) {
	c.Set(fiber.HeaderContentLanguage, language(c))
	c.Vary(fiber.HeaderAcceptLanguage)
}
