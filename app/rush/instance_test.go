package rush

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"testing"
	"time"
)

// roleVariable makes the test binary another process: an instance that serves on the address it holds, one that fails,
// or diners.
const (
	roleVariable = "LUNCHGO_RUSH_TEST_ROLE"
	dinersRole   = "diners"
)

func TestMain(m *testing.M) {
	switch role := os.Getenv(roleVariable); role {
	case "":
		os.Exit(m.Run())
	case dinersRole:
		if err := ServeDiners(context.Background(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "broken":
		fmt.Fprintln(os.Stderr, "this one is broken")
		os.Exit(1)
	default:
		serveInstance(role)
	}
}

func serveInstance(addr string) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /readyz", func(http.ResponseWriter, *http.Request) {})
	server := http.Server{Addr: addr, Handler: mux}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	_ = server.ListenAndServe()
	fmt.Println("ended in order")
}

func self(role func(addr string) string) func(at Addresses) *exec.Cmd {
	return func(at Addresses) *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), roleVariable+"="+role(at.Site))
		return cmd
	}
}

func TestInstances_ServeUntilTheyAreEnded(t *testing.T) {
	t.Parallel()
	instances, err := StartInstances(t.Context(), 2, self(func(addr string) string { return addr }))
	if err != nil {
		instances.End()
		t.Fatal(err)
	}
	if a, b := instances[0], instances[1]; a.URL == b.URL || a.Ops == b.Ops || a.URL == a.Ops {
		t.Errorf("they share an address: %s %s, %s %s", a.URL, a.Ops, b.URL, b.Ops)
	}
	began := time.Now()
	instances.End()
	if took := time.Since(began); took >= endTime {
		t.Errorf("their end took %v", took)
	}
	for _, i := range instances {
		if words := i.lastWords(); words != "ended in order" {
			t.Errorf("the log says %q", words)
		}
		if _, err := http.Get(i.URL + "/readyz"); err == nil {
			t.Errorf("%s still answers", i.URL)
		}
	}
	if err := instances.RemoveLogs(); err != nil {
		t.Error(err)
	}
}

// An instance that does not start is an error with its last words.
func TestInstances_OneThatDoesNotStart(t *testing.T) {
	t.Parallel()
	instances, err := StartInstances(t.Context(), 1, self(func(string) string { return "broken" }))
	defer instances.End()
	if err == nil || !strings.Contains(err.Error(), "this one is broken") {
		t.Errorf("the error is %v", err)
	}
	if err := instances.RemoveLogs(); err != nil {
		t.Error(err)
	}
}
