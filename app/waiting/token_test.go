package waiting

import (
	"errors"
	"strings"
	"testing"

	"lunchgo/app/token"
	"lunchgo/locks"
)

// What was signed is read as it was, by the person it belongs to and by nobody else, with the same key.
func FuzzToken_BelongsToItsPerson(f *testing.F) {
	f.Add("r12:2026-11-21", "19:00", "ticket", "user", int64(1795280000000000))
	f.Add("", "", "", "", int64(0))
	f.Add("a|b", "c", "d", "e", int64(-1))
	f.Add("a", "", "b|c|d", "\xff", int64(1<<62))
	f.Add("a", "b", "c", "user|1", int64(7))
	signer, other := NewSigner(token.Secrets{"secret"}), NewSigner(token.Secrets{"another secret"})
	f.Fuzz(func(t *testing.T, partition, key, ticket, user string, arrival int64) {
		token := Token{Line: locks.Name{Partition: partition, Key: key}, Ticket: ticket, UserID: user, Arrival: arrival}
		text := signer.Sign(token)
		read, err := signer.Read(text, user)
		if ambiguous := strings.Contains(partition+key+ticket+user, "|"); ambiguous {
			if !errors.Is(err, ErrUnknownTicket) {
				t.Errorf("%+v was read as %+v, %v", token, read, err)
			}
		} else if read != token || err != nil {
			t.Errorf("%+v was read as %+v, %v", token, read, err)
		}
		for _, forged := range []string{text + "A", text[:len(text)-1], "A" + text, strings.ToLower(text) + "a",
			other.Sign(token)} {
			if _, err := signer.Read(forged, user); !errors.Is(err, ErrUnknownTicket) {
				t.Errorf("%q was read although %q was signed: %v", forged, text, err)
			}
		}
		if _, err := signer.Read(text, user+"x"); !errors.Is(err, ErrUnknownTicket) {
			t.Errorf("another person's token was read: %v", err)
		}
	})
}

// No text but one that was signed is read, and nothing makes reading panic.
func FuzzToken_ReadsOnlyWhatWasSigned(f *testing.F) {
	signer := NewSigner(token.Secrets{"secret"})
	signed := signer.Sign(Token{Line: locks.Name{Partition: "p", Key: "k"}, Ticket: "t", UserID: "user", Arrival: 1})
	head, tail, _ := strings.Cut(signed, ".")
	for _, seed := range []string{
		"", ".", "..", signed, head, "." + tail, head + "." + head, signed + ".", signed + "=", " " + signed,
		head + "." + strings.Repeat("A", len(tail)), "fHx8fA." + tail, strings.Repeat("A", 10000), "\x00.\xff",
	} {
		f.Add(seed, "user")
	}
	f.Fuzz(func(t *testing.T, text, user string) {
		token, err := signer.Read(text, user)
		if err == nil && (signer.Sign(token) != text || token.UserID != user) {
			t.Errorf("%q was read as %+v, which is signed %q", text, token, signer.Sign(token))
		}
		if err != nil && (token != Token{}) {
			t.Errorf("%q was refused and read as %+v", text, token)
		}
	})
}
