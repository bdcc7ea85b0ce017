package redisclient

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestLog_OneLineASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var written bytes.Buffer
		r := &clientLog{log: slog.New(slog.NewTextHandler(&written, nil))}
		for range 100 {
			r.Printf(t.Context(), "failed to dial after %d attempts", 5)
		}
		time.Sleep(logEvery)
		r.Printf(t.Context(), "connected")
		lines := strings.Split(strings.TrimSpace(written.String()), "\n")
		if len(lines) != 2 ||
			!strings.Contains(lines[0],
				`level=WARN msg="the Redis client reports" message="failed to dial after 5 attempts" left_out=0`) ||
			!strings.Contains(lines[1], `message=connected left_out=99`) {
			t.Errorf("written:\n%s", written.String())
		}
	})
}
