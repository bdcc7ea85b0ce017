package rush

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Options say how large a rush is.
type Options struct {
	URLs      []string // of running instances; empty: Instances are started for the rush
	Ops       []string // where the instances show their metrics; empty: OPS_ADDR, if it belongs to the one of URLs
	Instances int
	Diners    int

	Restaurants int
	Slots       int // of all restaurants together
	Seats       int // of each slot
	Party       int
	Boards      int // pages of staff that are open meanwhile, at all restaurants together

	Over    time.Duration // the presses are spread evenly over it; 0: all at the same moment
	Timeout time.Duration // from the first press to the last answer, at most
	Keep    bool          // leave the reservations for a look at them
	JSON    bool          // report as JSON

	Browsers bool // the diners are browsers: they use the pages, not the JSON API

	Against []string // of Designs: the same rush goes to each of them too
	Threads int      // requests that a server of Against works on at once; 0: as many as come

	PerProcess int // diners of one process at most; 0: as many as it may have files open
}

// Bounds of the options.
const (
	maxDiners = 50_000 // the longest line by default, and about what one address can have in connections
	maxSlots  = 96     // of a restaurant: quarters of an hour of a day
	maxSeats  = 1_000_000

	maxRestaurants = 1_000
	maxInstances   = 32
	maxBoards      = 1_000
)

// ParseFlags reads the options from the arguments after "rush". Returns flag.ErrHelp after having written the help to
// out, and an error that names every fault at once.
func ParseFlags(args []string, out io.Writer) (Options, error) {
	var o Options
	var urls, ops, against string
	flags := flag.NewFlagSet("rush", flag.ContinueOnError)
	flags.SetOutput(io.Discard) // the caller tells the error, once
	flags.StringVar(&urls, "url", "",
		"`address` of the running LunchGo, or of its instances with commas; without it the rush starts its own")
	flags.StringVar(&ops, "ops", "",
		"`address` of the metrics of the running LunchGo, or of its instances with commas; "+
			"without it OPS_ADDR, if that is the instance at --url")
	flags.IntVar(&o.Instances, "instances", 1, "`number` of instances to start, without --url")
	flags.IntVar(&o.Diners, "diners", 2000, "`number` of diners who press at the same moment")
	flags.IntVar(&o.Restaurants, "restaurants", 1, "`number` of restaurants they are spread over")
	flags.IntVar(&o.Slots, "slots", 0, fmt.Sprintf("`number` of slots they are spread over, of all restaurants together, "+
		"at most %d in each; without it one in each", maxSlots))
	flags.IntVar(&o.Seats, "seats", 20, "`number` of seats in each slot")
	flags.IntVar(&o.Party, "party", 2, "`number` of seats each diner asks for")
	flags.IntVar(&o.Boards, "boards", 0,
		"`number` of staff who look at a restaurant's evening meanwhile, each at a tab in a language")
	flags.DurationVar(&o.Over, "over", 0,
		"`time` over which the presses are spread evenly; without it all press at the same moment")
	flags.DurationVar(&o.Timeout, "timeout", 3*time.Minute, "`longest` time from the first press to the last answer")
	flags.BoolVar(&o.Keep, "keep", false,
		"leave the reservations and the diners for a look at them; the seats are held for ten minutes")
	flags.IntVar(&o.PerProcess, "per-process", 0,
		"`number` of diners that one process plays at most; without it as many as its limit of "+
			"open files allows")
	flags.BoolVar(&o.Browsers, "browsers", false,
		"the diners do what browsers do: the form of a page, the waiting page and its stream, the page of the payment")
	flags.StringVar(&against, "against", "", "`designs` that get the same rush, with commas between them, or all: "+
		strings.Join(Designs, ", "))
	flags.IntVar(&o.Threads, "threads", 200, "with --against: `number` of requests that a server of a design works on "+
		"at once, as Tomcat has threads; 0: as many as come")
	flags.BoolVar(&o.JSON, "json", false, "report as JSON")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(out, intro)
		flags.SetOutput(out)
		flags.PrintDefaults()
		fmt.Fprint(out, outro)
		return Options{}, err
	}
	if err != nil {
		return Options{}, err
	}
	if flags.NArg() > 0 {
		return Options{}, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	o.URLs, o.Ops, o.Against = splitList(urls), splitList(ops), splitList(against)
	if slices.Equal(o.Against, []string{allDesigns}) {
		o.Against = Designs
	}
	if !isSet(flags, "slots") {
		o.Slots = o.Restaurants
	}
	return o, o.Check()
}

