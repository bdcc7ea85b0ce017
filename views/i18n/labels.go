package i18n

import "strings"

// PlaceNames is what a district and a cuisine are called in all languages, for a search to find.
func PlaceNames(district, cuisine string) string {
	var names []string
	for _, lang := range []string{Korean, English} {
		names = append(names, T(lang, "district."+district), T(lang, "cuisine."+cuisine))
	}
	return strings.Join(names, "\n")
}
