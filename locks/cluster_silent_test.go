//go:build unix

package locks

import (
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// A master that is silent costs lines with other masters next to nothing, though the registry of all lines is with it:
// who enters does so in a fraction of a beat, and is counted. The lines that it has are not, and that is said.
func TestCluster_ASilentMasterCostsOtherLinesLittle(t *testing.T) {
	t.Parallel()
	r := newClusterHarness(t)
	silent := r.cluster.Master(r.prefix + ":lines")
	var there, elsewhere Name
	for i := 0; there.Key == "" || elsewhere.Key == ""; i++ {
		name := Name{"evening" + strconv.Itoa(i), "19:00"}
		if r.cluster.Master(lineKeys(r.prefix, name).record()) == silent {
			there = name
		} else {
			elsewhere = name
		}
	}
	const beat = 6 * time.Second // a busy machine may take seconds of it
	options := r.cluster.Options()
	options.ContextTimeoutEnabled, options.DialerRetries = true, 1
	rdb := redis.NewClusterClient(options)
	t.Cleanup(func() { rdb.Close() })
	c := r.nodeOn(rdb, "a", func(cfg *Config) {
		cfg.Beat, cfg.TTL, cfg.Lease, cfg.ClaimWindow = beat, 20*time.Second, 20*time.Second, 20*time.Second
		cfg.Orphans = func(Name) {}
	})
	enter := func(line Name, ticket string) time.Duration {
		begun := time.Now()
		if _, err := c.Line(line).Enter(r.ctx(), Entry{Ticket: ticket, Work: "work"}); err != nil {
			t.Fatal(err)
		}
		return time.Since(begun)
	}
	enter(there, "t1")
	enter(elsewhere, "t2")
	defer r.cluster.FreezeMaster(r.prefix + ":lines")()
	c.registry.mu.Lock()
	clear(c.registry.kept) // as for a line that is new
	c.registry.mu.Unlock()
	if took := enter(elsewhere, "t3"); took > beat/2 {
		t.Errorf("entering took %s", took)
	}
	begun := time.Now()
	lengths, err := c.Lengths(r.ctx(), []Name{there, elsewhere})
	if took := time.Since(begun); err == nil || len(lengths) != 2 || lengths[1] != 2 || took > beat {
		t.Errorf("%v, %v after %s", lengths, err, took)
	}
}
