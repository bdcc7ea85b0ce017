package locks

import "context"

// maxTicket bounds the length of a ticket in bytes.
const maxTicket = 200

// Line is a first-come-first-served line of tickets. It is safe for concurrent use.
type Line struct {
	client *Client
	name   Name
}

// Name of the line.
func (l *Line) Name() Name { return l.name }

// Enter takes a place for the ticket, or finds the one it has; this node owns it from now on: it keeps the ticket
// alive, and Next hands out its turn. Enter may be repeated at any time, from any node: who waits already keeps the
// arrival number, who has the turn gets the same fence again. When the line is free and nobody waits, the turn is
// granted at once. Returns ErrBadEntry, or an error of Redis, after which the ticket may or may not stand in the line;
// repeat Enter, or call Leave.
func (l *Line) Enter(ctx context.Context, in Entry) (Place, error) {
	s, err := l.client.session(l)
	if err != nil {
		return Place{}, err
	}
	defer l.client.endUse(s)
	return s.enter(ctx, in, nil)
}

// Next waits for the next turn of any ticket that this node owns in this line and that no Lock waits for. The turn is
// claimed already and its lease is being renewed. It returns ctx's error when ctx ends first.
func (l *Line) Next(ctx context.Context) (*Turn, error) {
	s, err := l.client.session(l)
	if err != nil {
		return nil, err
	}
	defer l.client.endUse(s)
	s.countNext(1)
	defer s.countNext(-1)
	for {
		if t := s.popReady(); t != nil {
			return t.newHandle(), nil
		}
		select {
		case <-s.turns:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-l.client.ctx.Done():
			return nil, ErrClientClosed
		}
	}
}

// TryNext is Next for a turn that has come already; nil if there is none.
func (l *Line) TryNext() *Turn {
	s, err := l.client.session(l)
	if err != nil {
		return nil
	}
	defer l.client.endUse(s)
	if t := s.popReady(); t != nil {
		return t.newHandle()
	}
	return nil
}

// Leave gives the ticket's place up, whichever node owns it. A ticket that is not in line is no error. Returns
// ErrServing if its turn has begun, as holder or taken along: then only the end of the turn ends it.
func (l *Line) Leave(ctx context.Context, ticket string) error {
	s, err := l.client.session(l)
	if err != nil {
		return err
	}
	defer l.client.endUse(s)
	defer s.beginLeave(ticket)()
	r, err := s.call(ctx, opLeave, ticket)
	if err != nil {
		return err
	}
	switch r.status {
	case 2:
		return ErrServing
	case 1:
		s.observe(Abandoned, 1)
	}
	s.forget(ticket, r.now)
	return nil
}

// Close empties the line at once and notifies every node; it returns how many tickets were sent away. The holder and
// those it takes along finish their turn. Tickets that enter afterwards wait in line again. While somebody waits who may
// have been served before, in a turn that was lost or returned, it changes nothing: let turns tell them, and close again.
func (l *Line) Close(ctx context.Context, reason string) (int, error) {
	if l.name.joint() {
		return l.closeEach(ctx, reason)
	}
	s, err := l.client.session(l)
	if err != nil {
		return 0, err
	}
	defer l.client.endUse(s)
	r, err := s.call(ctx, opClose, reason)
	if err != nil {
		return 0, err
	}
	if r.status == 1 {
		s.onClosed(r.now, reason, r.texts(1))
	}
	return int(r.integer(0)), nil
}

// closeEach closes the lines of a joint one.
func (l *Line) closeEach(ctx context.Context, reason string) (int, error) {
	sum := 0
	for _, key := range l.name.Lines() {
		n, err := l.client.Line(Name{l.name.Partition, key}).Close(ctx, reason)
		if err != nil {
			return sum, err
		}
		sum += n
	}
	return sum, nil
}

// Evict ends the present turn by force, whichever node has it, and returns its ticket; empty when nobody had the turn.
// It is for operators. The holder's context ends as soon as its node hears of it, its fence is stale from now on, and
// those that it took along wait in line again. A joint line is evicted line by line.
func (l *Line) Evict(ctx context.Context) (ticket string, err error) {
	for _, key := range l.name.Lines() {
		evicted, err := l.client.Line(Name{l.name.Partition, key}).evict(ctx)
		if err != nil {
			return ticket, err
		}
		if evicted != "" {
			ticket = evicted
		}
	}
	return ticket, nil
}

func (l *Line) evict(ctx context.Context) (string, error) {
	s, err := l.client.session(l)
	if err != nil {
		return "", err
	}
	defer l.client.endUse(s)
	before := s.currentTurn() // the answer may bring the next one
	r, err := s.call(ctx, opEvict)
	if err != nil || r.status == 0 {
		return "", err
	}
	before.onEvicted(s, r.integer(1))
	return r.text(0), nil
}
