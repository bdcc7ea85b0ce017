package dbtest_test

import (
	"database/sql"
	"runtime"
	"testing"
	"time"

	_ "github.com/lib/pq"
	"github.com/redis/go-redis/v9"

	"lunchgo/db/dbtest"
)

// Both servers go by a clock that is moved while they run; another server does not.
func TestClock_MovesServers(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the clocks of servers are moved on Linux")
	}
	clock := dbtest.NewClock(t)
	moved, right := clientOf(t, clock.Redis().URL), clientOf(t, dbtest.RedisURL(t))
	d, err := sql.Open("postgres", clock.Postgres().URL)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for _, shift := range []time.Duration{0, time.Hour, -time.Hour, 0} {
		clock.Shift(shift)
		var at time.Time
		if err := d.QueryRowContext(t.Context(), `SELECT clock_timestamp()`).Scan(&at); err != nil {
			t.Fatal(err)
		}
		for name, is := range map[string]struct {
			at   time.Time
			want time.Duration
		}{
			"PostgreSQL":    {at, shift},
			"Redis":         {moved.Time(t.Context()).Val(), shift},
			"another Redis": {right.Time(t.Context()).Val(), 0},
		} {
			if off := time.Until(is.at) - is.want; off.Abs() > 10*time.Second {
				t.Errorf("%s is %s off at a shift of %s", name, off, shift)
			}
		}
	}
}

func clientOf(t *testing.T, url string) *redis.Client {
	t.Helper()
	options, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	return client
}
