package i18n

import (
	"strings"
	"unicode"
)

// PlaceNames are the names of a district and a cuisine in all languages, for the search.
func PlaceNames(district, cuisine string) string {
	var names []string
	for _, lang := range Languages {
		names = append(names, T(lang, "district."+district), T(lang, "cuisine."+cuisine))
	}
	return strings.Join(names, "\n")
}

// Label is the name of a key that restaurants or menus are sorted by; of one that the catalogue does not know, the key
// itself, made readable.
func Label(lang, section, key string) string {
	if name := section + "." + key; Has(lang, name) {
		return T(lang, name)
	}
	words := []rune(strings.NewReplacer("-", " ", "_", " ").Replace(key))
	if len(words) > 0 {
		words[0] = unicode.ToUpper(words[0])
	}
	return string(words)
}
