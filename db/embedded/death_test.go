//go:build unix

package embedded_test

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"lunchgo/db/dbtest"
	"lunchgo/db/embedded"
)

// parentDir names the variable that makes this test binary play the program
// whose death the servers must not survive, on the data in the directory given.
const parentDir = "EMBEDDED_TEST_PARENT_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(parentDir); dir != "" {
		playParent(dir)
		return
	}
	os.Exit(m.Run())
}

// playParent starts both servers, prints their URLs and waits to be killed.
func playParent(dir string) {
	ctx := context.Background()
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	pg, err := embedded.StartPostgres(ctx, dir, log)
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	rd, err := embedded.StartRedis(ctx, dir, log)
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	fmt.Println(pg.URL)
	fmt.Println(rd.URL)
	select {}
}

// parent is a copy of this test binary that plays the program.
type parent struct {
	cmd             *exec.Cmd
	postgres, redis string
}

// startParent starts one as the user given and returns when its servers answer.
func startParent(t *testing.T, dir string, as *syscall.Credential) *parent {
	t.Helper()
	cmd := exec.Command(copyOfThisBinary(t))
	cmd.Env = append(os.Environ(), parentDir+"="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: as}
	cmd.Dir = "/"
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p := &parent{cmd: cmd}
	t.Cleanup(p.kill)
	lines := bufio.NewScanner(out)
	for _, url := range []*string{&p.postgres, &p.redis} {
		if lines.Scan(); !strings.Contains(lines.Text(), "://") {
			p.kill()
			t.Fatalf("the parent did not start: %q\n%s", lines.Text(), stderr.String())
		}
		*url = lines.Text()
	}
	return p
}

// copyOfThisBinary is one that every user may run; go test builds it where only
// we can go.
func copyOfThisBinary(t *testing.T) string {
	t.Helper()
	path := filepath.Join(openDir(t), "parent")
	// Another process writes it: a file open for writing here would pass to the
	// children that other tests start now, and could not be run meanwhile.
	if out, err := exec.Command("cp", os.Args[0], path).CombinedOutput(); err != nil {
		t.Fatalf("cp: %v: %s", err, out)
	}
	return path
}

// kill is kill -9, and returns when the process is gone.
func (p *parent) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait() // says "signal: killed", as it should
}

func TestServersSurviveKill9OfTheirParent(t *testing.T) {
	t.Parallel()
	users := map[string]*syscall.Credential{"as ourselves": nil}
	if os.Geteuid() == 0 {
		users["as nobody"] = &syscall.Credential{Uid: 65534, Gid: 65534}
	}
	for name, as := range users {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := openDir(t)
			if as != nil {
				if err := os.Chown(dir, int(as.Uid), int(as.Gid)); err != nil {
					t.Fatal(err)
				}
			}
			first := startParent(t, dir, as)
			mustExec(t, first.postgres, `CREATE TABLE kept (n int)`)
			mustExec(t, first.postgres, `INSERT INTO kept VALUES (42)`)
			rd := redisClient(t, first.redis)
			if err := rd.Set(t.Context(), "kept", 42, 0).Err(); err != nil {
				t.Fatal(err)
			}
			first.kill()
			if got := embedded.Running(t.Context(), dir); got != (embedded.URLs{}) {
				t.Errorf("Running = %+v after the parent's death, want nothing", got)
			}

			second := startParent(t, dir, as)
			if got := number(t, second.postgres, `SELECT n FROM kept`); got != 42 {
				t.Errorf("PostgreSQL kept %d, want 42", got)
			}
			if got, err := redisClient(t, second.redis).Get(t.Context(), "kept").Int(); err != nil || got != 42 {
				t.Errorf("Redis kept %d (%v), want 42", got, err)
			}
			second.kill()
			dbtest.Eventually(t, "both servers end with their parent", func() bool {
				return !answers(t, second.postgres) && !answers(t, second.redis)
			})
		})
	}
}

// answers reports whether anything listens at the address of the URL.
func answers(t *testing.T, url string) bool {
	t.Helper()
	db, err := sql.Open("postgres", url)
	if strings.HasPrefix(url, "postgres") {
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		return db.PingContext(t.Context()) == nil
	}
	return redisClient(t, url).Ping(t.Context()).Err() == nil
}
