package identity

import (
	"strings"
	"testing"
	"time"

	"lunchgo/app/token"
)

// Only what was signed is a session, for the person it was signed for.
func FuzzSession(f *testing.F) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	sessions := NewSessions(token.Secrets{"secret"}, nil, func() time.Time { return now })
	issued, _ := sessions.Issue("user")
	head := issued[:strings.LastIndexByte(issued, '.')]
	for _, seed := range []string{"", ".", issued, issued + ".", issued + "\r", head, head + ".AAAA",
		"user.id.zzzzzz.zzzzzz.p." +
			issued[len(head)+1:], strings.ToUpper(issued), "\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		read, err := sessions.Verify(text)
		switch {
		case err == nil && (sessions.signer.Sign(text[:strings.LastIndexByte(text, '.')]) != text ||
			!strings.HasPrefix(text, read.UserID+"."+read.ID+".")):
			t.Errorf("%q is the session %+v", text, read)
		case err != nil && read != (Session{}):
			t.Errorf("%q is refused and read as %+v", text, read)
		}
		_, _ = parseSession(strings.Split(text, ".")) // what is signed is read without a panic too
	})
}

// An address has one form under which its account is found.
func FuzzNormalEmail(f *testing.F) {
	for _, seed := range []string{"Kim@Example.com", " a@b.c ", "K@x.y", "İ@x", "\xff@\xff", "ẞ@x", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		normal := NormalEmail(typed)
		if again := NormalEmail(normal); again != normal {
			t.Errorf("%q is %q, and that is %q", typed, normal, again)
		}
	})
}
