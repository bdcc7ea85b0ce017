package i18n

import (
	"strconv"
	"strings"
	"time"
)

// Won formats an amount of won: 12,000원 or ₩12,000.
func Won(lang string, amount int64) string {
	sign := ""
	if amount < 0 {
		sign, amount = "−", -amount
	}
	if lang == English {
		return sign + "₩" + grouped(amount)
	}
	return sign + grouped(amount) + "원"
}

// SignedWon formats an amount of won with its sign, for a ledger: +12,000원, −₩12,000.
func SignedWon(lang string, amount int64) string {
	if amount > 0 {
		return "+" + Won(lang, amount)
	}
	return Won(lang, amount)
}

// Number formats a number with thousands separators.
func Number(n int) string {
	if n < 0 {
		return "−" + grouped(int64(-n))
	}
	return grouped(int64(n))
}

func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	out := make([]byte, 0, len(digits)+len(digits)/3)
	for i := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out = append(out, ',')
		}
		out = append(out, digits[i])
	}
	return string(out)
}

// weekdays are the short names of the days in Korean, Sunday first.
var weekdays = [7]string{"일", "월", "화", "수", "목", "금", "토"}

// Weekday is the short name of a day of the week: 토, Sat.
func Weekday(lang string, day time.Weekday) string {
	if lang == English {
		return day.String()[:3]
	}
	return weekdays[day]
}

// Date formats a day: 11월 21일 (토), Sat, 21 Nov; with its year, as LongDate, where that is not the current one at its
// place.
func Date(lang string, t time.Time) string {
	if t.Year() != time.Now().In(t.Location()).Year() {
		return LongDate(lang, t)
	}
	if lang == English {
		return t.Format("Mon, 2 Jan")
	}
	return koreanDay(t)
}

// LongDate formats a day with its year: 2026년 11월 21일 (토), Sat, 21 Nov 2026.
func LongDate(lang string, t time.Time) string {
	if lang == English {
		return t.Format("Mon, 2 Jan 2006")
	}
	return t.Format("2006년 ") + koreanDay(t)
}

func koreanDay(t time.Time) string { return t.Format("1월 2일 (") + weekdays[t.Weekday()] + ")" }

// Month formats a month: 2026년 11월, November 2026.
func Month(lang string, t time.Time) string {
	if lang == English {
		return t.Format("January 2006")
	}
	return t.Format("2006년 1월")
}

// Time formats a time of day: 오후 7:00, 7:00 PM.
func Time(lang string, t time.Time) string {
	if lang == English {
		return t.Format("3:04 PM")
	}
	if t.Hour() < 12 {
		return t.Format("오전 3:04")
	}
	return t.Format("오후 3:04")
}

// Clock formats a time of day given as 15:04; anything else is returned as it is.
func Clock(lang, clock string) string {
	t, err := time.Parse("15:04", clock)
	if err != nil {
		return clock
	}
	return Time(lang, t)
}

// DateTime formats a day and a time: 11월 21일 (토) 오후 7:00, Sat, 21 Nov, 7:00 PM.
func DateTime(lang string, t time.Time) string {
	if lang == English {
		return Date(lang, t) + ", " + Time(lang, t)
	}
	return Date(lang, t) + " " + Time(lang, t)
}

// Duration formats an estimate as one would say it: 약 3분, about 3 min. Below a minute it goes by ten seconds, so
// that a display that moves every second does not flicker.
func Duration(lang string, d time.Duration) string {
	seconds := int(d.Round(time.Second) / time.Second)
	switch {
	case seconds < 10:
		return T(lang, "duration.moment")
	case seconds < 60:
		return T(lang, "duration.seconds", "Count", (seconds+9)/10*10)
	case seconds < 3600:
		return T(lang, "duration.minutes", "Count", (seconds+59)/60)
	}
	hours, minutes := seconds/3600, seconds%3600/60
	if minutes == 0 {
		return T(lang, "duration.hours", "Count", hours)
	}
	return T(lang, "duration.hours_minutes", "Hours", hours, "Minutes", minutes)
}

