package availability

import (
	"reflect"
	"testing"
	"time"

	"lunchgo/app/booking"
)

func TestEncode_DecodeReadsItAgain(t *testing.T) {
	t.Parallel()
	for _, o := range []booking.Occupancy{
		{},
		{Capacity: 20, Held: 6, OnHold: 2, Closed: true},
		{Capacity: 20, Held: 6, OnHold: 2, Seats: booking.TakenSeats{{ID: 4}, {ID: 15, OnHold: true}, {ID: 16, Blocked: true}}},
		{Capacity: 20, Waitlisted: 1, PassesLeft: 2},
		{Capacity: 20, Closed: true, Stopped: true, Reason: "단체 {예약}, 오늘만"},
		{Capacity: 20, Paused: true, Notice: "10분 뒤에 다시 시작합니다", Draw: true, Seats: booking.TakenSeats{{ID: 4}},
			OpensAt: time.Date(2026, 12, 1, 3, 0, 0, 0, time.UTC)},
	} {
		read, err := decode(map[string]string{builtMarker: "1 ", "19:00": "1700000000000000 " + encode(o)})
		if err != nil || !reflect.DeepEqual(read, map[booking.TimeOfDay]booking.Occupancy{"19:00": o}) {
			t.Errorf("%+v became %+v, %v", o, read, err)
		}
	}
	for _, text := range []string{"", "1 2 3", "1 20 6 2 0 4,x", "1 20 6 2 0 0 0 {"} {
		if read, err := decode(map[string]string{"19:00": text}); err == nil {
			t.Errorf("%q became %+v", text, read)
		}
	}
}

// Instances of two versions share the cache while they are updated: what only a newer one knows is ignored.
func TestDecode_IgnoresWhatANewerVersionWrites(t *testing.T) {
	t.Parallel()
	slots, err := decode(map[string]string{"19:00": `7 20 6 2 0 0 0 {"paused":true,"hologram":["chef"]}`})
	if o := slots["19:00"]; err != nil || o.Capacity != 20 || !o.Paused {
		t.Errorf("%+v, %v", o, err)
	}
}
