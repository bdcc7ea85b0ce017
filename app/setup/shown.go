package setup

import (
	"slices"
	"time"

	"lunchgo/app/booking"
)

// ShownPicture is the document of the picture of a restaurant alone: who changes the menu changes it too. Settings has
// it besides.
type ShownPicture struct {
	// Name of a drawn picture, or the hash of one that the restaurant has uploaded.
	Picture string `json:"picture"`
}

// Name implements Document.
func (p ShownPicture) Name() Name { return DocPicture }

// apply implements Document.
func (p ShownPicture) apply(r booking.Restaurant) booking.Restaurant {
	r.Picture = p.Picture
	return r
}

// check implements Document. Whose an uploaded picture is, the store checks under the lock.
func (p ShownPicture) check(was booking.Restaurant, _ time.Time) []booking.FieldError {
	var f wrongs
	f.add(p.Picture != was.Picture && !isPicture(p.Picture), "picture", "unknown")
	return f
}

func isPicture(name string) bool { return slices.Contains(Pictures(), name) || IsUploaded(name) }

// DrawingFor returns the drawn picture that suits a cuisine, for a restaurant that has chosen none.
func DrawingFor(cuisine string) string {
	drawings := map[string]string{"korean": "hanjeongsik", "japanese": "sushi", "chinese": "dimsum", "italian": "pasta",
		"french": "bistro", "indian": "curry", "vietnamese": "pho", "seafood": "seafood", "vegetarian": "vegan",
		"pub": "pub", "cafe": "dessert"}
	if drawing, ok := drawings[cuisine]; ok {
		return drawing
	}
	return "table"
}
