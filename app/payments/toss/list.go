package toss

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"lunchgo/app/payments"
)

// seoul is the zone of the times that Toss takes and gives.
var seoul = time.FixedZone("KST", 9*60*60)

const (
	// aPage is how many records Toss is asked for at once; it gives 5,000 at most.
	aPage = 1000
	// settledWithin is for how many days after a transaction its settlement is looked for.
	settledWithin = 7
)

// transaction is a confirmation or a cancellation.
type transaction struct {
	TransactionKey string    `json:"transactionKey"`
	OrderID        string    `json:"orderId"`
	Status         status    `json:"status"`
	TransactionAt  time.Time `json:"transactionAt"`
	Currency       string    `json:"currency"`
	Amount         float64   `json:"amount"`
}

// settlement is what Toss pays out of a transaction.
type settlement struct {
	TransactionKey string  `json:"transactionKey"`
	Amount         float64 `json:"amount"`
	PayOutAmount   float64 `json:"payOutAmount"`
	PaidOutDate    string  `json:"paidOutDate"`
}

// List returns the transactions of the day. Fee and PaidOut are there once Toss has settled a transaction.
func (p *Provider) List(ctx context.Context, day time.Time) ([]payments.Movement, error) {
	year, month, date := day.Date()
	from := time.Date(year, month, date, 0, 0, 0, 0, day.Location())
	until := from.AddDate(0, 0, 1)
	all, err := p.transactions(ctx, from, until)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	settled, err := p.settlements(ctx, from, until.AddDate(0, 0, settledWithin))
	if err != nil {
		return nil, err
	}
	var moved []payments.Movement
	for _, t := range all {
		if t.TransactionAt.Before(from) || !t.TransactionAt.Before(until) || t.Currency != won {
			continue
		}
		if m, ok := t.movement(settled[t.TransactionKey], day.Location()); ok {
			moved = append(moved, m)
		}
	}
	return moved, nil
}

// movement returns the money of a transaction; false if it moved none. Toss may give what went back with either sign.
func (t transaction) movement(s settlement, zone *time.Location) (payments.Movement, bool) {
	sign := int64(1)
	switch t.Status {
	case done:
	case canceled, partialCanceled:
		sign = -1
	default:
		return payments.Movement{}, false
	}
	m := payments.Movement{PaymentID: t.OrderID, Amount: sign * abs(amount(t.Amount)), At: t.TransactionAt}
	if s.TransactionKey != "" {
		m.Fee = sign * (abs(amount(s.Amount)) - abs(amount(s.PayOutAmount)))
		m.PaidOut, _ = time.ParseInLocation(time.DateOnly, s.PaidOutDate, zone) // zero while there is no date
	}
	return m, true
}

func abs(n int64) int64 { return max(n, -n) }

// transactions returns those of a time, in the order in which they happened.
func (p *Provider) transactions(ctx context.Context, from, until time.Time) (all []transaction, err error) {
	query := between(from, until)
	query.Set("limit", strconv.Itoa(aPage))
	for {
		var page []transaction
		if err := p.list(ctx, "/v1/transactions", query, &page); err != nil {
			return nil, err
		}
		all = append(all, page...)
		if len(page) < aPage {
			return all, nil
		}
		query.Set("startingAfter", page[len(page)-1].TransactionKey)
	}
}

// settlements returns those of a time by their transactionKey.
func (p *Provider) settlements(ctx context.Context, from, until time.Time) (map[string]settlement, error) {
	all := map[string]settlement{}
	query := between(from, until)
	query.Set("size", strconv.Itoa(aPage))
	for number := 1; ; number++ {
		query.Set("page", strconv.Itoa(number))
		var page []settlement
		if err := p.list(ctx, "/v1/settlements", query, &page); err != nil {
			return nil, err
		}
		for _, s := range page {
			all[s.TransactionKey] = s
		}
		if len(page) < aPage {
			return all, nil
		}
	}
}

// between returns the query for a time, in Toss' zone and to the second before its end.
func between(from, until time.Time) url.Values {
	const seconds = "2006-01-02T15:04:05"
	return url.Values{"startDate": {from.In(seoul).Format(seconds)},
		"endDate": {until.Add(-time.Second).In(seoul).Format(seconds)}}
}

func (p *Provider) list(ctx context.Context, path string, query url.Values, to any) error {
	err := p.answer(ctx, call{method: http.MethodGet, path: path + "?" + query.Encode(), time: listTime}, to)
	if err != nil {
		return unsure(fmt.Errorf("toss: list %s: %w", cmp.Or(query.Get("page"), query.Get("startingAfter"), "1"), err))
	}
	return nil
}
