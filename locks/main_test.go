package locks

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"lunchgo/db/dbtest"
	"lunchgo/db/embedded"
)

func TestMain(m *testing.M) {
	if text := os.Getenv(nodeProcessEnv); text != "" {
		runNodeProcess(text)
		return
	}
	os.Exit(runTests(m))
}

// runTests gives the tests, and the examples, a Redis in REDIS_URL; no goroutine may be left when they have ended.
func runTests(m *testing.M) int {
	dbtest.WaitTogether()
	if parallel := flag.Lookup("test.parallel"); parallel.Value.String() == strconv.Itoa(3*runtime.GOMAXPROCS(0)) {
		// these tests wait for clocks more than they work
		_ = parallel.Value.Set(strconv.Itoa(5 * runtime.GOMAXPROCS(0)))
	}
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	dir, err := os.MkdirTemp("", "locks")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	server, err := embedded.StartScratchRedis(context.Background(), dir, quiet)
	if err != nil {
		panic(err)
	}
	os.Setenv("REDIS_URL", server.URL)
	stopWatch := watchStalls(server.URL)
	code := m.Run()
	stopWatch()
	if err := server.Stop(context.Background()); err != nil {
		panic(err)
	}
	err = leaked()
	for deadline := time.Now().Add(3 * time.Second); err != nil && time.Now().Before(deadline); {
		err = leaked() // go-redis dials dead servers, for a second after a client was closed
	}
	if err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return code
}

// watchStalls begins to watch the machine; the function that it returns ends it.
func watchStalls(url string) (stop func()) {
	options, err := redis.ParseURL(url)
	if err != nil {
		panic(err)
	}
	rdb := redis.NewClient(options)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		stalls.watch(ctx, rdb)
	}()
	return func() {
		cancel()
		<-done
		rdb.Close()
	}
}

// leaked finds goroutines that nobody ends, but for toxiproxy's: it can leave the pipe of a connection behind that
// closes while one of its toxics is taken away.
func leaked() error {
	return goleak.Find(goleak.IgnoreAnyFunction("github.com/Shopify/toxiproxy/v2/toxics.(*ToxicStub).Run"))
}
