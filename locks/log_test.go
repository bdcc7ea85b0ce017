package locks

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lunchgo/db/dbtest"
)

func TestLog_TellsOfEverybody(t *testing.T) {
	mustPass(t, func(t testing.TB) {
		h, a, b := newTwoNodes(t)
		line := a.Line(h.name)
		holder := h.enter(a, "holder")
		var places []Place
		for i := range 5 {
			places = append(places, h.offer(b, fmt.Sprint("t", i)))
		}
		again := h.offer(a, "t0") // its place is known
		if places[0].Logged != 2 || again.Logged != 0 {
			t.Errorf("logged as %d, then %d", places[0].Logged, again.Logged)
		}
		dbtest.Must(t, line.Leave(h.ctx(), "t1"))
		turn := h.next(a)
		h.take(turn, 2, "t0", "t2")
		h.release(turn, 3)
		next := h.next(b)
		if _, err := line.Close(h.ctx(), "sold out"); err != nil {
			t.Fatal(err)
		}
		if _, err := line.Evict(h.ctx()); err != nil {
			t.Fatal(err)
		}
		want := []string{fmt.Sprintf("enter %d:%s", holder.Arrival, commitment("holder"))}
		for _, place := range places {
			want = append(want, fmt.Sprintf("enter %d:%s", place.Arrival, commitment(place.Ticket)))
		}
		want = append(want,
			fmt.Sprintf("left %d", places[1].Arrival),
			fmt.Sprintf("turn %d %d,%d,%d", turn.Fence(), holder.Arrival, places[0].Arrival, places[2].Arrival),
			fmt.Sprintf("closed %d", places[4].Arrival),
			fmt.Sprintf("lost %d", next.Arrival()),
		)
		texts, err := b.Line(h.name).Log(h.ctx(), 0)
		if err != nil || !slices.Equal(texts, want) {
			t.Errorf("%v, the log says\n%s\nwant\n%s", err, strings.Join(texts, "\n"), strings.Join(want, "\n"))
		}
		if rest, err := line.Log(h.ctx(), len(want)-1); err != nil || !slices.Equal(rest, want[len(want)-1:]) {
			t.Errorf("the last: %v, %v", rest, err)
		}
	})
}
