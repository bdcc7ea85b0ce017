package payments

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/refusal"
)

// Service holds the use cases of payments through a provider. No call of the provider is made within a transaction, or
// with a connection of the database in hand.
type Service struct {
	Provider Provider // of new payments; nil where none is set
	Store    Store
	Days     Days
	Changes  Changes
	BaseURL  string                  // of the site, for the addresses to which the browser comes back
	Grace    time.Duration           // by which a window that was opened in time prolongs its hold, once
	Refresh  func([]booking.SlotKey) // notifies the watchers of slots
	Observe  func(Call)              // receives every call of the provider; may be nil
	Zone     *time.Location          // of the provider's days
	Now      func() time.Time
	Log      *slog.Logger

	woken     chan struct{}
	questions *questions
}

// New returns a service whose calls of the provider are bounded and reported, and whose job begins at once when there
// is work.
func New(s Service) *Service {
	s.questions = &questions{}
	if s.woken = make(chan struct{}, 1); s.Provider != nil {
		s.Provider = observed{s.Provider, s.Observe}
	}
	return &s
}

// Reasons why there is no payment through the provider.
var (
	ErrNotFound = refusal.NotFound.Because("payments: no such payment")
	ErrNone     = refusal.New(refusal.Conflict, "no_card_payments", "payments: no payment provider is set")
	// ErrWalletPays says that the diner's wallet has enough: nothing is left for a card.
	ErrWalletPays = refusal.New(refusal.Conflict, "wallet_pays", "payments: the wallet has enough")
	ErrAway       = refusal.Declare(refusal.Refusal{Kind: refusal.TemporarilyUnfit, Code: "payments_away",
		Field: "form", Retry: 5 * time.Second, Text: "payments: the provider does not answer"})
	ErrRefused = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "payment_refused", Field: "form",
		Text: "payments: the provider refuses the payment"})
)

// Diner is who pays, as far as a provider wants to know.
type Diner struct {
	Email string // empty when it is not known
	Name  string
	Lang  string // "ko" or "en"
	Title string // what is paid for, in that language
}

// Begin has the provider expect a payment of what the diner's wallet cannot pay, and keeps the seats a while longer. A
// repeat with the same key returns the same payment. Returns the errors of booking.Reservation.PaymentFor,
// booking.ErrNotFound, booking.ErrKeyReused, ErrNone, ErrWalletPays, ErrAway and ErrRefused.
func (s *Service) Begin(ctx context.Context, order booking.PaymentOrder, diner Diner) (Payment, error) {
	if s.Provider == nil {
		return Payment{}, ErrNone
	}
	p, err := s.Store.Begin(ctx, NewPayment{ID: rand.Text(), Provider: s.Provider.Name(), Grace: s.Grace, Order: order})
	if err != nil || p.State != Started || p.CheckoutURL != "" {
		return p, err
	}
	opened, err := s.Provider.Begin(ctx, s.orderOf(p, diner))
	if err = s.note(ctx, p, "begin", Report{Reference: opened.Reference}, err); err != nil {
		return p, s.beginFailed(ctx, p, err)
	}
	if strings.HasPrefix(opened.CheckoutURL, "/") {
		opened.CheckoutURL = s.BaseURL + opened.CheckoutURL
	}
	p.Reference, p.CheckoutURL = opened.Reference, opened.CheckoutURL
	return p, s.Store.Open(ctx, p.ID, opened)
}

// orderOf returns what the provider has to know of a payment.
func (s *Service) orderOf(p Payment, diner Diner) Order {
	page := s.BaseURL + "/payments/" + p.ID
	return Order{ID: p.ID, Amount: p.Amount, Title: diner.Title, Email: diner.Email, Name: diner.Name, Lang: diner.Lang,
		ReturnURL: page + "/return", LeaveURL: page + "/leave", Until: p.ExpiresAt}
}

// Window returns what opens the payment window of a payment, where a page of ours opens it.
func (s *Service) Window(p Payment, diner Diner) (Window, bool) {
	asked, ok := s.provider(p).(observed)
	if !ok {
		return Window{}, false
	}
	opener, ok := asked.Provider.(Windowed)
	if !ok {
		return Window{}, false
	}
	return opener.OpenWindow(s.orderOf(p, diner)), true
}

// beginFailed ends a payment that the provider refuses to begin. One that it did not decide about is begun again with
// the next press.
func (s *Service) beginFailed(ctx context.Context, p Payment, err error) error {
	var refused *RefusedError
	if !errors.As(err, &refused) {
		return ErrAway
	}
	if err := s.Store.End(ctx, p.ID, End{State: Refused, Code: refused.Code}); err != nil {
		return err
	}
	return ErrRefused
}

// Find returns a payment to its diner. Returns ErrNotFound for those of others too.
func (s *Service) Find(ctx context.Context, userID, id string) (Payment, error) {
	p, err := s.Store.Find(ctx, id)
	if err == nil && p.UserID != userID {
		return Payment{}, ErrNotFound
	}
	return p, err
}

// UnderWay returns the newest payment of a diner's reservation whose window was opened and of which nothing is known
// yet. Returns ErrNotFound if there is none.
func (s *Service) UnderWay(ctx context.Context, userID, reservationID string) (Payment, error) {
	p, err := s.Store.FindUnderWay(ctx, reservationID)
	if err == nil && p.UserID != userID {
		return Payment{}, ErrNotFound
	}
	return p, err
}

