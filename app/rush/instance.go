package rush

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// readyTime bounds the start of an instance, endTime the orderly end of one.
	readyTime = 30 * time.Second
	endTime   = 6 * time.Second
	readyPoll = 50 * time.Millisecond
)

// Instance is a server process that was started for a rush.
type Instance struct {
	URL     string
	Ops     string // where it shows its metrics
	Log     string // file with what it wrote
	command func() *exec.Cmd
	process *os.Process
	done    chan struct{} // closed when the process has ended
}

// Instances are the server processes that were started for a rush.
type Instances []*Instance

// Addresses are where an instance is to listen, each host:port.
type Addresses struct{ Site, Ops string }

// StartInstances starts n server processes on free ports of the loopback and waits until they are ready. command makes
// the command of one that is to listen there. End those that are returned, also with an error.
func StartInstances(ctx context.Context, n int, command func(at Addresses) *exec.Cmd) (Instances, error) {
	var instances Instances
	free, err := freeAddresses(n)
	if err != nil {
		return nil, err
	}
	for _, at := range free {
		instance, err := startInstance(at, command)
		if err != nil {
			return instances, fmt.Errorf("start an instance: %w", err)
		}
		instances = append(instances, instance)
	}
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	for _, instance := range instances {
		if err := instance.awaitReady(ctx); err != nil {
			return instances, err
		}
	}
	return instances, nil
}

// End ends the processes in order, and by force those that do not end.
func (all Instances) End() {
	for _, i := range all {
		_ = i.process.Signal(os.Interrupt) // one that is gone is what we want
	}
	deadline := time.After(endTime)
	for _, i := range all {
		select {
		case <-i.done:
		case <-deadline:
			i.Kill()
		}
	}
}

// RemoveLogs removes what the processes wrote.
func (all Instances) RemoveLogs() error {
	var faults []error
	for _, i := range all {
		faults = append(faults, os.Remove(i.Log))
	}
	return errors.Join(faults...)
}

func startInstance(at Addresses, command func(at Addresses) *exec.Cmd) (*Instance, error) {
	log, err := os.CreateTemp("", "lunchgo-rush-*.log")
	if err != nil {
		return nil, err
	}
	i := &Instance{URL: "http://" + at.Site, Ops: "http://" + at.Ops, Log: log.Name(),
		command: func() *exec.Cmd { return command(at) }}
	if err := errors.Join(log.Close(), i.start()); err != nil {
		return nil, errors.Join(err, os.Remove(i.Log))
	}
	return i, nil
}

// start starts the process.
func (i *Instance) start() error {
	log, err := os.OpenFile(i.Log, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd, done := i.command(), make(chan struct{})
	cmd.Stdout, cmd.Stderr = log, log
	own(cmd)
	started := make(chan error)
	go func() {
		// The kernel ends the child when the thread that started it ends, so that thread stays as long as the child.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // how it ended is in its log
			close(done)
		}
	}()
	if err := <-started; err != nil {
		return err
	}
	i.process, i.done = cmd.Process, done
	return nil
}

// Kill ends the process at once, as kill -9 does.
func (i *Instance) Kill() {
	_ = i.process.Kill() // one that is gone is what we want
	<-i.done
}

// Restart starts a process that has ended again, at the same addresses, and returns once it is ready.
func (i *Instance) Restart(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	if err := i.start(); err != nil {
		return fmt.Errorf("start an instance again: %w", err)
	}
	return i.awaitReady(ctx)
}

// awaitReady returns once the instance says that it is ready.
func (i *Instance) awaitReady(ctx context.Context) error {
	client := http.Client{Timeout: time.Second}
	defer client.CloseIdleConnections()
	ticker := time.NewTicker(readyPoll)
	defer ticker.Stop()
	for {
		if response, err := client.Get(i.URL + "/readyz"); err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ticker.C:
		case <-i.done:
			return fmt.Errorf("an instance ended while starting: %s", i.lastWords())
		case <-ctx.Done():
			return fmt.Errorf("an instance does not get ready: %w: %s", ctx.Err(), i.lastWords())
		}
	}
}

// maxWords bounds what an error quotes of a log.
const maxWords = 600

func (i *Instance) lastWords() string {
	text, err := os.ReadFile(i.Log)
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(text[max(0, len(text)-maxWords):]))
}

// The ports of instances are below those that Linux gives to connections: a rush leaves thousands of these behind, and
// one that is free now may not be when an instance listens there.
const (
	firstPort      = 20_000
	connectionPort = 32_768
	portChoices    = 100
)

// freeAddresses are addresses of the loopback for n instances, on which nobody listens now; no two are the same.
func freeAddresses(n int) ([]Addresses, error) {
	var held []net.Listener
	defer func() {
		for _, listener := range held {
			_ = listener.Close()
		}
	}()
	for range 2 * n {
		listener, err := listenSomewhere()
		if err != nil {
			return nil, err
		}
		held = append(held, listener)
	}
	var free []Addresses
	for pair := range slices.Chunk(held, 2) {
		free = append(free, Addresses{Site: pair[0].Addr().String(), Ops: pair[1].Addr().String()})
	}
	return free, nil
}

func listenSomewhere() (net.Listener, error) {
	for chosen := 1; ; chosen++ {
		port := firstPort + rand.IntN(connectionPort-firstPort)
		listener, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
		if err == nil {
			return listener, nil
		}
		if chosen == portChoices {
			return nil, fmt.Errorf("find a free port: %w", err)
		}
	}
}
