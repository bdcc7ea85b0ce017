package rush

import (
	"context"
	"io"
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
	h := &installation{capacity: 10}
	target := h.open(t)
	target.Installation = unstaffed{h}
	if _, err := Run(t.Context(), options(10, 1), target, io.Discard); err == nil ||
		!strings.Contains(err.Error(), "open a board") || !h.freed {
		t.Errorf("ended with %v, seats freed: %t", err, h.freed)
	}
	if presses := h.called("POST"); len(presses) != 0 {
		t.Errorf("pressed %d times", len(presses))
	}
}

// unstaffed names staff of a restaurant that does not know them.
type unstaffed struct{ *installation }

func (u unstaffed) Prepare(ctx context.Context, o Options) (Stage, error) {
	o.Boards = 1
	stage, err := u.installation.Prepare(ctx, o)
	stage.RestaurantID = 8
	return stage, err
}
