package e2e_test

import (
	"bytes"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

// While "task dev" runs, a page comes through templ's proxy from the server at ADDR, and a text that is changed in a
// template is on it at once, without another build.
func TestDev_ShowsAChangedTextAtOnce(t *testing.T) {
	t.Parallel()
	skipShort(t)
	tree := copyOfTree(t)
	address, proxy := freeAddress(t), freeAddress(t)
	log := startDev(t, tree, address, proxy)
	shows := func(at, text string) func() bool {
		return func() bool { return strings.Contains(pageAt(t, "http://"+at), text) }
	}
	const logo, changed = `<span translate="no">LunchGo</span>`, `<span translate="no">LunchGo of today</span>`
	dbtest.Within(t, 3*patience, "the proxy shows the page", shows(proxy, logo))
	builds := strings.Count(log.String(), greeting)

	header := filepath.Join(tree, "views/layouts/header.templ")
	text, err := os.ReadFile(header)
	dbtest.Must(t, err)
	if !bytes.Contains(text, []byte(logo)) {
		t.Fatalf("%s has no %s", header, logo)
	}
	began := time.Now()
	dbtest.Must(t, os.WriteFile(header, bytes.Replace(text, []byte(logo), []byte(changed), 1), 0o600))
	dbtest.Eventually(t, "the page shows the changed text", shows(proxy, changed))
	t.Logf("the changed text was there after %s", time.Since(began).Round(time.Millisecond))
	if !shows(address, changed)() {
		t.Errorf("the server at ADDR shows another page than the proxy")
	}
	if now := strings.Count(log.String(), greeting); now != builds {
		t.Errorf("LunchGo was started %d times for a text", now-builds)
	}
}

// startDev runs "task dev" in a tree until the test ends, with private servers, and returns what it prints.
func startDev(t *testing.T, tree, address, proxy string) *tail {
	t.Helper()
	_, port, err := net.SplitHostPort(proxy)
	dbtest.Must(t, err)
	log := &tail{}
	dev := exec.Command("go", "tool", "task", "dev")
	dev.Dir, dev.Stdout, dev.Stderr = tree, log, log
	// How the tests are compiled is nothing to the tools: the task says how it compiles LunchGo.
	dev.Env = slices.DeleteFunc(os.Environ(), func(setting string) bool {
		name, _, _ := strings.Cut(setting, "=")
		return slices.Contains([]string{"CGO_ENABLED", "GOFLAGS", "DATABASE_URL", "REDIS_URL", "PUBLIC_URL"}, name)
	})
	dev.Env = append(dev.Env, "ADDR="+address, "PROXY_PORT="+port, "OPS_ADDR=", "DATA_DIR="+filepath.Join(tree, ".data"))
	dev.SysProcAttr = dieWithUs()
	dev.SysProcAttr.Setpgid = true // ctrl-C at a terminal reaches all that it runs
	dbtest.Must(t, dev.Start())
	t.Cleanup(func() {
		dbtest.Must(t, syscall.Kill(-dev.Process.Pid, syscall.SIGINT))
		_ = dev.Wait() // that it was interrupted
		dbtest.Eventually(t, "the server has ended", func() bool { return pageAt(t, "http://"+address) == "" })
		if t.Failed() {
			t.Logf("task dev printed:\n%s", log.String())
		}
	})
	return log
}

// pageAt is a page if it is answered 200, else empty.
func pageAt(t *testing.T, url string) string {
	t.Helper()
	client := http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Get(url)
	if err != nil {
		return ""
	}
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		return ""
	}
	return string(page)
}

// copyOfTree copies what the product is built from to a folder of the test.
func copyOfTree(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	dbtest.Must(t, err)
	tree := t.TempDir()
	dbtest.Must(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains([]string{".git", ".data", ".task", "bin", "docs"}, name):
			return filepath.SkipDir
		case entry.IsDir():
			return os.MkdirAll(filepath.Join(tree, name), 0o750)
		case strings.HasSuffix(name, "_test.go"):
			return nil
		}
		file, err := entry.Info()
		if err != nil || !file.Mode().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(tree, name), text, file.Mode())
	}))
	return tree
}
