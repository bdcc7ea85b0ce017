package views_test

import (
	"regexp"
	"strings"
	"testing"
)

// must ends the test at an error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// holds reports each of the parts that is not in the text.
func holds(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in %s", part, text)
		}
	}
}

// lacks reports each of the parts that is in the text.
func lacks(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("%q is in %s", part, text)
		}
	}
}

// matches reports a text in which a pattern finds nothing.
func matches(t *testing.T, text, pattern string) {
	t.Helper()
	if !regexp.MustCompile(pattern).MatchString(text) {
		t.Errorf("no %s in %s", pattern, text)
	}
}

// counts reports a part that is in the text more or less often than wanted.
func counts(t *testing.T, text, part string, want int) {
	t.Helper()
	if got := strings.Count(text, part); got != want {
		t.Errorf("%q is %d times, not %d, in %s", part, got, want, text)
	}
}

// none reports what should not have been found.
func none(t *testing.T, what string, found []string) {
	t.Helper()
	if len(found) > 0 {
		t.Errorf("%s: %q", what, found)
	}
}
