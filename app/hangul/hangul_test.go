package hangul

import (
	"regexp"
	"testing"
)

func TestInitials(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"담담반상": "ㄷㄷㅂㅅ", "까치 Table\n힣": "ㄲㅊ \nㅎ", "Bistro": ""} { // in any order
		if got := Initials(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestPattern(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		typed, text string
		finds       bool
	}{
		{"ㄱㅎㄴ", "김하늘", true},
		{"ㄱㅎㄴ", "김 하늘", true},
		{"ㅎㄴ", "김하늘", true},
		{"김ㅎ", "김하늘", true},
		{"ㄳㅎ", "강서희", true}, // what a keyboard makes of ㄱ and ㅅ
		{"ㄱㅎㄴ", "ㄱㅎㄴ", true},
		{"ㄱㅎㄴ", "까하늘", false},
		{"ㄱㅎㅁ", "김하늘", false},
		{"ㄱ.", "가나", false}, // a dot is a dot
	} {
		if got := regexp.MustCompile(Pattern(c.typed)).MatchString(c.text); got != c.finds {
			t.Errorf("%q in %q: %v", c.typed, c.text, got)
		}
	}
	if pattern := Pattern("김하늘 (Kim)"); pattern != "" {
		t.Errorf("without a consonant: %q", pattern)
	}
}
