package respond

import (
	"math"
	"slices"
	"time"

	"lunchgo/views/i18n"
)

// plain are the faults for which the words of their status's page say more than a sentence of their own.
var plain = []string{"bad_request", "forbidden", "header_too_large", "internal", "invalid", "method_not_allowed",
	"not_found", "too_large", "unavailable"}

// Sentence is what a fault says to its reader; empty where the status's own words fit. Forms have the kinder sentences
// of section "fault", where there is one.
func Sentence(lang string, what Problem) string {
	for _, field := range what.Fields {
		return FieldSentence(lang, field)
	}
	if key := "fault." + what.Code; i18n.Has(lang, key) {
		return i18n.T(lang, key)
	}
	if key := "error." + what.Code; !slices.Contains(plain, what.Code) && i18n.Has(lang, key) {
		return i18n.T(lang, key, "Remaining", what.Remaining)
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
