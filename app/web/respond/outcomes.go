package respond

import (
	"context"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/coupon"
	"lunchgo/app/guests"
	"lunchgo/app/identity"
	"lunchgo/app/receipt"
	"lunchgo/app/rehearsal"
	"lunchgo/app/setup"
	"lunchgo/app/team"
	"lunchgo/app/waiting"
	"lunchgo/app/wallet"
	"lunchgo/app/webhooks"
	"lunchgo/locks"
	"lunchgo/views"
)

// Outcome is how the site answers what did not come true. Its sentence is "error.<Code>" in the catalogues; forms
// have a kinder one, "fault.<Code>", for some.
type Outcome struct {
	Code      string // stable, for programs
	Status    int
	MeanRetry time.Duration // mean of the random time after which another try may do; 0 where it will not
	Errs      []error       // mean it, besides the errors that waiting.CodeOf knows and the cases of ofDetailed
	Carries   []string      // members of its problem document, and of its ticket, besides those of all

	Kind      views.OutcomeKind // headline above the booking form, and of the ticket's page; empty for none
	Field     string            // field of the forms beside which the sentence is shown; empty for none
	Unchanged string            // what a reservation's page says if a change led to this: "flash.<Unchanged>"
	plain     bool              // the words of the status say more to readers of pages than the sentence
}

