//go:build unix

package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// account is a user of the machine.
type account struct {
	uid, gid uint32
	name     string
}

// detach gives the command its own process group, its user, and the signal
// that it gets when we die without a word.
func detach(cmd *exec.Cmd, as *account, deathSignal syscall.Signal) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if as != nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: as.uid, Gid: as.gid}
	}
	bindToParent(cmd.SysProcAttr, deathSignal)
}

// ownerOf returns the user and group that own a file.
func ownerOf(info os.FileInfo) (uid, gid uint32) {
	st := info.Sys().(*syscall.Stat_t)
	return st.Uid, st.Gid
}

// lockFile takes the lock that says "the data belongs to this process". The
// kernel gives it back when we end, however we end. A lock held by another
// process is waited for as long as that one may take to end in order.
func lockFile(ctx context.Context, path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, 6*time.Second)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, errors.Join(errHeld, f.Close())
		}
	}
}

// isLocked reports whether a living process holds the lock of lockFile.
func isLocked(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close() // gives back what it may have taken
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	return errors.Is(err, syscall.EWOULDBLOCK)
}

// endOrphans ends what still runs on the data of a process of ours that was
// killed: first it may end by itself, then it is signalled.
func (h *home) endOrphans(ctx context.Context) error {
	signals := append([]syscall.Signal{0}, h.service.endings...)
	signals = append(signals, syscall.SIGKILL)
	for _, sig := range signals {
		pids := h.processes()
		for _, pid := range pids {
			_ = syscall.Kill(pid, sig) // one that is gone already is fine
		}
		if err := h.awaitNoProcesses(ctx, 2*time.Second); err == nil || ctx.Err() != nil {
			return err
		}
	}
	return fmt.Errorf("an old %s still runs on %s", h.service.title, h.path)
}

// awaitNoProcesses returns nil once nothing runs on the data.
func (h *home) awaitNoProcesses(ctx context.Context, d time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if len(h.processes()) == 0 {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
