package mail

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"lunchgo/app/jobs"
)

// Times of the post.
const (
	remindAhead = 6 * time.Hour // before the day of the visit begins: the evening before
	remindEvery = time.Minute
	sendTimeout = 20 * time.Second
	batch       = 50 // letters that one step takes
)

// Carrier brings letters to their readers.
type Carrier interface {
	Carry(ctx context.Context, n Note, l Letter) error
}

// Post sends what is noted.
type Post struct {
	Store    Store
	Composer Composer
	Carrier  Carrier
	Now      func() time.Time
	Log      *slog.Logger
}

// Jobs returns the job that sends what is due. An instance takes letters for itself for a while.
func (p Post) Jobs(every time.Duration) []jobs.Job {
	return []jobs.Job{{Name: "send letters", Every: every, Run: jobs.InSteps(batch, p.step)}}
}

// Reminding returns the job that notes reminders.
func Reminding(store Store) []jobs.Job {
	return []jobs.Job{{Name: "note reminders", Every: remindEvery, Run: jobs.Always(func(ctx context.Context) error {
		return store.AddReminders(ctx, remindAhead)
	})}}
}

// step sends up to most of what is due, and returns how much that was.
func (p Post) step(ctx context.Context, most int) (int, error) {
	notes, err := p.Store.TakeMails(ctx, most)
	for _, n := range notes {
		failure := p.send(ctx, n)
		if ctx.Err() != nil {
			return 0, nil // it is tried again
		}
		if failure != nil && failure != ErrOutdated {
			p.Log.WarnContext(ctx, "send letter failed", "id", n.ID, "attempt", n.Attempts, "error", failure)
		}
		err = errors.Join(err, p.Store.MarkMail(ctx, n.ID, failure))
	}
	return len(notes), err
}

func (p Post) send(ctx context.Context, n Note) error {
	if n.IsOutdated(p.Now()) {
		return ErrOutdated
	}
	letter, err := p.Composer.Compose(ctx, n)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	return p.Carrier.Carry(ctx, n, letter)
}
