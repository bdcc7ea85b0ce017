package ratelimit

import (
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"lunchgo/db/dbtest"
)

// A crowd is known by its first people, for as long as it lasts.
func TestCrowd_LastsAsLongAsPeopleCome(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var c crowd
		alone := 0 // of those who come
		for range 300 {
			if !c.comes() {
				alone++
			}
			time.Sleep(crowdTime / 30)
		}
		if alone != crowdSize {
			t.Errorf("%d of a crowd count as people who come alone, want %d", alone, crowdSize)
		}
		time.Sleep(2 * crowdTime)
		if c.comes() {
			t.Error("who comes later is one of the crowd")
		}
		for range 50 {
			if c.comes() {
				t.Fatal("those who come one by one are a crowd")
			}
			time.Sleep(crowdTime)
		}
	})
}

// Who presses once costs Redis nothing; a second press counts the first as well.
func TestTakeOnce_CountsTheFirstWithTheSecond(t *testing.T) {
	t.Parallel()
	rdb := openRedis(t, dbtest.RedisURL(t))
	r := newCounter(rdb, dbtest.KeyPrefix(t), slog.New(slog.DiscardHandler))
	press := func(person, key string) time.Duration {
		first := bucket{"{press:" + person + "}", pace{1, time.Hour}}
		return r.takeOnce(t.Context(), once{bucket{first.key + ":" + key, pace{1, time.Minute}}, first,
			bucket{first.key + ":repeats", first.pace}})
	}
	for i := range 500 {
		person := fmt.Sprint("diner-", i)
		if press(person, "k1") > 0 {
			t.Fatalf("%s is refused", person)
		}
	}
	stored, err := rdb.Keys(t.Context(), r.prefix+"*").Result()
	if err != nil || len(stored) > 0 {
		t.Errorf("%d keys, %v", len(stored), err)
	}
	passed := 0
	for i := range 5 {
		if press("diner-499", fmt.Sprint("k", i+2)) == 0 {
			passed++
		}
	}
	if passed != 0 {
		t.Errorf("%d further presses pass, but the first has taken what the bucket held", passed)
	}
}
