package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"lunchgo/app/identity"
	"lunchgo/app/seed"
	"lunchgo/db/accounts"
	dbseed "lunchgo/db/seed"
)

// maxSeedDiners bounds how many diners one call makes.
const maxSeedDiners = 1_000_000

// seedOptions say what to seed: diners for load tests if there are to be any, else the demo, with a country around it
// if that is wanted.
type seedOptions struct {
	diners  int
	tokens  string // file that gets a bearer token a line
	country *seed.Country
}

func parseSeedFlags(args []string, out io.Writer) (seedOptions, error) {
	var o seedOptions
	flags := newFlags(out, "seed [flags]", "Loads the demo restaurants and accounts, with --country a country around "+
		"them.\nWith --diners it makes diners for load tests instead.")
	flags.IntVar(&o.diners, "diners", 0, "`number` of diners to make, with money in their wallets")
	flags.StringVar(&o.tokens, "tokens", "", "`file` that gets one bearer token a line, readable by its owner only")
	isCountry := flags.Bool("country", false, "a country of restaurants with two years of reservations, too")
	var country seed.Country
	flags.IntVar(&country.Accounts, "accounts", 1_000_000, "`number` of accounts of the country")
	flags.IntVar(&country.Restaurants, "restaurants", 3_000, "`number` of restaurants of the country")
	flags.IntVar(&country.Reservations, "reservations", 3_700_000,
		"`number` of reservations of the country, less those for which restaurants are full")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	var faults []error
	if *isCountry {
		o.country = &country
		faults = append(faults, country.Check())
	}
	if flags.NArg() > 0 {
		faults = append(faults, fmt.Errorf("unexpected argument %q", flags.Arg(0)))
	}
	if o.diners < 0 || o.diners > maxSeedDiners {
		faults = append(faults, fmt.Errorf("--diners is 1 to %d, not %d", maxSeedDiners, o.diners))
	}
	if (o.diners > 0) != (o.tokens != "") {
		faults = append(faults, errors.New("--diners and --tokens go together"))
	}
	if o.diners > 0 && o.country != nil {
		faults = append(faults, errors.New("--diners and --country do not go together"))
	}
	err := errors.Join(faults...)
	if err != nil {
		fmt.Fprintln(out, err)
	}
	return o, err
}

// seedCommand loads the demo, or makes diners for load tests.
func seedCommand(ctx context.Context, c Config, args []string, out io.Writer) (err error) {
	o, err := parseSeedFlags(args, out)
	if err != nil {
		return badFlags(err)
	}
	if o.country != nil && !c.demo() {
		return errors.New("seed --country makes up people and money: it needs DEMO=true")
	}
	c.statementTime = longStatements
	b, err := openBackends(ctx, c, newLog(c))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	if err := b.DB.Migrate(ctx); err != nil {
		return err
	}
	if o.diners > 0 {
		return seedDiners(ctx, c, b, o, out)
	}
	return seedDemo(ctx, c, b, o.country, out)
}

// seedDemo loads the demo restaurants and accounts, and a country around them unless that is nil.
func seedDemo(ctx context.Context, c Config, b *backends, country *seed.Country, out io.Writer) (err error) {
	p, err := newProgram(c, b, nil, newLog(c))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	stores := seedStores(p)
	err = b.DB.FillAlone(ctx, func() error {
		if err := seed.Demo(ctx, stores, time.Now()); err != nil || country == nil {
			return err
		}
		return seed.FillCountry(ctx, stores, dbseed.NewStore(b.DB), *country,
			countryProgress(out, country.Reservations, time.Now()))
	})
	if err != nil {
		return fmt.Errorf("load the demo: %w", err)
	}
	fmt.Fprintf(out, "the demo is loaded; %s and %s sign in with %s while DEMO=true\n", seed.DinerEmail,
		seed.StaffEmail, seed.DemoPassword)
	return nil
}

// countryProgress returns what writes a line for each twentieth of so many reservations, and the rate so far.
func countryProgress(out io.Writer, of int, began time.Time) func(made int) {
	var mu sync.Mutex
	written := 0
	return func(made int) {
		mu.Lock()
		defer mu.Unlock()
		if step := 20 * made / max(of, 1); step > written {
			written = step
			fmt.Fprintf(out, "%d of %d reservations, %.0f a second\n", made, of,
				float64(made)/time.Since(began).Seconds())
		}
	}
}

// seedDiners makes diners and writes their tokens to a file.
func seedDiners(ctx context.Context, c Config, b *backends, o seedOptions, out io.Writer) error {
	secrets, err := c.secrets()
	if err != nil {
		return err
	}
	sessions := identity.NewSessions(secrets, accounts.NewStore(b.DB), time.Now)
	file, err := createPrivate(o.tokens) // before the diners: a path that cannot be written must not cost any
	if err != nil {
		return err
	}
	ids, err := seed.Diners(ctx, dbseed.NewStore(b.DB), o.diners)
	if err != nil {
		return errors.Join(err, file.Close())
	}
	lines := bufio.NewWriter(file)
	for _, id := range ids {
		token, _ := sessions.Issue(id)
		fmt.Fprintln(lines, token)
	}
	if err := errors.Join(lines.Flush(), file.Close()); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d diners can sign in with the tokens in %s for %d days\n", len(ids), o.tokens,
		int(identity.SessionLife.Hours()/24))
	return nil
}

// createPrivate makes a file empty that only its owner can read, also if it was there before with other rights.
func createPrivate(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(file.Chmod(0o600), file.Truncate(0)); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}
