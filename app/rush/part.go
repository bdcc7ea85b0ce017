package rush

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// plan is what a process of diners has to do. It is the first text that it reads.
type plan struct {
	URLs     []string
	Drafts   []draft       // by slot
	Timeout  time.Duration // from the first press to the last answer
	Retry    Retry
	Browsers bool
	Diners   []planned
}

// planned is one diner of a plan.
type planned struct {
	UserID string
	Token  string
	Slot   int           // index of a draft
	Server int           // index of an address
	Source string        // local address to connect from; empty: any
	Delay  time.Duration // of the press, after the moment of the rush
}

// command is what a process of diners reads after that: when to press. When its input ends, it gives up.
type command struct{ Press time.Time }

// message is what a process of diners says: first that all have a connection, or why not; then how far they are, again
// and again; then what became of them.
type message struct {
	Connected bool    `json:",omitempty"`
	Error     string  `json:",omitempty"`
	Tally     *tally  `json:",omitempty"`
	Result    *result `json:",omitempty"`
}

// result is what became of the diners of one process.
type result struct {
	Answers []answer
	Errors  int64
	Quotes  []string      // the first few different errors
	CPU     time.Duration // processor time of the process from the press to the end
}

// ServeDiners is the whole life of a process of diners, which Run starts where one process cannot have connections for
// all. It takes orders from in and reports to out. Returns an error when it cannot read the orders or write the report.
func ServeDiners(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, giveUp := context.WithCancel(ctx)
	defer giveUp()
	orders, reports := json.NewDecoder(in), json.NewEncoder(out)
	var p plan
	if err := orders.Decode(&p); err != nil {
		return fmt.Errorf("read the plan: %w", err)
	}
	c, err := connect(ctx, p)
	if err != nil {
		return reports.Encode(message{Error: err.Error()})
	}
	defer c.close()
	rush := c.standBy(ctx)
	if err := reports.Encode(message{Connected: true}); err != nil {
		return err
	}
	var start command
	if err := orders.Decode(&start); err != nil {
		return nil // whoever wanted the rush has given it up
	}
	go func() {
		_ = orders.Decode(new(command)) // returns at the end of the input
		giveUp()
	}()
	before, done := cpuTime(), make(chan struct{})
	go func() {
		defer close(done)
		// The difference to now keeps the monotonic clock of this process; the moment itself is common to all.
		now := time.Now()
		rush(now.Add(start.Press.Sub(now)), p.Timeout)
	}()
	c.tell(reports, done)
	spent := cpuTime() - before
	c.leave(ctx)
	return reports.Encode(message{Result: &result{c.answers(), c.counts.errors.Load(), c.counts.quotes, spent}})
}

// tell reports how far the diners are, until done closes.
func (c *crowd) tell(reports *json.Encoder, done <-chan struct{}) {
	ticker := time.NewTicker(barEvery)
	defer ticker.Stop()
	var last tally
	for {
		select {
		case <-ticker.C:
		case <-done:
			return
		}
		if now := c.counts.tally(); now != last {
			last = now
			if reports.Encode(message{Tally: &now}) != nil {
				return // nobody listens; the end of the input says so too
			}
		}
	}
}