// Settle asks the provider what became of a payment and takes the step that follows. The diner's browser that comes
// back, a webhook and a job all end here, any number of times; Look bounds the first two. The reference, if any, is
// what the browser brought; it is of use only when the provider says that it belongs to this payment. An error that
// wraps ErrUnsure says that the provider did not answer, and that the payment is as it was.
func (s *Service) Settle(ctx context.Context, id, reference string) (Payment, error) {
	p, err := s.Store.Find(ctx, id)
	if err != nil || p.State != Started && p.State != Authorised && p.State != Cancelled || s.provider(p) == nil {
		return p, err
	}
	report, err := s.ask(ctx, p, reference)
	if err != nil {
		return p, err
	}
	if err := s.take(ctx, p, report); err != nil {
		return p, err
	}
	return s.Store.Find(ctx, id)
}

// ask asks the provider about a payment, by the browser's reference if that is of this payment.
func (s *Service) ask(ctx context.Context, p Payment, reference string) (Report, error) {
	if p.Reference == "" && reference != "" {
		named := p
		named.Reference = reference
		report, err := s.provider(p).Find(ctx, named)
		if err == nil && report.PaymentID == p.ID {
			return report, s.note(ctx, p, "find", report, nil)
		}
	}
	report, err := s.provider(p).Find(ctx, p)
	return report, s.note(ctx, p, "find", report, err)
}

// take takes the step that a provider's report leads to.
func (s *Service) take(ctx context.Context, p Payment, r Report) error {
	switch {
	case r.Stand == StandAuthorised || r.Stand == StandCaptured:
		return s.authorised(ctx, p, r)
	case p.State == Cancelled:
		return nil
	case r.Stand == StandRefused:
		return s.Store.End(ctx, p.ID, End{State: Refused, Code: r.Code, Method: r.Method})
	case r.Stand == StandCancelled:
		return s.Store.End(ctx, p.ID, End{State: Cancelled, Code: CodeLeft})
	}
	return nil
}

// ErrLeft says that the diner has left the line in which a paid change waited.
var ErrLeft = &refusal.Refusal{Kind: refusal.Conflict, Code: CodeLeft, Text: "payments: the diner has left the line"}

// Codes of cancelled payments that are ours; others are those of refusals.
const (
	CodeLeft     = "left"     // by the diner
	CodeExpired  = "expired"  // nobody paid in time
	CodeMismatch = "mismatch" // the provider reports another amount, currency or payment
	CodeReturned = "returned" // all of it was to go back before it was taken
)

// authorised confirms the reservation of a payment whose money is ready, and has it captured. Where that cannot be, the
// money is let go.
func (s *Service) authorised(ctx context.Context, p Payment, r Report) error {
	release := End{State: Cancelled, Release: true}
	switch {
	case p.State == Cancelled:
		release.Code = p.Code
	case r.PaymentID != p.ID || r.Amount != p.Amount || r.Currency != "KRW":
		s.Log.ErrorContext(ctx, "payment authorisation failed", "payment", p.ID, "reason", "not as ordered",
			"reported", r.PaymentID, "amount", r.Amount, "currency", r.Currency, "wanted", p.Amount)
		release.Code = CodeMismatch
	default:
		err := s.confirm(ctx, p, r)
		if err == nil {
			s.wake()
			return nil
		}
		refused := refusal.Of(err)
		if refused == nil {
			return err
		}
		release.Code = refused.Code
	}
	err := s.Store.End(ctx, p.ID, release)
	s.wake()
	return err
}

// confirm confirms the reservation of a payment whose money is ready, or has its change made in its turn.
func (s *Service) confirm(ctx context.Context, p Payment, r Report) error {
	if p.Kind != booking.ForChange {
		res, err := s.Store.Authorise(ctx, p, r)
		if err == nil {
			s.Refresh(res.Slots())
		}
		return err
	}
	if err := s.Store.Ready(ctx, p, r); err != nil {
		return err
	}
	made, err := s.Changes.MakePaid(ctx, p.Order())
	if made { // by the wallet; or by this payment, which does not end any more
		return booking.ErrAlreadyPaid
	}
	if refused := refusal.Of(err); refused != nil && refused.Retry > 0 {
		s.Log.WarnContext(ctx, "enter paid change failed; will retry", "payment", p.ID, "error", err)
		return nil
	}
	return err
}

// provider returns the provider of a payment; nil if it is not set any more.
func (s *Service) provider(p Payment) Provider {
	if s.Provider == nil || s.Provider.Name() != p.Provider {
		return nil
	}
	return s.Provider
}

// note writes down what the provider answered, and returns the error that it answered with.
func (s *Service) note(ctx context.Context, p Payment, call string, r Report, err error) error {
	answer := Answer{PaymentID: p.ID, Call: call, Report: r}
	var refused *RefusedError
	switch {
	case errors.As(err, &refused):
		answer.Code = refused.Code
	case err != nil:
		answer.Error = err.Error()
	}
	if noted := s.Store.Note(ctx, answer); noted != nil {
		return errors.Join(err, fmt.Errorf("payments: note an answer: %w", noted))
	}
	return err
}

func (s *Service) wake() {
	select {
	case s.woken <- struct{}{}:
	default:
	}
}

// CodeOf returns the code with which a payment ends whose change was refused.
func CodeOf(err error) string {
	if refused := refusal.Of(err); refused != nil {
		return refused.Code
	}
	return refusal.Unavailable.Code
}
