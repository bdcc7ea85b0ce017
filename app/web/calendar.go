package web

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/web/frame"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// calendar answers GET /reservations/:id/calendar.ics. Only a table that is sure belongs into a calendar.
func (s *site) calendar(c *fiber.Ctx) error {
	res, err := s.own(c)
	if err != nil {
		return err
	}
	if res.State != booking.Confirmed && res.State != booking.PrepaidConfirmed && res.State != booking.Completed {
		return booking.ErrWrongState
	}
	lang := frame.Lang(c)
	b, err := s.booked(c.UserContext(), lang, res)
	if err != nil {
		return err
	}
	e := event{
		uid:     res.ID + "@lunchgo",
		made:    s.now(),
		start:   b.at,
		end:     b.at.Add(time.Duration(b.restaurant.SlotMinutes) * time.Minute),
		summary: i18n.T(lang, "calendar.summary", "Name", b.head.Name, "Party", i18n.Party(lang, res.PartySize)),
		place:   b.head.Address,
		text:    i18n.T(lang, "calendar.details", "Code", res.Code()),
		url:     s.absolute(c, views.ReservationURL(res.ID)),
	}
	c.Attachment("lunchgo-" + res.Code() + ".ics")
	c.Set(fiber.HeaderContentType, "text/calendar; charset=utf-8")
	return c.SendString(e.iCalendar())
}

// event is an entry of a calendar.
type event struct {
	uid        string
	made       time.Time
	start, end time.Time
	summary    string
	place      string
	text       string
	url        string
}

// iCalendar writes the event as RFC 5545 has it. Its times are in UTC, so that no time zone has to be described.
func (e event) iCalendar() string {
	var b strings.Builder
	for _, line := range []string{
		"BEGIN:VCALENDAR",
		"VERSION:2.0",
		"PRODID:-//LunchGo//LunchGo//KO",
		"CALSCALE:GREGORIAN",
		"METHOD:PUBLISH",
		"BEGIN:VEVENT",
		"UID:" + e.uid,
		"DTSTAMP:" + calendarTime(e.made),
		"DTSTART:" + calendarTime(e.start),
		"DTEND:" + calendarTime(e.end),
		"SUMMARY:" + calendarText(e.summary),
		"LOCATION:" + calendarText(e.place),
		"DESCRIPTION:" + calendarText(e.text),
		"URL:" + e.url,
		"STATUS:CONFIRMED",
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
