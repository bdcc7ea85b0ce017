package views_test

import (
	"fmt"
	"testing"

	"lunchgo/views"
)

// The button that closes a day or slots says how many reservations that cancels and how much goes back, once that is
// what the press would do.
func TestClosing_SaysWhatThePressCancels(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	for _, page := range []string{"staff-closing", "staff-closing-slots"} {
		b.open(s.URL + "/ko/" + page)
		says := `document.querySelector(".button-danger.wide").innerText`
		choose := `document.querySelector("[name=reservations][value=%s]").click()`
		b.until(says + `.length > 0 && !` + says + `.includes("취소")`)
		b.run(fmt.Sprintf(choose, views.ReservationsCancel))
		b.until(says + `.includes("예약 3건 취소 · 80,000원 환불")`)
		b.run(fmt.Sprintf(choose, views.ReservationsWrite))
		b.until(`!` + says + `.includes("취소")`)
	}
}
