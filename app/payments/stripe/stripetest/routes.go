package stripetest

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

func number(r *http.Request, name string) int64 {
	n, _ := strconv.ParseInt(r.Form.Get(name), 10, 64)
	return n
}

func (b *Bank) open(r *http.Request) (any, *failure) {
	const item = "line_items[0]"
	s := &session{ID: newID("cs"), Object: "checkout.session", Status: "open",
		AmountTotal: number(r, item+"[price_data][unit_amount]") * number(r, item+"[quantity]"),
		Currency:    r.Form.Get(item + "[price_data][currency]"), ClientReferenceID: r.Form.Get("client_reference_id"),
		Metadata: metadata(r, "metadata"), intended: metadata(r, "payment_intent_data[metadata]"),
		SuccessURL: r.Form.Get("success_url"), ExpiresAt: number(r, "expires_at")}
	if s.ExpiresAt == 0 {
		s.ExpiresAt = b.now().Add(24 * time.Hour).Unix()
	}
	opened := time.Unix(s.ExpiresAt, 0).Sub(b.now())
	switch {
	case r.Form.Get("mode") != "payment", r.Form.Get("payment_intent_data[capture_method]") != "manual",
		!strings.HasPrefix(s.SuccessURL, "http"), r.Form.Get(item+"[price_data][product_data][name]") == "":
		return nil, invalid("parameter_invalid")
	case s.AmountTotal < 100:
		return nil, invalid("amount_too_small")
	case opened < 30*time.Minute-time.Second || opened > 24*time.Hour:
		return nil, invalid("parameter_invalid_integer")
	}
	s.URL = "https://checkout.stripe.com/c/pay/" + s.ID
	b.sessions[s.ID] = s
	return s, nil
}

// find returns a session as it is now: its time may be over, or that of its authorisation. The caller holds mu.
func (b *Bank) find(id string) *session {
	s := b.sessions[id]
	if s == nil {
		return nil
	}
	if s.Status == "open" && b.now().Unix() >= s.ExpiresAt {
		s.Status = "expired"
		if s.intent != nil {
			s.intent.Status, s.intent.CancellationReason = "canceled", "automatic"
		}
	}
	b.lapse(s.intent)
	return s
}

func (b *Bank) lapse(i *intent) {
	if i != nil && i.Status == "requires_capture" && b.now().Sub(i.authorised) > captureTime {
		b.void(i, "automatic")
	}
}

// void lets go of an authorisation. Stripe then says that its charge was refunded.
func (b *Bank) void(i *intent, reason string) {
	i.Status, i.CancellationReason = "canceled", reason
	if i.LatestCharge != nil {
		i.LatestCharge.AmountRefunded = i.LatestCharge.Amount
	}
}

func (b *Bank) showSession(r *http.Request) (any, *failure) {
	s := b.find(r.PathValue("id"))
	if s == nil {
		return missing(r)
	}
	shown := *s
	if s.intent != nil {
		shown.PaymentIntent = s.intent.ID
		if r.Form.Get("expand[0]") == "payment_intent.latest_charge" {
			shown.PaymentIntent = s.intent
		}
	}
	return shown, nil
}

func (b *Bank) expire(r *http.Request) (any, *failure) {
	s := b.find(r.PathValue("id"))
	if s == nil {
		return missing(r)
	}
	if s.Status != "open" {
		return nil, invalid("")
	}
	s.Status = "expired"
	if s.intent != nil {
		s.intent.Status, s.intent.CancellationReason = "canceled", "abandoned"
	}
	return s, nil
}

func (b *Bank) showIntent(r *http.Request) (any, *failure) {
	i := b.intents[r.PathValue("id")]
	if i == nil {
		return missing(r)
	}
	b.lapse(i)
	return i, nil
}

func (b *Bank) capture(r *http.Request) (any, *failure) {
	i := b.intents[r.PathValue("id")]
	if i == nil {
		return missing(r)
	}
	b.lapse(i)
	amount := number(r, "amount_to_capture")
	switch {
	case i.Status != "requires_capture":
		return nil, invalid("payment_intent_unexpected_state")
	case amount > i.Amount:
		return nil, invalid("amount_too_large")
	case b.declines[i.ID]:
		b.void(i, "automatic")
		return nil, declined
	}
	i.Status = "succeeded"
	i.LatestCharge.AmountCaptured = amount
	b.move(amount, amount*3/100, i.LatestCharge)
	return i, nil
}