// isSet says whether the arguments name a flag.
func isSet(flags *flag.FlagSet, name string) (set bool) {
	flags.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	return set
}

// Share is how many of the slots and of the boards belong to the i-th restaurant, counted from 0. The first ones have
// one more where the numbers do not divide evenly.
func (o Options) Share(i int) (slots, boards int) {
	of := func(n int) int { return (n + o.Restaurants - 1 - i) / o.Restaurants }
	return of(o.Slots), of(o.Boards)
}

// splitList reads words with commas between them.
func splitList(text string) (words []string) {
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, word)
		}
	}
	return words
}

// Check returns an error that names every fault of the options.
func (o Options) Check() error {
	var faults []error
	within := func(name string, value, least, most int) {
		if value < least || value > most {
			faults = append(faults, fmt.Errorf("--%s is %d to %d, not %d", name, least, most, value))
		}
	}
	within("diners", o.Diners, 1, maxDiners)
	within("restaurants", o.Restaurants, 1, maxRestaurants)
	if least, most := o.Restaurants, maxSlots*o.Restaurants; least > 0 && (o.Slots < least || o.Slots > most) {
		faults = append(faults, fmt.Errorf("--slots is %d to %d, not %d: a restaurant has 1 to %d", least, most, o.Slots,
			maxSlots))
	}
	within("seats", o.Seats, 1, maxSeats)
	within("party", o.Party, 1, maxSeats)
	within("boards", o.Boards, 0, maxBoards)
	within("instances", o.Instances, 1, maxInstances)
	within("threads", o.Threads, 0, maxDiners)
	within("per-process", o.PerProcess, 0, maxDiners)
	faults = append(faults, o.checkAgainst())
	if o.Over < 0 || o.Over >= o.Timeout && o.Over > 0 {
		faults = append(faults, fmt.Errorf("--over is zero to --timeout, not %s", o.Over))
	}
	if o.Timeout <= 0 {
		faults = append(faults, fmt.Errorf("--timeout is above zero, not %s", o.Timeout))
	}
	if _, err := parseServers(o.URLs); err != nil {
		faults = append(faults, fmt.Errorf("--url: %w", err))
	}
	if _, err := parseServers(o.Ops); err != nil {
		faults = append(faults, fmt.Errorf("--ops: %w", err))
	}
	return errors.Join(faults...)
}

const intro = `Usage: lunchgo rush [flags]

Opens restaurants that are never listed, lets diners press "reserve" at the same moment over real HTTP, follows them to
their answers, and compares those with the database. It is an operator's command: with --url it needs the DATABASE_URL,
REDIS_URL and SECRET of that installation, or the DATA_DIR of a private one that runs.

At its end, ctrl-C included, it frees the seats, withdraws the money of the diners and hosts it has made, and deletes
their accounts. What the ledger and the slots refer to stays: the restaurants, their ended reservations, the entries
of the money that came and went, and accounts that say nothing of anybody. With --keep, and after kill -9, diners and
money stay too.

The diners are spread evenly over all slots of all restaurants: --diners 20000 --restaurants 50 --slots 2000 has 40 slots
in each restaurant, and 10 diners press for each slot.

`

