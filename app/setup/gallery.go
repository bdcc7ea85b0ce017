package setup

import (
	"slices"
	"strconv"
	"time"

	"lunchgo/app/booking"
)

// MaxPhotos is how many pictures the gallery of a restaurant may have.
const MaxPhotos = 10

// Gallery is the document of the pictures that a restaurant's page shows besides its own.
type Gallery struct {
	// Hashes of uploaded pictures, or names of drawn ones, in the order in which they are shown.
	Photos []string `json:"photos"`
}

// Name implements Document.
func (g Gallery) Name() Name { return DocGallery }

// apply implements Document.
func (g Gallery) apply(r booking.Restaurant) booking.Restaurant {
	r.Photos = g.Photos
	return r
}

// check implements Document. Whose an uploaded picture is, the store checks under the lock.
func (g Gallery) check(was booking.Restaurant, _ time.Time) []booking.FieldError {
	var f wrongs
	f.tooMany("photos", len(g.Photos), MaxPhotos)
	for i, photo := range g.Photos[:min(len(g.Photos), MaxPhotos)] {
		f.add(!slices.Contains(was.Photos, photo) && !isPicture(photo), PhotoField(i), "unknown")
		f.add(slices.Contains(g.Photos[:i], photo), PhotoField(i), "duplicate")
	}
	return f
}

// PhotoField is the field of a picture of the gallery, by its place.
func PhotoField(i int) string { return "photos[" + strconv.Itoa(i) + "]" }

// With returns the gallery with one more picture at its end; one that it has stays where it is.
func (g Gallery) With(photo string) Gallery {
	if slices.Contains(g.Photos, photo) {
		return g
	}
	return Gallery{append(slices.Clone(g.Photos), photo)}
}

// Without returns the gallery without a picture.
func (g Gallery) Without(photo string) Gallery {
	return Gallery{slices.DeleteFunc(slices.Clone(g.Photos), func(p string) bool { return p == photo })}
}

// Earlier returns the gallery with a picture one place further to the front.
func (g Gallery) Earlier(photo string) Gallery {
	photos := slices.Clone(g.Photos)
	if i := slices.Index(photos, photo); i > 0 {
		photos[i-1], photos[i] = photos[i], photos[i-1]
	}
	return Gallery{photos}
}
