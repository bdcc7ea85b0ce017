package api

import (
	"cmp"
	"net/http"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/refusal"
	"lunchgo/app/setup"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
	"lunchgo/views/i18n"
)

// ContentTypeProblem is the media type of every error of the API (RFC 9457).
const ContentTypeProblem = "application/problem+json"

// problem is an error as the API shows it (RFC 9457). Code is for programs and stable; Detail is for people, in their
// language. The type is about:blank, so the title is the status's own phrase, as section 4.2.1 has it.
type problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"` // the status's own phrase
	Status int    `json:"status"`
	// A sentence for people, in the language of Accept-Language.
	Detail string         `json:"detail"`
	Code   string         `json:"code"`             // stable, for programs
	Fields []fieldProblem `json:"fields,omitempty"` // what is wrong field by field, at most 100
	// Seconds after which another try may do, as in the header Retry-After.
	RetryAfter int `json:"retryAfter,omitempty"`
	// What cancelling gives back by now, in won, for refund_changed
	Refund *int64 `json:"refund,omitempty"`
	// What keeps the restaurant from being published, for not_ready.
	Checks []booking.Contradiction `json:"checks,omitempty"`
	// Covers that are taken, for below_sold.
	Sold *int `json:"sold,omitempty"`
	// Who is in the way, the latest reservation first.
	Parties []booking.Party `json:"parties,omitempty"`
	// When the slot begins to take reservations. Who asks before that waits, and is served from then on. Missing
	// once it has opened.
	OpensAt *time.Time `json:"opensAt,omitempty"`

	// Why the slot is paused, for paused. Missing where staff gave no reason.
	PausedReason string `json:"pausedReason,omitempty"`
	// For seats_held: what coming reservations hold.
	HeldSeats []setup.HeldSeat `json:"heldSeats,omitempty"`

	details
	*waitingTicket
}

// details are what problems of some codes add, and the tickets that ended with them: see refusal.Refusal.Carries.
type details struct {
	Remaining *int `json:"remaining,omitempty"` // seats left, for sold_out
	// Seats that wait for payment and may return, for sold_out.
	OnHold *int `json:"onHold,omitempty"`
	// How many people the house holds, and how many are in it then without the party, for fire_limit.
	FireLimit *int `json:"fireLimit,omitempty"`
	Inside    *int `json:"inside,omitempty"`
	// What a change costs by now, in won, negative for what comes back, for amount_changed.
	Amount *int64 `json:"amount,omitempty"`
	// What is left of the payment, in won, for more_than_left.
	Left *int64 `json:"left,omitempty"`
	// The diner's own reservation, for duplicate and overlapping.
	ReservationID string `json:"reservationId,omitempty"`
	// Of the coupon that the person has already, for already_claimed.
	ClaimID string `json:"claimId,omitempty"`
	// How many the account can have, for too_many_holds.
	Limit int `json:"limit,omitempty"`
	// Which limit that is, for too_many_holds: holds, reservations that wait for payment; unconfirmed, the same
	// while the e-mail address is not confirmed; unconfirmed_slot, covers of the slot that all such accounts hold
	// together; unpaid, reservations to come that cost nothing.
	Reason booking.TooManyReason `json:"reason,omitempty"`
	// Why the restaurant has closed the slot, for closed; missing if it does not say.
	ClosedReason string `json:"closedReason,omitempty"`
	// Why the restaurant took the diner out of the line, for removed.
	RemovedReason string `json:"removedReason,omitempty"`
	// The nearest open slots, for sold_out, closed and seat_taken.
	Alternatives []slot `json:"alternatives,omitempty"`
	// What was ordered and is not there, for out_of_stock.
	Items []booking.Shortage `json:"items,omitempty"`
	// Those of the chosen seats that somebody has, for seat_taken.
	TakenSeatIDs []int64 `json:"takenSeatIds,omitempty"`
	// Free seats that fit the party best, for seat_taken; missing if there are none.
	OtherSeatIDs []int64 `json:"otherSeatIds,omitempty"`
	// Who has the chosen seats, for seat_taken; only staff learn it.
	TakenBy []seatHolder `json:"takenBy,omitempty"`
}

func newDetails(p respond.Problem) details {
	d := details{ClosedReason: refusal.Details[booking.ClosedError](p).Reason,
		RemovedReason: refusal.Details[waiting.RemovedError](p).Reason,
		Items:         refusal.Details[booking.OutOfStockError](p).Items,
		ClaimID:       refusal.Details[coupon.AlreadyClaimedError](p).ClaimID,
		ReservationID: cmp.Or(refusal.Details[booking.DuplicateError](p).ReservationID,
			refusal.Details[booking.OverlappingError](p).ReservationID)}
	seats, limit := refusal.Details[booking.SeatTakenError](p), refusal.Details[booking.TooManyHoldsError](p)
	d.TakenSeatIDs, d.OtherSeatIDs, d.Limit, d.Reason = seats.Taken, seats.Instead, limit.Limit, limit.Reason
	switch carrier := p.Cause.(type) { // numbers may be 0
	case *booking.SoldOutError:
		d.Remaining, d.OnHold = &carrier.Remaining, &carrier.OnHold
	case *booking.FireLimitError:
		d.FireLimit, d.Inside = &carrier.Limit, &carrier.Inside
	case *booking.MoreThanLeftError:
		d.Left = &carrier.Left
	case *booking.AmountChangedError:
		d.Amount = &carrier.Amount
	}
	return d
}

// fieldProblem is what is wrong with one field of a request.
type fieldProblem struct {
	Name   string `json:"name"`   // as in the request, such as partySize or items[2].quantity
	Reason string `json:"reason"` // stable
	Detail string `json:"detail"` // a sentence for people
	Min    *int   `json:"min,omitempty"`
	Max    *int   `json:"max,omitempty"`
}

// WriteProblem answers a request with a problem as application/problem+json, in the language of its Accept-Language.
func WriteProblem(c *fiber.Ctx, f respond.Problem) error { return newProblem(c, f).write(c) }

func newProblem(c *fiber.Ctx, f respond.Problem) problem {
	lang := language(c)
	p := problem{
		Type:       "about:blank",
		Title:      http.StatusText(f.Status),
		Status:     f.Status,
		Detail:     cmp.Or(respond.OwnSentence(lang, f), respond.ErrorSentence(lang, f)),
		Code:       f.Code,
		RetryAfter: int(f.RetryAfter.Seconds()),
		details:    newDetails(f),

		Checks:       refusal.Details[setup.NotReadyError](f).Found,
		PausedReason: refusal.Details[booking.PausedError](f).Reason,
		HeldSeats:    refusal.Details[setup.HeldSeatsError](f).Held,
		OpensAt:      timeOrNull(refusal.Details[booking.NotOpenError](f).OpensAt),
	}
	var parties []booking.Party
	switch carrier := f.Cause.(type) {
	case *booking.RefundChangedError:
		p.Refund = &carrier.Refund
	case *booking.BelowSoldError:
		p.Sold, parties = &carrier.Sold, carrier.Parties
	case *booking.SeatsInUseError:
		parties = carrier.Parties
	}
	if len(parties) > 0 {
		p.Parties = parties
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

// speak says in which language the answer is, and that it depends on the request's. It returns the language.
func speak(c *fiber.Ctx) string {
	lang := language(c)
	c.Set(fiber.HeaderContentLanguage, lang)
	c.Vary(fiber.HeaderAcceptLanguage)
	return lang
}
