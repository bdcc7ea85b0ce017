package waiting

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"lunchgo/locks"
)

// Times of another try at serving a turn.
const (
	serveTries   = 6
	firstBackoff = 50 * time.Millisecond
)

// serveTurns takes the turns that fall to tickets of this process, one after the other, until ctx ends.
func (l *queue) serveTurns(ctx context.Context) {
	for {
		turn, err := l.line.Next(ctx)
		switch {
		case err == nil:
			l.serve(turn)
		case ctx.Err() != nil:
			return
		default:
			l.room.cfg.Log.Warn("the line does not answer", "line", l.name, "error", err)
			if !pause(ctx, time.Second) {
				return
			}
		}
	}
}

// serve works off one turn: the ticket whose turn it is and a run of those behind it, in one go. The line is released
// before anyone is told: the next run need not wait for that. Those of a run that could not be served stand in line again
// where they stood.
func (l *queue) serve(turn *locks.Turn) {
	run, passed := l.gather(turn)
	ctx := context.WithoutCancel(turn.Context())
	results, closings, err := l.work(turn, run)
	l.fit(len(run), err)
	if servedLater(turn, err) {
		over := conclude(run[:len(results)], results, nil)
		l.giveBack(ctx, turn, over, run[len(results):])
		l.closeLines(ctx, closings)
		return
	}
	l.closeLines(ctx, closings)
	over := conclude(run, results, err)
	others := forOthers(run, over)
	if len(others) > 0 { // what does not reach the other process is found stored
		l.room.keep(ctx, l.name, over, served)
	}
	if err := turn.Release(ctx, len(run), others...); err != nil && !errors.Is(err, locks.ErrStale) {
		l.room.cfg.Log.Warn("the turn is not released", "line", l.name, "error", err)
	}
	if len(others) == 0 {
		l.room.keep(ctx, l.name, over, served)
	}
	l.room.tell(l.name, over)
	l.readmit(ctx, passed)
}

// fit sets how many tickets the next turn takes. A run of several transactions may be overtaken between two of them each
// time, where two Redis servers both believe in this line: it becomes shorter until it gets through.
func (l *queue) fit(ran int, err error) {
	if errors.Is(err, ErrOvertaken) {
		l.reach = max(1, ran/2)
		return
	}
	l.reach = min(l.room.cfg.Run, 2*l.reach)
}

// forOthers are the results of tickets that other processes lend, for the line to carry there.
func forOthers(run []Served, over []finished) []locks.Result {
	var results []locks.Result
	for i, s := range run {
		if !s.foreign {
			continue
		}
		if text, err := json.Marshal(over[i].result); err == nil { // else they find it stored
			results = append(results, locks.Result{Ticket: s.Ticket, Value: string(text)})
		}
	}
	return results
}

// servedLater says whether an error leaves what is not served yet to a later turn: this turn is lost, or overtaken by a
// later one, or what it needs is away.
func servedLater(turn *locks.Turn, err error) bool {
	return err != nil && (turn.Context().Err() != nil || errors.Is(err, ErrOvertaken) || errors.Is(err, ErrUnavailable))
}

// giveBack returns a turn in which only some were served. The served ones get their results and leave the line. The others
// keep their places: where the line no longer knows of the turn, they enter again at their old ones.
func (l *queue) giveBack(ctx context.Context, turn *locks.Turn, over []finished, unserved []Served) {
	over = l.room.keep(ctx, l.name, over, served)
	l.room.tell(l.name, over)
	pause(l.open, firstBackoff) // what went wrong just now hardly goes right at once
	err := turn.Return(ctx)
	l.leaveServed(ctx, over)
	if err == nil {
		return
	}
	tickets := make([]locks.Taken, 0, len(unserved))
	for _, s := range unserved {
		tickets = append(tickets, locks.Taken{Ticket: s.Ticket, Arrival: s.Arrival})
	}
	l.readmit(ctx, tickets)
}

// leaveServed takes tickets with a result out of the line, to which their turn was returned. Whoever lends one finds its
// result stored. The head of the line may have the next turn by now, which passes it over.
func (l *queue) leaveServed(ctx context.Context, over []finished) {
	for _, f := range over {
		if err := l.line.Leave(ctx, f.ticket); err != nil && !errors.Is(err, locks.ErrServing) {
			l.room.cfg.Log.Warn("a served ticket stays in line", "line", l.name, "error", err)
		}
	}
}

func (l *queue) closeLines(ctx context.Context, closings []Closing) {
	for _, closing := range closings {
		if err := l.room.CloseLine(ctx, closing.Line, closing.Result); err != nil {
			l.room.cfg.Log.Warn("the line is not closed", "line", closing.Line, "error", err)
		}
	}
}

