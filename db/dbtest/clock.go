package dbtest

import (
	"context"
	_ "embed"
	"encoding/binary"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"lunchgo/db/embedded"
)

// Clock is the wall clock that some servers go by instead of the machine's. It
// needs Linux and a C compiler.
type Clock struct {
	t    testing.TB
	path string // of the file with its shift
	env  []string
}

//go:embed clock/shift.c
var shiftSource []byte

// shiftLibrary is the path of what is loaded into the servers.
var shiftLibrary = sync.OnceValues(func() (string, error) {
	root, err := scratch()
	if err != nil {
		return "", err
	}
	source, library := filepath.Join(root.path, "shift.c"), filepath.Join(root.path, "shift.so")
	if err := os.WriteFile(source, shiftSource, 0o600); err != nil {
		return "", err
	}
	if out, err := exec.Command("cc", "-O2", "-shared", "-fPIC", "-o", library, source).CombinedOutput(); err != nil {
		return "", &exec.Error{Name: "cc " + string(out), Err: err}
	}
	return library, os.Chmod(library, 0o755) // the servers may run as another user
})

// NewClock returns a clock that is right.
func NewClock(t testing.TB) *Clock {
	t.Helper()
	notShort(t)
	library, err := shiftLibrary()
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.CreateTemp(filepath.Dir(library), "clock-")
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	c := &Clock{t: t, path: file.Name(), env: []string{"LD_PRELOAD=" + library, "CLOCK_SHIFT_FILE=" + file.Name()}}
	c.Shift(0)
	if err := os.Chmod(c.path, 0o644); err != nil {
		t.Fatal(err)
	}
	return c
}

// Shift moves the clock by d from what is right, at once.
func (c *Clock) Shift(d time.Duration) {
	c.t.Helper()
	file, err := os.OpenFile(c.path, os.O_WRONLY, 0)
	if err == nil {
		_, err = file.WriteAt(binary.NativeEndian.AppendUint64(nil, uint64(d)), 0)
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// Redis is PrivateRedis by this clock.
func (c *Clock) Redis() *embedded.Server {
	c.t.Helper()
	return private(c.t, func(ctx context.Context, dir string, log *slog.Logger) (*embedded.Server, error) {
		return embedded.StartScratchRedis(embedded.WithEnvironment(ctx, c.env...), dir, log)
	})
}

// Postgres is PrivatePostgres by this clock.
func (c *Clock) Postgres() *embedded.Server {
	c.t.Helper()
	return private(c.t, func(ctx context.Context, dir string, log *slog.Logger) (*embedded.Server, error) {
		return embedded.StartScratchPostgres(embedded.WithEnvironment(ctx, c.env...), dir, log)
	})
}
