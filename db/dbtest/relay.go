package dbtest

import (
	"testing"

	"lunchgo/db/embedded"
)

// NewRelay opens a relay before the server of an address until the test ends.
func NewRelay(t testing.TB, address string) *embedded.Relay {
	t.Helper()
	r, err := embedded.NewRelay(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}
