package e2e_test

import (
	"context"
	"database/sql"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
)

// inCity is the command that runs a script of docs/city/compose.yaml, as its containers do, with these variables.
func inCity(ctx context.Context, script string, env []string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "bash", append([]string{"../../docs/city/" + script}, args...)...)
	cmd.Env, cmd.SysProcAttr = append(os.Environ(), env...), dieWithUs()
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // a killed PostgreSQL leaves its memory behind
	return cmd
}

// begin starts a server until the test ends.
func begin(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	log := &tail{}
	cmd.Stdout, cmd.Stderr = log, log
	dbtest.Must(t, cmd.Start())
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		<-ended
		if t.Failed() {
			t.Logf("the log of %s:\n%s", cmd.Args[1], log.String())
		}
	})
}

// runs waits for a script to end, well.
func runs(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd.Args[1], err, out)
	}
	return string(out)
}

func TestCity_ScriptsAreBash(t *testing.T) {
	t.Parallel()
	scripts, err := filepath.Glob("../../docs/city/*.sh")
	if dbtest.Must(t, err); len(scripts) != 5 {
		t.Fatalf("the scripts are %v", scripts)
	}
	for _, script := range scripts {
		// PostgreSQL's image reads into its own shell what it cannot execute.
		if info, err := os.Stat(script); err != nil || info.Mode().Perm()&0o111 != 0o111 {
			t.Errorf("%s cannot be executed: %v", script, err)
		}
		runs(t, exec.CommandContext(t.Context(), "bash", "-n", script))
		if checker, err := exec.LookPath("shellcheck"); err == nil {
			runs(t, exec.CommandContext(t.Context(), checker, script))
		}
	}
}

// HAProxy takes the documented configuration with the city's addresses.
func TestCity_HAProxyTakesItsConfiguration(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/usr/sbin/haproxy"); err != nil {
		t.Skip("there is no HAProxy")
	}
	config := filepath.Join(t.TempDir(), "haproxy.cfg")
	runs(t, inCity(t.Context(), "haproxy.sh", []string{"SOURCE=../../docs/haproxy.cfg", "CONFIG=" + config,
		"INSTANCES=172.30.58.11:8080 172.30.58.12:8080 172.30.58.13:8080", "PATH=/usr/sbin:" + os.Getenv("PATH")}, "-c"))
	text, err := os.ReadFile(config)
	dbtest.Must(t, err)
	for part, want := range map[string]int{"172.30.58.11:8080": 2, "172.30.58.12:8080": 2, "172.30.58.13:8080": 2,
		"127.0.0.1:": 0, "bind :8080\n": 1, "user haproxy": 0, "/run/haproxy": 0} {
		if n := strings.Count(string(text), part); n != want {
			t.Errorf("%q is there %d times, want %d", part, n, want)
		}
	}
}

// busFurther is how far a Redis' port for the other masters is from its own.
const busFurther = 10_000

// cityPort is a free port whose bus port is free too. Both are below those that the system gives to who asks for any.
func cityPort(t *testing.T) string {
	t.Helper()
	for range 100 {
		port := 12_000 + rand.IntN(10_000)
		first, firstErr := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port))
		second, secondErr := net.Listen("tcp", "127.0.0.1:"+strconv.Itoa(port+busFurther))
		if firstErr == nil {
			dbtest.Must(t, first.Close())
		}
		if secondErr == nil {
			dbtest.Must(t, second.Close())
		}
		if firstErr == nil && secondErr == nil {
			return strconv.Itoa(port)
		}
	}
	t.Fatal("no port is free")
	return ""
}

