package embedded

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Graces after each signal of an ending but the last, which is SIGKILL. Their
// sum stays under the five seconds in which the whole program ends.
var graces = []time.Duration{3500 * time.Millisecond, 500 * time.Millisecond}

// command says how to start a child.
type command struct {
	path        string
	args        []string
	env         []string // NAME=value, besides those that every child has
	stdin       string   // given to the child on its standard input
	log         string   // file that gets what the child writes
	as          *account // nil: the user we are
	deathSignal syscall.Signal
}

// child is a running process that is ours.
type child struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has exited
	err  error         // how it exited; read after done
}

// startChild starts c in a process group of its own, so that a ctrl-C in the
// terminal reaches us alone and we end our children in order.
func startChild(c command) (*child, error) {
	logFile, err := openLog(c.log)
	if err != nil {
		return nil, err
	}
	defer logFile.Close()
	cmd := exec.Command(c.path, c.args...)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C"}, c.env...)
	cmd.Stdin = strings.NewReader(c.stdin)
	cmd.Stdout, cmd.Stderr = logFile, logFile
	cmd.Dir = "/"
	detach(cmd, c.as, c.deathSignal)

	started := make(chan error)
	ch := &child{cmd: cmd, done: make(chan struct{})}
	go func() {
		// The kernel tells the child of its parent's death when the thread that
		// started it ends, so that thread must live as long as the child.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			ch.err = cmd.Wait()
			close(ch.done)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return ch, nil
}

// end sends the signals one after another, and SIGKILL at last, until the
// child is gone.
func (c *child) end(signals []syscall.Signal) {
	for i, sig := range signals {
		if c.signal(sig); c.gone(graces[i]) {
			return
		}
	}
	c.kill()
	<-c.done
}

// gone reports whether the child exits within d.
func (c *child) gone(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-c.done:
		return true
	case <-timer.C:
		return false
	}
}

func (c *child) kill() { c.signal(syscall.SIGKILL) }

// signal sends sig. A child that is gone already is what the caller wants.
func (c *child) signal(sig syscall.Signal) { _ = c.cmd.Process.Signal(sig) }

// logLimit is the size at which a log is begun anew.
const logLimit = 8 << 20

// openLog opens a log to append to, and empties it when it has grown large.
func openLog(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Size() > logLimit {
		err = f.Truncate(0)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// tail returns the last n bytes of a file, for an error message.
func tail(path string, n int64) string {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Sprint(err)
	}
	defer f.Close()
	if _, err := f.Seek(-n, io.SeekEnd); err != nil {
		_, _ = f.Seek(0, io.SeekStart) // shorter than n
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return fmt.Sprint(err)
	}
	return strings.TrimSpace(string(text))
}
