package token_test

import (
	"strings"
	"testing"

	"lunchgo/app/token"
)

// The formats are those of tokens that people hold: a change would sign everybody out and cost places in lines.
func TestSigner_KeepsItsFormats(t *testing.T) {
	t.Parallel()
	session := token.NewSigner([]byte("secret"), "lunchgo session v1", token.Long)
	link := token.NewSigner([]byte("secret"), "lunchgo offer link v1", token.Short)
	if got, want := session.Sign("ann.ID.abc"), "ann.ID.abc.8-V1pX6SCeVgcPo33UaKNa6jahBir6ZPpctxX6I3p2g"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := link.SignOpaque("entry-1"), "ZW50cnktMQ.LXUzklvzd0IvNkouEmLb9Q"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// What was signed is read as it was, with the same key and for the same purpose only.
func FuzzSigner_ReadsOnlyWhatItSigned(f *testing.F) {
	for _, seed := range []string{"", "ann.ID.abc", ".", "a|b|c", "\x00\xff", "한식"} {
		f.Add(seed)
	}
	signers := []token.Signer{
		token.NewSigner([]byte("secret"), "one v1", token.Short),
		token.NewSigner([]byte("secret"), "one v1", token.Long),
		token.NewSigner([]byte("secret"), "two v1", token.Short),
		token.NewSigner([]byte("another secret"), "one v1", token.Short),
	}
	f.Fuzz(func(t *testing.T, payload string) {
		for i, signer := range signers {
			for name, c := range map[string]struct {
				sign   func(token.Signer, string) string
				verify func(token.Signer, string) (string, bool)
			}{
				"plain":  {token.Signer.Sign, token.Signer.Verify},
				"opaque": {token.Signer.SignOpaque, token.Signer.VerifyOpaque},
			} {
				text := c.sign(signer, payload)
				if read, ok := c.verify(signer, text); !ok || read != payload {
					t.Errorf("%s: %q was read as %q, %v", name, payload, read, ok)
				}
				for _, forged := range []string{text + "A", text[:len(text)-1], "A" + text,
					strings.Replace(text, ".", "", 1), payload} {
					if read, ok := c.verify(signer, forged); ok {
						t.Errorf("%s: %q was read as %q although %q was signed", name, forged, read, text)
					}
				}
				for j, other := range signers {
					if _, ok := c.verify(other, text); ok && i != j {
						t.Errorf("%s: signer %d read what signer %d had signed", name, j, i)
					}
				}
			}
		}
	})
}

// What signing costs: every press verifies a session, and every ticket is signed.
func BenchmarkSigner_VerifyOpaque(b *testing.B) {
	signer := token.NewSigner([]byte("secret"), "bench v1", token.Short)
	signed := signer.SignOpaque("r12:2026-11-22|19:00|0123456789abcdef0123456789|user-0123456789|abcdefghij")
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := signer.VerifyOpaque(signed); !ok {
			b.Fatal("not verified")
		}
	}
}
