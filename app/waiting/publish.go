package waiting

import (
	"context"
	"errors"
	"time"

	"lunchgo/app/receipt"
	"lunchgo/locks"
)

const (
	publishEvery = 5 * time.Second // what somebody asks for meanwhile is published at once
	// forgetEvery is how often old logs are looked for, and logLife how long they stay published.
	forgetEvery = time.Hour
	logLife     = 30 * 24 * time.Hour
)

// noteEnded notes that nobody of this process waits in a line any more. Publishes its log soon, unless others still
// wait: then the last process does.
func (s *receipts) noteEnded(line locks.Name) {
	if s.store == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range line.Lines() {
		s.ended[locks.Name{Partition: line.Partition, Key: key}] = true
	}
}

// publishLoop publishes logs until closing, and what is left then.
func (s *receipts) publishLoop(closing <-chan struct{}) {
	tick := time.NewTicker(publishEvery)
	defer tick.Stop()
	s.forgetOld()
	forgotten := time.Now()
	for open := true; open; {
		select {
		case <-tick.C:
		case <-closing:
			open = false
		}
		s.publishEnded()
		s.closeBooks()
		if time.Since(forgotten) > forgetEvery && open {
			forgotten = time.Now()
			s.forgetOld()
		}
	}
}

// publishEnded publishes the logs of lines that have ended. What fails is tried again at the next tick.
func (s *receipts) publishEnded() {
	s.mu.Lock()
	lines := s.ended
	s.ended = map[locks.Name]bool{}
	s.mu.Unlock()
	for line := range lines {
		ctx, cancel := context.WithTimeout(context.Background(), 2*logTimeout)
		err := s.publish(ctx, line)
		cancel()
		if err != nil {
			s.log.Warn("publish line log failed; will retry", "line", line, "error", err)
			s.noteEnded(line)
		}
	}
}

// publish stores what is not stored yet of a line's log, if nobody waits there.
func (s *receipts) publish(ctx context.Context, line locks.Name) error {
	l := s.of(line)
	l.reading.Lock()
	defer l.reading.Unlock()
	if err := s.read(ctx, l); err != nil {
		return err
	}
	part, ok := l.book.Unpublished()
	if !ok {
		return nil
	}
	if err := s.store.StorePart(ctx, part); err != nil {
		return err
	}
	l.book.NotePublished(part)
	return nil
}

// closeBooks forgets books that nobody has used for a while. They can be read again.
func (s *receipts) closeBooks() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for line, l := range s.lines {
		if time.Since(l.usedAt) > bookLife {
			delete(s.lines, line)
		}
	}
}

func (s *receipts) forgetOld() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*logTimeout)
	defer cancel()
	if err := s.store.DeleteBefore(ctx, time.Now().Add(-logLife)); err != nil {
		s.log.Warn("delete old line logs failed", "error", err)
	}
}

// PublicKeys returns what receipts of this installation are checked with, the key that signs now first.
func (r *Room) PublicKeys() []receipt.PublicKey { return r.receipts.signer.PublicKeys() }

// PublishedLog returns up to receipt.PageSize entries of a log of a line from an index on; with an empty logID of the
// one that was published last. Returns receipt.ErrUnknownLog, ErrUnknownTicket for an id that names no line.
func (r *Room) PublishedLog(ctx context.Context, lineID, logID string, from int) (receipt.Log, error) {
	line, err := r.handler.ParseLineID(lineID)
	if err != nil {
		return receipt.Log{}, err
	}
	keys := r.PublicKeys()
	answer := receipt.Log{Line: lineID, LogID: logID, State: receipt.Open, PublicKey: keys[0], OldPublicKeys: keys[1:],
		From: from, Entries: []string{}}
	if r.receipts.store == nil {
		return receipt.Log{}, receipt.ErrUnknownLog
	}
	lengths, err := r.Lengths(ctx, []locks.Name{line})
	waits := err != nil || lengths[0] > 0
	if !waits {
		answer.State = receipt.Ended
		if from == 0 && r.receipts.publish(ctx, line) != nil {
			answer.State = receipt.Open // there may be more than what is published
		}
	}
	part, next, err := r.receipts.store.FindPart(ctx, lineID, logID, from)
	switch {
	case errors.Is(err, receipt.ErrUnknownLog) && waits:
		return answer, nil
	case err != nil:
		return receipt.Log{}, err
	}
	answer.LogID, answer.Entries, answer.Next = part.LogID, part.Entries, next
	return answer, nil
}

// WholeLog returns a log with all its entries, as PublishedLog does page by page.
func (r *Room) WholeLog(ctx context.Context, lineID, logID string) (receipt.Log, error) {
	whole, err := r.PublishedLog(ctx, lineID, logID, 0)
	for next := whole.Next; err == nil && next > 0; {
		var page receipt.Log
		page, err = r.PublishedLog(ctx, lineID, whole.LogID, next)
		whole.Entries, next = append(whole.Entries, page.Entries...), page.Next
	}
	whole.Next = 0
	return whole, err
}

// Receipt returns the receipt of a ticket by its signed token: of the present end of its line's log. Returns
// ErrUnknownTicket for a token that is forged or another person's, ErrNoReceipt, or ErrCrowded.
func (r *Room) Receipt(ctx context.Context, signed, userID string) (receipt.Receipt, error) {
	token, err := r.signer.Read(signed, userID)
	if err != nil {
		return receipt.Receipt{}, err
	}
	if err := r.semaphore.acquire(ctx, userID); err != nil {
		return receipt.Receipt{}, err
	}
	defer r.semaphore.release()
	arrival, err := r.findArrival(ctx, token)
	if err != nil {
		return receipt.Receipt{}, err
	}
	asked := r.receipts.request(token.Line, token.Ticket, arrival, 0)
	if asked.group == nil {
		return receipt.Receipt{}, ErrClosing
	}
	select {
	case <-asked.group.done:
	case <-ctx.Done():
		return receipt.Receipt{}, ctx.Err()
	}
	if made := asked.receipt(); made != nil {
		return *made, nil
	}
	return receipt.Receipt{}, ErrNoReceipt
}

// findArrival returns the arrival number of a ticket whose token may be from before its place was drawn.
func (r *Room) findArrival(ctx context.Context, token Token) (int64, error) {
	if token.Arrival > 0 {
		return token.Arrival, nil
	}
	if q := r.queueOf(token.Line); q != nil {
		q.mu.Lock()
		defer q.mu.Unlock()
		if t := q.tickets[token.Ticket]; t != nil {
			return q.place(t.arrival), nil
		}
	}
	rec, err := r.store.find(ctx, token)
	if err == ErrUnknownTicket || locks.IsAway(err) {
		return 0, ErrNoReceipt
	}
	return rec.Arrival, err
}
