package identity

import (
	"log/slog"
	"strings"
	"testing"
	"time"
)

// Only what was issued is a session, for the person it was issued to.
func FuzzSession(f *testing.F) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	sessions := NewSessions([]byte("secret"), nil, func() time.Time { return now }, slog.New(slog.DiscardHandler))
	issued, session := sessions.Issue("user")
	head := issued[:strings.LastIndexByte(issued, '.')]
	for _, seed := range []string{"", ".", issued, issued + ".", head, head + ".AAAA", "user.id.zzzzzz.zzzzzz.p." + issued[len(head)+1:], strings.ToUpper(issued), "\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		read, err := sessions.Verify(text)
		switch {
		case err == nil && (text != issued || read.UserID != session.UserID || read.ID != session.ID):
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
