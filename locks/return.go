package locks

import (
	"context"
	"math"
)

// Return gives the turn back unserved: its ticket and those taken along stand in line again where they stood, and the
// first of them gets the next turn, under a new fence, through Next. It is for work that cannot be done now, or whose
// fence was refused because a later turn had been at work: nobody loses a place by that. Returning again is no error.
// Returns ErrStale if the turn was over before; then nothing was changed.
func (t *tenure) Return(ctx context.Context) error {
	t.stop()
	if t.hasEnded() {
		return nil
	}
	defer t.cancel(context.Canceled)
	d, err := t.line.client.desk(t.line)
	if err != nil {
		return err
	}
	defer d.client.done(d)
	r, err := d.call(ctx, opReturn, t.ticket, t.fence, d.client.cfg.TTL.Microseconds())
	switch {
	case err != nil:
		d.turnOver(t, lost, math.MaxInt64)
		return err
	case r.status == 0:
		d.count(StaleFence, 1)
		d.turnOver(t, lost, 0)
		return ErrStale
	}
	t.end()
	d.turnOver(t, returned, r.now)
	return nil
}
