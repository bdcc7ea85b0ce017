package rush

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

// part is some of the diners: in a process of their own, or in this one.
type part struct {
	orders  *json.Encoder
	reports *json.Decoder
	giveUp  func() error // ends the input of the part; it may be called again
	ended   func() error // waits for the end of the part
	own     bool         // it is this process

	mu     sync.Mutex
	tally  tally
	result result
}

// startHere starts a part within this process.
func startHere(ctx context.Context) *part {
	in, orders := io.Pipe()
	reports, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := ServeDiners(ctx, in, out)
		_ = out.CloseWithError(err)
		_ = in.Close()
		ended <- err
	}()
	return &part{orders: json.NewEncoder(orders), reports: json.NewDecoder(reports), own: true,
		giveUp: orders.Close,
		ended: func() error {
			go func() { _, _ = io.Copy(io.Discard, reports) }() // what it still says must not hold it up
			return <-ended
		}}
}

// startProcess starts a part that is a process.
func startProcess(command *exec.Cmd) (*part, error) {
	in, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		return nil, err
	}
	return &part{orders: json.NewEncoder(in), reports: json.NewDecoder(out), giveUp: in.Close,
		ended: func() error {
			kill := time.AfterFunc(leaveTime+endTime, func() { _ = command.Process.Kill() })
			defer kill.Stop()
			_, _ = io.Copy(io.Discard, out)
			return command.Wait()
		}}, nil
}

// connect sends the plan and waits until all diners have a connection.
func (p *part) connect(what plan) error {
	if err := p.orders.Encode(what); err != nil {
		return fmt.Errorf("a process of diners takes no orders: %w", err)
	}
	var said message
	if err := p.reports.Decode(&said); err != nil {
		return fmt.Errorf("a process of diners has ended: %w", err)
	}
	if said.Error != "" {
		return errors.New(said.Error)
	}
	return nil
}

// press lets the diners press at a moment, and returns when the part has said what became of them.
func (p *part) press(at time.Time) error {
	if err := p.orders.Encode(command{Press: at}); err != nil {
		return fmt.Errorf("a process of diners takes no orders: %w", err)
	}
	for {
		var said message
		if err := p.reports.Decode(&said); err != nil {
			return fmt.Errorf("a process of diners has ended: %w", err)
		}
		p.mu.Lock()
		switch {
		case said.Tally != nil:
			p.tally = *said.Tally
		case said.Result != nil:
			p.result = *said.Result
			p.tally = p.result.tally()
			p.mu.Unlock()
			return nil
		}
		p.mu.Unlock()
	}
}
