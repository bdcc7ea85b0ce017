package locks

import (
	"context"
	"fmt"
	"strings"
)

// Registered returns the lines in which tickets stand, or stood some beats ago, that any node can serve (Entry.Work):
// those that the registry in Redis has of all nodes, and this node's own, which are in memory while Redis is silent.
// Returns Redis's error.
func (c *Client) Registered(ctx context.Context) ([]Name, error) {
	lines, err := c.rdb.ZRange(ctx, c.cfg.Prefix+":lines", 0, -1).Result()
	if err != nil {
		return nil, fmt.Errorf("registered lines: %w", err)
	}
	var names []Name
	known := map[Name]bool{}
	for _, line := range lines {
		partition, key, _ := strings.Cut(line, workSeparator)
		name := Name{Partition: partition, Key: key}
		names, known[name] = append(names, name), true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, s := range c.sessions { // in any order
		if !known[name] && s.hasWork() {
			names = append(names, name)
		}
	}
	return names, nil
}
