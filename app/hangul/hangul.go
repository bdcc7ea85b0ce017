// Package hangul knows the initial consonants of Korean syllables, by which people search: ㄱㅎㄴ for 김하늘.
package hangul

import (
	"regexp"
	"slices"
	"strings"
)

// The Hangul syllables of Unicode follow each other by initial consonant, vowel and final consonant: those of one
// initial are perInitial in a row. Source: The Unicode Standard, section 3.12.
const (
	firstSyllable = '가'
	lastSyllable  = '힣'
	perInitial    = 21 * 28
)

// consonants are the initials in the order of the syllables, as a keyboard writes them.
var consonants = []rune("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ")

// apart takes pairs of consonants apart that a keyboard joins, since a syllable may end with them: none begins so.
var apart = strings.NewReplacer("ㄳ", "ㄱㅅ", "ㄵ", "ㄴㅈ", "ㄶ", "ㄴㅎ", "ㄺ", "ㄹㄱ", "ㄻ", "ㄹㅁ", "ㄼ", "ㄹㅂ", "ㄽ", "ㄹㅅ", "ㄾ", "ㄹㅌ",
	"ㄿ", "ㄹㅍ", "ㅀ", "ㄹㅎ", "ㅄ", "ㅂㅅ")

// Initials returns the initial consonants of a text's syllables: ㄷㄷㅂㅅ for 담담반상. Other letters are left out; spaces and
// line breaks stay.
func Initials(text string) string {
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

// Apart returns a text with each consonant that was typed by itself, also where the keyboard has joined two.
func Apart(text string) string { return apart.Replace(text) }

// Pattern returns a regular expression, for Go and PostgreSQL alike, that finds what was typed in a text: a consonant
// stands for every syllable that begins with it, and a space may be left out behind it. It is empty where no consonant
// was typed.
func Pattern(typed string) string {
	var b strings.Builder
	found := false
	for _, r := range Apart(typed) {
		if i := slices.Index(consonants, r); i >= 0 {
			first := rune(firstSyllable + i*perInitial)
			b.WriteString("[" + string(first) + "-" + string(first+perInitial-1) + string(r) + "] ?")
			found = true
			continue
		}
		b.WriteString(regexp.QuoteMeta(string(r)))
	}
	if !found {
		return ""
	}
	return strings.TrimSuffix(b.String(), " ?")
}
