package reports

import (
	"context"
	"io"
	"strconv"

	"lunchgo/app/booking"
	"lunchgo/app/team"
)

// Payout is what a payment provider took and gave back for a restaurant on a day, as the provider lists it.
type Payout struct {
	Date     booking.Date `json:"date"` // in the restaurant's zone
	Payments int          `json:"payments"`
	Refunds  int          `json:"refunds"`
	Taken    int64        `json:"taken"`    // won
	Returned int64        `json:"returned"` // won
	Fees     int64        `json:"fees"`     // won that the provider keeps
	PaidOut  booking.Date `json:"-"`        // on which the last of it is paid out; empty while that is not known
}

// Net is what the provider pays out, in won; negative when more went back than came in.
func (p Payout) Net() int64 { return p.Taken - p.Returned - p.Fees }

// Payouts returns the days of a period on which a payment provider moved money for a restaurant, the first one first.
// Returns the errors of Read.
func (s *Service) Payouts(ctx context.Context, by team.Staff, r booking.Restaurant, period Period) ([]Payout, error) {
	if err := by.Check(r.ID, team.SeeReports); err != nil {
		return nil, err
	}
	if r.Draft || r.Shadow {
		return nil, booking.ErrNotFound
	}
	return s.store.ListPayouts(ctx, r, period)
}

// PayoutColumns are the keys of the headings of a file of payouts, in order.
func PayoutColumns() []string {
	return []string{"date", "card_payments", "card_refunds", "card_taken", "card_returned", "card_fees", "card_net",
		"paid_out"}
}

// WritePayouts writes payouts as a file for spreadsheets: a row a day.
func WritePayouts(w io.Writer, payouts []Payout, words Words) error {
	won := func(n int64) string { return strconv.FormatInt(n, 10) }
	rows := make([][]string, 0, len(payouts))
	for _, p := range payouts {
		rows = append(rows, []string{string(p.Date), strconv.Itoa(p.Payments), strconv.Itoa(p.Refunds), won(p.Taken),
			won(p.Returned), won(p.Fees), won(p.Net()), string(p.PaidOut)})
	}
	return writeRows(w, PayoutColumns(), rows, words)
}
