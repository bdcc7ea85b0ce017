package locks

import (
	"context"
	"fmt"
)

// Log returns what has happened in the line, in order, from the text with index from (0 is the first) on. The texts are
// written by the operations that they tell of, in the same step, and name nobody: arrival numbers, and for each entry
// the first 32 hex digits of SHA-256 of the ticket.
//
//	enter <arrival>:<commitment>,...  those that took places together     again <the same>  put back after a loss of data
//	turn <fence> <arrival>,...        a turn was released: all that it served, in order
//	left <arrival>                    closed <arrival>,...  sent away by Close     lost <arrival>  nobody could serve it
//
// The log lives as long as the line's other data. Of a joint line it is the log of the first of its lines; each has its
// own, and the joint tickets are in all of them.
func (l *Line) Log(ctx context.Context, from int) ([]string, error) {
	texts, err := l.client.rdb.LRange(ctx, lineKeys(l.client.cfg.Prefix, l.name).log(), int64(from), -1).Result()
	if err != nil {
		return nil, fmt.Errorf("line %s: log: %w", l.name, err)
	}
	return texts, nil
}
