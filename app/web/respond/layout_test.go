package respond_test

import (
	"testing"

	"lunchgo/app/web/respond"
)

func TestLocalPath(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"/":                        true,
		"/wallet":                  true,
		"/restaurants/x?date=2026": true,
		"/a//b":                    true,
		"/search?q=//evil.example": true,
		"":                         false,
		"wallet":                   false,
		"//evil.example":           false,
		"///evil.example":          false,
		"/\\evil.example":          false,
		"\\\\evil.example":         false,
		"/\t/evil.example":         false,
		"/\n/evil.example":         false,
		" /evil":                   false,
		"https://evil.example":     false,
		"javascript:alert(1)":      false,
		"/a\r\nSet-Cookie: x=y":    false,
	} {
		if got := respond.IsLocalPath(path); got != want {
			t.Errorf("LocalPath(%q) = %v, want %v", path, got, want)
		}
	}
}
