// Package ics writes entries of calendars that people can put into theirs (RFC 5545).
package ics

import (
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Event is an entry of a calendar.
type Event struct {
	UID        string // the same in every letter and download about it
	Sequence   int    // rises with every change, so that an older letter does not undo a newer one
	Made       time.Time
	Start, End time.Time
	Summary    string
	Place      string
	Text       string
	URL        string
}

// alarmBefore is how long before its start a calendar speaks of an event: time to set out, or to cancel.
const alarmBefore = "PT2H"

// GoogleURL adds the event to a calendar at Google, which asks whoever opens it.
func (e Event) GoogleURL() string {
	return "https://calendar.google.com/calendar/render?" + url.Values{"action": {"TEMPLATE"}, "text": {e.Summary},
		"dates": {calendarTime(e.Start) + "/" + calendarTime(e.End)}, "location": {e.Place},
		"details": {e.Text + "\n" + e.URL}}.Encode()
}

// String is the event as RFC 5545 has it. Its times are in UTC, so that no time zone has to be described.
func (e Event) String() string {
	var b strings.Builder
	for _, line := range []string{
		"BEGIN:VCALENDAR",
		"VERSION:2.0",
		"PRODID:-//LunchGo//LunchGo//KO",
		"CALSCALE:GREGORIAN",
		"METHOD:PUBLISH",
		"BEGIN:VEVENT",
		"UID:" + e.UID,
		"SEQUENCE:" + strconv.Itoa(e.Sequence),
		"DTSTAMP:" + calendarTime(e.Made),
		"DTSTART:" + calendarTime(e.Start),
		"DTEND:" + calendarTime(e.End),
		"SUMMARY:" + calendarText(e.Summary),
		"LOCATION:" + calendarText(e.Place),
		"DESCRIPTION:" + calendarText(e.Text),
		"URL:" + e.URL,
		"STATUS:CONFIRMED",
		"BEGIN:VALARM",
		"ACTION:DISPLAY",
		"DESCRIPTION:" + calendarText(e.Summary),
		"TRIGGER:-" + alarmBefore,
		"END:VALARM",
		"END:VEVENT",
		"END:VCALENDAR",
	} {
		writeFolded(&b, line)
	}
	return b.String()
}

func calendarTime(t time.Time) string { return t.UTC().Format("20060102T150405Z") }

// calendarText escapes a TEXT value (section 3.3.11).
var calendarEscapes = strings.NewReplacer(`\`, `\\`, `;`, `\;`, `,`, `\,`, "\r\n", `\n`, "\n", `\n`, "\r", `\n`)

func calendarText(s string) string { return calendarEscapes.Replace(s) }

// foldAfter is the longest line in bytes, without its end (section 3.1).
const foldAfter = 75

// writeFolded ends a line, and goes on in the next one, after a space, where it is too long. It does not cut characters
// in two.
func writeFolded(b *strings.Builder, line string) {
	room := foldAfter
	for len(line) > room {
		cut := room
		for !utf8.RuneStart(line[cut]) {
			cut--
		}
		b.WriteString(line[:cut] + "\r\n ")
		line, room = line[cut:], foldAfter-1
	}
	b.WriteString(line + "\r\n")
}
