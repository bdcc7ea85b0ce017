package waiting

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"lunchgo/app/telemetry"
	"lunchgo/db/dbtest"
)

// safeBuffer keeps what several goroutines write.
type safeBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// A batch that fails is logged with the ticket whose turn it was, then each of its requests with its own ticket; each
// with the id of the request that pressed, so that whoever reads an id to support is found. So is each answer, at level
// debug.
func TestTurn_LogsTheRequestsThatPressed(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	broken := always(errors.New("broken"))
	var log safeBuffer
	room := h.roomOf(newFailsInSteps(h.handler, broken, broken, broken),
		Config{Log: slog.New(telemetry.Handler{Handler: slog.NewTextHandler(&log,
			&slog.HandlerOptions{Level: slog.LevelDebug})})})
	rival := h.takeTurn()
	var tickets []string
	var watches []*Watch
	for _, id := range []string{"PRESS-1", "PRESS-2"} {
		watch, err := room.Enter(telemetry.WithRequest(t.Context(), id), request("of "+id, id))
		dbtest.Must(t, err)
		defer watch.Close()
		tickets, watches = append(tickets, watch.ticket.id), append(watches, watch)
	}
	dbtest.Must(t, rival.Release(t.Context(), 1))
	for _, watch := range watches {
		awaitResult(t, watch)
	}
	for line, of := range map[string]int{"tickets=2": 0, "tickets=1": 1,
		"level=DEBUG msg=\"a ticket is answered\"": 1} {
		want := "request_id=PRESS-" + string(rune('1'+of)) + " ticket=" + tickets[of]
		found := false
		for logged := range strings.Lines(log.String()) {
			found = found || strings.Contains(logged, line) && strings.Contains(logged, want)
		}
		if !found {
			t.Errorf("no line has %s and %s:\n%s", line, want, log.String())
		}
	}
}
