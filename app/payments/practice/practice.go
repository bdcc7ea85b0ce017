// Package practice is a payment provider for demos and tests: a bank without money, whose payment window is a page of
// ours. It keeps what it knows in the product's database, so that all instances share it.
package practice

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"time"

	"lunchgo/app/payments"
	"lunchgo/app/refusal"
)

// Name is the value of PAYMENTS that chooses the bank.
const Name = "practice"

// lateBy is how long a late answer takes.
const lateBy = 20 * time.Second

// Bank implements payments.Provider.
type Bank struct {
	Store   Store
	BaseURL string // of the site
	// Notify is called with the id of a payment that the bank has decided about, as a webhook would be; may be nil.
	Notify func(ctx context.Context, paymentID string)
}

// Account is what the bank keeps of a payment.
type Account struct {
	ID        string
	Amount    int64 // won
	Returned  int64 // won
	Title     string
	ReturnURL string
	LeaveURL  string
	Stand     payments.Stand
	Overdrawn bool // the bank refuses to hand the money over
	Late      bool // its answer is still to come
}

// Store keeps the bank's accounts.
type Store interface {
	// Open stores an account, once.
	Open(ctx context.Context, a Account) error
	// Find returns ErrUnknown.
	Find(ctx context.Context, id string) (Account, error)
	// Move changes the stand of an account that has one of some stands, at once or after a while, and returns the
	// account as it is then. One with another stand stays as it is. Returns ErrUnknown.
	Move(ctx context.Context, id string, from []payments.Stand, to Move) (Account, error)
	// Refund gives back a part of a captured account, once for the refund's id, and returns the account.
	Refund(ctx context.Context, id string, refund payments.Refund) (Account, error)
	// List returns what was taken and given back between two moments.
	List(ctx context.Context, from, until time.Time) ([]payments.Movement, error)
}

// Move is a step of an account.
type Move struct {
	To        payments.Stand
	After     time.Duration
	Overdrawn bool
}

// ErrUnknown says that the bank has no such account.
var ErrUnknown = refusal.NotFound.Because("practice: no such payment")

// Result is what a diner does in the payment window, or what the bank plays.
type Result string

// The results that the window offers.
const (
	Pay       Result = "pay"
	Refuse    Result = "refuse"
	Leave     Result = "leave"
	Twice     Result = "twice"     // pays, and the bank says so twice
	Late      Result = "late"      // pays, and the bank knows of it only after a while
	Overdrawn Result = "overdrawn" // pays, and the bank refuses to hand the money over
)

// ErrResult says that there is no such result.
var ErrResult = refusal.New(refusal.WrongFields, "unknown_result", "practice: no such result")

// Name implements payments.Provider.
func (Bank) Name() string { return Name }

// Decide plays a result in the window of a payment and returns where the browser goes then. A window in which something
// was decided decides nothing more. Returns ErrUnknown and ErrResult.
func (b Bank) Decide(ctx context.Context, id string, result Result) (redirect string, err error) {
	move := Move{To: payments.StandAuthorised, Overdrawn: result == Overdrawn}
	switch result {
	case Pay, Twice, Overdrawn:
	case Late:
		move.After = lateBy
	case Refuse:
		move.To = payments.StandRefused
	case Leave:
		move.To = payments.StandCancelled
	default:
		return "", ErrResult
	}
	account, err := b.Store.Move(ctx, id, []payments.Stand{payments.StandPending}, move)
	if err != nil {
		return "", err
	}
	if b.Notify != nil && result != Late {
		b.Notify(ctx, id)
		if result == Twice {
			b.Notify(ctx, id)
		}
	}
	if result == Leave {
		return account.LeaveURL, nil
	}
	return account.ReturnURL, nil
}

// Begin implements payments.Provider.
func (b Bank) Begin(ctx context.Context, o payments.Order) (payments.Opened, error) {
	err := b.Store.Open(ctx, Account{ID: o.ID, Amount: o.Amount, Title: o.Title, ReturnURL: o.ReturnURL,
		LeaveURL: o.LeaveURL, Stand: payments.StandPending})
	return payments.Opened{Reference: o.ID, CheckoutURL: b.BaseURL + "/practice-bank/" + url.PathEscape(o.ID)}, err
}

// Returned implements payments.Provider: the bank's reference is known from the beginning.
func (Bank) Returned(url.Values) string { return "" }

// Find implements payments.Provider.
func (b Bank) Find(ctx context.Context, p payments.Payment) (payments.Report, error) {
	account, err := b.Store.Find(ctx, p.ID)
	if errors.Is(err, ErrUnknown) {
		return payments.Report{PaymentID: p.ID, Stand: payments.StandPending}, nil
	}
	return account.report(), err
}

// Capture implements payments.Provider.
func (b Bank) Capture(ctx context.Context, p payments.Payment) (payments.Report, error) {
	account, err := b.Store.Find(ctx, p.ID)
	switch {
	case err != nil:
		return payments.Report{}, err
	case account.Overdrawn:
		account, err = b.move(ctx, p.ID, payments.StandRefused)
	default:
		account, err = b.move(ctx, p.ID, payments.StandCaptured)
	}
	if err == nil && account.Stand != payments.StandCaptured {
		err = &payments.RefusedError{Code: "not_captured_" + string(account.Stand)}
	}
	return account.report(), err
}

// move moves an account that is authorised.
func (b Bank) move(ctx context.Context, id string, to payments.Stand) (Account, error) {
	return b.Store.Move(ctx, id, []payments.Stand{payments.StandAuthorised}, Move{To: to})
}

// Cancel implements payments.Provider.
func (b Bank) Cancel(ctx context.Context, p payments.Payment) error {
	account, err := b.Store.Move(ctx, p.ID, []payments.Stand{payments.StandPending, payments.StandAuthorised},
		Move{To: payments.StandCancelled})
	switch {
	case errors.Is(err, ErrUnknown):
		return nil
	case err == nil && account.Stand == payments.StandCaptured:
		return &payments.RefusedError{Code: "captured"}
	}
	return err
}

// Refund implements payments.Provider.
func (b Bank) Refund(ctx context.Context, p payments.Payment, refund payments.Refund) (payments.Report, error) {
	account, err := b.Store.Refund(ctx, p.ID, refund)
	return account.report(), err
}

// Verify implements payments.Provider: a program says {"payment": id}, which needs no signature, as the payment is
// looked up afterwards.
func (Bank) Verify(_ context.Context, _ http.Header, body []byte) (string, error) {
	var in struct {
		Payment string `json:"payment"`
	}
	if err := json.Unmarshal(body, &in); err != nil || in.Payment == "" {
		return "", payments.ErrForged
	}
	return in.Payment, nil
}

// List implements payments.Provider.
func (b Bank) List(ctx context.Context, day time.Time) ([]payments.Movement, error) {
	from := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, day.Location())
	return b.Store.List(ctx, from, from.AddDate(0, 0, 1))
}

func (a Account) report() payments.Report {
	r := payments.Report{PaymentID: a.ID, Reference: a.ID, Stand: a.Stand, Amount: a.Amount, Returned: a.Returned,
		Currency: "KRW", Method: "practice"}
	switch {
	case a.Late:
		r.Stand = payments.StandPending
	case a.Stand == payments.StandRefused:
		r.Code = "refused"
	}
	return r
}
