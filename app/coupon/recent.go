package coupon

import (
	"context"
	"slices"
	"sync"
	"time"

	"lunchgo/app/cache"
)

// freshness is how old the campaigns may be that a reader gets. A crowd that looks at them costs one query in that
// time.
const freshness = time.Second

// recent is what this process last read of the campaigns, and what its own turns have given out since.
type recent struct {
	read cache.Cache[struct{}, []Campaign]

	mu     sync.Mutex
	issued map[int64]int // by campaign, after the last turn of this process
}

func newRecent() *recent {
	return &recent{read: cache.Cache[struct{}, []Campaign]{Life: freshness, Most: 1}, issued: map[int64]int{}}
}

// list returns the campaigns, read anew when they are old. What was read may be older than the end of a turn.
func (r *recent) list(ctx context.Context, read func(context.Context) ([]Campaign, error)) ([]Campaign, error) {
	campaigns, err := r.read.Load(ctx, struct{}{}, read)
	if err != nil {
		return nil, err
	}
	campaigns = slices.Clone(campaigns)
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range campaigns {
		campaigns[i].Issued = max(campaigns[i].Issued, r.issued[campaigns[i].ID])
	}
	return campaigns, nil
}

// note remembers how many coupons of a campaign are given out after a turn; the number only grows.
func (r *recent) note(after Campaign) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.issued[after.ID] = max(r.issued[after.ID], after.Issued)
}
