package i18n

import (
	"unicode"

	"golang.org/x/text/language"
)

var matcher = language.NewMatcher([]language.Tag{language.Korean, language.English})

// Lang chooses a reader's language: the one in the cookie if it is one of ours, else the best of the Accept-Language
// header, else Korean.
func Lang(cookie, acceptLanguage string) string {
	if cookie == Korean || cookie == English {
		return cookie
	}
	tags, _, err := language.ParseAcceptLanguage(acceptLanguage)
	if err != nil || len(tags) == 0 {
		return Korean
	}
	if _, index, confidence := matcher.Match(tags...); confidence != language.No && index == 1 {
		return English
	}
	return Korean
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
