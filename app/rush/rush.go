// Package rush is the load test that ships with the product. It opens shadow restaurants on a running installation,
// has thousands of diners press "reserve" at the same moment over real HTTP, follows each of them over server-sent
// events to the answer, and then asks the database what really happened: nobody seated beyond capacity, nobody
// overtaken, nobody estimatedAt something that is not true.
//
// It knows an installation from the outside, by its JSON API and its metrics, and through the Installation interface,
// which is what only its operator can do.
package rush

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// Slot is one bookable time of a shadow restaurant, written as in requests.
type Slot struct {
	RestaurantID int64
	Date         string // 2006-01-02
	Time         string // 15:04
}

// Diner is somebody who is signed in.
type Diner struct {
	UserID string
	Token  string // bearer token
}

// Restaurant is a shadow restaurant: one that is never listed.
type Restaurant struct {
	ID    int64
	Page  string  // path of its page
	Slots []Slot  // that the diners want; at least one
	Staff []Diner // who work there, one for each board
}

// Stage is where a rush takes place: shadow restaurants, and the diners who want their tables.
type Stage struct {
	Restaurants []Restaurant // at least one
	Diners      []Diner
}

// slots are those of all restaurants in turn: the first slot of each, then the second of each. So diners who are dealt
// out to them are spread evenly over the restaurants too, also where there are fewer diners than slots.
func (s Stage) slots() (all []Slot) {
	for i := 0; ; i++ {
		before := len(all)
		for _, r := range s.Restaurants {
			if i < len(r.Slots) {
				all = append(all, r.Slots[i])
			}
		}
		if len(all) == before {
			return all
		}
	}
}

// Seats is how full a slot is.
type Seats struct {
	Capacity int
	Held     int // covers of all reservations that hold seats
}

// Decision is a reservation as the database has it.
type Decision struct {
	ReservationID string
	Arrival       int64     // number of its ticket in the line
	At            time.Time // by the database's clock
}

// Installation is what only the operator of an installation can do and see: its database and its secret.
type Installation interface {
	// Prepare opens the shadow restaurants and makes the diners, with money in their wallets. With an error it returns
	// the restaurants that are open by then.
	Prepare(ctx context.Context, o Options) (Stage, error)
	// Seats returns how full the slots are that anybody asked for.
	Seats(ctx context.Context, s Stage) ([]Seats, error)
	// Decisions returns the reservations of a slot in the order in which they were decided.
	Decisions(ctx context.Context, slot Slot) ([]Decision, error)
	// Arrival reads the number in the line off a diner's ticket; false when it has none.
	Arrival(ticket, userID string) (int64, bool)
	// Free ends all reservations at the shadow restaurants, and deletes everybody whom Prepare made, with their money.
	// What is left of the restaurants is never listed and holds nothing.
	Free(ctx context.Context, s Stage) error
}

// Meter reads what the installation's Redis and PostgreSQL have used since they started. Its methods return an error
// for what is not known.
type Meter interface {
	RedisCommands(ctx context.Context) (int64, error) // executed, in scripts too
	RedisCPU(ctx context.Context) (time.Duration, error)
	PostgresCPU(ctx context.Context) (time.Duration, error) // of all its processes, ended ones too
	Ping(ctx context.Context) (time.Duration, error)        // one round trip to Redis
	Bytes(ctx context.Context) (Bytes, error)
}

// Bytes are what an installation's PostgreSQL and Redis have written, hold, and have exchanged with their clients.
type Bytes struct {
	WAL          int64 // written by the PostgreSQL server since it was made, of all its databases
	Database     int64 // files of the database: rows, indexes and free space
	RedisMemory  int64 // the most that Redis has held at once since its start
	RedisNetwork int64 // in and out
}

// Target is what a rush goes to.
type Target struct {
	URLs         []string // of the instances; at least one
	Ops          []string // where the instances show their metrics; empty: nowhere that is known
	Installation Installation
	Meter        Meter // nil where nothing of it is known
	// Diners makes the command of a process that calls ServeDiners on its input and output; nil: all diners are in this
	// one.
	Diners func() *exec.Cmd
	Retry  Retry // how the diners' browsers repeat a press that is refused with CodeBusy
}

// Bounds of what surrounds the rush itself.
const (
	openTime  = time.Minute
	leaveTime = 15 * time.Second
	auditTime = 30 * time.Second // and auditSlotTime more for each slot
	freeTime  = time.Minute      // and more for each restaurant and diner

	auditSlotTime      = 20 * time.Millisecond
	freeRestaurantTime = time.Second
	freeDinerTime      = 2 * time.Millisecond
)

// Run lets the diners rush to the target and reports what became of them. Progress is written to progress, as a bar if
// that is a terminal. When ctx ends early, the diners leave their lines, the seats are freed, the diners deleted, and
// ctx's error is returned.
func Run(ctx context.Context, o Options, target Target, progress io.Writer) (report Report, err error) {
	servers, err := parseServers(target.URLs)
	if err != nil {
		return Report{}, err
	}
	watched, err := parseServers(target.Ops)
	if err != nil {
		return Report{}, err
	}
	say := newReporter(progress)
	if len(watched) == 0 {
		say.line("no metrics are known of %s: name their addresses with --ops", strings.Join(target.URLs, ", "))
	}
	say.line("opening %d shadow %s and making %d diners", o.Restaurants,
		plural(o.Restaurants, "restaurant", "restaurants"), o.Diners)
	stage, prepareErr := target.Installation.Prepare(ctx, o)
	defer func() {
		if o.Keep && prepareErr == nil {
			return
		}
		say.line("freeing the seats and deleting the diners")
		if freeErr := free(ctx, o, target.Installation, stage); freeErr != nil {
			err = errors.Join(err, fmt.Errorf("free the seats and delete the diners: %w", freeErr))
		}
	}()
	if prepareErr != nil {
		return Report{}, fmt.Errorf("prepare the rush: %w", prepareErr)
	}

	g := newMonitor(target, stage, watched)
	if err := g.begin(ctx); err != nil {
		return Report{}, fmt.Errorf("look at the seats: %w", err)
	}
	say.line("opening %d connections to %d %s", o.Diners, len(servers), plural(len(servers), "instance", "instances"))
	diners, err := openParts(ctx, o, stage, servers, target)
	if err != nil {
		return Report{}, err
	}
	defer func() { err = errors.Join(err, diners.close()) }()
	open, err := openBoards(ctx, stage, servers)
	if err != nil {
		return Report{}, err
	}
	defer open.close()

	g.beginCosts(ctx)
	stop := g.watch(ctx)
	var other page
	if len(o.Against) > 0 {
		other.ask(ctx, servers[0], stage.Diners[0].Token)
	}
	pressed, err := diners.rush(ctx, say)
	other.stop()
	stop()
	if ctx.Err() != nil {
		return Report{}, fmt.Errorf("the rush was ended early: %w", ctx.Err())
	}
	if err != nil {
		return Report{}, err
	}
	open.close()
	report, err = audit(ctx, target.Installation, stage, outcomes{diners.result(), pressed}, g)
	report.setBoards(open)
	report.page = other
	return report, err
}

// free ends the rush's reservations and deletes its diners, also when its context has ended.
func free(ctx context.Context, o Options, in Installation, stage Stage) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx),
		freeTime+time.Duration(o.Restaurants)*freeRestaurantTime+time.Duration(o.Diners)*freeDinerTime)
	defer cancel()
	return in.Free(ctx, stage)
}
