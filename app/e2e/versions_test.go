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

	"lunchgo/db/dbtest"
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

// olderBinary is the version before the newest migration. Without the history that it is built from, the test is
// skipped.
func olderBinary(t *testing.T) string {
	t.Helper()
	if out, err := git("rev-parse", "--is-shallow-repository"); err != nil || out != "false" {
		t.Skipf("an older version is built from the whole history, and here is none: %v", err)
	}
	path, err := older()
	dbtest.Must(t, err)
	t.Logf("the older version is %s", filepath.Base(path))
	return path
}

// TestSoak_Rolled updates three instances of the version before the newest migration, one after the other, while a
// crowd rushes to them through one proxy. The first new one changes the schema under the others, which go on.
func TestSoak_Rolled(t *testing.T) {
	skipUnlessSoak(t)
	path := olderBinary(t)
	b := newBalancedOf(t, path, 3)
	const schema = `SELECT count(*) FROM goose_db_version`
	before := b.number(schema)
	r := b.rush(25*time.Second, func() {
		for i, instance := range b.instances {
			var err error
			instance.path, err = binary()
			dbtest.Must(t, err)
			b.roll(instance)
			if b.path = instance.path; i == 0 {
				b.mustServeBothWays(b.instances[2], instance)
			}
		}
	})
	if after := b.number(schema); after <= before {
		t.Errorf("of %d migrations the older version has %d: nothing was migrated", after, before)
	}
	// What the older version does wrong by itself is no fault of this one: it is shown, not judged.
	t.Logf("%d requests and streams failed, %d were put off, %d and %d out of order",
		r.HTTPErrors, r.LaterAnswers, r.FIFOInversions, r.WireInversions)
}

// mustServeBothWays has a diner book, pay and cancel at instances of two versions in turn.
func (b *balanced) mustServeBothWays(one, other *product) {
	b.t.Helper()
	d := one.newDiner(500_000)
	for _, at := range [][2]*product{{one, other}, {other, one}, {one, one}} {
		d.product = at[0]
		id := d.reserve(at[0].freeSlot("sotbul", 2), true)
		d.product = at[1]
		d.call(http.MethodDelete, "/api/reservations/"+id, http.StatusOK, nil, nil)
	}
}
