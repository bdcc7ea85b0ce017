package views_test

import (
	"net/url"
	"slices"
	"testing"

	"lunchgo/views"
)

// A page whose payment is not decided looks again after longer and longer pauses, keeps what the provider has added to
// its address, and ends.
func TestLookAgain_BacksOffAndEnds(t *testing.T) {
	t.Parallel()
	query := url.Values{"paymentKey": {"k"}}
	var pauses []int
	for range 20 {
		again := views.LookAgain("p1", query)
		if again.After == 0 {
			break
		}
		pauses = append(pauses, again.After)
		next, err := url.Parse(again.URL)
		if err != nil || next.Path != "/payments/p1/return" || next.Query().Get("paymentKey") != "k" {
			t.Fatalf("looks again at %s, %v", again.URL, err)
		}
		query = next.Query()
	}
	if !slices.Equal(pauses, []int{2, 3, 5, 10, 20, 30, 60}) {
		t.Errorf("pauses %v", pauses)
	}
	for _, look := range []string{"-1", "7", "99999999999999999999", "x"} {
		if again := views.LookAgain("p1", url.Values{"look": {look}}); again.After != 0 {
			t.Errorf("look=%s looks again after %d s", look, again.After)
		}
	}
}
