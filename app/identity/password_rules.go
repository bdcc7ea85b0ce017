package identity

import (
	_ "embed"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Bounds of a password: characters at least, and bytes at most, which keeps hashing from being a way to load the
// server.
const (
	MinPassword = 8
	MaxPassword = 200
)

// commonPasswords are the passwords that are guessed first, in lower case, one a line. common_passwords_license.txt
// says whence.
//
//go:embed common_passwords.txt
var commonPasswords string

// CheckPassword says what is wrong with a password for the account of an address and a name: "too_short", "too_long",
// "invalid_text" for what is no UTF-8, "too_common" for one that is guessed first; empty for nothing.
func CheckPassword(password, email, name string) (reason string) {
	password = norm.NFC.String(password)
	switch {
	case !utf8.ValidString(password):
		return "invalid_text"
	case len(password) > MaxPassword:
		return "too_long"
	case utf8.RuneCountInString(password) < MinPassword:
		return "too_short"
	case isCommon(password) || isOwnWord(password, email, name):
		return "too_common"
	}
	return ""
}

// isCommon says whether a password is among the commonest, in whatever case, or is one character many times.
func isCommon(password string) bool {
	first, _ := utf8.DecodeRuneInString(password)
	return strings.Trim(password, string(first)) == "" ||
		!strings.Contains(password, "\n") && strings.Contains("\n"+commonPasswords, "\n"+strings.ToLower(password)+"\n")
}

// isOwnWord says whether a password is what everybody knows of somebody: their address, its first part, or their name.
func isOwnWord(password, email, name string) bool {
	local, _, _ := strings.Cut(email, "@")
	for _, word := range []string{email, local, name} {
		if word != "" && strings.EqualFold(password, norm.NFC.String(word)) {
			return true
		}
	}
	return false
}
