package pg

import (
	"context"
	"database/sql"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"lunchgo/app/refusal"
	"lunchgo/db/dbtest"
)

// brief is how long calls may take in these tests; slack is what a busy machine may add.
const (
	brief = 300 * time.Millisecond
	slack = 2 * time.Second
)

// hangs makes calls of all kinds on a pool whose server stands still, more at once than there are connections, and
// fails unless each is refusal.ErrUnavailable in its time.
func hangs(t *testing.T, db *Pool) {
	t.Helper()
	var all sync.WaitGroup
	for name, call := range map[string]func(ctx context.Context) error{
		"ping": db.Ping,
		"a query": func(ctx context.Context) error {
			var one int
			return db.Get(ctx, &one, `SELECT 1`)
		},
		"a query that is new": func(ctx context.Context) error {
			var one int
			return db.Get(ctx, &one, `SELECT 1 + $1::int`, 1)
		},
		"a statement":   func(ctx context.Context) error { return db.Exec(ctx, `SELECT 1`) },
		"a transaction": func(ctx context.Context) error { return db.InTx(ctx, selectOne) },
	} {
		for range 3 {
			all.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), brief)
				defer cancel()
				begun := time.Now()
				if err := call(ctx); !errors.Is(err, refusal.ErrUnavailable) {
					t.Errorf("%s: %v, want %v", name, err, refusal.ErrUnavailable)
				}
				if took := time.Since(begun); took > brief+cancelTime+slack {
					t.Errorf("%s ends after %v", name, took)
				}
			})
		}
	}
	all.Wait()
}

// wordless is a server that asks for a password and takes none.
type wordless struct {
	net.Conn
	greeted bool
}

func (c *wordless) Write(b []byte) (int, error) {
	if c.greeted {
		return 0, &net.OpError{Op: "write", Net: "tcp", Err: os.ErrDeadlineExceeded}
	}
	c.greeted = true
	return len(b), nil
}

func (*wordless) Read(b []byte) (int, error) {
	return copy(b, "R\x00\x00\x00\x08\x00\x00\x00\x03"), nil // AuthenticationCleartextPassword
}

func (*wordless) SetDeadline(time.Time) error { return nil }

func (*wordless) Close() error { return nil }

// A connection that breaks while it is opened is a database that is away, whatever the driver says of it.
func TestOpen_BreaksWhileItSignsIn(t *testing.T) {
	t.Parallel()
	dial := func(context.Context, string, string) (net.Conn, error) { return &wordless{}, nil }
	_, err := Open(t.Context(), Config{URL: "postgres://u:p@127.0.0.1/none?sslmode=disable", Dial: dial})
	if !errors.Is(err, refusal.ErrUnavailable) {
		t.Errorf("got %v, want %v", err, refusal.ErrUnavailable)
	}
}

func selectOne(ctx context.Context, t *Tx) error {
	var one int
	return t.Get(ctx, &one, `SELECT 1`)
}

// goesOn waits until a pool works again and holds no connection.
func goesOn(t *testing.T, db *Pool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), dbtest.Patience)
	defer cancel()
	for db.Ping(ctx) != nil || db.InTx(ctx, selectOne) != nil || db.Stats().InUse > 0 {
		if ctx.Err() != nil {
			t.Fatalf("it does not go on: %+v", db.Stats())
		}
	}
}

// Every call ends in its time when the server, or the way to it, stands still: also one in the middle of a transaction.
func TestDeadline_OnALinkThatIsDead(t *testing.T) {
	t.Parallel()
	relay := dbtest.NewRelay(t, dbtest.PostgresURL(t))
	db := openTest(t, Config{URL: relay.URL, MaxConns: 4})
	goesOn(t, db)
	ctx, cancel := context.WithTimeout(t.Context(), brief)
	defer cancel()
	begun := time.Now()
	err := db.InTx(ctx, func(ctx context.Context, tx *Tx) error {
		relay.Freeze()
		return selectOne(ctx, tx)
	})
	if took := time.Since(begun); !errors.Is(err, refusal.ErrUnavailable) || took > brief+cancelTime+slack {
		t.Errorf("the transaction ends after %v: %v", took, err)
	}
	hangs(t, db)
	relay.Thaw()
	goesOn(t, db)
}

// A caller who gives up is let go too: a process that ends does not wait for a database that stands still.
func TestDeadline_ACallerWhoGivesUp(t *testing.T) {
	t.Parallel()
	relay := dbtest.NewRelay(t, dbtest.PostgresURL(t))
	db := openTest(t, Config{URL: relay.URL, MaxConns: 2})
	goesOn(t, db)
	relay.Freeze()
	ctx, giveUp := context.WithCancel(t.Context())
	time.AfterFunc(brief, giveUp)
	begun := time.Now()
	if err := db.InTx(ctx, selectOne); !errors.Is(err, refusal.ErrUnavailable) {
		t.Error(err)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(begun); took > brief+2*cancelTime+slack {
		t.Errorf("it ends after %v", took)
	}
}

// The control: the driver by itself waits for an answer, whatever the context says.
func TestDeadline_TheDriverAloneWaits(t *testing.T) {
	t.Parallel()
	relay := dbtest.NewRelay(t, dbtest.PostgresURL(t))
	pool, err := sql.Open("postgres", relay.URL)
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = pool.Close() })
	dbtest.Must(t, pool.PingContext(t.Context()))
	relay.Freeze()
	ctx, cancel := context.WithTimeout(t.Context(), brief)
	defer cancel()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = pool.ExecContext(ctx, `SELECT 1`)
	}()
	select {
	case <-ended:
		t.Error("the driver ends the call by itself: the deadlines of this package prove nothing")
	case <-time.After(brief + cancelTime + slack):
	}
	relay.Thaw()
	<-ended
}

// A server all of whose processes are stopped (SIGSTOP) is such a server.
func TestDeadline_OnAServerThatIsStopped(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("it finds the server's processes under /proc")
	}
	server := dbtest.PrivatePostgres(t)
	db := openTest(t, Config{URL: server.URL, MaxConns: 4})
	goesOn(t, db)
	var file string
	dbtest.Must(t, db.Get(t.Context(), &file, `SELECT pg_read_file('postmaster.pid')`))
	first, _, _ := strings.Cut(file, "\n")
	postmaster, err := strconv.Atoi(first)
	dbtest.Must(t, err)
	processes := func() []int { return append([]int{postmaster}, childrenOf(t, postmaster)...) }
	send := func(signal syscall.Signal) {
		for _, pid := range processes() {
			_ = syscall.Kill(pid, signal) // one that has ended
		}
	}
	t.Cleanup(func() { send(syscall.SIGCONT) })
	_ = syscall.Kill(postmaster, syscall.SIGSTOP) // first, so that it starts no more
	send(syscall.SIGSTOP)
	hangs(t, db)
	send(syscall.SIGCONT)
	goesOn(t, db)
}

// childrenOf lists the processes that a process has started.
func childrenOf(t *testing.T, parent int) []int {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	dbtest.Must(t, err)
	var children []int
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(text), ") ") // state and parent follow the name
		fields := strings.Fields(rest)
		if len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
				children = append(children, pid)
			}
		}
	}
	return children
}
