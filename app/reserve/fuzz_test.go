package reserve

import (
	"strings"
	"testing"

	"lunchgo/app/token"
)

// Only the link of an offer names its entry.
func FuzzOfferLink(f *testing.F) {
	links := NewOfferLinks(token.Secrets{"secret"})
	signed := links.Sign("entry-1")
	head, tail, _ := strings.Cut(signed, ".")
	for _, seed := range []string{"", ".", signed, head, "." + tail, signed + ".", signed + "=", "AAAA." + tail,
		"\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		entry, err := links.Read(text)
		if err == nil && links.Sign(entry) != text || err != nil && entry != "" {
			t.Errorf("%q is read as %q, %v", text, entry, err)
		}
	})
}
