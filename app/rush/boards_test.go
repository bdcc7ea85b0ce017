package rush

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

func TestRun_OpensBoardsOfEveryKind(t *testing.T) {
	t.Parallel()
	o := options(10, 1)
	o.Boards = 8
	h := &installation{capacity: 10}
	r := run(t, h, o)
	if !r.Good() || r.BoardBytes == 0 {
		t.Errorf("%d bytes came to the boards: %+v", r.BoardBytes, r)
	}
	for i, want := range []string{"ko date=2030-01-01&tab=guests", "ko date=2030-01-01&tab=room",
		"ko date=2030-01-01&tab=slots", "ko date=2030-01-01&tab=line", "en date=2030-01-01&tab=guests"} {
		if !strings.HasSuffix(h.boards[i], want) {
			t.Errorf("board %d looks at %q, want %q", i, h.boards[i], want)
		}
	}
	slices.Sort(h.boards)
	if len(slices.Compact(h.boards)) != 8 {
		t.Errorf("the boards are %q", h.boards)
	}
}

func TestRun_OpensBoardsAtEveryRestaurant(t *testing.T) {
	t.Parallel()
	o := options(10, 1)
	o.Restaurants, o.Slots, o.Boards = 3, 3, 5
	h := &installation{capacity: 10}
	if r := run(t, h, o); !r.Good() {
		t.Errorf("%+v", r)
	}
	want := []string{ // the first two restaurants have one more
		"/staff/restaurants/7/events token-host-0-0 tab=guests", "/staff/restaurants/7/events token-host-0-1 tab=room",
		"/staff/restaurants/8/events token-host-1-0 tab=room", "/staff/restaurants/8/events token-host-1-1 tab=slots",
		"/staff/restaurants/9/events token-host-2-0 tab=slots",
	}
	var got []string
	for _, board := range h.boards {
		parts := strings.Fields(board) // address, "Bearer", token, language, query
		_, tab, _ := strings.Cut(parts[4], "&")
		got = append(got, parts[0]+" "+parts[2]+" "+tab)
	}
	if !slices.Equal(got, want) {
		t.Errorf("opened %q, want %q", got, want)
	}
}

func TestRun_NoticesBoardsThatEnd(t *testing.T) {
	t.Parallel()
	o := options(10, 1)
	o.Boards = 3
	if r := run(t, &installation{capacity: 10, shut: true}, o); r.HTTPErrors != 3 || r.Good() {
		t.Errorf("%d errors, want 3: %q", r.HTTPErrors, r.Notes)
	}
}

// A board that is refused ends the rush before it begins, and the seats are freed.
func TestRun_NeedsItsBoards(t *testing.T) {
	t.Parallel()
	h := &installation{capacity: 10, answer: once("GET /staff/", http.StatusNotFound, "")}
	o := options(10, 1)
	o.Boards = 1
	if _, err := Run(t.Context(), o, h.open(t), io.Discard); err == nil ||
		!strings.Contains(err.Error(), "open a board") || !h.freed {
		t.Errorf("ended with %v, seats freed: %t", err, h.freed)
	}
	if presses := h.called("POST"); len(presses) != 0 {
		t.Errorf("pressed %d times", len(presses))
	}
}