func (b *Bank) cancel(r *http.Request) (any, *failure) {
	i := b.intents[r.PathValue("id")]
	if i == nil {
		return missing(r)
	}
	if i.Status == "succeeded" || i.Status == "canceled" {
		return nil, invalid("payment_intent_unexpected_state")
	}
	b.void(i, r.Form.Get("cancellation_reason"))
	return i, nil
}

func (b *Bank) showCharge(r *http.Request) (any, *failure) {
	if c := b.charges[r.PathValue("id")]; c != nil {
		return c, nil
	}
	return missing(r)
}

func (b *Bank) refund(r *http.Request) (any, *failure) {
	i := b.intents[r.Form.Get("payment_intent")]
	amount := number(r, "amount")
	switch {
	case i == nil:
		return missing(r)
	case i.Status != "succeeded":
		return nil, invalid("payment_intent_unexpected_state")
	case b.empty:
		return nil, invalid("balance_insufficient")
	case i.LatestCharge.AmountRefunded == i.LatestCharge.AmountCaptured:
		return nil, invalid("charge_already_refunded")
	case amount < 1 || amount > i.LatestCharge.AmountCaptured-i.LatestCharge.AmountRefunded:
		return nil, invalid("")
	}
	return b.giveBack(i, amount, metadata(r, "metadata"), r.Form.Get("expand[0]") == "charge"), nil
}

func (b *Bank) giveBack(i *intent, amount int64, meta map[string]string, expand bool) refund {
	i.LatestCharge.AmountRefunded += amount
	made := &refund{ID: newID("re"), Object: "refund", Amount: amount, Currency: i.Currency, Status: "succeeded",
		Metadata: meta, Charge: i.LatestCharge.ID, intent: i.ID}
	b.refunds = append(b.refunds, made)
	b.move(-amount, 0, made)
	shown := *made
	if expand {
		shown.Charge = i.LatestCharge
	}
	return shown
}

// RefundAtDesk has somebody refund a payment on Stripe's own pages, which know nothing of our metadata.
func (b *Bank) RefundAtDesk(paymentID string, amount int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.giveBack(b.intentOf(paymentID), amount, nil, false)
}

func (b *Bank) listRefunds(r *http.Request) (any, *failure) {
	var found []any
	for _, made := range b.refunds {
		if made.intent == r.Form.Get("payment_intent") {
			found = append([]any{made}, found...)
		}
	}
	return list(r, found, func(x any) string { return x.(*refund).ID }), nil
}

func (b *Bank) listMoved(r *http.Request) (any, *failure) {
	var found []any
	for _, m := range b.moved {
		if m.Created < number(r, "created[gte]") || m.Created >= number(r, "created[lt]") {
			continue
		}
		shown := *m
		if r.Form.Get("expand[0]") != "data.source" {
			shown.Source = "txn_source" // an id
		}
		found = append([]any{&shown}, found...)
	}
	return list(r, found, func(x any) string { return x.(*movement).ID }), nil
}

// list returns a page of what was found, the newest first.
func list(r *http.Request, found []any, id func(any) string) any {
	after, limit := r.Form.Get("starting_after"), int(number(r, "limit"))
	for at, x := range found {
		if id(x) == after {
			found = found[at+1:]
			break
		}
	}
	more := len(found) > limit
	return map[string]any{"object": "list", "url": r.URL.Path, "has_more": more,
		"data": append([]any{}, found[:min(limit, len(found))]...)}
}

// move adds money to the books. The caller holds mu.
func (b *Bank) move(amount, fee int64, source any) {
	currency := "krw"
	if b.dollars {
		currency, amount, fee = "usd", amount/10, fee/10
	}
	b.moved = append(b.moved, &movement{ID: newID("txn"), Object: "balance_transaction", Amount: amount, Fee: fee,
		Currency: currency, Created: b.now().Unix(), AvailableOn: b.now().AddDate(0, 0, 5).Unix(), Source: source})
}
