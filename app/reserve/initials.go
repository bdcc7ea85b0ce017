package reserve

import "strings"

// The Hangul syllables of Unicode follow each other by initial consonant, vowel and final consonant: those of one
// initial are perInitial in a row. Source: The Unicode Standard, section 3.12.
const (
	firstSyllable = '가'
	lastSyllable  = '힣'
	perInitial    = 21 * 28
)

// consonants are the initials in the order of the syllables, as a keyboard writes them.
var consonants = []rune("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ")

// initials returns the initial consonants of a text's syllables, by which people search in Korean: ㄷㄷㅂㅅ for 담담반상. Other
// letters are left out; spaces and line breaks stay.
func initials(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r >= firstSyllable && r <= lastSyllable:
			b.WriteRune(consonants[(r-firstSyllable)/perInitial])
		case r == ' ' || r == '\n':
			b.WriteRune(r)
		}
	}
	return b.String()
}
