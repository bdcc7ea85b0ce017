package ics

import (
	"net/url"
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
	if !strings.Contains(unfolded, "BEGIN:VALARM\r\nACTION:DISPLAY\r\n") ||
		!strings.Contains(text, "TRIGGER:-PT2H\r\n") {
		t.Errorf("nothing reminds of it:\n%s", text)
	}
	if !strings.Contains(text, "DTSTART:20261121T100000Z\r\n") {
		t.Errorf("it does not begin at 10:00 UTC:\n%s", text)
	}
}

func TestEvent_AtGoogle(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 21, 19, 0, 0, 0, time.FixedZone("KST", 9*3600))
	address := Event{Start: at, End: at.Add(time.Hour), Summary: "솔밥 & co", Place: "서울", Text: "번호 R1",
		URL: "https://lunchgo.example/reservations/r1"}.GoogleURL()
	found, err := url.Parse(address)
	if err != nil || found.Host != "calendar.google.com" {
		t.Fatalf("%s %v", address, err)
	}
	for name, want := range map[string]string{"action": "TEMPLATE", "text": "솔밥 & co", "location": "서울",
		"dates": "20261121T100000Z/20261121T110000Z", "details": "번호 R1\nhttps://lunchgo.example/reservations/r1"} {
		if got := found.Query().Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}
