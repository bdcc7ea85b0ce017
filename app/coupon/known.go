package coupon

import (
	"slices"
	"sync"
	"time"
)

// freshness is how old what is known of campaigns may be. A crowd that looks at them costs one query in that time.
const freshness = time.Second

// known is what this process last read of the campaigns, and what its own turns have left since.
type known struct {
	mu        sync.Mutex
	campaigns []Campaign
	read      time.Time
}

// list returns what is known, read anew when it is old.
func (k *known) list(now time.Time, read func() ([]Campaign, error)) ([]Campaign, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if now.Sub(k.read) >= freshness {
		campaigns, err := read()
		if err != nil {
			return nil, err
		}
		before := k.campaigns
		k.campaigns, k.read = campaigns, now
		for _, c := range before { // what was read may be older than a turn's end
			k.raise(c)
		}
	}
	return slices.Clone(k.campaigns), nil
}

// note remembers what a turn has left of a campaign.
func (k *known) note(after Campaign) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.raise(after)
}

// raise lets the number of coupons given out only grow. Holds mu.
func (k *known) raise(c Campaign) {
	for i := range k.campaigns {
		if k.campaigns[i].ID == c.ID {
			k.campaigns[i].Issued = max(k.campaigns[i].Issued, c.Issued)
		}
	}
}
