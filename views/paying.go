package views

import (
	"cmp"
	"maps"
	"net/url"
	"strconv"
	"time"

	"lunchgo/app/booking"
)

// PaymentOutcome is what became of a payment through a provider.
type PaymentOutcome string

// Outcomes of payments that are not paid.
const (
	PaymentChecking  PaymentOutcome = "checking"  // the provider has not said yet
	PaymentRefused   PaymentOutcome = "refused"   // by the provider
	PaymentLeft      PaymentOutcome = "left"      // by the diner
	PaymentLate      PaymentOutcome = "late"      // the seats had gone
	PaymentChanged   PaymentOutcome = "changed"   // the reservation costs something else by now, or the wallet has less
	PaymentCancelled PaymentOutcome = "cancelled" // the reservation is cancelled
	PaymentFailed    PaymentOutcome = "failed"    // refused after the reservation was confirmed, which cancelled it
	PaymentUnchanged PaymentOutcome = "unchanged" // the change was not possible when the money was ready
)

// PaidBy is what a diner pays, and how.
type PaidBy struct {
	Layout
	Booked
	PaymentID string
	Amount    int64 // won that the provider takes
	ForChange bool  // a change is paid, and At and Party are what it leads to
}

// PaymentWindow is the way to the provider's page. Component: pages.PaymentWindow(views.PaymentWindow).
type PaymentWindow struct {
	PaidBy
	CheckoutURL string

	// Where a script of the provider opens the window:
	Script string // its address; empty: the browser goes to CheckoutURL
	Data   string // what is handed to it, as JSON
}

// PaymentReturn says what became of a payment that is not paid. Component: pages.PaymentReturn(views.PaymentReturn).
type PaymentReturn struct {
	PaidBy
	Outcome       PaymentOutcome
	Again         PaymentAgain // while the provider has not said
	Held          bool         // the seats are held: another try may do
	Changeable    bool         // the reservation can be changed still
	Why           string       // a change was not possible: "flash.unchanged_…" of the catalogue
	HoldExpiresAt time.Time
	Now           time.Time
}

// PaymentLink asks a guest for whom staff booked to pay the deposit. Component: pages.PaymentLink(views.PaymentLink).
type PaymentLink struct {
	Layout
	Token string
	Open  bool // it can be paid by this link; the rest is empty otherwise
	Other bool // somebody else is signed in, whom it signs out

	Consent Consent

	Visit
	Deposit       int64
	HoldExpiresAt time.Time
	Now           time.Time
	Policy        booking.Policy
}

// PaymentAgain is when and where a page looks again whose payment is not decided.
type PaymentAgain struct {
	After int    // seconds; 0: it has looked often enough
	URL   string // of the next look
}

// fieldLook counts in a query how often a page has looked again.
const fieldLook = "look"

// looks are the pauses before a page looks again, in seconds: two minutes together.
var looks = []int{2, 3, 5, 10, 20, 30, 60}

// LookAgain returns when and where the page of a payment looks again that was asked for with a query.
func LookAgain(paymentID string, query url.Values) PaymentAgain {
	looked, err := strconv.Atoi(cmp.Or(query.Get(fieldLook), "0"))
	if err != nil || looked < 0 || looked >= len(looks) {
		return PaymentAgain{}
	}
	next := url.Values{}
	maps.Copy(next, query)
	next.Set(fieldLook, strconv.Itoa(looked+1))
	return PaymentAgain{After: looks[looked], URL: PaymentReturnURL(paymentID) + "?" + next.Encode()}
}

// PracticeBank is the payment window of demos. Component: pages.PracticeBank(views.PracticeBank).
type PracticeBank struct {
	Layout
	PaymentID string
	Title     string // what is paid for
	Amount    int64
	ReturnURL string
	Decided   bool // nothing is left to decide: the way back is
}
