package locks

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
)

// nodeProcessEnv names the variable that makes this test binary play a node, to be killed: its value says which.
const nodeProcessEnv = "LOCKS_TEST_NODE"

// nodeSpec is what a process that plays a node has to know.
type nodeSpec struct{ URL, Prefix, Node, Partition, Key string }

// runNodeProcess obeys the orders on its standard input, a line each, and answers each with a line, until the input
// ends.
func runNodeProcess(text string) {
	var p nodeSpec
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		panic(err)
	}
	options, err := redis.ParseURL(p.URL)
	if err != nil {
		panic(err)
	}
	cfg := testTimes
	cfg.Prefix, cfg.Node, cfg.Orphans = p.Prefix, p.Node, func(Name) {}
	player := &nodeProcess{line: NewClient(redis.NewClient(options), cfg).Line(Name{p.Partition, p.Key})}
	orders := bufio.NewScanner(os.Stdin)
	for orders.Scan() {
		answer, err := player.obey(strings.Fields(orders.Text()))
		if err != nil {
			answer = "error: " + err.Error()
		}
		fmt.Println(answer)
	}
}

type nodeProcess struct {
	line *Line
	turn *Turn
}

// obey carries out "enter ticket", "offer ticket" (which any node can serve), "next", "take n" or "traffic".
func (p *nodeProcess) obey(order []string) (answer string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), dbtest.Patience)
	defer cancel()
	switch order[0] {
	case "enter":
		place, err := p.line.Enter(ctx, Entry{Ticket: order[1]})
		return fmt.Sprint(place.Position), err
	case "offer":
		place, err := p.line.Enter(ctx, Entry{Ticket: order[1], Work: "work of " + order[1]})
		return fmt.Sprint(place.Position), err
	case "next":
		if p.turn, err = p.line.Next(ctx); err != nil {
			return "", err
		}
		return p.turn.Ticket(), nil
	case "take":
		n, err := strconv.Atoi(order[1])
		if err != nil {
			return "", err
		}
		run, err := p.turn.Take(ctx, n)
		names := make([]string, len(run))
		for i, taken := range run {
			names[i] = taken.Ticket
		}
		return strings.Join(names, " "), err
	case "traffic":
		go p.traffic()
		return "begun", nil
	}
	return "", fmt.Errorf("unknown order %q", order)
}

// traffic takes turns until the process ends.
func (p *nodeProcess) traffic() {
	for range 4 {
		go func() {
			for {
				turn, err := p.line.Lock(context.Background(), ticket())
				if err == nil {
					_ = turn.Release(context.Background(), 1) // the next turn shows
				}
			}
		}()
	}
	select {}
}

// process is a node in a process of its own.
type process struct {
	t       testing.TB
	cmd     *exec.Cmd
	orders  io.WriteCloser
	answers *bufio.Scanner
}

// newProcessAndNode returns a harness, the process of node a, and node b in this process.
func newProcessAndNode(t testing.TB, edit func(*Client)) (h *harness, a *process, b *Client) {
	t.Helper()
	h = newHarness(t)
	a, b = h.process("a"), h.node("b", nil)
	edit(b)
	return h, a, b
}

// process starts one.
func (h *harness) process(node string) *process {
	h.t.Helper()
	text, err := json.Marshal(nodeSpec{h.url, h.prefix, node, h.name.Partition, h.name.Key})
	if err != nil {
		h.t.Fatal(err)
	}
	p := &process{t: h.t, cmd: exec.Command(os.Args[0])}
	p.cmd.Env = append(os.Environ(), nodeProcessEnv+"="+string(text))
	p.cmd.Stderr = os.Stderr
	if p.orders, err = p.cmd.StdinPipe(); err != nil {
		h.t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		h.t.Fatal(err)
	}
	p.answers = bufio.NewScanner(out)
	if err := p.cmd.Start(); err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(p.kill)
	return p
}

// do sends an order and returns the answer.
func (p *process) do(order string, words ...any) string {
	p.t.Helper()
	if _, err := fmt.Fprintln(p.orders, append([]any{order}, words...)...); err != nil {
		p.t.Fatal(err)
	}
	if !p.answers.Scan() || strings.HasPrefix(p.answers.Text(), "error: ") {
		p.t.Fatalf("%s %v: %q %v", order, words, p.answers.Text(), p.answers.Err())
	}
	return p.answers.Text()
}

// kill is kill -9; it returns when the process is gone.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait() // says "signal: killed", as it should
}
