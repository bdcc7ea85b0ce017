package e2e_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

// balanced is an installation of several instances, as its diners reach it: through HAProxy, by docs/haproxy.cfg.
type balanced struct {
	*product  // at the address of the proxy
	instances []*product
	dir       string
	once      bool // the proxy repeats no request
	most      int  // connections of an address; 0: as many as documented
	proxy     *exec.Cmd
	ended     chan struct{}
}

// drainTime is what the instances have for the proxy to notice that they are about to end: a second and 300 ms at most.
const drainTime = "2s"

// newBalanced starts so many instances behind a proxy. They end with the test.
func newBalanced(t *testing.T, instances int, settings ...string) *balanced {
	t.Helper()
	path, err := binary()
	dbtest.Must(t, err)
	return newBalancedOf(t, path, instances, settings...)
}

// newBalancedOf is newBalanced of another binary.
func newBalancedOf(t *testing.T, path string, instances int, settings ...string) *balanced {
	t.Helper()
	first := newProductOf(t, path, append([]string{"TRUSTED_PROXIES=127.0.0.1", "DRAIN=" + drainTime}, settings...)...)
	site := *first
	b := &balanced{product: &site, instances: []*product{first}, ended: make(chan struct{})}
	for len(b.instances) < instances {
		b.instances = append(b.instances, first.another())
	}
	var err error
	b.dir, err = os.MkdirTemp("", "lunchgo-proxy-") // a socket's path is short
	dbtest.Must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(b.dir) })
	b.url = "http://" + freeAddress(t)
	b.configure()
	b.startProxy()
	b.untilUp()
	return b
}

// The ports of freeAddress are below those that the system and a rush take by themselves: whoever is given one may
// listen there much later, after a build.
const (
	firstFreePort = 10_100 // no browser goes to 10080
	lastFreePort  = 19_999
)

var lastPort atomic.Int64 // that was given away, from firstFreePort on

// freeAddress is where nobody listens now, nor is to listen soon.
func freeAddress(t *testing.T) string {
	t.Helper()
	for range lastFreePort - firstFreePort {
		port := firstFreePort + int(lastPort.Add(1))
		listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil {
			dbtest.Must(t, listener.Close())
			return listener.Addr().String()
		}
	}
	t.Fatal("no port is free")
	return ""
}

func (b *balanced) file(name string) string { return filepath.Join(b.dir, name) }

// configure writes the documented configuration with the addresses of this installation.
func (b *balanced) configure() {
	b.t.Helper()
	text, err := os.ReadFile("../../docs/haproxy.cfg")
	dbtest.Must(b.t, err)
	head, servers, ok := strings.Cut(string(text), "\tserver one ")
	if !ok || strings.Count(servers, "\n") != 6 {
		b.t.Fatal("docs/haproxy.cfg does not end with its three servers, each of them twice")
	}
	for is, becomes := range map[string]string{
		"\tbind :80\n":                      "\tbind " + strings.TrimPrefix(b.url, "http://") + "\n",
		"/run/haproxy/lunchgo.sock mode ":   b.file("sock") + " mode ",
		"\tuser haproxy\n\tgroup haproxy\n": "", // the tests may not be root
	} { // in any order
		if strings.Count(head, is) != 1 {
			b.t.Fatalf("docs/haproxy.cfg has not one %q", is)
		}
		head = strings.Replace(head, is, becomes, 1)
	}
	if b.once {
		head = strings.NewReplacer("\tretries 3\n", "\tretries 0\n", "\toption redispatch 1\n", "",
			"\tretry-on conn-failure empty-response\n", "").Replace(head)
	}
	if b.most > 0 {
		head = strings.Replace(head, "sc0_conn_cur gt 2000 ", fmt.Sprintf("sc0_conn_cur gt %d ", b.most), 1)
	}
	for i, instance := range b.instances {
		at := strings.TrimPrefix(instance.url, "http://")
		head += fmt.Sprintf("\tserver i%d %s\n\tserver unready%d %s backup no-check\n", i, at, i, at)
	}
	dbtest.Must(b.t, os.WriteFile(b.file("cfg"), []byte(head), 0o600))
}

