package waiting

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"lunchgo/app/receipt"
	"lunchgo/app/refusal"
	"lunchgo/locks"
)

// ErrNoReceipt says that a ticket stands in no log of its line: it never waited there, that is long past, or Redis does
// not answer.
var ErrNoReceipt = refusal.New(refusal.Conflict, "no_receipt", "waiting: no receipt")

const (
	// receiptPace is how long those who ask for a receipt of one line are collected at least: they share a look at its
	// log, and signatures.
	receiptPace = 100 * time.Millisecond
	// logTimeout bounds a look at a log.
	logTimeout = 2 * time.Second
	// bookLife is how long a book stays known after its last use.
	bookLife = time.Minute
)

// receiptPaceAt is receiptPace where people wait in so many lines: the less often those are read, the longer.
func receiptPaceAt(lines int) time.Duration {
	return max(receiptPace, refreshAfter(0, lines)-refreshInterval)
}

// receipts gives the tickets of lines their receipts, and publishes the lines' logs.
type receipts struct {
	ids     LineIDs
	signer  receipt.Signer
	store   receipt.Store // nil: no log is published
	readLog func(ctx context.Context, line locks.Name, from int) ([]string, error)
	log     *slog.Logger
	start   func(func()) bool // runs in the background; false: the room is closing

	mu    sync.Mutex
	lines map[locks.Name]*lineReceipts
	ended map[locks.Name]bool // lines in which nobody of this process waits any more
}

// lineReceipts is what is known of one line's log.
type lineReceipts struct {
	line locks.Name

	reading sync.Mutex // held by who reads the log into the book
	book    *receipt.Book

	mu     sync.Mutex
	next   *receiptGroup // of those who ask now; nil: of nobody
	usedAt time.Time
}

// receiptGroup are tickets whose receipts are made together.
type receiptGroup struct {
	tickets  []locks.Taken
	done     chan struct{} // closed once the following is set
	receipts []*receipt.Receipt
}

// receiptRequest is a place in a group.
type receiptRequest struct {
	group *receiptGroup
	at    int
}

// receipt returns the receipt once it is there; nil before, and for a ticket that has none.
func (r receiptRequest) receipt() *receipt.Receipt {
	if r.group == nil {
		return nil
	}
	select {
	case <-r.group.done:
		return r.group.receipts[r.at]
	default:
		return nil
	}
}

func (s *receipts) of(line locks.Name) *lineReceipts {
	line = line.First()
	s.mu.Lock()
	defer s.mu.Unlock()
	known := s.lines[line]
	if known == nil {
		known = &lineReceipts{line: line, book: receipt.NewBook(s.ids.LineID(line))}
		s.lines[line] = known
	}
	known.usedAt = time.Now()
	return known
}

// request asks for the receipt of a ticket. It does not wait. After pace the next group is made.
func (s *receipts) request(line locks.Name, ticket string, arrival int64, pace time.Duration) receiptRequest {
	l := s.of(line)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.next == nil {
		group := &receiptGroup{done: make(chan struct{})}
		l.next = group
		if !s.start(func() { s.makeGroup(l, group, pace) }) {
			l.next = nil
			return receiptRequest{}
		}
	}
	l.next.tickets = append(l.next.tickets, locks.Taken{Ticket: ticket, Arrival: arrival})
	return receiptRequest{l.next, len(l.next.tickets) - 1}
}

// makeGroup makes the receipts of those who ask until pace is over.
func (s *receipts) makeGroup(l *lineReceipts, group *receiptGroup, pace time.Duration) {
	defer close(group.done)
	if pace > 0 {
		time.Sleep(pace)
	}
	l.mu.Lock()
	l.next = nil
	l.mu.Unlock()
	group.receipts = make([]*receipt.Receipt, len(group.tickets))

	ctx, cancel := context.WithTimeout(context.Background(), logTimeout)
	defer cancel()
	l.reading.Lock()
	defer l.reading.Unlock()
	if err := s.read(ctx, l); err != nil {
		s.log.Debug("make receipts failed", "line", l.line, "error", err)
		return
	}
	var made []receipt.Receipt
	var of []int
	for i, t := range group.tickets {
		if r, ok := l.book.Receipt(t.Ticket, t.Arrival, time.Now()); ok {
			made, of = append(made, r), append(of, i)
		}
	}
	s.signer.Sign(made)
	for i := range made {
		group.receipts[of[i]] = &made[i]
	}
}

// read reads the rest of a line's log into its book, and all of it when the line has begun another. The caller holds
// l.reading.
func (s *receipts) read(ctx context.Context, l *lineReceipts) error {
	texts, err := s.readLog(ctx, l.line, l.book.From())
	if err != nil {
		return err
	}
	if err = l.book.Append(texts); !errors.Is(err, receipt.ErrOtherLog) {
		return err
	}
	l.book = receipt.NewBook(s.ids.LineID(l.line))
	if texts, err = s.readLog(ctx, l.line, 0); err != nil {
		return err
	}
	return l.book.Append(texts)
}
