package setup

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lunchgo/app/booking"
)

// wrongs collects what is wrong with a document.
type wrongs []booking.FieldError

func (f *wrongs) add(wrong bool, field, reason string) {
	if wrong {
		*f = append(*f, booking.FieldError{Field: field, Reason: reason})
	}
}

// within checks that a number is at least the one and at most the other.
func (f *wrongs) within(field string, n, least, most int) {
	if n < least || n > most {
		*f = append(*f, booking.FieldError{Field: field, Reason: "out_of_range", Min: least, Max: most})
	}
}

func (f *wrongs) tooMany(field string, n, most int) {
	if n > most {
		*f = append(*f, booking.FieldError{Field: field, Reason: "too_many", Max: most})
	}
}

// readLine checks a text of one line and returns it without the spaces around it.
func (f *wrongs) readLine(field, s string, most int) string {
	f.add(strings.ContainsFunc(s, unicode.IsControl), field, "invalid_text")
	return f.readText(field, s, most)
}

// readText checks a text and returns it without the spaces around it. Line ends are "\n" alone.
func (f *wrongs) readText(field, s string, most int) string {
	s = strings.TrimSpace(booking.Lines(s))
	f.add(!isVisible(s), field, "invalid_text")
	if utf8.RuneCountInString(s) > most {
		*f = append(*f, booking.FieldError{Field: field, Reason: "too_long", Max: most})
	}
	return s
}

// isVisible returns whether a text has no characters that nobody sees or that turn the order of what follows.
func isVisible(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
	})
}

// span checks a span of a day beside the ones before it.
func (f *wrongs) span(at string, span booking.Span, before []booking.Span) {
	_, fromErr := booking.ParseTimeOfDay(string(span.From))
	_, lastErr := booking.ParseTimeOfDay(string(span.Last))
	f.add(fromErr != nil, at+".from", "invalid_time")
	f.add(lastErr != nil, at+".last", "invalid_time")
	if fromErr != nil || lastErr != nil {
		return
	}
	f.add(span.Last < span.From, at+".last", "ends_before")
	overlaps := slices.ContainsFunc(before, func(b booking.Span) bool {
		return span.From <= b.Last && b.From <= span.Last
	})
	f.add(span.Last >= span.From && overlaps, at+".from", "overlaps")
	f.tooMany(at+".from", len(before)+1, booking.MaxSpansADay)
}

// err returns *booking.InvalidError, or nil where nothing is wrong.
func (f wrongs) err() error { return booking.Invalid(f) }
