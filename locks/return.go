package locks

import (
	"context"
	"math"
)

// Return gives the turn back unserved: its ticket and the tickets taken along go back to their places in line, and the
// first of them gets the next turn, under a new fence, through Next. It is for work that cannot be done now, or whose
// fence was refused because a later turn had been at work: nobody loses a place by that. Returning again is no error.
// Returns ErrStale if the turn was over before; then nothing was changed.
func (t *heldTurn) Return(ctx context.Context) error {
	_, err := t.ReturnBehind(ctx, 0)
	return err
}

// ReturnBehind is Return for a turn whose fence was refused by a store that has seen the given one: whatever the
// partition draws from now on is higher, also when its counter was lost while Redis' clock was behind the one that it was
// drawn by. It reports whether the counter was behind.
func (t *heldTurn) ReturnBehind(ctx context.Context, fence int64) (raised bool, err error) {
	err = t.finish(func(s *session) error {
		r, err := s.call(ctx, opReturn, t.ticket, t.fence, fence)
		if err != nil {
			s.endTurn(t, lost, math.MaxInt64)
			return err
		}
		raised = r.integer(0) == 1
		return s.confirmEnd(t, returned, r)
	})
	return raised, err
}
