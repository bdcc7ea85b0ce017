package memory

import (
	"testing"
	"time"
)

func TestClock_NeverAheadOfRedis(t *testing.T) {
	t.Parallel()
	var clock Clock
	begun := time.Now()
	at := func(d time.Duration) time.Time { return begun.Add(d) }
	if _, known := clock.Read(begun); known {
		t.Error("known before Redis has answered")
	}
	for i, answer := range []struct{ sent, got, said, want time.Duration }{
		{0, 100, 1050, 1050},     // somewhere in between
		{200, 210, 1205, 1205},   // quick: near
		{300, 400, 1300, 1395},   // slow: what was known is nearer
		{500, 510, 9000, 9000},   // the clock was set forward
		{600, 610, 1600, 1600},   // and back
		{1000, 1010, 2000, 2000}, // and goes on
	} {
		ms := time.Millisecond
		clock.Learn(at(answer.sent*ms), at(answer.got*ms), int64(answer.said)*1000)
		if now, _ := clock.Read(at(answer.got * ms)); now != int64(answer.want)*1000 {
			t.Errorf("answer %d: %d, want %d ms", i+1, now/1000, answer.want)
		}
	}
}
