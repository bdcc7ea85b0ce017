package stripe

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"time"

	api "github.com/stripe/stripe-go/v85"

	"lunchgo/app/payments"
)

// Bounds of a call.
const (
	answerTime = 30 * time.Second // of what belongs to one step of a payment
	listTime   = 5 * time.Minute
)

// decided returns a *payments.RefusedError for what Stripe refuses for good, and for all else an error that wraps
// payments.ErrUnsure.
func decided(err error) error {
	if refuses(err) {
		return &payments.RefusedError{Code: codeOf(err)}
	}
	return unsure(err)
}

// refuses says whether Stripe has decided: it declines, or takes the request for one that it cannot carry out. Of wrong
// keys, of requests at the same moment, and of an account without money for a refund, it has not decided anything.
func refuses(err error) bool {
	var said *api.Error
	if !errors.As(err, &said) {
		return false
	}
	if said.Code == api.ErrorCodeBalanceInsufficient {
		return false
	}
	switch said.HTTPStatusCode {
	case http.StatusBadRequest, http.StatusPaymentRequired, http.StatusNotFound:
		return said.Type == api.ErrorTypeCard || said.Type == api.ErrorTypeInvalidRequest
	}
	return false
}

// codeOf returns the code with which Stripe refuses: that of the card's bank, where there is one.
func codeOf(err error) string {
	var said *api.Error
	if !errors.As(err, &said) {
		return ""
	}
	return cmp.Or(string(said.DeclineCode), string(said.Code), string(said.Type))
}

// isMissing says whether Stripe knows of no such thing.
func isMissing(err error) bool {
	var said *api.Error
	return errors.As(err, &said) && said.HTTPStatusCode == http.StatusNotFound
}

// unsure wraps what decides nothing. Stripe's own text is left out: it repeats the payment, and shows some of its card.
func unsure(err error) error {
	if said, ok := errors.AsType[*api.Error](err); ok {
		return fmt.Errorf("%w: stripe: %d %s %s", payments.ErrUnsure, said.HTTPStatusCode, codeOf(err), said.RequestID)
	}
	if errors.Is(err, payments.ErrUnsure) {
		return err
	}
	return fmt.Errorf("%w: %w", payments.ErrUnsure, err)
}
