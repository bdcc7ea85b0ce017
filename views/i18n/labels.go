package i18n

import "strings"

// PlaceNames are the names of a district and a cuisine in all languages, for the search.
func PlaceNames(district, cuisine string) string {
	var names []string
	for _, lang := range []string{Korean, English} {
		names = append(names, T(lang, "district."+district), T(lang, "cuisine."+cuisine))
	}
	return strings.Join(names, "\n")
}
