package booking

import (
	"errors"
	"strings"
	"testing"
)

func TestNewRestaurant_NamesEveryFault(t *testing.T) {
	t.Parallel()
	good := NewRestaurant{Name: " 새 식당 ", TimeZone: "Asia/Seoul", Capacity: 20, SlotMinutes: 60, PartyMax: 8}
	r, err := good.Check()
	if err != nil || r.Name.Ko != "새 식당" || r.Location.String() != "Asia/Seoul" || r.Capacity != 20 ||
		len(r.Hours) > 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	for name, c := range map[string]struct {
		change func(*NewRestaurant)
		want   string
	}{
		"no name":         {func(n *NewRestaurant) { n.Name = " " }, "name required"},
		"long name":       {func(n *NewRestaurant) { n.Name = strings.Repeat("가", 81) }, "name too_long"},
		"hidden name":     {func(n *NewRestaurant) { n.Name = "a\u200bb" }, "name invalid_text"},
		"turned name":     {func(n *NewRestaurant) { n.Name = "a\u202eb" }, "name invalid_text"},
		"no zone":         {func(n *NewRestaurant) { n.TimeZone = "" }, "timeZone unknown"},
		"made-up zone":    {func(n *NewRestaurant) { n.TimeZone = "../etc/passwd" }, "timeZone unknown"},
		"the machine's":   {func(n *NewRestaurant) { n.TimeZone = "Local" }, "timeZone unknown"},
		"no seats":        {func(n *NewRestaurant) { n.Capacity = 0 }, "capacity out_of_range"},
		"too many seats":  {func(n *NewRestaurant) { n.Capacity = MaxCapacity + 1 }, "capacity out_of_range"},
		"slot of nothing": {func(n *NewRestaurant) { n.SlotMinutes = 0 }, "slotMinutes out_of_range"},
		"no party":        {func(n *NewRestaurant) { n.PartyMax = 0 }, "partyMax out_of_range"},
	} {
		in := good
		c.change(&in)
		_, err := in.Check()
		var invalid *InvalidError
		if !errors.As(err, &invalid) || len(invalid.Fields) != 1 || invalid.Fields[0].Field+" "+
			invalid.Fields[0].Reason != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	var all *InvalidError
	if _, err := (NewRestaurant{}).Check(); !errors.As(err, &all) || len(all.Fields) != 5 {
		t.Errorf("nothing at all: %v", err)
	}
}
