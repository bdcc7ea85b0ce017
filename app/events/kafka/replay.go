package kafka

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"lunchgo/app/events"
)

// Replay says which of the kept events are sent again.
type Replay struct {
	From   events.Start
	Topics []string // none: of all
}

// replayTime is how long Kafka may take for a batch of a replay.
const replayTime = time.Minute

// Run sends kept events again, in their order and under the same ids, and returns how many. Those that still wait to be
// sent for the first time are left to the relay: sent here, they would overtake others.
func (r Replay) Run(ctx context.Context, store events.Store, to Cluster) (sent int, err error) {
	why := &complaint{}
	client, err := to.open(why)
	if err != nil {
		return 0, err
	}
	defer client.Close()
	for from := r.From; ; {
		list, err := store.ListSent(ctx, from, batch)
		if err != nil || len(list) == 0 {
			return sent, err
		}
		from.ID = list[len(list)-1].ID + 1
		list = slices.DeleteFunc(list, func(e events.Event) bool {
			return len(r.Topics) > 0 && !slices.Contains(r.Topics, e.Topic())
		})
		sending, cancel := context.WithTimeout(ctx, replayTime)
		ids, failed := acknowledged(list, to.send(sending, client, list))
		if errors.Is(sending.Err(), context.DeadlineExceeded) {
			failed = why.why()
		}
		cancel()
		if sent += len(ids); failed != nil {
			return sent, fmt.Errorf("after %d events: %w", sent, failed)
		}
	}
}
