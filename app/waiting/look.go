package waiting

import (
	"context"
	"slices"
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

// look keeps the lane's picture of the line fresh and looks after absent diners' tickets, until the lane is empty or ctx
// ends.
func (l *queue) look(ctx context.Context) {
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
		l.settleDebts(ctx)
		l.followUp(ctx)
		l.mindAbsent(ctx)
		timer.Reset(max(lookEvery, time.Duration(count)*lookPerTicket))
	}
}

// refresh reads the line once for all the lane's tickets, and tells the watchers that there is news.
func (l *queue) refresh(ctx context.Context) (count int) {
	progress, err := l.line.Progress(ctx)
	if err != nil {
		if ctx.Err() == nil {
			l.room.cfg.Log.Warn("the line's progress is not known", "line", l.name, "error", err)
		}
		return 0
	}
	l.restoreRecords(ctx, progress)
	left, known := l.room.server.Remaining(ctx, l.name)
	l.mu.Lock()
	defer l.mu.Unlock()
	if known {
		l.left = left
	}
	if !progress.Settling { // else positions are lower than they were and will be
		now := time.Now()
		l.positions = l.own(progress.Positions, l.seats.read(l.name, progress, now))
		progress.Positions = nil // lineSeats keeps them
		l.progress = progress
		l.noteMissing(now)
	}
	close(l.tick)
	l.tick = make(chan struct{})
	return progress.Count
}

// own picks the positions of the lane's tickets, and the seats asked for ahead of them. Holds mu.
func (l *queue) own(all map[string]int, seatsAhead []int) map[string]position {
	positions := make(map[string]position, len(l.standings))
	for ticket := range l.standings {
		at, waits := all[ticket]
		if !waits {
			continue
		}
		p := position{number: at}
		if p.seatsKnown = at <= len(seatsAhead); p.seatsKnown {
			p.seatsAhead = seatsAhead[at-1]
		}
		positions[ticket] = p
	}
	return positions
}

// restoreRecords stores again what belongs to the lane's tickets, once after each loss of Redis' data and once after each
// time that it could not be asked: their places are put back by the line itself.
func (l *queue) restoreRecords(ctx context.Context, progress locks.Progress) {
	l.mu.Lock()
	l.unstored = l.unstored || progress.Local || progress.Settling && !l.settling
	l.settling, l.local = progress.Settling, progress.Local
	var held []heldTicket
	if due := l.unstored && !l.local; due {
		l.unstored = false
		for _, s := range l.standings {
			held = append(held, s.held())
		}
	}
	l.mu.Unlock()
	for part := range slices.Chunk(held, 500) {
		if err := l.room.tickets.restore(ctx, l.name, part); err != nil {
			l.room.cfg.Log.Warn("tickets are not stored again yet", "line", l.name, "error", err)
			l.noteUnstored()
			return
		}
	}
}

// held is what belongs to the ticket.
func (s *standing) held() heldTicket { return heldTicket{ticket: s.ticket, wish: s.wish, since: s.since, arrival: s.arrival} }

// noteMissing takes tickets for gone that were not seen in the line for longer than a turn should last. Whatever became of them,
// nobody is left waiting for nothing. Holds mu.
func (l *queue) noteMissing(now time.Time) {
	for ticket, s := range l.standings {
		switch {
		case l.positions[ticket].number > 0 || s.parked || !s.gone.IsZero():
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
func (l *queue) followUp(ctx context.Context) {
	l.mu.Lock()
	var gone []*standing
	for ticket, s := range l.standings {
		if !s.gone.IsZero() && s.watchers > 0 && (l.positions[ticket].number == 0 || time.Since(s.gone) > takeBackAfter) {
			gone = append(gone, s)
		}
	}
	l.mu.Unlock()
	for _, s := range gone {
		if !l.answered(ctx, s) && time.Since(s.gone) > takeBackAfter {
			l.reenter(ctx, s)
		}
	}
}
