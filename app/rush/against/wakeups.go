package against

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/redis/go-redis/v9"
)

// wakeups hands out the messages of all channels of a run to those who wait in this process. One subscription serves
// all of them, so nobody pays for one of their own.
type wakeups struct {
	mu      sync.Mutex
	waiting map[string][]*waiter // by channel, in order of arrival
	all     bool                 // a message wakes everybody who waits, not the first only
}

func newWakeups() *wakeups { return &wakeups{waiting: map[string][]*waiter{}} }

// waiter is somebody who waits for a message.
type waiter struct{ woken chan struct{} }

// maxMessages is how many messages are kept for the process at once.
const maxMessages = 10_000

// listen begins to hand out messages, until ctx ends.
func (w *wakeups) listen(ctx context.Context, client redis.UniversalClient, k keys) error {
	subscription := client.PSubscribe(ctx, string(k)+"*")
	if _, err := subscription.Receive(ctx); err != nil {
		return errors.Join(err, subscription.Close())
	}
	messages := subscription.Channel(redis.WithChannelSize(maxMessages))
	context.AfterFunc(ctx, func() { _ = subscription.Close() })
	go func() {
		for message := range messages {
			w.wake(message.Channel)
		}
	}()
	return nil
}

func (w *wakeups) wake(channel string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	waiting := w.waiting[channel]
	woken := waiting
	if !w.all && len(waiting) > 1 {
		woken = waiting[:1]
	}
	for _, one := range woken {
		one.woken <- struct{}{} // has room: it stands in the list once
	}
	if w.waiting[channel] = waiting[len(woken):]; len(waiting) == len(woken) {
		delete(w.waiting, channel)
	}
}

// enter has somebody wait for the next message of a channel.
func (w *wakeups) enter(channel string) *waiter {
	one := &waiter{make(chan struct{}, 1)}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting[channel] = append(w.waiting[channel], one)
	return one
}

// leave ends a wait. A message that has come to the waiter meanwhile goes to the next.
func (w *wakeups) leave(channel string, one *waiter) {
	w.mu.Lock()
	at := slices.Index(w.waiting[channel], one)
	if at >= 0 {
		w.waiting[channel] = slices.Delete(w.waiting[channel], at, at+1)
		if len(w.waiting[channel]) == 0 {
			delete(w.waiting, channel)
		}
	}
	w.mu.Unlock()
	if at < 0 && len(one.woken) > 0 && !w.all {
		w.wake(channel)
	}
}
