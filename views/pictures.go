package views

import (
	"slices"
	"strings"

	"lunchgo/app/setup"
	"lunchgo/static"
)

// drawings are the names of the drawn pictures.
var drawings = setup.Pictures()

// The ends of the addresses of uploaded pictures.
const (
	PictureSuffix = ".jpg"
	SmallSuffix   = "-400" // of the small size, before PictureSuffix
)

// hashLength is that of the hash of an uploaded picture, in hexadecimal digits.
const hashLength = 64

func isUploaded(picture string) bool {
	return len(picture) == hashLength && strings.Trim(picture, "0123456789abcdef") == ""
}

// PictureURL is the address of a picture: of an uploaded one by its hash, at most 1,200 pixels wide, or of a drawn one
// by its name. An unknown name gives the picture of a laid table.
func PictureURL(name string) string {
	if isUploaded(name) {
		return "/pictures/" + name + PictureSuffix
	}
	return static.URL("pictures/" + drawn(name) + ".svg")
}

// drawn is the file of a drawn picture, without its ending.
func drawn(name string) string {
	if !slices.Contains(drawings, name) {
		return "table"
	}
	return name
}

// PictureSet is the srcset of a picture: both sizes of an uploaded one; empty for a drawn one, which fits all.
func PictureSet(name string) string {
	if !isUploaded(name) {
		return ""
	}
	return SmallPictureURL(name) + " 400w, " + PictureURL(name) + " 1200w"
}

// SmallPictureURL is PictureURL for a place at most 400 pixels wide.
func SmallPictureURL(name string) string {
	if isUploaded(name) {
		return "/pictures/" + name + SmallSuffix + PictureSuffix
	}
	return PictureURL(name)
}
