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
	event, after, _ := strings.Cut(strings.ReplaceAll(entry, "\r\n ", ""), "BEGIN:VALARM\r\n")
	alarm, rest, _ := strings.Cut(after, "END:VALARM\r\n")
	properties, alarms := propertiesOf(t, event+rest), propertiesOf(t, alarm)
	if alarms["ACTION"] != "DISPLAY" || alarms["TRIGGER"] != "-PT2H" || alarms["DESCRIPTION"] == "" {
		t.Errorf("it reminds of it by %v", alarms)
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

// propertiesOf are the properties of a component of a calendar, of which none may be there twice.
func propertiesOf(t *testing.T, unfolded string) map[string]string {
	t.Helper()
	properties := map[string]string{}
	for line := range strings.SplitSeq(unfolded, "\r\n") {
		name, value, _ := strings.Cut(line, ":")
		if _, twice := properties[name]; twice && name != "BEGIN" && name != "END" {
			t.Errorf("it says %s twice", name)
		}
		properties[name] = value
	}
	return properties
}
