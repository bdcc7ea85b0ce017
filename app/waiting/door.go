package waiting

import (
	"context"
	"time"
)

// door lets a bounded number of people do at once what asks Redis: press, come back, leave. Were a whole crowd let in
// together, each step of each would wait behind all others, until everybody's time is over and nobody has a place; and the
// line's own beats, claims and releases would wait with them. So people wait at the door, and who gets in is quick.
type door struct {
	places   chan struct{}
	patience time.Duration
}

func newDoor(atOnce int, patience time.Duration) door {
	return door{places: make(chan struct{}, atOnce), patience: patience}
}

// enter waits for a place, first come first served. The caller must call leave. Returns ErrCrowded when there was none in
// time, and ctx's error when that ended first.
func (d door) enter(ctx context.Context) error {
	select {
	case d.places <- struct{}{}:
		return nil
	default:
	}
	timer := time.NewTimer(d.patience)
	defer timer.Stop()
	select {
	case d.places <- struct{}{}:
		return nil
	case <-timer.C:
		return ErrCrowded
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (d door) leave() { <-d.places }
