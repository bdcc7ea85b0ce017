package api

import (
	"slices"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/picture"
	"lunchgo/app/setup"
	"lunchgo/app/team"
	"lunchgo/app/web/access"
	"lunchgo/app/web/respond"
	workplaces "lunchgo/app/web/workplace"
	"lunchgo/views"
)

func (a *API) setupRoutes() group {
	about := "What a restaurant is: opening, hours, terms, menu, seats, pictures, publication."
	return group{"setup", about, append(a.documentRoutes(), []operation{
		{route: "GET /staff/restaurants", id: "listWorkplaces", right: access.SignedIn,
			run:     lists("restaurants", respond.Session, a.listWorkplaces),
			summary: "The restaurants of which the caller is staff, published or not",
			says:    "The restaurants, by id."},
		{route: "POST /staff/restaurants", id: "openRestaurant", right: access.SignedIn,
			run:     takes(respond.Session, a.openRestaurant),
			summary: "Open a restaurant",
			text: "It is a draft that the caller owns: nobody but its staff and operators sees it, and nobody " +
				"books it, until an operator publishes it. It has no hours yet. One person has at most 5 " +
				"drafts.",
			status: 201, says: "The draft.", refuses: []string{"unconfirmed", "too_many_drafts"}},
		{route: "GET /staff/restaurants/{restaurant}/checks", id: "findChecks",
			right: access.Staff(team.SeeSettings), run: answers(a.staff, a.findChecks),
			summary: "What contradicts in the rules, and how far the restaurant is from being published",
			says:    "The state."},
		{route: "POST /staff/restaurants/{restaurant}/publication", id: "submitRestaurant",
			right: access.Staff(team.Publish), run: answers(a.staff, a.submit),
			summary: "Ask for the restaurant to be published",
			text: "In a demonstration, and for an owner who is an operator, it is published at once; else an " +
				"operator does so. A repeat changes nothing.",
			says: "The state.", refuses: []string{"not_ready"}},
		{route: "GET /staff/restaurants/{restaurant}/menu", id: "findMenuDocument",
			right: access.Staff(team.SeeEvening), version: true, run: answers(a.staff, a.findMenu),
			summary: "The menu as staff set it up",
			says:    "The document."},
		{route: "PUT /staff/restaurants/{restaurant}/menu", id: "putMenuDocument",
			right: access.Staff(team.ChangeMenu), version: true, most: maxDocument, run: takes(a.staff, a.putMenu),
			summary: "Replace the menu",
			text: "Items that the request leaves out are retired where reservations have them, else gone. Prices " +
				"and names of reservations stay as they were agreed.",
			says: "The document as stored."},
		{route: "POST /staff/restaurants/{restaurant}/pictures", id: "addPicture",
			right: access.Staff(team.ChangeMenu), most: picture.MaxBytes, files: pictureFiles,
			run:     answers(a.staff, a.addPicture),
			summary: "Upload a picture of a dish or of the restaurant",
			text: "The type is read from the bytes. The picture is turned upright, scaled down and encoded again " +
				"as JPEG and WebP; what the camera wrote into it is dropped. The same file sent again is the same " +
				"picture. One that no dish and no restaurant shows is deleted after a day.",
			status: 201, located: true, says: "The picture.", refuses: []string{"too_many_pictures"}},
		{route: "GET /staff/restaurants/{restaurant}/seats", id: "findRoomDocument",
			right: access.Staff(team.SeeSettings), version: true, run: answers(a.staff, a.findRoom),
			summary: "The room with its named seats",
			says:    "The document."},
		{route: "PUT /staff/restaurants/{restaurant}/seats", id: "putRoomDocument",
			right: access.Staff(team.ChangeSettings), version: true, most: maxDocument,
			run:     takes(a.staff, a.putRoom),
			summary: "Replace the room",
			text:    "Seats that the request leaves out are retired: past reservations know them still.",
			says:    "The document as stored.", refuses: []string{"seats_held"}},
	}...)}
}

