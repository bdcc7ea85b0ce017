package against

import "fmt"

// keys makes the names of keys and channels in Redis. All begin with the prefix of the run.
type keys string

// ofSlot is a key of a slot. In a cluster all keys of a slot are on one server.
func (k keys) ofSlot(p press, what string) string {
	return fmt.Sprintf("%s{%d/%s/%s}:%s", string(k), p.RestaurantID, p.Date, p.Time, what)
}

func (k keys) ofUser(id string) string { return string(k) + "user:" + id }

func (k keys) global(what string) string { return string(k) + what }
