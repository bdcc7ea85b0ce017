package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/lineup"
	"lunchgo/app/program"
	"lunchgo/app/rush"
	"lunchgo/db/audits"
	"lunchgo/locks"
)

// breakTimeout is how long a rush may take in whose middle something breaks: with what comes before and after it, a
// fault takes less than two minutes.
const breakTimeout = 80 * time.Second

// breakGrace is how long a fault may still take when all are answered.
const breakGrace = 15 * time.Second

// breakParty is the party of each diner.
const breakParty = 2

// breakBy runs a rush with one fault in its middle, then audits the tables.
func (b *breakable) breakBy(ctx context.Context, f breakage, o breakOptions) (rush.Trial, error) {
	ctx, end := context.WithCancel(ctx)
	defer end()
	m := &middle{operator: newOperator(b.config, b.backends, b.secrets), site: b, fault: f, diners: o.diners,
		done: make(chan struct{})}
	target := rush.Target{URLs: []string{b.front.url}, Installation: m, Diners: dinersOf(b.binary)}
	for _, instance := range b.instances {
		target.Ops = append(target.Ops, instance.Ops)
	}
	report, err := rush.Run(ctx, rush.Options{Diners: o.diners, Restaurants: 1, Slots: 1, Party: breakParty,
		Seats: breakParty * o.diners * 4 / 5, Over: o.over, Timeout: breakTimeout, Keep: true}, target, b.out)
	if err != nil {
		end()
	}
	defer time.AfterFunc(breakGrace, end).Stop()
	faultErr := m.wait()
	if err = cmp.Or(err, faultErr); err != nil {
		return rush.Trial{}, err
	}
	trial := rush.NewTrial(report, m, m.at)
	trial.Fault, trial.What, trial.CutOff = f.name, f.what, f.cutsOff
	return trial, b.audit(&trial)
}

// audit fills in what the auditor finds.
func (b *breakable) audit(t *rush.Trial) error {
	ctx, cancel := context.WithTimeout(context.Background(), longStatements)
	defer cancel()
	found, err := audits.NewStore(b.backends.DB).Audit(ctx)
	if err != nil {
		return err
	}
	t.Checks = len(found.Checks)
	for _, result := range found.Wrong() {
		t.Findings = append(t.Findings, fmt.Sprintf("%s: %d found. %s", result.Check, result.Found, result.Proves))
	}
	return nil
}

// middle is the installation as a rush sees it that something breaks in the middle of: it keeps the line still until
// half of the diners stand in it, lets it move, and makes the fault once a tenth have a table.
type middle struct {
	*operator
	site   *breakable
	fault  breakage
	diners int

	at   rush.Moments
	err  error
	done chan struct{} // closed when at and err are known; never, if Prepare has failed
	made bool          // Prepare has not failed

	seen []rush.Seats
}

// Prepare implements rush.Installation.
func (m *middle) Prepare(ctx context.Context, o rush.Options) (rush.Stage, error) {
	stage, err := m.operator.Prepare(ctx, o)
	if err != nil {
		return stage, err
	}
	line, err := standIn(ctx, m.site.backends, stage.Restaurants[0].Slots[0])
	if err != nil {
		return stage, err
	}
	m.made = true
	go func() {
		defer close(m.done)
		m.err = m.interrupt(ctx, line, stage)
	}()
	return stage, nil
}

// Seats implements rush.Installation. While the database is away it returns what was seen last: nobody can sell then.
func (m *middle) Seats(ctx context.Context, stage rush.Stage) ([]rush.Seats, error) {
	seats, err := m.operator.Seats(ctx, stage)
	if err != nil && m.seen != nil {
		return m.seen, nil
	}
	m.seen = seats
	return seats, err
}

func (m *middle) wait() error {
	if m.made {
		<-m.done
	}
	return m.err
}

// interrupt breaks the rush off in its middle, and mends what it broke.
func (m *middle) interrupt(ctx context.Context, line *firstInLine, stage rush.Stage) error {
	inLine := func() (bool, error) {
		n, err := line.behind(ctx)
		return n >= m.diners/2, err
	}
	err := until(ctx, inLine)
	err = errors.Join(err, line.leave())
	if err != nil {
		return fmt.Errorf("half of the diners did not get in line: %w", err)
	}
	m.say("half of the diners stand in line, and it moves")
	seated := func() (bool, error) {
		seats, err := m.operator.Seats(ctx, stage)
		return err == nil && len(seats) > 0 && seats[0].Held >= breakParty*m.diners/10, err
	}
	if err := until(ctx, seated); err != nil {
		return fmt.Errorf("nobody got a table: %w", err)
	}
	m.at.Fault = time.Now()
	m.fault.make(m.site)
	m.say("broken")
	select {
	case <-time.After(m.fault.lasts):
	case <-ctx.Done():
	}
	err = m.fault.mend(context.WithoutCancel(ctx), m.site)
	m.at.Back = time.Now()
	m.say("back after %.1f s", m.at.Back.Sub(m.at.Fault).Seconds())
	return err
}

// say writes a line of progress, where a bar may be.
func (m *middle) say(format string, values ...any) {
	fmt.Fprintf(m.site.out, "\r"+format+"\n", values...)
}

// lookEvery is how often a rush is looked at for the moment of its fault.
const lookEvery = 5 * time.Millisecond

// until returns when what is looked for is so, or when ctx ends. What cannot be seen is looked for again.
func until(ctx context.Context, isSo func() (bool, error)) error {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		so, err := isSo()
		if so {
			return nil
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		}
	}
}

// firstInLine has the turn of a slot's line until it leaves, so that all who come stand behind it.
type firstInLine struct {
	client *locks.Client
	name   locks.Name
	turn   *locks.Turn
}

// standIn takes the turn of a slot's line.
func standIn(ctx context.Context, b *backends, slot rush.Slot) (*firstInLine, error) {
	l := &firstInLine{client: locks.NewClient(b.Redis, locks.Config{Prefix: program.KeyPrefix, MaxHold: breakTimeout}),
		name: lineup.OfSlot(booking.SlotKey{RestaurantID: slot.RestaurantID, Date: booking.Date(slot.Date),
			Time: booking.TimeOfDay(slot.Time)})}
	var err error
	if l.turn, err = l.client.Line(l.name).Lock(ctx, rand.Text()); err != nil {
		return nil, errors.Join(fmt.Errorf("keep the line still: %w", err), l.close())
	}
	return l, nil
}

// behind is how many wait behind it.
func (l *firstInLine) behind(ctx context.Context) (int, error) {
	lengths, err := l.client.Lengths(ctx, []locks.Name{l.name})
	if err != nil {
		return 0, err
	}
	return lengths[0] - 1, nil
}

// leave lets the line move.
func (l *firstInLine) leave() error {
	ctx, cancel := context.WithTimeout(context.Background(), privateStop)
	defer cancel()
	return errors.Join(l.turn.Release(ctx, 1), l.close())
}

func (l *firstInLine) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), privateStop)
	defer cancel()
	return l.client.Close(ctx)
}
