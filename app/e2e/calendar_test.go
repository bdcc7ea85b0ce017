package e2e_test

import (
	"strings"
	"testing"
	"time"
)

// checkCalendar holds a calendar entry (RFC 5545) against the slot that it is of.
func checkCalendar(t *testing.T, entry string, s slot, url string) {
	t.Helper()
	for line := range strings.SplitSeq(strings.TrimSuffix(entry, "\r\n"), "\r\n") {
		if len(line) > 75 || strings.ContainsAny(line, "\r\n") {
			t.Errorf("a line that is too long or not ended right: %q", line)
		}
	}
	properties := map[string]string{}
	for line := range strings.SplitSeq(strings.ReplaceAll(entry, "\r\n ", ""), "\r\n") {
		name, value, _ := strings.Cut(line, ":")
		if _, twice := properties[name]; twice && name != "BEGIN" && name != "END" {
			t.Errorf("it says %s twice", name)
		}
		properties[name] = value
	}
	start, err := time.Parse("20060102T150405Z", properties["DTSTART"])
	if err != nil || !start.Equal(s.at) {
		t.Errorf("it starts at %s (%v), want %s", properties["DTSTART"], err, s.at.UTC())
	}
	end, err := time.Parse("20060102T150405Z", properties["DTEND"])
	if err != nil || !end.After(start) {
		t.Errorf("it ends at %s (%v)", properties["DTEND"], err)
	}
	if properties["URL"] != url {
		t.Errorf("it leads to %s, want %s", properties["URL"], url)
	}
	for _, name := range []string{"VERSION", "PRODID", "UID", "DTSTAMP", "SUMMARY", "LOCATION"} {
		if properties[name] == "" {
			t.Errorf("it lacks %s", name)
		}
	}
}