// outcomes is the table of them. The OpenAPI description, the catalogues and waiting.Codes are held to it by tests.
var outcomes = []Outcome{
	// What a turn, or the waiting room, answers. waiting.CodeOf knows the errors.
	{Code: waiting.CodeSoldOut, Status: 409, Carries: []string{"remaining", "onHold", "alternatives"},
		Kind: views.OutcomeSoldOut, Unchanged: "unchanged_seats"},
	{Code: waiting.CodeSeatTaken, Status: 409, Carries: []string{"takenSeatIds", "otherSeatIds", "alternatives"},
		Kind: views.OutcomeSeatTaken, Unchanged: "unchanged_seats"},
	{Code: waiting.CodeClosed, Status: 409, Carries: []string{"alternatives", "closedReason"},
		Kind: views.OutcomeClosed, Unchanged: "unchanged_seats"},
	{Code: waiting.CodeOutOfStock, Status: 409, Carries: []string{"items"},
		Kind: views.OutcomeOutOfStock, Unchanged: "unchanged_dishes"},
	{Code: waiting.CodeDuplicate, Status: 409, Carries: []string{"reservationId"},
		Kind: views.OutcomeDuplicate, Unchanged: "unchanged_twice"},
	{Code: waiting.CodeOverlapping, Status: 409, Carries: []string{"reservationId"},
		Kind: views.OutcomeOverlapping, Unchanged: "unchanged_overlapping"},
	{Code: waiting.CodeHeldRecently, Status: 429, Kind: views.OutcomeHeldRecently, Unchanged: "unchanged_recently"},
	{Code: waiting.CodeTooManyHolds, Status: 409, Carries: []string{"limit", "reason"},
		Kind: views.OutcomeTooManyHolds, Unchanged: "unchanged_limit"},
	{Code: waiting.CodeAmountChanged, Status: 409, Carries: []string{"amount"},
		Field: views.FieldForm, Unchanged: "unchanged_amount"},
	{Code: waiting.CodeBalanceTooLow, Status: 402, Field: views.FieldForm, Unchanged: "unchanged_money"},
	{Code: waiting.CodeKeyReused, Status: 422, Errs: []error{wallet.ErrKeyReused}, Field: views.FieldForm},
	{Code: waiting.CodeCouponUnknown, Status: 409, Kind: views.OutcomeCoupon, Field: views.FieldCoupon},
	{Code: waiting.CodeCouponUsed, Status: 409, Kind: views.OutcomeCoupon, Field: views.FieldCoupon},
	{Code: waiting.CodeCouponExpired, Status: 409, Kind: views.OutcomeCoupon, Field: views.FieldCoupon},
	{Code: waiting.CodeCouponElsewhere, Status: 409, Kind: views.OutcomeCoupon, Field: views.FieldCoupon},
	{Code: waiting.CodeCouponUseless, Status: 409, Kind: views.OutcomeCoupon, Field: views.FieldCoupon},
	{Code: waiting.CodeNothingToChange, Status: 409, Field: views.FieldForm},
	{Code: waiting.CodeChangedMeanwhile, Status: 409, Errs: []error{setup.ErrChanged}},
	{Code: waiting.CodeTooLateToChange, Status: 409},
	{Code: waiting.CodeWrongState, Status: 409},
	{Code: waiting.CodeHoldExpired, Status: 409},
	{Code: waiting.CodePast, Status: 409},
	{Code: waiting.CodeAlreadyClaimed, Status: 409, Carries: []string{"claimId"}, Kind: views.OutcomeAlreadyClaimed},
	{Code: waiting.CodeNotOpen, Status: 409, Kind: views.OutcomeNotOpen},
	{Code: waiting.CodeOver, Status: 409, Kind: views.OutcomeOver},
	{Code: waiting.CodeLeft, Status: 409, Kind: views.OutcomeLeft},
	{Code: waiting.CodeRemoved, Status: 409, Carries: []string{"removedReason"}, Kind: views.OutcomeRemoved},
	{Code: waiting.CodeWaitTimeout, Status: 409, Kind: views.OutcomeTimedOut},
	{Code: waiting.CodeNotFound, Status: 404, Errs: []error{coupon.ErrNotFound, waiting.ErrUnknownTicket,
		identity.ErrNoSession, identity.ErrNoInvitation, receipt.ErrUnknownLog}, plain: true},
	{Code: waiting.CodeUnavailable, Status: 503, MeanRetry: UsualPause, plain: true,
		Errs: []error{booking.ErrUnavailable, waiting.ErrClosing, context.DeadlineExceeded, context.Canceled}},

	// What the waiting room answers to a request that it does not take.
	{Code: "waiting", Status: 429, Carries: []string{"ticket", "position", "waitingCount", "estimatedSeconds",
		"estimatedSecondsLow", "estimatedSecondsHigh"}},
	{Code: "in_progress", Status: 409, MeanRetry: UsualPause, Errs: []error{waiting.ErrInProgress},
		Kind: views.OutcomeInProgress},
	{Code: "overloaded", Status: 503, MeanRetry: UsualPause, Errs: []error{waiting.ErrCrowded}},
	{Code: "too_many_lines", Status: 429, MeanRetry: 30 * time.Second, Errs: []error{waiting.ErrTooMany}},
	{Code: "line_full", Status: 503, MeanRetry: 30 * time.Second, Errs: []error{waiting.ErrLineFull}},
	{Code: CodeSeatsHeld, Status: 409, Carries: []string{"heldSeats"}},
	{Code: "too_many_pictures", Status: 409, Errs: []error{setup.ErrTooManyPictures}},
	{Code: "precondition_required", Status: 428, Errs: []error{setup.ErrNoTag}},
	{Code: "no_receipt", Status: 409, Errs: []error{waiting.ErrNoReceipt}},
	{Code: "being_served", Status: 409, MeanRetry: UsualPause, Errs: []error{locks.ErrServing}},

	// What a request for a slot or a table is refused with before it waits.
	{Code: "too_soon", Status: 409, Errs: []error{booking.ErrTooSoon}},
	{Code: "too_far", Status: 409, Errs: []error{booking.ErrTooFar}},
	{Code: "seats_available", Status: 409, Errs: []error{booking.ErrSeatsAvailable}},
	{Code: "already_listed", Status: 409, Errs: []error{booking.ErrAlreadyListed}},
	{Code: "too_many_entries", Status: 409, Errs: []error{booking.ErrTooManyEntries}},
	{Code: "offer_over", Status: 409, Errs: []error{booking.ErrOfferOver}},

	// What staff are refused who book for a guest. A diner waits, and so does what staff have in a line already.
	{Code: CodePaused, Status: 409, Errs: []error{booking.ErrPaused}, Carries: []string{"pausedReason"}},

	// What can be wrong with doing something to a reservation or a slot.
	{Code: "payment_returned", Status: 409, Errs: []error{booking.ErrReturned}},
	{Code: "already_extended", Status: 409, Errs: []error{booking.ErrAlreadyExtended}},
	{Code: "no_extension", Status: 409, Errs: []error{booking.ErrNoExtension}},
	{Code: "already_paid", Status: 409, Errs: []error{booking.ErrAlreadyPaid}},
	{Code: "nothing_to_prepay", Status: 409, Errs: []error{booking.ErrNothingToPrepay}, Field: views.FieldKind},
	{Code: CodeRefundChanged, Status: 409, Carries: []string{"refund"}},
	{Code: CodeBelowSold, Status: 409, Errs: []error{booking.ErrBelowSold}, Carries: []string{"parties", "sold"}},
	{Code: CodeSeatsInUse, Status: 409, Carries: []string{"parties"}},
	{Code: "seats_given", Status: 409, Errs: []error{booking.ErrSeatsGiven}},
	{Code: "too_early", Status: 409, Errs: []error{booking.ErrTooEarly}},
	{Code: "balance_limit", Status: 409, Errs: []error{wallet.ErrBalanceLimit}, Field: views.FieldAmount},

	// Who asks.
	{Code: "unauthenticated", Status: 401, Errs: []error{identity.ErrInvalidSession, identity.ErrNotFound}},
	{Code: "wrong_password", Status: 401, Errs: []error{identity.ErrWrongPassword}},
	{Code: "forbidden", Status: 403, Errs: []error{booking.ErrForbidden}, plain: true},
	{Code: "cross_site", Status: 403},
	{Code: "link_over", Status: 409, Errs: []error{identity.ErrLinkOver}},
	{Code: "too_many_letters", Status: 429},
	{Code: "no_letters", Status: 409, Field: views.FieldEmail},
	{Code: "demo_only", Status: 403, Errs: []error{wallet.ErrDemoOnly}},
	{Code: "unconfirmed", Status: 403, Errs: []error{identity.ErrUnconfirmed, booking.ErrUnconfirmed}},
	{Code: "too_many_drafts", Status: 409, Errs: []error{booking.ErrTooManyDrafts}},
	{Code: "not_ready", Status: 409, Carries: []string{"checks"}},
	{Code: "too_many_attempts", Status: 429},
	{Code: "too_many_requests", Status: 429, Field: views.FieldForm},
	{Code: "too_many_streams", Status: 429, MeanRetry: 30 * time.Second},
	{Code: "busy", Status: 503, MeanRetry: UsualPause, Errs: []error{identity.ErrBusy}},

	// Why an account cannot be deleted, or changed.
	{Code: "reservations_left", Status: 409, Errs: []error{identity.ErrReservationsLeft}},
	{Code: "balance_left", Status: 409, Errs: []error{identity.ErrBalanceLeft}},
	{Code: "only_owner", Status: 409, Errs: []error{identity.ErrOnlyOwner}},
	{Code: "demo_account", Status: 403, Errs: []error{identity.ErrDemoAccount}},

	// Why a team stays as it is.
	{Code: "last_owner", Status: 409, Errs: []error{team.ErrLastOwner}},
	{Code: "already_member", Status: 409, Errs: []error{team.ErrAlreadyMember}, Field: views.FieldEmail},
	{Code: "too_many_invitations", Status: 409, Errs: []error{team.ErrTooManyInvitations}, Field: views.FieldEmail},
	{Code: "other_address", Status: 403, Errs: []error{team.ErrOtherAddress}},

	// Why nothing is noted of a guest.
	{Code: "no_consent", Status: 409, Errs: []error{guests.ErrNoConsent}},
	{Code: "too_many_notes", Status: 409, Errs: []error{guests.ErrTooManyNotes}},

	// Why a webhook stays as it is.
	{Code: "webhook_exists", Status: 409, Errs: []error{webhooks.ErrSameURL}},
	{Code: "too_many_webhooks", Status: 409, Errs: []error{webhooks.ErrTooMany}},
	{Code: "webhook_inactive", Status: 409, Errs: []error{webhooks.ErrNotActive}},

	// Why no rehearsal begins.
	{Code: "rehearsal_running", Status: 409, Errs: []error{rehearsal.ErrRunning}},
	{Code: "rehearsals_elsewhere", Status: 409, Errs: []error{rehearsal.ErrElsewhere}},
	{Code: "too_many_rehearsals", Status: 429, Errs: []error{rehearsal.ErrTooMany}},
	{Code: "guests_waiting", Status: 409, Errs: []error{rehearsal.ErrBusy}},

	// The request itself.
	{Code: "bad_request", Status: 400, plain: true},
	{Code: "idempotency_key_required", Status: 400},
	{Code: "idempotency_key_invalid", Status: 400},
	{Code: "method_not_allowed", Status: 405, plain: true},
	{Code: "too_large", Status: 413, plain: true},
	{Code: "unsupported_media_type", Status: 415},
	{Code: "invalid", Status: 422, plain: true},
	{Code: "header_too_large", Status: 431, plain: true},
	{Code: "internal", Status: 500, plain: true},
}

// Outcomes returns the table.
func Outcomes() []Outcome { return outcomes }

// OutcomeOf is the row of a code; false if there is none.
func OutcomeOf(code string) (Outcome, bool) {
	for _, o := range outcomes {
		if o.Code == code {
			return o, true
		}
	}
	return Outcome{}, false
}
