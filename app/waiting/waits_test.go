package waiting

import (
	"context"
	"testing"
	"time"

	"lunchgo/db/dbtest"
	"lunchgo/locks"
)

// Everywhere a person sees where they wait, for as long as they do.
func TestWaits_ListsThePlacesOfAPersonInAllProcesses(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	turn := h.takeTurn()
	here, there := h.room(Config{}), h.room(Config{})
	enter(t, here, request("bob", "k"))
	ann := enter(t, here, request("ann", "k"))
	enter(t, there, request("cem", "k")) // so that it reads the line
	for name, room := range map[string]*Room{"the process": here, "another": there} {
		dbtest.Eventually(t, name+" knows the place", func() bool {
			waits, err := room.Waits(t.Context(), "ann")
			return err == nil && len(waits) == 1 && waits[0].Position == 2 && waits[0].Count == 3
		})
	}
	waits, err := there.Waits(t.Context(), "ann")
	if err != nil || waits[0].Line != evening || time.Since(waits[0].EnteredAt).Abs() > time.Minute ||
		waits[0].Request.IdempotencyKey != "k" {
		t.Fatalf("%+v, %v", waits, err)
	}
	back, err := there.Watch(t.Context(), waits[0].Token, "ann")
	dbtest.Must(t, err)
	defer back.Close()
	dbtest.Must(t, turn.Release(t.Context(), 1))
	for _, w := range []*Watch{ann, back} {
		awaitResult(t, w)
	}
	dbtest.Eventually(t, "ann does not wait any more", func() bool {
		waits, err := here.Waits(t.Context(), "ann")
		return err == nil && len(waits) == 0
	})
}

func TestWaits_KnowsSeveralLinesInOrder(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	room := h.room(Config{})
	for _, key := range []string{"20:00", "19:00", "21:00"} {
		req := request("ann", "k")
		req.Line.Key = key
		client := locks.NewClient(h.rdb, locks.Config{Prefix: h.prefix, Node: "rival-" + key})
		t.Cleanup(func() { _ = client.Close(context.WithoutCancel(t.Context())) })
		if _, err := client.Line(req.Line).Lock(t.Context(), "the-rival"); err != nil {
			t.Fatal(err)
		}
		enter(t, room, req)
	}
	waits, err := room.Waits(t.Context(), "ann")
	if err != nil || len(waits) != 3 || waits[0].Line.Key != "20:00" || waits[1].Line.Key != "19:00" ||
		waits[2].Line.Key != "21:00" {
		t.Errorf("%+v, %v", waits, err)
	}
	if waits, err := room.Waits(t.Context(), "bob"); err != nil || len(waits) != 0 {
		t.Errorf("bob waits at %+v, %v", waits, err)
	}
}

func TestWaits_KnowsThisProcessWhileRedisIsAway(t *testing.T) {
	t.Parallel()
	h, server := newHarnessWithOwnRedis(t, dbtest.PrivateRedis, 10)
	room := h.roomOf(closedHandler{h.handler, make(chan struct{})}, withFallback())
	server.Kill()
	w := enter(t, room, request("ann", "k"))
	waits, err := room.Waits(t.Context(), "ann")
	if err != nil || len(waits) != 1 || waits[0].Token != w.Token() {
		t.Errorf("%+v, %v", waits, err)
	}
}
