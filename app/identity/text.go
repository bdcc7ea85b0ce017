package identity

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// NormalName is a name as it is kept: in Unicode's form NFC, without space around it.
func NormalName(name string) string { return strings.TrimSpace(norm.NFC.String(name)) }

// CheckName says what is wrong with a name as NormalName returns it: "required", "too_long", "invalid_text"; empty for
// nothing. Invalid are characters that are not seen or that change the order of others: they let a name look like
// another, or like nothing. The zero width joiner is allowed inside an emoji.
func CheckName(name string) (reason string) {
	switch reason = checkLine(name, MaxName); {
	case reason != "":
		return reason
	case name == "":
		return "required"
	case !strings.ContainsFunc(name, isSeen):
		return "invalid_text"
	}
	return ""
}

// checkLine says so of a line that may be empty.
func checkLine(line string, mostRunes int) (reason string) {
	switch {
	case !utf8.ValidString(line):
		return "invalid_text"
	case utf8.RuneCountInString(line) > mostRunes:
		return "too_long"
	case hasUnseen(line):
		return "invalid_text"
	}
	return ""
}

// Characters that the rules below name.
const (
	zeroWidthJoiner = '\u200d'
	emojiStyle      = '\ufe0f' // asks for the colored form of the character before it
)

// blanks are letters, marks and symbols by Unicode's tables, but show nothing: Hangul fillers, the grapheme joiner, the
// blank Braille pattern.
const blanks = "\u115f\u1160\u3164\uffa0\u034f\u17b4\u17b5\u2800"

// hasUnseen says whether a text holds a character that nobody sees.
func hasUnseen(text string) bool {
	before := rune(0)
	runes := []rune(text)
	for i, r := range runes {
		if r == zeroWidthJoiner && isEmoji(before) && i+1 < len(runes) && unicode.Is(unicode.So, runes[i+1]) {
			continue
		}
		if isUnseen(r) {
			return true
		}
		before = r
	}
	return false
}

// isUnseen says so of control, format and private characters, of noncharacters, line separators and blanks. An emoji
// that is newer than these tables is none of them.
func isUnseen(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp) ||
		strings.ContainsRune(blanks, r) ||
		r&0xfffe == 0xfffe || r >= 0xfdd0 && r <= 0xfdef
}

// isEmoji says whether what ends with r may be joined: a symbol, a color of skin, or the colored form of one.
func isEmoji(r rune) bool { return unicode.In(r, unicode.So, unicode.Sk) || r == emojiStyle }

func isSeen(r rune) bool { return !unicode.In(r, unicode.Z, unicode.M) }
