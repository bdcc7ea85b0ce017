package e2e_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
	"lunchgo/db/embedded"
)

// secret signs the sessions and tickets of all products that are tested, so that one started again knows them.
var secret = rand.Text() + rand.Text()

// product is an installation: its own database with the demo in it, its own Redis, and the server that runs on them.
type product struct {
	t           *testing.T
	url         string // of the server; a server that is started again has the same
	databaseURL string
	redisServer *embedded.Server
	db          *sql.DB
	redis       *redis.Client
	log         *tail
	slots       *slotBook
	settings    []string // NAME=value, besides those of all
	path        string   // of the binary
	server      *process
}

// newProduct starts an installation with the demo, which ends with the test. The test fails if the server logs an
// error.
func newProduct(t *testing.T, settings ...string) *product {
	t.Helper()
	path, err := binary()
	dbtest.Must(t, err)
	return newProductOf(t, path, settings...)
}

// newProductOf starts an installation of a binary, with the database that this binary makes.
func newProductOf(t *testing.T, path string, settings ...string) *product {
	t.Helper()
	p := &product{t: t, path: path, settings: settings, databaseURL: demoDatabase(t, path),
		redisServer: dbtest.PrivateRedis(t), slots: &slotBook{}, log: &tail{}}
	var err error
	p.db, err = sql.Open("postgres", p.databaseURL)
	dbtest.Must(t, err)
	options, err := redis.ParseURL(p.redisServer.URL)
	dbtest.Must(t, err)
	p.redis = redis.NewClient(options)
	t.Cleanup(func() { dbtest.Must(t, errors.Join(p.db.Close(), p.redis.Close())) })
	t.Cleanup(func() {
		p.kill()
		if strings.Contains(p.log.String(), "level=ERROR") {
			t.Error("the server logged an error")
		}
		if t.Failed() {
			t.Logf("the server's log:\n%s", p.log.String())
		}
	})
	p.start(freeAddress(t)) // where it can be started again
	return p
}

// in is the installation for a test of those that share it.
func (p *product) in(t *testing.T) *product {
	shared := *p
	shared.t = t
	return &shared
}

// demoDatabase is a database with the demo of a binary, for one test alone.
func demoDatabase(t *testing.T, path string) string {
	t.Helper()
	return dbtest.Template(t, "demo "+filepath.Base(path), func(url string) error { return seedDemo(t, path, url) })
}

// seedDemo fills an empty database with the demo, by the product's own command.
func seedDemo(t *testing.T, path, databaseURL string) error {
	seed := exec.Command(path, "seed")
	seed.Env = environment(databaseURL, dbtest.RedisURL(t), "")
	if out, err := seed.CombinedOutput(); err != nil {
		return fmt.Errorf("seed: %w\n%s", err, out)
	}
	return nil
}

func environment(databaseURL, redisURL, addr string) []string {
	return append(os.Environ(), "DATABASE_URL="+databaseURL, "REDIS_URL="+redisURL, "SECRET="+secret, "DEMO=true",
		"ADDR="+addr, "OPS_ADDR=127.0.0.1:0", "LOG_LEVEL=INFO", "LOG_FORMAT=text", "PUBLIC_URL=",
		"LIMIT_SIGNUPS=1000") // all of them come from one address
}

// process is a server that runs.
type process struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
	err  error         // how it ended
}

// greeting is what the server prints before its address.
const greeting = "LunchGo serves at "

// start starts the server and waits until it says where it serves.
func (p *product) start(addr string) {
	p.t.Helper()
	cmd := exec.Command(p.path)
	cmd.Env = append(environment(p.databaseURL, p.redisServer.URL, addr), p.settings...)
	cmd.Stderr = p.log
	cmd.SysProcAttr = dieWithUs()
	out, err := cmd.StdoutPipe()
	dbtest.Must(p.t, err)
	dbtest.Must(p.t, cmd.Start())
	server := &process{cmd: cmd, done: make(chan struct{})}
	greeted := make(chan string, 1)
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if _, address, ok := strings.Cut(lines.Text(), greeting); ok {
				greeted <- address
			}
		}
		server.err = cmd.Wait()
		close(server.done)
	}()
	p.server = server
	select {
	case address := <-greeted:
		if p.url != address { // a restart is at the same one, which others may be reading
			p.url = address
		}
	case <-server.done:
		p.t.Fatalf("the server ended at once: %v\n%s", server.err, p.log.String())
	case <-time.After(patience):
		p.t.Fatalf("the server did not start in %s\n%s", patience, p.log.String())
	}
}

// restart starts the server again where it was.
func (p *product) restart() {
	p.t.Helper()
	u, err := url.Parse(p.url)
	dbtest.Must(p.t, err)
	p.start(u.Host)
}

// kill ends the server as a power cut would.
func (p *product) kill() {
	_ = p.server.cmd.Process.Kill() // it may have ended already
	<-p.server.done
}

// interrupt ends the server as ctrl-C does and returns how long that took; it fails the test if the server ends badly.
func (p *product) interrupt() time.Duration {
	p.t.Helper()
	began := time.Now()
	dbtest.Must(p.t, p.server.cmd.Process.Signal(syscall.SIGINT))
	select {
	case <-p.server.done:
	case <-time.After(patience):
		p.t.Fatalf("the server did not end in %s after an interrupt", patience)
	}
	if p.server.err != nil {
		p.t.Errorf("the server ended with %v after an interrupt", p.server.err)
	}
	return time.Since(began)
}

// run runs one of the product's other commands against the same installation.
func (p *product) run(args ...string) {
	p.t.Helper()
	cmd := exec.Command(p.path, args...)
	cmd.Env = environment(p.databaseURL, p.redisServer.URL, "127.0.0.1:0")
	if out, err := cmd.CombinedOutput(); err != nil {
		p.t.Fatalf("lunchgo %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// seedDiners makes diners by the product's own command and returns their tokens. They have money in their wallets.
func (p *product) seedDiners(n int) []string {
	p.t.Helper()
	file := filepath.Join(p.t.TempDir(), "tokens")
	p.run("seed", "--diners", strconv.Itoa(n), "--tokens", file)
	tokens, err := os.ReadFile(file)
	dbtest.Must(p.t, err)
	return strings.Fields(string(tokens))
}

// number asks the database for one number.
func (p *product) number(query string, args ...any) (n int64) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), patience)
	defer cancel()
	dbtest.Must(p.t, p.db.QueryRowContext(ctx, query, args...).Scan(&n))
	return n
}

// tail keeps what a process writes.
type tail struct {
	mu   sync.Mutex
	text bytes.Buffer
}

var _ io.Writer = (*tail)(nil)

func (l *tail) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *tail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
