package respond

import (
	"math"
	"time"

	"lunchgo/app/waiting"
	"lunchgo/views/i18n"
)

// Sentence is what a problem says to the reader of a page; empty where the words of its status say more. Forms
// have kinder sentences, in section "fault", for some.
func Sentence(lang string, what Problem) string {
	for _, field := range what.Fields {
		return FieldSentence(lang, field)
	}
	if sentence := LimitSentence(lang, what); sentence != "" {
		return sentence
	}
	if key := "fault." + what.Code; i18n.Has(lang, key) {
		return i18n.T(lang, key)
	}
	if known, _ := OutcomeOf(what.Code); known.plain {
		return ""
	}
	if key := "error." + what.Code; i18n.Has(lang, key) {
		return i18n.T(lang, key, "Remaining", what.Remaining)
	}
	return ""
}

// LimitSentence says which limit of an account speaks against a request, and what its person can do; empty for other
// problems.
func LimitSentence(lang string, what Problem) string {
	switch what.Code {
	case waiting.CodeTooManyHolds:
		return i18n.T(lang, "limit."+string(what.Reason), "Count", what.Limit)
	case waiting.CodeHeldRecently:
		return i18n.T(lang, "limit.recently", "Time", i18n.Duration(lang, what.RetryAfter))
	case waiting.CodeOverlapping:
		return i18n.T(lang, "limit.overlapping")
	}
	return ""
}

// FieldSentence says what is wrong with a field.
func FieldSentence(lang string, field Field) string {
	for _, section := range []string{"fault.", "error.field."} {
		if i18n.Has(lang, section+field.Reason) {
			return i18n.T(lang, section+field.Reason, "Min", field.Min, "Max", field.Max)
		}
	}
	return i18n.T(lang, "fault.unknown")
}

// Seconds rounds a time up to whole seconds.
func Seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
