package waiting

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/group"
	"lunchgo/locks"
)

// Bounds of the questions for lengths: a page that is refused in a rush asks for those of a whole day.
const (
	mostLengths = 64 // lists of lines in a call
	lengthCalls = 2
	lengthsTime = time.Second // nobody waits longer for a number, be Redis silent
)

// lengths are how many tickets some lines have, and what kept Redis from telling of others.
type lengths struct {
	of  []int
	err error
}

// newLengthsBatch returns a batch that asks for the lines of many pages at once, for each line once; nil in a Cluster,
// where a master that is silent would hold up the pages of others.
func newLengthsBatch(rdb redis.Cmdable, lines *locks.Client) *group.Batch[[]locks.Name, lengths] {
	if _, cluster := rdb.(*redis.ClusterClient); cluster {
		return nil
	}
	return group.NewBatch(mostLengths, lengthCalls, func(ctx context.Context, lists [][]locks.Name) ([]lengths, error) {
		var all []locks.Name
		at := map[locks.Name]int{} // in all
		for _, list := range lists {
			for _, line := range list {
				if _, known := at[line]; !known {
					at[line], all = len(all), append(all, line)
				}
			}
		}
		found, err := lines.Lengths(ctx, all)
		answers := make([]lengths, len(lists))
		for i, list := range lists {
			answers[i] = lengths{make([]int, len(list)), err}
			for j, line := range list {
				answers[i].of[j] = found[at[line]]
			}
		}
		return answers, nil
	})
}

// Lengths returns how many tickets each line has, those being served among them. With an error some are 0.
func (r *Room) Lengths(ctx context.Context, lines []locks.Name) ([]int, error) {
	if r.lengths == nil || len(lines) == 0 {
		return r.lines.Lengths(ctx, lines)
	}
	ctx, cancel := context.WithTimeout(ctx, lengthsTime)
	defer cancel()
	found, err := r.lengths.Ask(ctx, lines)
	if err != nil {
		return make([]int, len(lines)), err
	}
	return found.of, found.err
}
