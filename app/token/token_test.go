package token_test

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"lunchgo/app/token"
)

// The formats are those of tokens that people hold: a change would sign everybody out and cost places in lines.
func TestSigner_KeepsItsFormats(t *testing.T) {
	t.Parallel()
	session := token.NewSigner(token.Secrets{"secret"}, "lunchgo session v1", token.Long)
	link := token.NewSigner(token.Secrets{"secret"}, "lunchgo offer link v1", token.Short)
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
		token.NewSigner(token.Secrets{"secret"}, "one v1", token.Short),
		token.NewSigner(token.Secrets{"secret"}, "one v1", token.Long),
		token.NewSigner(token.Secrets{"secret"}, "two v1", token.Short),
		token.NewSigner(token.Secrets{"another secret"}, "one v1", token.Short),
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
	signer := token.NewSigner(token.Secrets{"secret"}, "bench v1", token.Short)
	signed := signer.SignOpaque("r12:2026-11-22|19:00|0123456789abcdef0123456789|user-0123456789|abcdefghij")
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := signer.VerifyOpaque(signed); !ok {
			b.Fatal("not verified")
		}
	}
}

// The first secret signs. The others verify what they have signed, and only they.
func TestSigner_VerifiesUnderOlderSecrets(t *testing.T) {
	t.Parallel()
	signer := func(secrets ...string) token.Signer { return token.NewSigner(secrets, "test v1", token.Short) }
	older, both, newer := signer("old"), signer("new", "old"), signer("new")
	if both.Sign("x") != newer.Sign("x") || both.SignOpaque("x") != newer.SignOpaque("x") {
		t.Error("the first secret does not sign")
	}
	for name, verify := range map[string]func(s token.Signer) bool{
		"plain": func(s token.Signer) bool {
			payload, ok := s.Verify(older.Sign("x"))
			return ok && payload == "x"
		},
		"opaque": func(s token.Signer) bool {
			payload, ok := s.VerifyOpaque(older.SignOpaque("x"))
			return ok && payload == "x"
		},
	} {
		if !verify(older) || !verify(both) || verify(newer) {
			t.Errorf("%s: %t, with both %t, without the old one %t", name, verify(older), verify(both), verify(newer))
		}
	}
}

// What was sealed is read with the same key and for the same purpose only, and not without: neither the text nor any
// of its bytes decoded have the payload.
func TestSealer_HidesWhatItSeals(t *testing.T) {
	t.Parallel()
	sealer := func(purpose string, secrets ...string) token.Sealer { return token.NewSealer(secrets, purpose) }
	older, both := sealer("one v1", "old"), sealer("one v1", "new", "old")
	for _, payload := range []string{"", "x", "DJ7E3MCVBXWUNV5JHE5W2WBFQ4", strings.Repeat("long ", 20)} {
		text := older.Seal(payload)
		if text != older.Seal(payload) {
			t.Errorf("%q has two tokens", payload)
		}
		raw, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil || len(payload) > 1 && strings.Contains(string(raw)+text, payload) {
			t.Errorf("%q is readable in %q, %v", payload, text, err)
		}
		for name, s := range map[string]token.Sealer{"it": older, "one with a newer secret": both} {
			if read, ok := s.Open(text); !ok || read != payload {
				t.Errorf("%s reads %q, %t", name, read, ok)
			}
		}
		if _, ok := older.Open(both.Seal(payload)); ok {
			t.Error("the first secret does not seal")
		}
		for i := range raw {
			forged := slices.Clone(raw)
			forged[i] ^= 1
			if read, ok := older.Open(base64.RawURLEncoding.EncodeToString(forged)); ok {
				t.Errorf("with another byte %d it reads %q", i, read)
			}
		}
		for _, forged := range []string{"", "A", text[:len(text)-1], text + "A", "A" + text, text + "\n", payload} {
			if read, ok := older.Open(forged); ok {
				t.Errorf("%q was read as %q", forged, read)
			}
		}
		if _, ok := sealer("two v1", "old").Open(text); ok {
			t.Error("it opens for another purpose")
		}
	}
}
