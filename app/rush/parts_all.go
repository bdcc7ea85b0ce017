package rush

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"
)

// parts are all diners, in one process or several.
type parts struct {
	all    []*part
	diners int
}

// lead is how long before the moment of the rush the parts hear of it.
const lead = 20 * time.Millisecond

// openParts spreads the diners evenly over slots and servers, and over as many processes as their connections need, and
// opens a connection for each. Close it.
func openParts(ctx context.Context, o Options, stage Stage, servers []server, target Target) (*parts, error) {
	who := planDiners(o, stage, servers)
	who.Retry = target.Retry
	plans := split(who, o.processes(servers))
	p := &parts{diners: len(who.Diners)}
	if len(plans) == 1 || target.Diners == nil {
		plans = []plan{who}
		p.all = append(p.all, startHere(ctx))
	}
	for len(p.all) < len(plans) {
		process, err := startProcess(target.Diners())
		if err != nil {
			return nil, errors.Join(fmt.Errorf("start a process of diners: %w", err), p.close())
		}
		p.all = append(p.all, process)
	}
	stop := context.AfterFunc(ctx, p.giveUp)
	defer stop()
	var group errgroup.Group
	for i, one := range p.all {
		group.Go(func() error { return one.connect(plans[i]) })
	}
	if err := group.Wait(); err != nil {
		return nil, errors.Join(err, p.close())
	}
	return p, nil
}

// planDiners says what each diner asks for, and where.
func planDiners(o Options, stage Stage, servers []server) plan {
	p := plan{Timeout: o.Timeout, Browsers: o.Browsers}
	for _, s := range servers {
		p.URLs = append(p.URLs, s.base)
	}
	pages := map[int64]string{}
	for _, r := range stage.Restaurants {
		pages[r.ID] = r.Page
	}
	slots := stage.slots()
	for _, slot := range slots {
		p.Drafts = append(p.Drafts, draft{Slot: slot, Page: pages[slot.RestaurantID], Party: o.Party})
	}
	for i, who := range stage.Diners {
		server := deal(i, len(slots), len(servers))
		p.Diners = append(p.Diners, planned{UserID: who.UserID, Token: who.Token, Slot: i % len(slots),
			Server: server, Source: sourceOf(servers[server], i/len(servers)),
			Delay: o.Over * time.Duration(i) / time.Duration(len(stage.Diners))})
	}
	return p
}

// deal says to which of n the i-th diner belongs, who presses for the slot i modulo slots. Each of the n has its share
// of every slot, of neighbouring slots, and of the whole time.
func deal(i, slots, n int) int { return (i/slots + i%slots) % n }

// split deals the diners of a plan out to n plans in turn, as cards.
func split(whole plan, n int) []plan {
	plans := make([]plan, n)
	for i := range plans {
		plans[i] = whole
		plans[i].Diners = nil
	}
	for i, who := range whole.Diners {
		to := deal(i, len(whole.Drafts), n)
		plans[to].Diners = append(plans[to].Diners, who)
	}
	return plans
}

// rush lets all press at the same moment, and returns that moment when the last has an answer, or when the time is
// over.
func (p *parts) rush(ctx context.Context, say *reporter) (time.Time, error) {
	stop := context.AfterFunc(ctx, p.giveUp)
	defer stop()
	var group errgroup.Group
	pressed := time.Now().Add(lead)
	for _, one := range p.all {
		group.Go(func() error { return one.press(pressed) })
	}
	var err error
	finished := make(chan struct{})
	go func() {
		err = group.Wait()
		close(finished)
	}()
	say.follow(finished, p.diners, p.tally)
	return pressed, err
}

func (p *parts) tally() (sum tally) {
	for _, one := range p.all {
		one.mu.Lock()
		sum = sum.plus(one.tally)
		one.mu.Unlock()
	}
	return sum
}

// result is what became of all diners. Its processor time is that of the other processes.
func (p *parts) result() (all result) {
	for _, one := range p.all {
		r := one.result
		all.Answers = append(all.Answers, r.Answers...)
		all.Errors += r.Errors
		for _, quote := range r.Quotes {
			all.Quotes = addQuote(all.Quotes, quote)
		}
		if !one.own {
			all.CPU += r.CPU
		}
	}
	return all
}

func (p *parts) giveUp() {
	for _, one := range p.all {
		_ = one.giveUp()
	}
}

// close ends all parts and waits for that.
func (p *parts) close() error {
	p.giveUp()
	var faults []error
	for _, one := range p.all {
		faults = append(faults, one.ended())
	}
	return errors.Join(faults...)
}
