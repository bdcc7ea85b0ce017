package door

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/refusal"
	"lunchgo/app/waiting"
)

// Only what says for sure that no request is under way ends a claim.
func TestIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want bool
	}{
		{booking.ErrSoldOut, true},
		{&booking.PausedError{}, true},
		{booking.Invalid([]booking.FieldError{{Field: "endTime", Reason: "unknown"}}), true},
		{fmt.Errorf("%w: redis", refusal.Unavailable), false},
		{waiting.ErrCrowded, false},
		{context.Canceled, false},
		{errors.New("connection reset"), false},
		{nil, false},
	} {
		if got := isRefused(c.err); got != c.want {
			t.Errorf("%v: %v", c.err, got)
		}
	}
}
