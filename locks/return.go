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
	return t.finish(func(s *session) error {
		r, err := s.call(ctx, opReturn, t.ticket, t.fence)
		if err != nil {
			s.endTurn(t, lost, math.MaxInt64)
			return err
		}
		return s.confirmEnd(t, returned, r)
	})
}
