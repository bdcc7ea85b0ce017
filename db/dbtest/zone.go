package dbtest

import (
	"fmt"
	"testing"
	"time"
)

// ZoneAtNoon is a time zone in which it is about noon now, so that "today" has slots behind and before it whenever the
// tests run.
func ZoneAtNoon(t testing.TB) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation(fmt.Sprintf("Etc/GMT%+d", time.Now().UTC().Hour()-12)) // these count to the west
	Must(t, err)
	return zone
}
