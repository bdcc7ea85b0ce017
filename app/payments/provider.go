package payments

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// Provider is a payment provider: a card acquirer or a gateway to several. Calls may be repeated: with the same
// payment, or the same refund, each takes effect once. A call that ends without an answer that decides, because the
// provider was silent, overloaded or answered 5xx, returns an error that wraps ErrUnsure: it is repeated later. What
// the provider refuses for good is a *RefusedError.
type Provider interface {
	// Name returns the value of PAYMENTS that chooses the provider; payments keep it.
	Name() string
	// Begin has the provider expect a payment. The diner's browser comes back to order.ReturnURL, or to order.LeaveURL
	// when the diner gives up.
	Begin(ctx context.Context, order Order) (Opened, error)
	// Returned reads the provider's reference of a payment from the query with which the diner's browser came back;
	// empty where it has none. It proves nothing: Find does.
	Returned(query url.Values) (reference string)
	// Find asks for what became of a payment, by its reference or else by its id.
	Find(ctx context.Context, p Payment) (Report, error)
	// Capture takes an authorised payment's money.
	Capture(ctx context.Context, p Payment) (Report, error)
	// Cancel lets go of what is not captured, and closes the window. Of what was never begun it returns nil.
	Cancel(ctx context.Context, p Payment) error
	// Refund gives back a part of a captured payment, or all of it.
	Refund(ctx context.Context, p Payment, refund Refund) (Report, error)
	// Verify returns the id of the payment that a webhook is about; empty for one about nothing of ours. It trusts what
	// is signed, and nothing else: the payment is looked up afterwards. Returns ErrForged.
	Verify(ctx context.Context, header http.Header, body []byte) (paymentID string, err error)
	// List returns what the provider took and gave back on a day in its own zone, in any order.
	List(ctx context.Context, day time.Time) ([]Movement, error)
}

// Order is what a provider has to know to expect a payment.
type Order struct {
	ID        string    // of the payment
	Amount    int64     // won, above zero
	Title     string    // what is paid for, in the diner's language: at most 100 characters
	Email     string    // of the diner; may be empty
	Name      string    // of the diner; may be empty
	Lang      string    // "ko" or "en"
	ReturnURL string    // absolute; the provider may add to its query
	LeaveURL  string    // absolute
	Until     time.Time // when the window should close, if the provider can
}

// Opened is a payment that the provider expects.
type Opened struct {
	Reference   string // the provider's id; empty where it has none yet
	CheckoutURL string // where the diner's browser goes
}

// Stand is how far a payment has come at the provider.
type Stand string

// The stands of a payment at its provider.
const (
	StandPending    Stand = "pending"    // the diner has not finished
	StandAuthorised Stand = "authorised" // the money is ready to be captured
	StandCaptured   Stand = "captured"   // also when some or all of it went back
	StandRefused    Stand = "refused"
	StandCancelled  Stand = "cancelled" // let go of, left, or run out of time
)

// Report is what a provider says of a payment.
type Report struct {
	PaymentID string // the order id by the provider
	Reference string
	Stand     Stand
	Amount    int64  // won that the diner has agreed to, before what went back
	Returned  int64  // won that went back
	Currency  string // ISO 4217: KRW
	Method    string // what was paid with, in lower case: card, kakaopay, naverpay, transfer, …
	Code      string // why it was refused, by the provider's word
	Detail    string // what else is worth keeping, as JSON; never of a card
}

// Movement is money that a provider took or gave back.
type Movement struct {
	PaymentID string
	Amount    int64     // won; negative when it went back
	Fee       int64     // won that the provider keeps of it; negative when it gives a fee back
	At        time.Time // when it happened
	PaidOut   time.Time // the day on which the provider pays it out; zero while that is not known
}

// How calls of a provider can fail.
var (
	ErrUnsure = errors.New("payments: the provider gave no answer that decides")
	ErrForged = errors.New("payments: the webhook is not the provider's")
)

// RefusedError says that the provider refuses for good.
type RefusedError struct {
	Code string // by the provider's word: REJECT_CARD_COMPANY, card_declined
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("payments: the provider refuses: %s", e.Code)
}

// Windowed is a provider without a page to send the browser to: a page of ours opens its window by the provider's
// script. Opened.CheckoutURL is a path of ours then.
type Windowed interface {
	// OpenWindow returns what the page needs to open the window for an order.
	OpenWindow(order Order) Window
}

// Window is what a page of ours needs to open a provider's payment window.
type Window struct {
	Script string   // address of the provider's script
	Hosts  []string // from which the script loads more, and to which it sends, as a content security policy names them
	Data   any      // what our script hands to it, as JSON
}
