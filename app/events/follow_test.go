package events_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"lunchgo/app/events"
	"lunchgo/db/dbtest"
	"lunchgo/db/outboxtest"
)

// reader keeps what a Follow emits.
type reader struct {
	mu   sync.Mutex
	keys []string
}

func (r *reader) emit(e events.Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys = append(r.keys, e.Key)
	return nil
}

func (r *reader) read() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.keys)
}

func TestFollow_EmitsWhatIsKept(t *testing.T) {
	t.Parallel()
	outbox := outboxtest.Open(t)
	outbox.Write(t, "a", 1)
	outbox.WriteOf(t, "lunchgo.slot.closed", "b", 1)
	outbox.Write(t, "c", 1)
	dbtest.Must(t, outbox.Store.MarkSent(t.Context(), []int64{1}))
	for _, test := range []struct {
		follow events.Follow
		want   []string
	}{
		{events.Follow{}, []string{"a", "b", "c"}},
		{events.Follow{From: events.Start{ID: 2}}, []string{"b", "c"}},
		{events.Follow{Topics: []string{"lunchgo.slots"}}, []string{"b"}},
	} {
		r := &reader{}
		if err := test.follow.Run(t.Context(), outbox.Store, r.emit); err != nil || !slices.Equal(r.read(), test.want) {
			t.Errorf("%+v: %v, %v; want %v", test.follow, r.read(), err, test.want)
		}
	}
}

// Events come as they are written, each once, also one that is committed after another one with a higher id. While
// somebody follows, events are written.
func TestFollow_EmitsWhatComes(t *testing.T) {
	t.Parallel()
	outbox := outboxtest.Open(t)
	outbox.Write(t, "kept", 600) // of more than one page
	ctx, stop := context.WithCancel(t.Context())
	r, ended := &reader{}, make(chan error, 1)
	go func() { ended <- events.Follow{Wait: true}.Run(ctx, outbox.Store, r.emit) }()
	dbtest.Eventually(t, "what is kept is emitted", func() bool { return len(r.read()) == 600 })
	if outbox.Count(t, `SELECT count(*) FROM event_feeds WHERE wants_kafka()`) != 1 {
		t.Error("no events are written")
	}

	late, err := outbox.SQL.BeginTx(t.Context(), nil)
	dbtest.Must(t, err)
	if _, err := late.ExecContext(t.Context(), `INSERT INTO outbox (type, key, restaurant_id, data, kafka, webhooks)
		VALUES ('lunchgo.slot.closed', 'late', 1, '{}', true, false)`); err != nil {
		t.Fatal(err)
	}
	outbox.Write(t, "early", 1)
	dbtest.Eventually(t, "the higher id is emitted", func() bool { return slices.Contains(r.read(), "early") })
	dbtest.Must(t, late.Commit())
	dbtest.Eventually(t, "the lower id is emitted", func() bool { return slices.Contains(r.read(), "late") })
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if got := r.read(); len(got) != 602 {
		t.Errorf("%d events were emitted, want 602: %s", len(got), fmt.Sprint(got[600:]))
	}
}