// documentRoutes read and replace the documents of the set-up.
func (a *API) documentRoutes() []operation {
	return slices.Concat(
		document(a, "Settings", "how the restaurant is shown, and whom it takes for how long",
			func(d setup.Settings, s saved) settingsSaved { return settingsSaved{d, s} }),
		document(a, "Hours", "when slots start",
			func(d setup.Hours, s saved) hoursSaved { return hoursSaved{d, s} }),
		document(a, "Closures", "when the restaurant does not open",
			func(d setup.Closures, s saved) closuresSaved { return closuresSaved{d, s} }),
		document(a, "Picture",
			"the picture of the restaurant: the hash of one that was uploaded, or the name of a drawn one",
			func(d setup.ShownPicture, s saved) shownPictureSaved { return shownPictureSaved{d, s} }),
		document(a, "Gallery", "the pictures that the restaurant's page shows besides its own",
			func(d setup.Gallery, s saved) gallerySaved { return gallerySaved{d, s} }),
		document(a, "Deposits", "what parties pay to confirm",
			func(d setup.Deposits, s saved) depositsSaved { return depositsSaved{d, s} }),
		document(a, "CancellationRules", "what comes back, and until when guests change",
			func(d setup.Cancellation, s saved) cancellationRulesSaved { return cancellationRulesSaved{d, s} }),
	)
}

// maxDocument is how much of a document is read, in bytes: a menu of 200 dishes with long texts in two languages.
const maxDocument = respond.MaxDocument

// tag has an answer with a document say its version, which a PUT over it has to name.
func tag(c *fiber.Ctx, document any, err error) error {
	if err != nil {
		return err
	}
	version, err := setup.Tag(document)
	c.Set(fiber.HeaderETag, version)
	return err
}

// writeOf is a write over the version that the request names in If-Match.
func writeOf(c *fiber.Ctx, restaurantID int64) setup.Write {
	return setup.Write{RestaurantID: restaurantID, Tag: c.Get(fiber.HeaderIfMatch)}
}

func (a *API) findMenu(c *fiber.Ctx, w workplaces.Workplace) (setup.Menu, error) {
	menu, err := a.Contents.Menu(c.UserContext(), w.By, w.Restaurant.ID)
	return menu, tag(c, menu, err)
}

func (a *API) putMenu(c *fiber.Ctx, w workplaces.Workplace, menu setup.Menu) (setup.Menu, error) {
	menu, err := a.Contents.PutMenu(c.UserContext(), w.By, writeOf(c, w.Restaurant.ID), menu)
	return menu, tag(c, menu, err)
}

func (a *API) findRoom(c *fiber.Ctx, w workplaces.Workplace) (setup.Room, error) {
	room, err := a.Contents.Room(c.UserContext(), w.By, w.Restaurant.ID)
	return room, tag(c, room, err)
}

func (a *API) putRoom(c *fiber.Ctx, w workplaces.Workplace, room setup.Room) (setup.Room, error) {
	room, err := a.Contents.PutRoom(c.UserContext(), w.By, writeOf(c, w.Restaurant.ID), room)
	return room, tag(c, room, err)
}

// pictureFiles are the media types of pictures.
var pictureFiles = []string{"image/jpeg", "image/png", "image/webp"}

// uploaded is a picture that was stored.
type uploaded struct {
	Picture string `json:"picture"` // what the menu and the settings name it by
	// Where it is, for ever: a JPEG, or a WebP for who accepts one. The same address with -400 before .jpg is of a
	// small one.
	URL    string `json:"url"`
	Width  int    `json:"width"` // pixels, at most 1200
	Height int    `json:"height"`
}

// addPicture takes the body for the file. The type is read from its bytes.
func (a *API) addPicture(c *fiber.Ctx, w workplaces.Workplace) (uploaded, error) {
	file := slices.Clone(c.Request().Body()) // as it is: c.Body would unpack it
	u, err := a.Contents.AddPicture(c.UserContext(), w.By, w.Restaurant.ID, file)
	if err != nil {
		return uploaded{}, err
	}
	url := views.PictureURL(u.Hash)
	c.Location(url)
	return uploaded{Picture: u.Hash, URL: url, Width: u.Width, Height: u.Height}, nil
}