const outro = `
The report (--json) has these keys:
  diners slots           who pressed, and for how many slots of all restaurants together
  tickets lineSeconds turns
                         diners who stood in a line and followed it, for how long, all of them together, and the turns in which
                         they were served, of one diner or many; turns are null if the instances' metrics do not say;
                         who finds the result in the answer to the press has stood in no line
  answered               who got a yes or a no: reserved + soldOut
  reserved, soldOut      the yes and the no
  failed                 who got neither in time, or a yes that is not in the database
  oversold               seats given away beyond capacity, the most that was seen at any time
  fifoInversions         diners served before somebody who had come earlier: neighbours out of order in the database,
                         and diners who got "sold out" though a later one got the seats
  wireInversions         the same as seen on the wire: diners who had been answered with their place, and then somebody got
                         seats before them, or instead of them, who pressed only after that
  httpErrors             broken connections, and answers outside the contract (a 503 that says when to come back is within)
  laterAnswers laterAnswersMost
                         answers 503 and 429 that asked a diner to come back later, and were obeyed; the most that one diner got
  totalSeconds           from the first press to the last answer
  answerP50Ms … P99Ms    from a diner's own press to the answer, also where --over spreads the presses
  reservationsPerSecond  reserved, over the time from the first press to the last of them
  etaErrorP50Percent     median error of the first estimate a diner saw, of those who waited a second or longer; null if none
  etaFirstShownPercent etaFirstInRangePercent etaFirstRangeP50Percent
                         of the programs to whom a time was named, the share in percent that saw a range with it at once; of
                         those, the share that got the answer inside it, and its median width in percent of the wait, of waits of
                         a second or longer; null if there are none
  etaInRangePercent      of the last thousand who got a result, the share in percent that got it inside the range they were shown,
                         on entering and at each halving of those ahead; by the instances' metrics; null if they do not say
  etaRangeP50Percent     median width of those ranges in percent of the wait that followed, of those shown after 2 s in line
                         and waits of a second or longer; null if none were
  maxDbConnections       most connections to the database that an instance had in use; null if its metrics do not say
  redisCommandsPerDiner  commands Redis executed meanwhile, those inside scripts too; null if Redis is not known
  rssBytesPerWaiter      growth of the instances' memory over the diners, who all hold on until they are answered;
                         null if not known
  positionGapP99Ms positionGapMaxMs
                         the longest time for which each diner in a line was shown a position though the line had moved since
  answerAfterTurnP99Ms answerAfterTurnMaxMs
                         from a diner's turn to the answer, of those in a line: from the reservation, by the database's clock,
                         or from the slot's last one for who got none; these and positionGap are null if nobody waited
  serverCpuMsPerDiner redisCpuMsPerDiner postgresCpuMsPerDiner
  serverCpuMsPerReservation redisCpuMsPerReservation postgresCpuMsPerReservation
                         processor time from the first press to the last answer, of all instances, of Redis, and of all processes of
                         PostgreSQL; null if not known, as of a PostgreSQL on another machine, or if there are none
  rushCpuMsPerDiner      the same of the diners themselves
  walBytesPerDiner databaseBytesPerDiner redisMemoryBytesPerDiner redisNetworkBytesPerDiner
                         bytes from the first press to the last answer: of WAL, by which the files of the database and the most that Redis
                         ever held grew, and that Redis exchanged with its clients; null if not known, as of a standby
  handoffP50Pings … P99Pings
                         time from the end of a turn to the beginning of the next one, as a multiple of an idle round trip to
                         Redis, measured before the rush; null if not known
It exits with 1 when oversold, fifoInversions, wireInversions, failed or httpErrors is not 0.

With --against the same rush goes to LunchGo and then to small servers of the designs that it replaces, one after the
other, on the same Redis and in a scratch database of the same PostgreSQL (it needs CREATEDB), which is dropped at the
end, ctrl-C included:
  retry       fair lock for each slot, 2 s of waiting for it; the browser presses again after 2 to 4 s, 10 times at most
  rowlock     SELECT … FOR UPDATE on the row of the slot, 10 connections to the database
  spin        lock for each slot that everybody tries to take every 50 ms, for 5 s
  wakeall     the same lock, whose end is published and wakes everybody who waits, for 5 s
  cachefirst  cache of what is sold out, then one lock for all slots, 5 s of waiting for it
--threads is as many requests as such a server works on at once. The others wait, in order.
The report is a row for each ({"rows": […]} with --json):
  design diners answered reserved oversold maxDbConnections redisCommandsPerDiner
  serverCpuMsPerDiner redisCpuMsPerDiner postgresCpuMsPerDiner
                         as above
  gaveUp                 who got neither a yes nor a no
  overtaken              who got seats after somebody who had pressed more than 0.1 s later, or none though such a one
                         did
  answerP50Ms answerP99Ms within3sPercent within5sPercent
                         of the yes and the no, from a diner's first press; the shares are of all diners
  pageP50Ms pageMaxMs pageRefused
                         time of another page that reads the database, asked for ten times a second meanwhile
It exits with 1 when LunchGo alone would.
`
