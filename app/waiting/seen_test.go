package waiting

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"

	"lunchgo/db/dbtest"
)

// notingHandler is a Handler that says in a result whether nobody watched for it, as Reservations does.
type notingHandler struct{ *seatsHandler }

func (h notingHandler) Serve(ctx context.Context, turn Turn, batch []QueuedRequest) ([]Result, []Closing, error) {
	results, closings, err := h.seatsHandler.Serve(ctx, turn, batch)
	for i := range results {
		results[i].Unseen = !batch[i].Watched
	}
	return results, closings, err
}

// seenStore stores what was seen, and fails as often as the test asks for.
type seenStore struct {
	mu    sync.Mutex
	ids   []string
	fails int
}

func (s *seenStore) store(_ context.Context, ids []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fails > 0 {
		s.fails--
		return errors.New("not now")
	}
	s.ids = append(s.ids, ids...)
	return nil
}

func (s *seenStore) seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(slices.Values(s.ids))
}

// Whoever watches in the process that serves them needs no second look. Whoever watches in another, or comes back
// later, is noted when the result reaches them; whoever does not come back never is.
func TestSeen_NotesWhoGetsAResultLater(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	turn := h.takeTurn()
	store := &seenStore{fails: 1}
	here := h.roomOf(notingHandler{h.handler}, Config{Seen: store.store})
	there := h.roomOf(notingHandler{h.handler}, Config{Seen: store.store})
	served := enter(t, here, request("bob", "k")) // first in line, so that this process serves all
	elsewhere := enter(t, there, request("cem", "k"))
	var tokens []string
	for _, user := range []string{"ann", "dan"} {
		away, err := there.Enter(t.Context(), request(user, "k"))
		dbtest.Must(t, err)
		tokens = append(tokens, away.Token())
		away.Close()
	}
	dbtest.Must(t, turn.Release(t.Context(), 1))
	for want, w := range map[bool]*Watch{false: served, true: elsewhere} {
		if s := awaitResult(t, w); s.State != Reserved || s.Result.Unseen != want {
			t.Errorf("got %+v", s)
		}
	}
	dbtest.Eventually(t, "cem's is noted",
		func() bool { return slices.Equal(store.seen(), []string{"for-cem"}) })
	back, err := here.Watch(t.Context(), tokens[0], "ann")
	dbtest.Must(t, err)
	defer back.Close()
	if s := awaitResult(t, back); s.Result.ReservationID != "for-ann" {
		t.Errorf("ann is back: %+v", s)
	}
	dbtest.Eventually(t, "ann's is noted, dan's is not", func() bool {
		return slices.Equal(store.seen(), []string{"for-ann", "for-cem"})
	})
}

func TestSeen_CloseStoresTheRest(t *testing.T) {
	t.Parallel()
	h := newHarness(t, 10)
	store := &seenStore{fails: 1}
	room := h.room(Config{Seen: store.store})
	room.noteSeen(Result{State: Reserved, ReservationID: "A", Unseen: true},
		Result{State: Reserved, ReservationID: "B"})
	dbtest.Eventually(t, "the first try fails", func() bool {
		store.mu.Lock()
		defer store.mu.Unlock()
		return store.fails == 0
	})
	dbtest.Must(t, room.Close(t.Context()))
	if got := store.seen(); !slices.Equal(got, []string{"A"}) {
		t.Errorf("stored %v", got)
	}
}
