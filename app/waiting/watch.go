package waiting

import (
	"context"
	"time"

	"lunchgo/app/estimate"
	"lunchgo/app/receipt"
)

// Status is where a ticket stands, as its watcher sees it.
type Status struct {
	State    State
	Position int           // people ahead in the line plus one; 0 while the turn is being served
	Count    int           // how many wait in the line
	Estimate time.Duration // the likeliest; inside Range, if that is known
	// Range is between which two times the ticket has its result. Before this line, or one before it, has shown how
	// fast it moves, that is not known.
	Range      estimate.Range
	RangeKnown bool
	// SeatsAhead is how many seats those ahead ask for, in all processes, those being served among them. Where
	// SeatsAheadKnown is false, it may be more.
	SeatsAhead      int
	SeatsAheadKnown bool
	Steering        Steering
	Still           bool   // nobody is served now: the line is paused, or not open yet
	Local           bool   // Redis does not answer: each process keeps the places of its own tickets
	Result          Result // once State is final
	Reconnect       bool   // the process is about to end: come back in a moment to the same place
	// Receipt is what RequestReceipt asked for, once it is there.
	Receipt *receipt.Receipt
}

// Watch follows one ticket for a request, a poll or an open stream. It belongs to one goroutine.
type Watch struct {
	queue     *queue // nil when it is over
	ticket    *localTicket
	token     string   // once it was asked for
	arrival   int64    // that token names
	request   *Request // when queue is nil; nil if it is not known any more
	last      Status
	delivered bool
	receipt   receiptRequest
	asksLater bool // for a receipt: places are still drawn
}

// finishedWatch watches a ticket whose result is known.
func finishedWatch(token string, request *Request, result Result) *Watch {
	return &Watch{token: token, request: request, last: Status{State: result.State, Result: result}}
}

// WatchChanged watches a change of a reservation that was made already.
func WatchChanged(reservationID string) *Watch {
	return finishedWatch("", nil, Result{State: Reserved, ReservationID: reservationID, Changed: true})
}

// Token is the signed ticket; empty for a request that was refused before it got one.
func (w *Watch) Token() string {
	if w.queue == nil {
		return w.token
	}
	t := w.ticket
	w.queue.mu.Lock()
	arrival := w.queue.place(t.arrival)
	w.queue.mu.Unlock()
	if w.token == "" || w.arrival != arrival { // each event of a stream names the same token
		w.token, w.arrival = w.queue.room.signer.Sign(Token{Line: w.queue.name, Ticket: t.id, UserID: t.request.UserID,
			Arrival: arrival}), arrival
	}
	return w.token
}

// Request returns what the ticket waits for; false once it has a result.
func (w *Watch) Request() (Request, bool) {
	if w.queue == nil {
		return Request{}, false
	}
	return w.ticket.request, true
}

// OriginalRequest returns what the ticket waits for or has waited for; false when that is not known any
// more.
func (w *Watch) OriginalRequest() (Request, bool) {
	if w.queue == nil && w.request != nil {
		return *w.request, true
	}
	return w.Request()
}

// turnLife is how long a turn that began as its ticket entered is expected to last at most.
const turnLife = time.Second

// HasTurn says whether the ticket's turn began as it entered its line, a moment ago, so that its result is a matter of
// milliseconds.
func (w *Watch) HasTurn() bool {
	if w.queue == nil {
		return false
	}
	w.queue.mu.Lock()
	defer w.queue.mu.Unlock()
	return w.ticket.granted && time.Since(w.ticket.placedAt) < turnLife
}

// RequestReceipt asks for the ticket's receipt, which a later Status carries, if there is one; where places are drawn,
// once the line has opened. It does not wait: those who ask within a tenth of a second are answered together, where
// people wait in many lines within longer.
func (w *Watch) RequestReceipt() {
	if w.queue == nil {
		return
	}
	w.queue.mu.Lock()
	arrival := w.queue.place(w.ticket.arrival)
	w.asksLater = arrival == 0 && w.ticket.arrival > 0
	w.queue.mu.Unlock()
	if w.asksLater {
		return
	}
	room := w.queue.room
	w.receipt = room.receipts.request(w.queue.name, w.ticket.id, arrival, receiptPaceAt(room.countQueues()))
}

// Status returns where the ticket stands now.
func (w *Watch) Status() Status {
	status, _ := w.snapshot()
	return status
}

// Next waits for a status that differs from the one it returned before. Its first call returns at once,
// and so does every call after a final status. When the room is about to close it returns a status with
// Reconnect set. Returns ctx's error when that ends first.
func (w *Watch) Next(ctx context.Context) (Status, error) {
	_, err := w.Await(ctx)
	return w.last, err
}

// Await is Next without a copy: what it returns is valid until the next call.
func (w *Watch) Await(ctx context.Context) (*Status, error) {
	for {
		isNew, refreshed := w.look()
		if isNew {
			return &w.last, nil
		}
		switch err := w.wait(ctx, refreshed); err {
		case nil:
		case ErrClosing:
			w.last.Reconnect = true
			return &w.last, nil
		default:
			return &w.last, err
		}
	}
}

// look notes where the ticket stands now. It says whether Next is to return that, and gives the channel that closes
// when there may be something else.
func (w *Watch) look() (isNew bool, refreshed <-chan struct{}) {
	if w.asksLater {
		w.RequestReceipt()
	}
	status, refreshed := w.snapshot()
	isNew = !w.delivered || status != w.last || status.State != Waiting
	w.last, w.delivered = status, true
	return isNew, refreshed
}

// wait waits until there may be another status. Returns ErrClosing when the room closes, or ctx's error. Thousands of
// goroutines stand here: apart from look, since what that needs would double their stacks.
func (w *Watch) wait(ctx context.Context, refreshed <-chan struct{}) error {
	select {
	case <-refreshed:
		return nil
	case <-w.ticket.done:
		return nil
	case <-w.queue.room.closing:
		return ErrClosing
	case <-ctx.Done():
		return ctx.Err()
	}
}

// WaitForResult waits until the ticket's result is known or ctx ends, and returns where the ticket
// stands then.
func (w *Watch) WaitForResult(ctx context.Context) Status {
	if w.queue != nil {
		select {
		case <-w.ticket.done:
		case <-w.queue.room.closing:
		case <-ctx.Done():
		}
	}
	return w.Status()
}

// Close ends the watch. The ticket keeps its place.
func (w *Watch) Close() {
	if w.queue == nil {
		return
	}
	w.queue.mu.Lock()
	defer w.queue.mu.Unlock()
	w.ticket.watchers--
}

// snapshot returns the status, and the channel that closes when there may be another one.
func (w *Watch) snapshot() (Status, <-chan struct{}) {
	if w.queue == nil {
		return w.last, nil
	}
	q, t := w.queue, w.ticket
	q.mu.Lock()
	defer q.mu.Unlock()
	select {
	case <-t.done:
		return Status{State: t.result.State, Result: t.result}, nil
	default:
	}
	at := q.positions[t.id]
	if t.arrival == 0 { // it is about to take its place, behind all who wait
		at.number = q.progress.Count + 1
	}
	status := Status{State: Waiting, Position: at.number, Count: max(at.number, q.progress.Count), SeatsAhead: at.seatsAhead,
		SeatsAheadKnown: at.seatsKnown, Local: q.local, Receipt: w.receipt.receipt(), Steering: q.steering}
	q.expect(&status, t, at)
	status.steer(time.Now())
	if q.refreshed[t.group] == nil {
		q.refreshed[t.group] = make(chan struct{})
	}
	return status, q.refreshed[t.group]
}
