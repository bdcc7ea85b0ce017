package i18n

import (
	"slices"
	"unicode"

	"golang.org/x/text/language"
)

var matcher = newMatcher()

func newMatcher() language.Matcher {
	var tags []language.Tag
	for _, lang := range Languages {
		tags = append(tags, language.Make(lang))
	}
	return language.NewMatcher(tags)
}

// IsLanguage returns whether the pages have a language.
func IsLanguage(lang string) bool { return slices.Contains(Languages[:], lang) }

// Lang chooses a reader's language: the one in the cookie if it is one of ours, else the best of the Accept-Language
// header, else Korean.
func Lang(cookie, acceptLanguage string) string {
	if IsLanguage(cookie) {
		return cookie
	}
	tags, _, err := language.ParseAcceptLanguage(acceptLanguage)
	if err != nil || len(tags) == 0 {
		return Languages[0]
	}
	if _, index, confidence := matcher.Match(tags...); confidence != language.No {
		return Languages[index]
	}
	return Languages[0]
}

// LanguageOf returns the language of a text by its letters: Korean where any is Hangul, else English. It is empty for a
// text without letters.
func LanguageOf(text string) (lang string) {
	for _, r := range text {
		if unicode.Is(unicode.Hangul, r) {
			return Korean
		}
		if unicode.IsLetter(r) {
			lang = English
		}
	}
	return lang
}
