package i18n_test

import (
	"testing"

	"lunchgo/views/i18n"
)

// Texts with numbers are remembered, each by its language, key and numbers, and say the same as those that are not.
func TestT_RemembersWhatItFills(t *testing.T) {
	t.Parallel()
	for range 2 {
		for _, test := range []struct {
			lang string
			args []any
			want string
		}{
			{i18n.English, []any{"Remaining", 1}, "Not enough seats are left: 1."},
			{i18n.English, []any{"Remaining", 12}, "Not enough seats are left: 12."},
			{i18n.English, []any{"Remaining", int64(12)}, "Not enough seats are left: 12."},
			{i18n.English, []any{"Remaining", "twelve"}, "Not enough seats are left: twelve."},
			{i18n.English, []any{"Remaining", 1, "OnHold", 2}, "Not enough seats are left: 1."},
			{i18n.Korean, []any{"Remaining", 12}, "남은 좌석이 12석이라 예약할 수 없습니다."},
		} {
			if got := i18n.T(test.lang, "error.sold_out", test.args...); got != test.want {
				t.Errorf("%s %v: %q, want %q", test.lang, test.args, got, test.want)
			}
		}
	}
}
