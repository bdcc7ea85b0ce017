package toss

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"lunchgo/app/payments"
)

// Find looks a payment up by its paymentKey, or else by its order id. One whose window was never opened is pending.
func (p *Provider) Find(ctx context.Context, of payments.Payment) (payments.Report, error) {
	found, err := p.find(ctx, of)
	if saidCode(err) == notFound {
		return payments.Report{PaymentID: of.ID, Stand: payments.StandPending, Amount: of.Amount, Currency: won}, nil
	}
	if err != nil {
		return payments.Report{}, unsure(err)
	}
	return found.report(), nil
}

// find returns a *failure with the code notFound if Toss does not know the payment.
func (p *Provider) find(ctx context.Context, of payments.Payment) (found payment, err error) {
	if of.Reference != "" {
		err = p.answer(ctx, lookUp(url.PathEscape(of.Reference)), &found)
		if saidCode(err) != notFound {
			return found, err
		}
	}
	return found, p.answer(ctx, lookUp("orders/"+url.PathEscape(of.ID)), &found)
}

func lookUp(path string) call {
	return call{method: http.MethodGet, path: "/v1/payments/" + path, time: answerTime}
}

// confirmation is the body of a confirmation.
type confirmation struct {
	PaymentKey string `json:"paymentKey"`
	OrderID    string `json:"orderId"`
	Amount     int64  `json:"amount"`
}

// Capture confirms a payment. Toss confirms a paymentKey once, whatever the idempotency key. That one changes by the
// minute, since Toss repeats its first answer to a key for 15 days, a passing failure too.
func (p *Provider) Capture(ctx context.Context, of payments.Payment) (payments.Report, error) {
	key := of.Reference
	if key == "" {
		found, err := p.find(ctx, of)
		if err != nil {
			return payments.Report{}, refusedIf(refusesConfirm, err)
		}
		key = found.PaymentKey
	}
	var confirmed payment
	err := p.answer(ctx, call{method: http.MethodPost, path: "/v1/payments/confirm", time: answerTime,
		once: fmt.Sprintf("capture-%s-%d", of.ID, p.now().Unix()/60),
		body: confirmation{PaymentKey: key, OrderID: of.ID, Amount: of.Amount}}, &confirmed)
	if err == nil && confirmed.stand() == payments.StandCaptured {
		return confirmed.report(), nil
	}
	return p.afterConfirm(ctx, of, err)
}

// afterConfirm looks up what a confirmation came to that Toss did not simply carry out: an earlier one may have taken
// the money, also where Toss now says that there is nothing to confirm.
func (p *Provider) afterConfirm(ctx context.Context, of payments.Payment, said error) (payments.Report, error) {
	var f *failure
	if said != nil && !errors.As(said, &f) {
		return payments.Report{}, unsure(said)
	}
	found, err := p.find(ctx, of)
	if saidCode(err) == notFound && said != nil {
		err = said
	}
	if err != nil {
		return payments.Report{}, refusedIf(refusesConfirm, err)
	}
	switch found.stand() {
	case payments.StandCaptured:
		return found.report(), nil
	case payments.StandRefused, payments.StandCancelled:
		code := cmp.Or(found.Failure.Code, saidCode(said), string(found.Status))
		return payments.Report{}, &payments.RefusedError{Code: code}
	}
	if said == nil {
		said = fmt.Errorf("toss: a confirmed payment is %s", found.Status)
	}
	return payments.Report{}, refusedIf(refusesConfirm, said)
}

// refusedIf returns a *payments.RefusedError if Toss has decided, by one of the codes, and what is unsure otherwise.
func refusedIf(codes map[string]bool, err error) error {
	if code := saidCode(err); codes[code] {
		return &payments.RefusedError{Code: code}
	}
	return unsure(err)
}

// Cancel only makes sure that nothing was taken: Toss has no call for what is not confirmed, and takes none of it. A
// payment that was captured is refused.
func (p *Provider) Cancel(ctx context.Context, of payments.Payment) error {
	found, err := p.find(ctx, of)
	switch {
	case saidCode(err) == notFound:
		return nil
	case err != nil:
		return unsure(err)
	case found.Status == done || found.Status == partialCanceled:
		return &payments.RefusedError{Code: alreadyDone}
	}
	return nil
}

// cancellation is the body of a cancellation. Toss refuses it when the payment has another balance than
// RefundableAmount: so an earlier request that arrives late takes no effect beside a later one.
type cancellation struct {
	CancelReason     string `json:"cancelReason"`
	CancelAmount     int64  `json:"cancelAmount"`
	RefundableAmount int64  `json:"refundableAmount"`
}

// Refund cancels a part of a payment, or all of it. The refund's id stands in the reason, by which a repeat finds it,
// also after the 15 days for which an idempotency key holds. That key changes by the hour, as that of Capture.
func (p *Provider) Refund(ctx context.Context, of payments.Payment, refund payments.Refund) (payments.Report, error) {
	before, err := p.find(ctx, of)
	if err != nil {
		return payments.Report{}, refusedIf(refusesCancel, err)
	}
	if before.hasRefund(refund) {
		return before.report(), nil
	}
	var after payment
	err = p.answer(ctx, call{method: http.MethodPost, time: answerTime,
		path: "/v1/payments/" + url.PathEscape(before.PaymentKey) + "/cancel",
		once: fmt.Sprintf("refund-%s-%d", refund.ID, p.now().Unix()/3600),
		body: cancellation{CancelReason: reasonOf(refund), CancelAmount: refund.Amount,
			RefundableAmount: amount(before.BalanceAmount)}}, &after)
	var f *failure
	if errors.As(err, &f) { // the same refund, asked for at the same moment, may have taken effect
		said := err
		if after, err = p.find(ctx, of); err == nil && !after.hasRefund(refund) {
			err = said
		}
	}
	switch {
	case saidCode(err) == allCancelled: // in Toss' dashboard: ours, too, is where the money is to go
		return before.report(), nil
	case err != nil:
		return payments.Report{}, refusedIf(refusesCancel, err)
	}
	return after.report(), nil
}

// maxReason is the longest reason for a cancellation, in characters.
const maxReason = 200

// reasonOf returns the reason for a refund, with its id.
func reasonOf(refund payments.Refund) string {
	mark := markOf(refund)
	reason := refund.Reason
	for utf8.RuneCountInString(reason)+utf8.RuneCountInString(mark) > maxReason {
		_, size := utf8.DecodeLastRuneInString(reason)
		reason = reason[:len(reason)-size]
	}
	return strings.TrimSpace(reason + mark)
}

func markOf(refund payments.Refund) string { return " [" + refund.ID + "]" }

// hasRefund says whether a refund has been made.
func (p payment) hasRefund(refund payments.Refund) bool {
	for _, c := range p.Cancels {
		if strings.HasSuffix(" "+c.CancelReason, markOf(refund)) {
			return true
		}
	}
	return false
}