// DurationRange formats between which two times a wait ends: 잠시 후, 최대 20초, 20~40초, 40초~2분, 2~4분; up to 20 seconds,
// 2–4 min. It rounds outward.
func DurationRange(lang string, low, high time.Duration) string {
	fine := func(d time.Duration) bool { return d < time.Minute }
	low, high = low.Truncate(time.Second), high.Truncate(time.Second)
	if !fine(low) {
		low = low.Truncate(time.Minute)
	}
	if up := high % time.Minute; !fine(high) && up > 0 {
		high += time.Minute - up
	}
	switch {
	case high < 10*time.Second:
		return T(lang, "duration.moment")
	case low < time.Second:
		return T(lang, "duration.up_to", "High", wholeUnits(lang, high))
	case fine(high), !fine(low) && high < time.Hour:
		unit := time.Minute
		if fine(high) {
			unit = time.Second
		}
		return T(lang, "duration.range", "Low", int(low/unit), "High", wholeUnits(lang, high))
	}
	return T(lang, "duration.range", "Low", wholeUnits(lang, low), "High", wholeUnits(lang, high))
}

// wholeUnits formats whole seconds below a minute, and whole minutes from there.
func wholeUnits(lang string, d time.Duration) string {
	if d < time.Minute {
		return T(lang, "duration.length_seconds", "Count", int(d/time.Second))
	}
	if d < time.Hour {
		return T(lang, "duration.length_min", "Count", int(d/time.Minute))
	}
	return Length(lang, d)
}

// Length formats an exact duration: 2시간, 1 h 30 min.
func Length(lang string, d time.Duration) string {
	hours, minutes := int(d/time.Hour), int(d%time.Hour/time.Minute)
	switch {
	case hours == 0:
		return T(lang, "duration.length_minutes", "Count", minutes)
	case minutes == 0:
		return T(lang, "duration.length_hours", "Count", hours)
	}
	return T(lang, "duration.length_hours_minutes", "Hours", hours, "Minutes", minutes)
}

// Times formats a time with when it ends: 오후 6:00–8:00, 6:00–8:00 PM; the time alone where that is zero.
func Times(lang string, at, until time.Time) string {
	if until.IsZero() {
		return Time(lang, at)
	}
	if lang == English && at.Hour()/12 == until.Hour()/12 {
		return at.Format("3:04") + "–" + Time(lang, until)
	}
	if lang != English && at.Hour()/12 == until.Hour()/12 {
		return Time(lang, at) + "–" + until.Format("3:04")
	}
	return Time(lang, at) + "–" + Time(lang, until)
}

// Clocks is Times of two times of day given as 15:04; what is none is returned as it is.
func Clocks(lang, from, last string) string {
	at, fromErr := time.Parse("15:04", from)
	until, lastErr := time.Parse("15:04", last)
	if fromErr != nil || lastErr != nil {
		return from + "–" + last
	}
	if from == last {
		until = time.Time{}
	}
	return Times(lang, at, until)
}

// Span is DateTime with when it ends, as in Times.
func Span(lang string, at, until time.Time) string {
	if lang == English {
		return Date(lang, at) + ", " + Times(lang, at, until)
	}
	return Date(lang, at) + " " + Times(lang, at, until)
}

// Party formats a number of guests: 2명, 2 people.
func Party(lang string, people int) string { return T(lang, "party.people", "Count", people) }

// Ordinal is what follows a position's number: 번째; st, nd, rd, th.
func Ordinal(lang string, n int) string {
	last := n % 10
	switch {
	case n%100 >= 11 && n%100 <= 13, last == 0, last > 3:
		return T(lang, "ordinal.th")
	case last == 1:
		return T(lang, "ordinal.st")
	case last == 2:
		return T(lang, "ordinal.nd")
	}
	return T(lang, "ordinal.rd")
}

// PriceSigns is a price band as it is drawn.
func PriceSigns(band int) string { return strings.Repeat("₩", band) }

// PriceBand is a price band as it is said.
func PriceBand(lang string, band int) string {
	return T(lang, "price_band.label", "Band", Label(lang, "price_band", strconv.Itoa(band)))
}
