package e2e_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// older builds the product as it was before the newest migration came, from the repository's history.
var older = sync.OnceValues(func() (string, error) {
	newest, err := git("log", "-1", "--diff-filter=A", "--format=%H", "--", "db/migrations")
	if err != nil {
		return "", err
	}
	before, err := git("rev-parse", "--verify", newest+"^")
	if err != nil {
		return "", fmt.Errorf("the history does not reach back to before the newest migration: %w", err)
	}
	dir, err := scratch()
	if err != nil {
		return "", err
	}
	tree := filepath.Join(dir, "older")
	if err := os.Mkdir(tree, 0o700); err != nil {
		return "", err
	}
	archive, err := git("archive", before)
	if err != nil {
		return "", err
	}
	unpack := exec.Command("tar", "-x", "-C", tree)
	unpack.Stdin = strings.NewReader(archive)
	if out, err := unpack.CombinedOutput(); err != nil {
		return "", fmt.Errorf("unpack the older version: %w\n%s", err, out)
	}
	path := filepath.Join(dir, "lunchgo-"+before[:7])
	build := exec.Command("go", "build", "-o", path, "lunchgo/app")
	build.Dir, build.Env = tree, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the older version: %w\n%s", err, out)
	}
	return path, nil
})

// git runs git at the root of the repository and returns what it says.
func git(args ...string) (string, error) {
	command := exec.Command("git", args...)
	command.Dir = "../.."
	var faults bytes.Buffer
	command.Stderr = &faults
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w %s", args[0], err, faults.String())
	}
	if args[0] == "archive" {
		return string(out), nil
	}
	return strings.TrimSpace(string(out)), nil
}

// olderBinary is the version before the newest migration. Without the history that it is built from, the test is skipped.
func olderBinary(t *testing.T) string {
	t.Helper()
	if out, err := git("rev-parse", "--is-shallow-repository"); err != nil || out != "false" {
		t.Skipf("an older version is built from the whole history, and here is none: %v", err)
	}
	path, err := older()
	must(t, err)
	t.Logf("the older version is %s", filepath.Base(path))
	return path
}

// TestSoak_Rolled has the version before the newest migration start and serve on the schema of this one, beside it; then a crowd
// rushes to both through one proxy, and the instances of the older version are updated one after the other.
func TestSoak_Rolled(t *testing.T) {
	skipUnlessSoak(t)
	path := olderBinary(t)
	b := newBalanced(t, 1)
	for range 2 {
		old := *b.instances[0]
		old.path = path
		old.start("127.0.0.1:0")
		t.Cleanup(old.kill)
		b.instances = append(b.instances, &old)
	}
	b.reload()

	old := b.instances[1]
	d := old.newDiner(500_000)
	kept, cancelled := d.reserve(old.freeSlot("sotbul", 2), true), d.reserve(old.freeSlot("sotbul", 2), true)
	d.call(http.MethodDelete, "/api/reservations/"+cancelled, http.StatusOK, nil, nil)
	d.product = b.instances[0]
	d.call(http.MethodDelete, "/api/reservations/"+kept, http.StatusOK, nil, nil)

	r := b.rush(20*time.Second, func() {
		for _, instance := range b.instances[1:] {
			instance.path = ""
			b.roll(instance)
		}
	})
	t.Logf("%d requests and streams failed", r.HTTPErrors)
}
