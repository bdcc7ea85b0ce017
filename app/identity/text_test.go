package identity

import (
	"bufio"
	"slices"
	"strings"
	"testing"
)

func TestCheckName_RefusesWhatIsNotSeen(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"김하늘":                   "",
		"하늘 🌸":                  "",
		"O’Neil-García, Jr.":    "",
		"👩\u200d🍳 쉐프":           "", // woman, joiner, pan
		"👩🏽\u200d🍳":             "",
		"🧔\u200d♂\ufe0f":        "",
		"❤\ufe0f\u200d🔥":        "",
		"नमस्ते":                "", // with combining marks
		"":                      "required",
		" \u00a0\u3000":         "required",
		strings.Repeat("가", 80): "",
		strings.Repeat("가", 81): "too_long",
		"a\nb":                  "invalid_text",
		"a\x00b":                "invalid_text",
		"a\u0085b":              "invalid_text",
		"관리자\u202egnp.exe":      "invalid_text", // order turned around
		"\u2066Ann\u2069":       "invalid_text",
		"Ann\u200b":             "invalid_text", // zero width space
		"An\u200dn":             "invalid_text", // a joiner between letters
		"🍳\u200d":               "invalid_text", // a joiner of nothing
		"🍳\u200d\u200d🍳":        "invalid_text",
		"Ann\ufeff":             "invalid_text",
		"An\u00adn":             "invalid_text", // soft hyphen
		"\u3164":                "invalid_text", // Hangul filler
		"\u2800":                "invalid_text", // blank Braille pattern
		"\u0301":                "invalid_text", // a mark on nothing
		"a\u2028b":              "invalid_text",
		"a\ufdd0b":              "invalid_text", // noncharacters
		"a\U0001ffffb":          "invalid_text",
		"a\ue000b":              "invalid_text", // private
		"Ann\U000e0041":         "invalid_text", // tag
		"a\xffb":                "invalid_text",
	} {
		if got := CheckName(NormalName(name)); got != want {
			t.Errorf("%+q: %q, want %q", name, got, want)
		}
	}
}

func TestNormalName_ComposesAndTrims(t *testing.T) {
	t.Parallel()
	if got := NormalName(" \u1112\u1161\u1102\u1173\u11af\t"); got != "하늘" {
		t.Errorf("got %+q", got)
	}
}

func TestCheckPassword(t *testing.T) {
	t.Parallel()
	for password, want := range map[string]string{
		"correct horse":           "",
		"열려라 참깨 참깨":               "",
		"비밀번호일곱자":                 "too_short", // 7 characters of 21 bytes
		"Tr0ub4d":                 "too_short",
		strings.Repeat("ab", 101): "too_long",
		"password":                "too_common",
		"PassWord":                "too_common",
		"1q2w3e4r":                "too_common",
		"qwertyuiop":              "too_common",
		"zzzzzzzzzzzz":            "too_common",
		"가가가가가가가가":                "too_common",
		"ann.park@example.org":    "too_common",
		"Ann.Park":                "too_common",
		"Annabel Park":            "too_common",
		"password\niloveyou":      "",
		"correct\xffhorse":        "invalid_text",
	} {
		if got := CheckPassword(password, "ann.park@example.org", "Annabel Park"); got != want {
			t.Errorf("%+q: %q, want %q", password, got, want)
		}
	}
	if got := CheckPassword("correct horse", "", ""); got != "" {
		t.Errorf("without an address: %q", got)
	}
}

// Every entry is refused, and could be chosen otherwise.
func TestCommonPasswords_HoldTenThousand(t *testing.T) {
	t.Parallel()
	var list []string
	for lines := bufio.NewScanner(strings.NewReader(commonPasswords)); lines.Scan(); {
		list = append(list, lines.Text())
	}
	if len(list) != 10_000 || !slices.IsSorted(list) || len(slices.Compact(slices.Clone(list))) != len(list) {
		t.Errorf("%d passwords, in order: %v", len(list), slices.IsSorted(list))
	}
	for _, password := range list {
		if len(password) < MinPassword || password != strings.ToLower(password) {
			t.Errorf("%q need not be listed", password)
		}
	}
	for i := 0; i < len(list); i += 97 {
		if got := CheckPassword(strings.ToUpper(list[i]), "", ""); got != "too_common" {
			t.Errorf("%q: %q", list[i], got)
		}
	}
}
