package locks

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/redis/go-redis/v9"
)

// key is the i-th of the line's KEYS.
func (p *player) key(i int) string { return lineKeys(p.prefix, p.name).names[i] }

func z(score float64, member string) redis.Z { return redis.Z{Score: score, Member: member} }

// compare holds Redis against the model: who has the turn, who waits in which order (exclusion, first come first
// served, nobody barges in, no free line with waiters), that waiting and taken tickets are exactly those alive and
// lent, that fences rise, and that every key will expire.
func (p *player) compare() error {
	ctx := p.ctx()
	h, err := p.rdb.HMGet(ctx, p.key(0), "ticket", "fence", "node").Result()
	if err != nil {
		return err
	}
	if text(h[0]) != p.m.holder || text(h[2]) != p.m.at {
		return fmt.Errorf("%w: %s at %s has the turn, want %s at %s", errDiffers, h[0], h[2], p.m.holder, p.m.at)
	}
	if fence := integer(h[1]); fence != 0 && fence < p.m.fence {
		return fmt.Errorf("%w: fence %d after %d", errDiffers, fence, p.m.fence)
	} else if fence != 0 {
		p.m.fence = fence
	}
	waiting, taken := p.rdb.ZRange(ctx, p.key(2), 0, -1).Val(), p.rdb.ZRange(ctx, p.key(3), 0, -1).Val()
	if !slices.Equal(waiting, p.order()) {
		return fmt.Errorf("%w: %v wait, want %v", errDiffers, waiting, p.order())
	}
	if slices.Sort(taken); !slices.Equal(taken, slices.Sorted(maps.Keys(p.m.taken))) {
		return fmt.Errorf("%w: %v are taken, want %v", errDiffers, taken, p.m.taken)
	}
	alive := slices.Sorted(slices.Values(p.rdb.ZRange(ctx, p.key(5), 0, -1).Val()))
	if lent := p.rdb.HGetAll(ctx, p.key(6)).Val(); !maps.Equal(lent, p.m.node) || !slices.Equal(alive, slices.Sorted(maps.Keys(lent))) {
		return fmt.Errorf("%w: lent %v, alive %v, want %v", errDiffers, lent, alive, p.m.node)
	}
	parked := p.rdb.ZRange(ctx, p.key(4), 0, -1).Val()
	if slices.Sort(parked); !slices.Equal(parked, slices.Sorted(maps.Keys(p.m.parked))) {
		return fmt.Errorf("%w: %v are parked, want %v", errDiffers, parked, p.m.parked)
	}
	for _, ticket := range p.rdb.HKeys(ctx, p.key(7)).Val() {
		if p.m.node[ticket] == "" && p.m.holder != ticket {
			return fmt.Errorf("%w: the work of %s stays", errDiffers, ticket)
		}
	}
	for i := range 9 {
		if ttl := p.rdb.PTTL(ctx, p.key(i)).Val(); ttl == -1 {
			return fmt.Errorf("%w: key %s never expires", errDiffers, p.key(i))
		}
	}
	return nil
}

func TestRandomOperationsAgreeWithTheModel(t *testing.T) {
	t.Parallel()
	if err := play(t, nil); err != nil {
		t.Fatal(err)
	}
}

// Each guard switched off must be noticed by the test above.
func TestModelNoticesMissingGuards(t *testing.T) {
	t.Parallel()
	mutants := map[string]struct {
		operation operation
		from, to  string
	}{
		"two have the turn":       {"enter", "if call('EXISTS', holder) == 1 then return end", ""},
		"the dead are not reaped": {"leave", "if #dead == 0 then return end", "do return end"},
		"release ignores the fence": {
			"release", "if h[1] == ticket and h[2] == fence then", "if h[1] == ticket then",
		},
		"hold ignores the fence":     {"hold", "h[2] == fence and", ""},
		"hold ignores the node":      {"hold", "and h[3] == node", ""},
		"take ignores whose it is":   {"take", "or foreign and not loads[i]", ""},
		"taken tickets are lost":     {"leave", "for i = 1, #run, 2 do call('ZADD', waiting, run[i + 1], run[i]) end", ""},
		"a newcomer barges in":       {"enter", "call('ZADD', waiting, arrival, ticket)\n    lend()", "call('ZADD', waiting, 1, ticket)\n    lend()"},
		"a repeat loses the place":   {"enter", "    adopt(owner)\n    lend()", "    call('ZREM', waiting, ticket)\n    adopt(owner)\n    lend()"},
		"release does not promote":   {"release", "promote()\nreturn", "return"},
		"fences fall":                {"release", "return number\nend", "return whole(now - 3600000000 * (now % 2))\nend"},
		"a leaver's heartbeat stays": {"leave", "{waiting, taken, parked, alive}", "{waiting, taken, parked}"},
		"a key never expires":        {"enter", "rearm(record, waiting, parked, alive, lent, work)\n", ""},
		"close sends the taken away": {"close", "local spared = call('ZRANGE', taken, 0, -1)", "local spared = {}"},
	}
	for name, mutant := range mutants {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := play(t, func(c *Client) { mutate(t, c, mutant.operation, mutant.from, mutant.to) })
			if err == nil {
				t.Fatal("nothing was noticed")
			}
			t.Log(err)
		})
	}
}
