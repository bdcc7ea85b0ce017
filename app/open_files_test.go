//go:build unix

package main

import (
	"bytes"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"lunchgo/app/redisclient"
	"lunchgo/app/rush"
	"lunchgo/db/dbtest"
)

func TestRaiseOpenFiles_ToTheHardLimit(t *testing.T) {
	t.Parallel()
	raised := raiseOpenFiles()
	var limit syscall.Rlimit
	dbtest.Must(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	if limit.Cur != limit.Max || raised <= 0 {
		t.Errorf("the limit is %d of %d, returned as %d", limit.Cur, limit.Max, raised)
	}
}

func TestMaxConnections_LeavesFilesForTheRest(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ limit, redis, line, want, warnings int }{
		{0, 64, 50_000, 0, 0},
		{1_048_576, 64, 50_000, 1_048_576 - filesOfServer - 64 - 12, 0},
		{20_000, 64, 50_000, 20_000 - filesOfServer - 64 - 12, 1},
		{50_300, 64, 50_000, 50_300 - filesOfServer - 64 - 12, 0},
		{50_300, 3 * 64, 50_000, 50_300 - filesOfServer - 3*64 - 12, 1}, // three masters
		{100, 64, 1_000, leastConnections, 1},
	} {
		var written bytes.Buffer
		c := Config{LineMaxLength: test.line, DatabaseConns: 12}
		if got := maxConnections(c, fileLimits{test.limit, test.redis},
			slog.New(slog.NewTextHandler(&written, nil))); got != test.want {
			t.Errorf("%d files: %d connections, want %d", test.limit, got, test.want)
		}
		if got := strings.Count(written.String(), "open files"); got != test.warnings {
			t.Errorf("%d files: %d lines in the log: %s", test.limit, got, written.String())
		}
	}
}

// A rush says what to raise to what, and that is enough.
func TestCheckRush_NamesTheLimit(t *testing.T) {
	t.Parallel()
	c := Config{LineMaxLength: 50_000, DatabaseConns: 12}
	o := rush.Options{Diners: 25_000, Boards: 10, Instances: 1}
	err := checkRush(c, fileLimits{20_000, 64}, o)
	if err == nil || !strings.Contains(err.Error(), "ulimit -n 25230") {
		t.Fatalf("25,000 diners with 20,000 files: %v", err)
	}
	if err := checkRush(c, fileLimits{25_230, 64}, o); err != nil {
		t.Error(err)
	}
	if err := checkRush(c, fileLimits{25_229, 64}, o); err == nil {
		t.Error("one file less is said to be enough")
	}
	o.Instances = 2
	for _, limit := range []int{20_000, 0} {
		if err := checkRush(c, fileLimits{limit, 64}, o); err != nil {
			t.Errorf("two instances with %d files: %v", limit, err)
		}
	}
}

// An instance with few files serves as many as it can, asks the others to come back, and serves again when those are
// gone.
func TestServe_OutlivesItsLimitOfOpenFiles(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no shell that lowers the limit")
	}
	const files, visitors = 260, 300
	c := installation(t)
	instances, err := rush.StartInstances(t.Context(), 1, func(at rush.Addresses) *exec.Cmd {
		cmd := exec.Command(shell, "-c", `ulimit -n "$1" && exec "$2" serve`, "sh", strconv.Itoa(files), os.Args[0])
		cmd.Env = append(os.Environ(), "ADDR="+at.Site, "OPS_ADDR="+at.Ops, "DATABASE_URL="+c.DatabaseURL, "REDIS_URL="+
			c.RedisURL, "SECRET="+string(c.Secret), "DEMO=false", "OPERATOR_LINK=false", "DATABASE_CONNS=4",
			"LOG_LEVEL=ERROR")
		return cmd
	})
	defer instances.End()
	dbtest.Must(t, err)
	address := strings.TrimPrefix(instances[0].URL, "http://")
	visit := func() (net.Conn, string) {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return nil, err.Error()
		}
		t.Cleanup(func() { _ = conn.Close() })
		_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
		_, _ = conn.Write([]byte("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"))
		head := make([]byte, len("HTTP/1.1 200"))
		if _, err := conn.Read(head); err != nil {
			return conn, err.Error()
		}
		return conn, string(head)
	}
	answers := map[string]int{}
	var connections []net.Conn
	for range visitors {
		conn, answer := visit()
		answers[answer]++
		if answer == "HTTP/1.1 200" {
			connections = append(connections, conn)
		} else if conn != nil {
			_ = conn.Close()
		}
	}
	most := max(files-filesOfServer-redisclient.Conns-4, leastConnections)
	if answers["HTTP/1.1 200"] < most-8 || answers["HTTP/1.1 503"] < visitors-files || len(answers) != 2 {
		t.Errorf("%d visitors: %v, want about %d of them served and all others refused", visitors, answers, most)
	}
	for _, conn := range connections {
		_ = conn.Close()
	}
	dbtest.Eventually(t, "a visitor is served after all have gone", func() bool {
		_, answer := visit()
		return answer == "HTTP/1.1 200"
	})
	if err := instances.RemoveLogs(); err != nil {
		t.Error(err)
	}
}
