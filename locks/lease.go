package locks

import (
	"context"
	"time"
)

// extend notes that the lease lasts until a later moment.
func (t *tenure) extend(deadline time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.over && deadline.After(t.deadline) {
		t.deadline = deadline
		t.expiry.Reset(t.line.client.until(deadline))
	}
}

// left is how long the lease still lasts.
func (t *tenure) left() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.line.client.until(t.deadline)
}

// renew is the watchdog: it asks for a new lease when a third of the present one has passed, and again soon after a
// failure.
func (t *tenure) renew(d *desk) {
	t.mu.Lock()
	deadline, over := t.deadline, t.over
	t.mu.Unlock()
	if over {
		return
	}
	ctx, cancel := context.WithTimeout(t.ctx, t.line.client.until(deadline))
	defer cancel()
	r, err := d.hold(ctx, t.ticket, t.fence) // the answer extends the lease, see desk.granted
	if err == nil && r.status == 0 {
		t.lose(d)
		return
	}
	again := d.client.cfg.Lease / 10
	t.mu.Lock()
	defer t.mu.Unlock()
	if err == nil {
		again = max(again, t.line.client.until(t.deadline)/3)
	}
	if !t.over {
		t.renewal.Reset(again)
	}
}

// expire ends the turn unless its lease was extended in the meantime.
func (t *tenure) expire() {
	t.mu.Lock()
	left := t.line.client.until(t.deadline)
	over := t.over
	if left > 0 && !over {
		t.expiry.Reset(left)
	}
	t.mu.Unlock()
	if left <= 0 && !over {
		t.cancel(ErrLeaseLost) // at once; the desk may take its time
		t.line.client.spawn(t.line, t.lose)
	}
}

// lose ends the turn because its lease ended, unless it has ended already.
func (t *tenure) lose(d *desk) {
	if !t.stop() {
		return
	}
	t.cancel(ErrLeaseLost)
	d.count(LeaseLost, 1)
	d.turnOver(t, lost, 0)
}

// stop ends renewal and watch; it reports whether they were on.
func (t *tenure) stop() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.over {
		return false
	}
	t.over = true
	t.expiry.Stop()
	t.renewal.Stop()
	return true
}

// turn is the present one, or nil.
func (d *desk) turn() *tenure {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.current
}

// evicted loses the turn if it is the one that an operator has ended.
func (t *tenure) evicted(d *desk, fence int64) {
	if t != nil && t.fence == fence {
		t.lose(d)
	}
}
