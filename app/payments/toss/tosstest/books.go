package tosstest

import (
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// transaction is a confirmation or a cancellation.
type transaction struct {
	MID            string `json:"mId"`
	TransactionKey string `json:"transactionKey"`
	PaymentKey     string `json:"paymentKey"`
	OrderID        string `json:"orderId"`
	Method         string `json:"method"`
	Status         string `json:"status"`
	TransactionAt  string `json:"transactionAt"`
	Currency       string `json:"currency"`
	Amount         int64  `json:"amount"`
}

// settlement is what is paid out of a transaction.
type settlement struct {
	PaymentKey     string `json:"paymentKey"`
	TransactionKey string `json:"transactionKey"`
	OrderID        string `json:"orderId"`
	Currency       string `json:"currency"`
	Amount         int64  `json:"amount"`
	PayOutAmount   int64  `json:"payOutAmount"`
	SoldDate       string `json:"soldDate"`
	PaidOutDate    string `json:"paidOutDate"`
}

// feePercent is what the bank keeps.
const feePercent = 3

func (b *Bank) transactions(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	b.mu.Lock()
	defer b.mu.Unlock()
	found, ok := b.between(query)
	limit := numberIn(query, "limit", 100)
	if !ok || limit > 5000 {
		refuse(w, http.StatusBadRequest, "INVALID_REQUEST")
		return
	}
	after := query.Get("startingAfter")
	page := []transaction{}
	for _, t := range found {
		switch {
		case after != "":
			if t.TransactionKey == after {
				after = ""
			}
		case len(page) < limit:
			page = append(page, t)
		}
	}
	give(w, http.StatusOK, page)
}

func (b *Bank) settlements(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	b.mu.Lock()
	defer b.mu.Unlock()
	found, ok := b.between(query)
	size, number := numberIn(query, "size", 100), numberIn(query, "page", 1)
	if !ok || size > 5000 || number < 1 {
		refuse(w, http.StatusBadRequest, "INVALID_REQUEST")
		return
	}
	page := []settlement{}
	for _, t := range found[min((number-1)*size, len(found)):min(number*size, len(found))] {
		amount := t.Amount
		if t.Status != "DONE" {
			amount = -amount
		}
		at, _ := time.Parse(time.RFC3339, t.TransactionAt)
		page = append(page, settlement{PaymentKey: t.PaymentKey, TransactionKey: t.TransactionKey, OrderID: t.OrderID,
			Currency: t.Currency, Amount: amount, PayOutAmount: amount - amount*feePercent/100,
			SoldDate: at.Format(time.DateOnly), PaidOutDate: at.AddDate(0, 0, 5).Format(time.DateOnly)})
	}
	give(w, http.StatusOK, page)
}

// between returns the transactions of the time that a query asks for; false if it asks for none.
func (b *Bank) between(query url.Values) ([]transaction, bool) {
	const seconds = "2006-01-02T15:04:05"
	from, err := time.ParseInLocation(seconds, query.Get("startDate"), kst)
	if err != nil {
		return nil, false
	}
	to, err := time.ParseInLocation(seconds, query.Get("endDate"), kst)
	if err != nil {
		return nil, false
	}
	var found []transaction
	for _, t := range b.moved {
		if at, _ := time.Parse(time.RFC3339, t.TransactionAt); !at.Before(from) && !at.After(to) {
			found = append(found, t)
		}
	}
	return found, true
}

func numberIn(query url.Values, name string, preset int) int {
	number, err := strconv.Atoi(query.Get(name))
	if err != nil {
		return preset
	}
	return number
}
