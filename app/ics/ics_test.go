package ics

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestLongTextsInACalendar(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("한정식 ", 40) + `a;b,c\d` + "\nnext"
	at := time.Date(2026, 11, 21, 19, 0, 0, 0, time.FixedZone("KST", 9*3600))
	text := Event{UID: "u", Made: at, Start: at, End: at.Add(time.Hour), Summary: name}.String()
	for line := range strings.SplitSeq(text, "\r\n") {
		if len(line) > foldAfter || !utf8.ValidString(line) {
			t.Errorf("%d bytes: %q", len(line), line)
		}
	}
	unfolded := strings.ReplaceAll(text, "\r\n ", "")
	if want := "SUMMARY:" + strings.Repeat("한정식 ", 40) + `a\;b\,c\\d\nnext` +
		"\r\n"; !strings.Contains(unfolded, want) {
		t.Errorf("unfolded it is\n%s\nwant\n%s", unfolded, want)
	}
	if !strings.Contains(text, "DTSTART:20261121T100000Z\r\n") {
		t.Errorf("it does not begin at 10:00 UTC:\n%s", text)
	}
}
