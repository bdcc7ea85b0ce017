package respond

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"mime/multipart"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"
)

// InvalidText is the problem of text from outside that no database stores: see IsText.
func InvalidText(name string) Problem { return Invalid(Field{Name: name, Reason: "invalid_text"}) }

// IsText says whether a text can be stored: it is UTF-8, which has no surrogates, and has no NUL.
func IsText(text string) bool { return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 }

// escapeLength is that of \u0000, in bytes.
const escapeLength = 6

// IsJSONText says whether all text of a JSON document can be stored, that of escapes too. Whether it is JSON is the
// decoder's matter, which would put U+FFFD where half a surrogate pair stood.
func IsJSONText(document []byte) bool {
	if !utf8.Valid(document) || bytes.IndexByte(document, 0) >= 0 {
		return false
	}
	for {
		at := bytes.IndexByte(document, '\\')
		if at < 0 || at+1 >= len(document) {
			return true
		}
		document = document[at:]
		r, ok := escaped(document)
		if !ok {
			document = document[2:] // of two characters
			continue
		}
		document = document[escapeLength:]
		if r == 0 {
			return false
		}
		if utf16.IsSurrogate(r) {
			low, ok := escaped(document)
			if !ok || utf16.DecodeRune(r, low) == utf8.RuneError {
				return false
			}
			document = document[escapeLength:]
		}
	}
}

// escaped returns the code unit of the escape \uXXXX with which a text begins; false if it begins with none.
func escaped(text []byte) (rune, bool) {
	if len(text) < escapeLength || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(text[2:escapeLength]), 16, 16)
	return rune(unit), err == nil
}

// JSONValues returns how many values a JSON document has, or some more.
func JSONValues(document []byte) int {
	values, inText := 1, false
	for i := 0; i < len(document); i++ {
		switch document[i] {
		case '\\':
			i++ // what it escapes ends no text
		case '"':
			inText = !inText
		case ',', '[', '{':
			if !inText {
				values++
			}
		}
	}
	return values
}

// InvalidMember names the first member of a JSON object whose text cannot be stored, such as items[0].note; "body" where
// that is none.
func InvalidMember(document []byte) string {
	var object any
	if json.Unmarshal(document, &object) != nil {
		return "body"
	}
	parts, _ := invalidMember(object)
	slices.Reverse(parts)
	return cmp.Or(strings.TrimPrefix(strings.Join(parts, ""), "."), "body")
}

// invalidMember looks for the first text in a value that has a NUL, or what the decoder put where it cannot be stored.
// It returns the way there, the last part first: a name for every value on the way would be as long as the document.
func invalidMember(value any) (parts []string, found bool) {
	switch value := value.(type) {
	case string:
		return nil, strings.ContainsAny(value, "\x00\uFFFD")
	case []any:
		for i, item := range value {
			if parts, found := invalidMember(item); found {
				return append(parts, fmt.Sprintf("[%d]", i)), true
			}
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if !IsText(name) {
				continue
			}
			if parts, found := invalidMember(value[name]); found {
				return append(parts, "."+name), true
			}
		}
	}
	return nil, false
}

// MultipartForm returns the form with files that was sent. Returns BadRequest if it is none, and InvalidText for the
// first field or file whose text no database stores.
func MultipartForm(c *fiber.Ctx) (*multipart.Form, error) {
	form, err := c.MultipartForm()
	if err != nil {
		return nil, BadRequest
	}
	for name, values := range form.Value { // in any order
		if !IsText(name) || slices.ContainsFunc(values, func(value string) bool { return !IsText(value) }) {
			return nil, InvalidText(textName(name))
		}
	}
	for name, files := range form.File { // in any order
		if !IsText(name) ||
			slices.ContainsFunc(files, func(file *multipart.FileHeader) bool { return !IsText(file.Filename) }) {
			return nil, InvalidText(textName(name))
		}
	}
	return form, nil
}

// textName is a name as an answer may show it.
func textName(name string) string {
	if !IsText(name) {
		return "name"
	}
	return name
}
