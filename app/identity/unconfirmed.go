package identity

import (
	"context"
	"errors"
	"time"

	"lunchgo/app/jobs"
)

// UnconfirmedStore keeps the accounts whose address nobody has confirmed.
type UnconfirmedStore interface {
	// ListUnconfirmed returns up to limit accounts that nobody has used for an age, after an account and oldest first.
	// It leaves out most of those that DeleteUnconfirmed would leave.
	ListUnconfirmed(ctx context.Context, age time.Duration, after Unconfirmed, limit int) ([]Unconfirmed, error)
	// DeleteUnconfirmed deletes the account of sessions as AccountStore.DeleteAccount does, if nobody has confirmed or
	// used it for an age. Returns ErrNotFound for any other, and the error of Obstacles.
	DeleteUnconfirmed(ctx context.Context, age time.Duration, ended EndedSessions) (EndedSessions, error)
}

// Unconfirmed is an account whose address is not confirmed.
type Unconfirmed struct {
	ID        string
	CreatedAt time.Time
}

// Unused is how accounts are removed that nobody has confirmed or used.
type Unused struct {
	Store    UnconfirmedStore
	Sessions *Sessions
	Keep     time.Duration                                          // from the last use on; 0: for ever
	Waits    func(ctx context.Context, userID string) (bool, error) // whether an account waits in a line
	Now      func() time.Time
}

// unusedBatch is how many accounts are read at once.
const unusedBatch = 100

// Jobs returns the job that deletes accounts which nobody has confirmed or used and which hold nothing; none if they
// are kept for ever.
func (u Unused) Jobs(every time.Duration) []jobs.Job {
	if u.Keep == 0 {
		return nil
	}
	return []jobs.Job{{Name: "delete unused accounts", Every: every, Run: u.run}}
}

func (u Unused) run(ctx context.Context) (deleted int, err error) {
	var last Unconfirmed
	for ctx.Err() == nil {
		old, err := u.Store.ListUnconfirmed(ctx, u.Keep, last, unusedBatch)
		if err != nil {
			return deleted, err
		}
		for _, last = range old {
			n, err := u.delete(ctx, last.ID)
			if deleted += n; err != nil {
				return deleted, err
			}
		}
		if len(old) < unusedBatch {
			break
		}
	}
	return deleted, nil
}

// delete deletes an account that waits nowhere and holds nothing, and returns how many it has deleted.
func (u Unused) delete(ctx context.Context, userID string) (int, error) {
	if waits, err := u.Waits(ctx, userID); waits || err != nil {
		return 0, err
	}
	ended, err := u.Store.DeleteUnconfirmed(ctx, u.Keep, EndedSessions{UserID: userID, Until: u.Now()})
	switch {
	case err == nil:
		u.Sessions.learn(Revocations{Ended: []EndedSessions{ended}})
		return 1, nil
	case errors.Is(err, ErrNotFound), errors.Is(err, ErrReservationsLeft), errors.Is(err, ErrBalanceLeft),
		errors.Is(err, ErrOnlyOwner):
		return 0, nil
	}
	return 0, err
}
