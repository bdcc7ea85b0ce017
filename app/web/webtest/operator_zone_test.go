package webtest

import (
	"net/http"
	"testing"
	"time"

	"lunchgo/views"
	"lunchgo/views/i18n"
)

// Operators read times by the clock of their browser; where its zone is not known, or is none, by the restaurant's.
func TestOperator_TimesInTheReadersZone(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	operator := r.operator(t)
	at := time.Date(2026, 1, 2, 0, 30, 0, 0, time.UTC)
	r.mustExec(t, `UPDATE restaurants SET opened_at = $1`, at)
	there := i18n.DateTime(i18n.Korean, at.In(r.restaurant.Location))
	for zone, want := range map[string][]string{ // in any order
		"":                        {there, "각 식당이 있는 곳의 시간대"},
		"; zone=../x":             {there, "각 식당이 있는 곳의 시간대"},
		"; zone=America/New_York": {"오후 7:30", "시각은 지금 계신 곳(America/New_York) 기준입니다", `data-reader-zone="America/New_York"`},
	} {
		r.do(t, call{method: http.MethodGet, path: views.OperatorRestaurantsURL(),
			headers: map[string]string{"Cookie": "session=" + operator.token + zone}}).is(t, 200).has(t, want...)
	}
}
