package views

import (
	"slices"

	"lunchgo/static"
)

// Pictures are the names of the drawn pictures in static/pictures that a restaurant may have.
var Pictures = []string{
	"barbecue", "bibimbap", "bistro", "bunsik", "curry", "dessert", "dimsum", "hanjeongsik",
	"naengmyeon", "pasta", "pho", "pub", "ramen", "seafood", "sushi", "vegan",
}

// PictureURL is the address of a restaurant's drawn picture; an unknown name gives the picture of a laid table.
func PictureURL(name string) string {
	if !slices.Contains(Pictures, name) {
		name = "table"
	}
	return static.URL("pictures/" + name + ".svg")
}
