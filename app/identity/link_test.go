package identity

import (
	"errors"
	"testing"
	"time"

	"lunchgo/app/token"
)

func TestLinkSigner_RefusesForgedLinks(t *testing.T) {
	t.Parallel()
	signer := NewLinkSigner(token.Secrets{"the installation's secret"})
	signed := signer.Sign("link")
	if id, err := signer.Read(signed); err != nil || id != "link" {
		t.Fatalf("got %q, %v", id, err)
	}
	for name, forged := range map[string]string{
		"empty": "", "no signature": "link", "another link": "knil" + signed[4:], "longer": signed + "A",
		"another secret": NewLinkSigner(token.Secrets{"another"}).Sign("link"),
	} {
		if id, err := signer.Read(forged); !errors.Is(err, ErrLinkOver) {
			t.Errorf("%s: %q, %v", name, id, err)
		}
	}
}

func TestLinkKind_WaitsBetweenLetters(t *testing.T) {
	t.Parallel()
	const m = time.Minute
	for _, c := range []struct {
		kind LinkKind
		ago  []time.Duration
		want time.Duration
	}{
		{LinkConfirm, nil, 0},
		{LinkConfirm, []time.Duration{m}, 2 * m},
		{LinkConfirm, []time.Duration{3 * m}, 0},
		{LinkConfirm, []time.Duration{4 * m, 8 * m, 12 * m, 16 * m, 60 * m}, 23 * time.Hour},
		{LinkConfirm, []time.Duration{4 * m, 8 * m, 12 * m, 16 * m}, 0},
		{LinkSignIn, []time.Duration{30 * time.Second}, 30 * time.Second},
		{LinkSignIn, []time.Duration{m, 2 * m, 3 * m, 4 * m, 5 * m}, 0},
	} {
		if got := c.kind.Wait(c.ago); got != c.want {
			t.Errorf("%s after %v: %v, want %v", c.kind, c.ago, got, c.want)
		}
	}
}
