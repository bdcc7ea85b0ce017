package dbtest

import "testing"

// Must ends the test where something has failed that it rests on.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
