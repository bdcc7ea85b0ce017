package availability

import (
	"reflect"
	"testing"

	"lunchgo/app/booking"
)

// What Redis holds of a slot is an error, or read and written as the same.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{"7 20 6 2 0 1 3 4,5h", "7 20 6 2 1 0 0", "", "7",
		`7 20 6 2 0 1 3 4 {"paused":true,"opensAt":7}`, "7 20 6 2 0 1 3 ,",
		"7 20 6 2 0 1 3 h", "-1 -1 -1 -1 -1 -1 -1", "9 99999999999999999999 0 0 0 0 0"} {
		f.Add("19:00", seed)
	}
	f.Fuzz(func(t *testing.T, at, value string) {
		slots, err := decode(map[string]string{at: value})
		if err != nil {
			if slots != nil {
				t.Errorf("%q is an error and read as %+v", value, slots)
			}
			return
		}
		for key, o := range slots {
			again, err := decode(map[string]string{at: "1 " + encode(o)})
			if err != nil || !reflect.DeepEqual(again, map[booking.TimeOfDay]booking.Occupancy{key: o}) {
				t.Errorf("%q is read as %+v, then as %+v, %v", value, o, again, err)
			}
		}
	})
}
