package events

import (
	"context"
	"slices"
	"time"
)

const (
	// page is the most events that a Follow reads at once.
	page = 500
	// followEvery is how often a Follow looks for new events.
	followEvery = 250 * time.Millisecond
	// followWanted is how long events are written for a Follow from each time on that it looks.
	followWanted = time.Minute
	// settledAfter is longer than a transaction lasts that writes events: nothing is committed below an event that old.
	settledAfter = time.Minute
)

// Follow reads kept events, those that wait to be sent included.
type Follow struct {
	From   Start
	Topics []string // none: of all
	Wait   bool     // for events that come, until the context ends; they are written without Kafka too
}

// Run emits the events, those of each key in their order and each once. It returns the first error, none when the
// context ends.
func (f Follow) Run(ctx context.Context, store Store, emit func(Event) error) error {
	emitted := map[int64]bool{} // those from f.From on
	for {
		if f.Wait {
			if err := store.Want(ctx, followWanted); err != nil {
				return unlessEnded(ctx, err)
			}
		}
		if err := f.emitNew(ctx, store, emitted, emit); err != nil {
			return unlessEnded(ctx, err)
		}
		if !f.Wait {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(followEvery):
		}
	}
}

func unlessEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// emitNew emits what was not emitted yet. A transaction may commit an event after another one with a higher id: what is
// younger than settledAfter is read again the next time.
func (f *Follow) emitNew(ctx context.Context, store Store, emitted map[int64]bool, emit func(Event) error) error {
	for from := f.From; ; {
		list, err := store.ListFrom(ctx, from, page)
		if err != nil {
			return err
		}
		for _, e := range list {
			if emitted[e.ID] {
				continue
			}
			emitted[e.ID] = true
			if len(f.Topics) > 0 && !slices.Contains(f.Topics, e.Topic()) {
				continue
			}
			if err := emit(e); err != nil {
				return err
			}
		}
		if len(list) == 0 {
			return nil
		}
		newest := list[len(list)-1]
		from.ID = newest.ID + 1
		f.forget(list, newest.At.Add(-settledAfter), emitted)
		if len(list) < page {
			return nil
		}
	}
}

// forget moves the start behind the first events that are older than a time.
func (f *Follow) forget(list []Event, before time.Time, emitted map[int64]bool) {
	for _, e := range list {
		if !e.At.Before(before) {
			return
		}
		f.From.ID = e.ID + 1
		delete(emitted, e.ID)
	}
}