// startProxy starts HAProxy as its service does: a master, which loads its configuration again on a signal, once it has
// notified that it is ready. A signal before that is lost.
func (b *balanced) startProxy() {
	b.t.Helper()
	path, err := exec.LookPath("/usr/sbin/haproxy")
	if err != nil {
		b.t.Fatal("these tests need HAProxy, and there is none: apt-get install haproxy")
	}
	log := &tail{}
	notified, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: b.file("notify"), Net: "unixgram"})
	dbtest.Must(b.t, err)
	defer notified.Close()
	b.proxy = exec.Command(path, "-Ws", "-f", b.file("cfg"), "-p", b.file("pid"))
	b.proxy.Env = append(os.Environ(), "NOTIFY_SOCKET="+b.file("notify"))
	b.proxy.Stdout, b.proxy.Stderr, b.proxy.SysProcAttr = log, log, dieWithUs()
	dbtest.Must(b.t, b.proxy.Start())
	go func() {
		_ = b.proxy.Wait()
		close(b.ended)
	}()
	b.t.Cleanup(func() {
		_ = b.proxy.Process.Signal(syscall.SIGTERM) // its workers end at once
		<-b.ended
		if b.t.Failed() {
			b.t.Logf("the proxy's log:\n%s", log.String())
		}
	})
	dbtest.Must(b.t, notified.SetReadDeadline(time.Now().Add(dbtest.Patience)))
	for message := make([]byte, 1024); ; {
		n, err := notified.Read(message)
		dbtest.Must(b.t, err)
		if strings.Contains(string(message[:n]), "READY=1") {
			return
		}
	}
}

// add starts a further instance and has the proxy load its configuration again, which names it.
func (b *balanced) add() *product {
	b.t.Helper()
	further := b.instances[0].another()
	b.instances = append(b.instances, further)
	b.reload()
	return further
}

// reload has the proxy load its configuration again, and waits until a new worker answers.
func (b *balanced) reload() {
	b.t.Helper()
	before := b.pid()
	b.configure()
	dbtest.Must(b.t, b.proxy.Process.Signal(syscall.SIGUSR2))
	dbtest.Eventually(b.t, "a new worker of the proxy", func() bool { pid := b.pid(); return pid != "" && pid != before })
	b.untilUp()
}

// pid is that of the worker that serves now; empty while there is none.
func (b *balanced) pid() string {
	for line := range strings.Lines(b.ask("show info")) {
		if pid, ok := strings.CutPrefix(strings.TrimSpace(line), "Pid: "); ok {
			return pid
		}
	}
	return ""
}

// ask sends a command to the proxy's runtime API; empty while it does not answer.
func (b *balanced) ask(command string) string {
	ctx, cancel := context.WithTimeout(b.t.Context(), patience)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "unix", b.file("sock"))
	if err != nil {
		return ""
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, command+"\n")
	answer, _ := io.ReadAll(conn)
	return string(answer)
}

// server is what the proxy knows of an instance.
type server struct {
	up          bool
	sessions    int // requests so far
	fives       int // of them answered 5xx
	retries     int // requests that were sent again, here or elsewhere
	redispatced int // of them elsewhere
}

// servers returns what the proxy knows of each instance, since its worker was started.
func (b *balanced) servers() map[string]server {
	b.t.Helper()
	rows, err := csv.NewReader(bytes.NewBufferString(strings.TrimPrefix(b.ask("show stat"), "# "))).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil
	}
	column := func(row []string, name string) string { return row[slices.Index(rows[0], name)] }
	number := func(row []string, name string) int {
		n, _ := strconv.Atoi(column(row, name)) // a dash is none
		return n
	}
	servers := map[string]server{}
	for _, row := range rows[1:] {
		if name := column(row, "svname"); strings.HasPrefix(name, "i") {
			servers[name] = server{up: strings.HasPrefix(column(row, "status"), "UP") &&
				column(row, "check_status") == "L7OK", sessions: number(row, "stot"), fives: number(row, "hrsp_5xx"),
				retries: number(row, "wretr"), redispatced: number(row, "wredis")}
		}
	}
	return servers
}

// untilUp waits until the proxy has found all instances ready.
func (b *balanced) untilUp() {
	b.t.Helper()
	dbtest.Eventually(b.t, "all instances are ready", func() bool {
		up := 0
		for _, s := range b.servers() {
			if s.up {
				up++
			}
		}
		return up == len(b.instances)
	})
}

// roll ends an instance in order and starts it again where it was, as an update does.
func (b *balanced) roll(instance *product) {
	b.t.Helper()
	instance.terminate()
	instance.restart()
	b.untilUp()
}

// terminate ends an instance as an operator or its supervisor does.
func (p *product) terminate() {
	p.t.Helper()
	dbtest.Must(p.t, p.server.cmd.Process.Signal(syscall.SIGTERM))
	<-p.server.done
	if p.server.err != nil {
		p.t.Errorf("an instance ended with %v", p.server.err)
	}
}
