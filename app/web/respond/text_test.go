package respond

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strings"
	"testing"
)

func TestIsJSONText(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]bool{
		`{"a": "김"}`: true, `{"a": "\u0001"}`: true, `{"a": "\\u0000"}`: true, `{"a": "\ud83d\ude4f"}`: true,
		`{"a": "\uFFFD"}`: true, `{"a": "\"\\"}`: true, `\`: true, `\u00`: true,
		`{"a": "\u0000"}`: false, `{"a": "\\\u0000"}`: false, `{"\u0000": 1}`: false, "{\"a\": \"\x00\"}": false,
		"{\"a\": \"\xff\"}": false, "{\"a\": \"\xed\xa0\x80\"}": false, `{"a": "\ud83d"}`: false,
		`{"a": "\ude4f"}`: false, `{"a": "\ud83dx\ude4f"}`: false, `{"a": "\ud83d\ud83d\ude4f"}`: false,
	} {
		if got := IsJSONText([]byte(document)); got != want {
			t.Errorf("%q: %t", document, got)
		}
	}
}

func TestInvalidMember(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]string{
		`{"a": "x", "items": [{"note": "x"}, {"note": "\u0000"}]}`: "items[1].note",
		`{"b": "\ud800"}`: "b", `{"\u0000": "\u0000"}`: "body", `{"a": "\u0000`: "body", `["\u0000"]`: "[0]", "\xff": "body",
	} {
		if got := InvalidMember([]byte(document)); got != want {
			t.Errorf("%q: %q, want %q", document, got, want)
		}
	}
}

func TestJSONValues(t *testing.T) {
	t.Parallel()
	for document, want := range map[string]int{`1`: 1, `"a,b\",[{"`: 1, `[1,2,3]`: 4, `{"a": [], "b": {"c": "\\"}}`: 5} {
		if got := JSONValues([]byte(document)); got < want || got > want+1 {
			t.Errorf("%s: %d, want %d", document, got, want)
		}
	}
}

// To name what is invalid takes little more memory than the document, however deep it lies, and however long the names
// above it are.
func TestInvalidMember_TakesLittleMemory(t *testing.T) {
	const bytesPerByte = 200 // of decoding: a number of two bytes is a value of 16, in a slice that doubles
	for name, document := range map[string]string{
		"deep":      `{"a":` + strings.Repeat("[", 9_000) + `"\u0000"` + strings.Repeat("]", 9_000) + `}`,
		"long name": `{"` + strings.Repeat("a", 30_000) + `":[` + strings.Repeat("0,", 16_000) + `"\u0000"]}`,
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		got := InvalidMember([]byte(document))
		runtime.ReadMemStats(&after)
		if !strings.HasPrefix(got, "a") || !strings.HasSuffix(got, "]") {
			t.Errorf("%s: %.20q", name, got)
		}
		if taken := int(after.TotalAlloc - before.TotalAlloc); taken > bytesPerByte*len(document) {
			t.Errorf("%s: %d kB for %d kB", name, taken>>10, len(document)>>10)
		}
	}
}

// What passes is decoded to text that can be stored; what does not, is not.
func FuzzIsJSONText(f *testing.F) {
	for _, seed := range []string{`{"a": "\u0000"}`, `["\ud83d\ude4f", "\ud800"]`, "\xff", `"\\u0000"`, `{"\udc00": 1}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		passes := IsJSONText(document)
		if !passes {
			InvalidMember(document)
		}
		var value any
		if json.Unmarshal(document, &value) != nil || bytes.Contains(document, []byte("\uFFFD")) ||
			bytes.Contains(bytes.ToLower(document), []byte(`\ufffd`)) {
			return
		}
		if clean := !holdsInvalid(value); clean != passes {
			t.Errorf("%q: %t, want %t", document, passes, clean)
		}
	})
}

func holdsInvalid(value any) bool {
	switch value := value.(type) {
	case string:
		return bytes.ContainsAny([]byte(value), "\x00\uFFFD")
	case []any:
		for _, item := range value {
			if holdsInvalid(item) {
				return true
			}
		}
	case map[string]any:
		for name, item := range value { // in any order
			if holdsInvalid(name) || holdsInvalid(item) {
				return true
			}
		}
	}
	return false
}