// readmit lets tickets enter again at their old places that are no longer in the line but somebody waits with: by now it
// may be another lane of the same line.
func (l *queue) readmit(ctx context.Context, tickets []locks.Taken) {
	l.room.mu.Lock()
	now := l.room.queues[l.name]
	l.room.mu.Unlock()
	if now == nil {
		return
	}
	for _, t := range tickets {
		now.mu.Lock()
		s := now.standings[t.Ticket]
		if s != nil {
			s.arrival = t.Arrival
		}
		now.mu.Unlock()
		if s != nil {
			now.reenter(ctx, s)
		}
	}
}

// gather is the run of a turn, in arrival order, with the tickets of other processes in it. It passes over own tickets that nobody waits with: their diners have left, or
// were sent away before the line had answered them. The turn ends their places, so whoever of them comes back while it
// lasts has to be readmitted.
func (l *queue) gather(turn *locks.Turn) (run []Served, passed []locks.Taken) {
	tickets := []locks.Taken{{Ticket: turn.Ticket(), Arrival: turn.Arrival()}}
	if more, err := turn.Take(turn.Context(), l.reach-1); err == nil {
		tickets = append(tickets, more...)
	} else {
		l.room.cfg.Log.Warn("a turn takes nobody along", "line", l.name, "error", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	run = make([]Served, 0, len(tickets))
	for _, t := range tickets {
		s := l.standings[t.Ticket]
		switch {
		case t.Foreign:
			served := Served{Ticket: t.Ticket, Arrival: t.Arrival, foreign: true}
			if err := json.Unmarshal([]byte(t.Work), &served.Request); err != nil {
				l.room.cfg.Log.Error("a wish from another process is not understood", "line", l.name, "error", err)
				served.Request = Request{Line: l.name}
			}
			run = append(run, served)
		case s != nil:
			run = append(run, Served{Request: s.wish, Ticket: t.Ticket, Arrival: t.Arrival})
		default:
			passed = append(passed, t)
		}
	}
	return run, passed
}

// work has the run served while the turn lasts. What is unavailable is tried again, with growing pauses: the others in
// line could not be served either. Any other error is one request's fault, so each is served by itself. The results are
// those of the first of the run; after an error that servedLater knows, the others are not served.
func (l *queue) work(turn *locks.Turn, run []Served) (results []Result, closings []Closing, err error) {
	if len(run) == 0 {
		return nil, nil, nil
	}
	name := Turn{Line: l.name, Fence: turn.Fence()}
	backoff := firstBackoff
	for range serveTries {
		results, closings, err = l.room.serve(turn.Context(), name, run)
		if !errors.Is(err, ErrUnavailable) || turn.Context().Err() != nil || !pause(l.open, backoff) {
			break
		}
		backoff *= 2
	}
	if err == nil {
		return results, closings, nil
	}
	if servedLater(turn, err) {
		return nil, nil, err
	}
	l.room.cfg.Log.Error("a run is not served", "line", l.name, "tickets", len(run), "error", err)
	if len(run) == 1 {
		return nil, nil, err
	}
	return l.workEach(turn, run)
}

// workEach is work for each of a run by itself.
func (l *queue) workEach(turn *locks.Turn, run []Served) (results []Result, closings []Closing, err error) {
	for i := range run {
		one, last, err := l.work(turn, run[i:i+1])
		switch {
		case servedLater(turn, err):
			return results, closings, err
		case err != nil || len(one) == 0:
			one = []Result{{State: Rejected, Code: CodeUnavailable}}
		default:
			closings = last
		}
		results = append(results, one...)
	}
	return results, closings, nil
}

// serve has a run served. Processes that could not ask Redis may each have given the same press a ticket: it is served
// once, and all its tickets get the result.
func (r *Room) serve(ctx context.Context, turn Turn, run []Served) ([]Result, []Closing, error) {
	type press struct{ userID, key string }
	first := map[press]int{}
	var once []Served
	of := make([]int, len(run))
	for i, s := range run {
		p := press{s.UserID, s.IdempotencyKey}
		if _, known := first[p]; !known {
			first[p] = len(once)
			once = append(once, s)
		}
		of[i] = first[p]
	}
	results, closings, err := r.server.Serve(ctx, turn, once)
	if len(once) == len(run) || len(results) != len(once) {
		return results, closings, err
	}
	all := make([]Result, len(run))
	for i := range run {
		all[i] = results[of[i]]
	}
	return all, closings, err
}

// conclude pairs a run with its results; those that got none are told that they could not be served.
func conclude(run []Served, results []Result, err error) []finished {
	over := make([]finished, 0, len(run))
	for i, s := range run {
		result := Result{State: Rejected, Code: CodeUnavailable}
		if err == nil && i < len(results) {
			result = results[i]
		}
		over = append(over, finished{s.Ticket, s.UserID, result})
	}
	return over
}

// pause waits for d; false if ctx ended first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
