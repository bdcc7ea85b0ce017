package receipt_test

import (
	"testing"

	"lunchgo/app/receipt"
	"lunchgo/app/token"
)

// What a receipt costs when 64 are signed together: reading the log, the hashes, and a share of the signature.
func BenchmarkReceipts(b *testing.B) {
	s, err := receipt.NewSigner(token.Secrets{"a secret"})
	if err != nil {
		b.Fatal(err)
	}
	const group = 64
	e := receipt.Entry{Kind: receipt.Enter}
	for i := range group {
		e.Tickets = append(e.Tickets,
			receipt.Ticket{Arrival: int64(1_700_000_000_000_000 + i), Commitment: receipt.Commit(ticketOf(int64(i)))})
	}
	texts := []string{e.String()}
	for b.Loop() {
		book := receipt.NewBook(line)
		if err := book.Append(texts); err != nil {
			b.Fatal(err)
		}
		given := make([]receipt.Receipt, 0, group)
		for i, t := range e.Tickets {
			r, ok := book.Receipt(ticketOf(int64(i)), t.Arrival, start)
			if !ok {
				b.Fatal("no receipt")
			}
			given = append(given, r)
		}
		s.Sign(given)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/group, "ns/receipt")
}