// Three masters become one Cluster, which later starts find made.
func TestCity_RedisBecomesACluster(t *testing.T) {
	t.Parallel()
	const password = "ofthecity"
	var nodes []string
	for range 3 {
		port, dir := cityPort(t), t.TempDir()
		begin(t, inCity(t.Context(), "redis.sh", []string{"REDISCLI_AUTH=" + password, "ADDRESS=127.0.0.1", "PORT=" + port,
			"DATA=" + dir, "CONFIG=" + filepath.Join(dir, "redis.conf")}))
		nodes = append(nodes, "127.0.0.1:"+port)
		alone := redis.NewClient(&redis.Options{Addr: "127.0.0.1:" + port, Password: password})
		t.Cleanup(func() { _ = alone.Close() })
		dbtest.Eventually(t, "the master answers", func() bool { return alone.Ping(t.Context()).Err() == nil })
	}
	env := []string{"REDISCLI_AUTH=" + password, "NODES=" + strings.Join(nodes, " ")}
	if said := runs(t, inCity(t.Context(), "cluster.sh", env)); !strings.Contains(said, "All 16384 slots covered") {
		t.Errorf("it says %s", said)
	}
	if said := runs(t, inCity(t.Context(), "cluster.sh", env)); said != "" {
		t.Errorf("the second time it says %s", said)
	}
	all := redis.NewClusterClient(&redis.ClusterOptions{Addrs: nodes[:1], Password: password})
	t.Cleanup(func() { _ = all.Close() })
	for _, key := range []string{"a", "b", "c", "d", "e", "f"} {
		dbtest.Must(t, all.Set(t.Context(), key, 1, 0).Err())
	}
	shards, err := all.ClusterShards(t.Context()).Result()
	if dbtest.Must(t, err); len(shards) != 3 {
		t.Errorf("%d masters share the slots", len(shards))
	}
}

// The replica copies the primary once, follows it, and goes on following after a restart.
func TestCity_ReplicaFollows(t *testing.T) {
	t.Parallel()
	primary := dbtest.PrivatePostgres(t)
	at, err := url.Parse(primary.URL)
	dbtest.Must(t, err)
	password, _ := at.User.Password()
	db, err := sql.Open("postgres", primary.URL)
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	var data string
	dbtest.Must(t, db.QueryRow(`SHOW data_directory`).Scan(&data))
	env := []string{"PGHOST=127.0.0.1", "PGPORT=" + at.Port(), "PGPASSWORD=" + password, "POSTGRES_PASSWORD=" + password,
		"POSTGRES_USER=" + at.User.Username(), "PGDATA=" + data}
	runs(t, inCity(t.Context(), "primary.sh", env))
	_, err = db.Exec(`SELECT pg_reload_conf()`)
	dbtest.Must(t, err)
	_, err = db.Exec(`CREATE TABLE followed (n int); INSERT INTO followed VALUES (1)`)
	dbtest.Must(t, err)

	var program string
	dbtest.Must(t, db.QueryRow(`SELECT setting FROM pg_config WHERE name = 'BINDIR'`).Scan(&program))
	as, err := os.Stat(data)
	dbtest.Must(t, err)
	owner := as.Sys().(*syscall.Stat_t)
	home, port := filepath.Join(filepath.Dir(data), "city"), cityPort(t)
	dbtest.Must(t, os.Mkdir(home, 0o700))
	dbtest.Must(t, os.Chown(home, int(owner.Uid), int(owner.Gid)))
	env = []string{"PRIMARY_HOST=127.0.0.1", "PRIMARY_PORT=" + at.Port(), "POSTGRES_PASSWORD=" + password,
		"PGDATA=" + filepath.Join(home, "copy"), "PATH=" + program + ":" + os.Getenv("PATH")}
	there := *at
	there.Host = "127.0.0.1:" + port
	replica, err := sql.Open("postgres", there.String())
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = replica.Close() })
	follows := func(want int) {
		t.Helper()
		dbtest.Eventually(t, "the replica follows", func() bool {
			var n int
			var copies bool
			return replica.QueryRow(`SELECT count(*), pg_is_in_recovery() FROM followed`).Scan(&n, &copies) == nil &&
				n == want && copies
		})
	}
	for n := range 2 {
		t.Run([]string{"at first", "again"}[n], func(t *testing.T) {
			cmd := inCity(t.Context(), "replica.sh", slices.Clone(env), "-c", "port="+port, "-c", "unix_socket_directories=",
				"-c", "max_connections=400")
			if os.Getuid() == 0 {
				cmd.SysProcAttr.Credential = &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid}
			}
			begin(t, cmd)
			follows(n + 1)
			_, err := db.Exec(`INSERT INTO followed VALUES (2)`)
			dbtest.Must(t, err)
			follows(n + 2)
		})
	}
}
