package waiting

import (
	"context"
	"time"

	"lunchgo/locks"
)

// How often a lane looks at its line: at most 4 times a second, and rarer the longer the line. A look costs Redis little, but
// every watcher is told of it: with 100 µs a ticket, telling 5,000 streams took a third of what serving them took.
const (
	lookEvery     = 250 * time.Millisecond
	lookPerTicket = 300 * time.Microsecond
)

// takeBackAfter is when a ticket that another process lends is lent by this one again, if it is watched here: whoever
// lends a ticket sends it home when nobody watches there.
const takeBackAfter = 5 * time.Second

// look keeps the lane's picture of the line fresh and sends absent diners' tickets home, until the lane is empty or ctx
// ends.
func (l *lane) look(ctx context.Context) {
	timer := time.NewTimer(lookEvery)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.wake:
			l.settleDepartures(ctx)
			continue
		case <-timer.C:
		}
		if l.standing() == 0 && l.room.retire(l) {
			l.stop()
			return
		}
		count := l.refresh(ctx)
		l.followUp(ctx)
		l.sendHome(ctx)
		timer.Reset(max(lookEvery, time.Duration(count)*lookPerTicket))
	}
}

// refresh reads the line once for all the lane's tickets, and tells the watchers that there is news.
func (l *lane) refresh(ctx context.Context) (count int) {
	progress, err := l.line.Progress(ctx)
	if err != nil {
		if ctx.Err() == nil {
			l.room.cfg.Log.Warn("the line's progress is not known", "line", l.name, "error", err)
		}
		return 0
	}
	l.mu.Lock()
	positions := make(map[string]int, len(l.standings))
	for i, ticket := range progress.Order {
		if _, own := l.standings[ticket]; own {
			positions[ticket] = i + 1
		}
	}
	progress.Order = nil // read once; the memory is better used elsewhere
	l.progress, l.positions = progress, positions
	l.noteMissing(time.Now())
	close(l.tick)
	l.tick = make(chan struct{})
	l.mu.Unlock()
	return progress.Count
}

// noteMissing takes tickets for gone that were not seen in the line for longer than a turn should last. Whatever became of them,
// nobody is left waiting for nothing. Holds mu.
func (l *lane) noteMissing(now time.Time) {
	for ticket, s := range l.standings {
		switch {
		case l.positions[ticket] > 0 || !s.gone.IsZero():
			s.missing = time.Time{}
		case s.missing.IsZero():
			s.missing = now
		case now.Sub(s.missing) > takeBackAfter:
			s.gone = s.missing
		}
	}
}

// followUp looks up what became of the tickets that this process does not lend any more but that are still watched here,
// and takes back those that are not answered yet.
func (l *lane) followUp(ctx context.Context) {
	l.mu.Lock()
	var gone []*standing
	for ticket, s := range l.standings {
		if !s.gone.IsZero() && s.watchers > 0 && (l.positions[ticket] == 0 || time.Since(s.gone) > takeBackAfter) {
			gone = append(gone, s)
		}
	}
	l.mu.Unlock()
	for _, s := range gone {
		rec, err := l.room.tickets.find(ctx, l.name, s.ticket)
		switch {
		case err == nil && rec.Result != nil:
			l.tell([]finished{{s.ticket, s.wish.UserID, *rec.Result}})
		case time.Since(s.gone) > takeBackAfter:
			l.reenter(ctx, s)
		}
	}
}

// sendHome takes those out of the line who are away for longer than the grace, or have stood in it for too long.
func (l *lane) sendHome(ctx context.Context) {
	cfg := l.room.cfg
	now := time.Now()
	var home []finished
	l.mu.Lock()
	for ticket, s := range l.standings {
		absent := s.watchers == 0 && now.Sub(s.seen) > cfg.Present+cfg.Grace
		switch {
		case absent && !s.gone.IsZero(): // the other process looks after it
			delete(l.standings, ticket)
		case absent:
			home = append(home, finished{ticket, s.wish.UserID, Result{State: Left, Code: CodeLeft}})
		case now.Sub(s.since) > cfg.MaxWait:
			home = append(home, finished{ticket, s.wish.UserID, Result{State: Rejected, Code: CodeWaitTimeout}})
		}
	}
	l.mu.Unlock()
	for _, f := range home {
		if err := l.room.leave(ctx, l.name, f); err != nil && err != locks.ErrServing {
			cfg.Log.Warn("an absent ticket stays in line", "line", l.name, "error", err)
		}
	}
}
