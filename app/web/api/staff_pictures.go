package api

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/team"
	"lunchgo/views"
)

// pictureFiles are the media types of pictures.
var pictureFiles = []string{"image/jpeg", "image/png", "image/webp"}

// uploaded is a picture that was stored.
type uploaded struct {
	Picture string `json:"picture"` // what the menu and the settings name it by
	// Where its JPEG is, for ever. The same address with -400 before .jpg is of a small one.
	URL    string `json:"url"`
	Width  int    `json:"width"` // pixels, at most 1200
	Height int    `json:"height"`
}

// addPicture answers POST /api/staff/restaurants/{restaurant}/pictures, whose body is the file. The type is read from
// its bytes.
func (a *API) addPicture(c *fiber.Ctx) error {
	w, err := a.Places.Allowed(c, team.ChangeMenu)
	if err != nil {
		return err
	}
	file := slices.Clone(c.Request().Body()) // as it is: c.Body would unpack it
	u, err := a.Contents.AddPicture(c.UserContext(), w.By, w.Restaurant.ID, file)
	if err != nil {
		return err
	}
	url := views.PictureURL(u.Hash)
	c.Location(url)
	return c.Status(fiber.StatusCreated).JSON(uploaded{Picture: u.Hash, URL: url, Width: u.Width, Height: u.Height})
}
