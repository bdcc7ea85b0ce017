// Package e2e_test holds the built product to its promises as the people see it who use it: diners and staff in a real
// browser, programs on the JSON API, and the operator who ends the server in the middle of it all.
package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

// scratch is a folder of this test process, for the binary and what the browser downloads.
var scratch = sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "lunchgo-e2e-") })

func TestMain(m *testing.M) {
	dbtest.WaitTogether()
	code := m.Run()
	closeBrowser()
	if dir, err := scratch(); err == nil {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

// binary builds the product once, as "task build" does: what is tested is what is shipped, without the race detector
// that the tests themselves may run under.
var binary = sync.OnceValues(func() (string, error) {
	dir, err := scratch()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "lunchgo")
	build := exec.Command("go", "build", "-race=false", "-o", path, "lunchgo/app")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the product: %w\n%s", err, out)
	}
	return path, nil
})

// skipShort leaves a test out of the quick checks: a browser and a whole product take their time.
func skipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("the whole product is tested without -short")
	}
}

// skipUnlessSoak leaves out a trial that takes minutes, unless "go tool task soak" runs it.
func skipUnlessSoak(t *testing.T) {
	t.Helper()
	if os.Getenv("SOAK") == "" {
		t.Skip("a trial of minutes: go tool task soak")
	}
}

// Patience with what has to happen by itself, and how often it is looked for.
const (
	patience  = dbtest.Patience
	lookEvery = 30 * time.Millisecond
)
