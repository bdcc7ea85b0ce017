package respond

import (
	"errors"
	"math"
	"time"

	"lunchgo/app/refusal"
	"lunchgo/views/i18n"
)

// Sentence is what a problem says to the reader of a page; empty where the words of its status say more. Forms
// have kinder sentences, in section "fault", for some.
func Sentence(lang string, what Problem) string {
	for _, field := range what.Fields {
		return FieldSentence(lang, field)
	}
	if sentence := OwnSentence(lang, what); sentence != "" {
		return sentence
	}
	if key := "fault." + what.Code; i18n.Has(lang, key) {
		return i18n.T(lang, key)
	}
	if what.Plain || !i18n.Has(lang, "error."+what.Code) {
		return ""
	}
	return ErrorSentence(lang, what)
}

// ErrorSentence is "error.<Code>" with the values of a problem.
func ErrorSentence(lang string, what Problem) string {
	_, values := phrase(lang, what)
	return i18n.T(lang, "error."+what.Code, values...)
}

// OwnSentence says which limit of an account speaks against a request, and what its person can do; empty for problems
// whose sentence is that of their code.
func OwnSentence(lang string, what Problem) string {
	key, values := phrase(lang, what)
	if key == "" {
		return ""
	}
	return i18n.T(lang, key, values...)
}

// phrase is the key and the values that a problem brings for its sentence. A time becomes how long it takes until then.
func phrase(lang string, what Problem) (key string, values []any) {
	carrier, ok := errors.AsType[refusal.Phrased](what.Cause)
	if !ok {
		return "", nil
	}
	key, values = carrier.Phrase()
	for i, value := range values {
		if _, ok := value.(time.Time); ok {
			values[i] = i18n.Duration(lang, what.RetryAfter)
		}
	}
	return key, values
}

// FieldSentence says what is wrong with a field.
func FieldSentence(lang string, field Field) string {
	if field.Reason == "out_of_range" && field.Min == field.Max {
		return i18n.T(lang, "fault.other_number", "Number", field.Min)
	}
	for _, section := range []string{"fault.", "error.field."} {
		if i18n.Has(lang, section+field.Reason) {
			return i18n.T(lang, section+field.Reason, "Min", field.Min, "Max", field.Max)
		}
	}
	return i18n.T(lang, "fault.unknown")
}

// Seconds rounds a time up to whole seconds.
func Seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
