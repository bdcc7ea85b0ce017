package setup

import (
	"regexp"
	"slices"
	"strings"

	"lunchgo/app/booking"
)

// SlugPattern is how a restaurant's part of its address is written.
const SlugPattern = `^[a-z0-9]+(-[a-z0-9]+)*$`

// Bounds of a slug, in letters.
const (
	minSlug = 3
	maxSlug = 40
)

// madeSlugs begin the slugs of restaurants that nobody visits.
var madeSlugs = []string{"rehearsal-", "shadow-"}

var slugPattern = regexp.MustCompile(SlugPattern)

// isSlug returns whether an owner may choose a slug.
func isSlug(slug string) bool {
	return len(slug) >= minSlug && len(slug) <= maxSlug && slugPattern.MatchString(slug) &&
		!slices.ContainsFunc(madeSlugs, func(made string) bool { return strings.HasPrefix(slug, made) })
}

// ErrSlugTaken says that a slug leads, or led, to another restaurant.
var ErrSlugTaken error = &booking.InvalidError{Fields: []booking.FieldError{{Field: "slug", Reason: "taken"}}}
