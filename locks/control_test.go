package locks

import "testing"

// guard is a piece of a script that keeps a promise. Without it the test of the promise must fail, or the test shows
// nothing.
type guard struct {
	name     string
	op       operation // whose text is changed; of all operations if empty
	from, to string
}

// off returns the change of a client that takes the guard away.
func (g guard) off(t testing.TB) func(*Client) {
	return func(c *Client) {
		if g.op == "" {
			mutateAll(t, c, g.from, g.to)
		} else {
			mutate(t, c, g.op, g.from, g.to)
		}
	}
}

// testBody is a test of a promise; edit changes each client that it makes.
type testBody func(t testing.TB, edit func(*Client))

// testWithGuards runs the test of a promise, then once without each guard, where it must fail.
func testWithGuards(t *testing.T, test testBody, guards ...guard) {
	t.Helper()
	t.Parallel()
	t.Run("holds", func(t *testing.T) {
		mustPass(t, func(trial testing.TB) { test(trial, func(*Client) {}) })
	})
	for _, g := range guards {
		testWithout(t, g.name, test, g.off(t))
	}
}

// testWithout runs the test of a promise in clients that lack something, where it must fail.
func testWithout(t *testing.T, what string, test testBody, edit func(*Client)) {
	t.Helper()
	if testing.Short() {
		return
	}
	t.Run("without "+what, func(t *testing.T) {
		mustFail(t, func(trial testing.TB) { test(trial, edit) })
	})
}
