package web

import (
	"encoding/json"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
	"lunchgo/static"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// manifest answers GET /manifest.webmanifest: what a phone shows of the site when it is put on its start screen, by
// the Web Application Manifest of the W3C.
func manifest(c *fiber.Ctx) error {
	lang := respond.Lang(c)
	small, large := static.URL("icons/192.png"), static.URL("icons/512.png")
	body, err := json.Marshal(map[string]any{
		"id": views.HomeURL(), "start_url": views.HomeURL(), "scope": views.HomeURL(), "display": "standalone",
		"name": "LunchGo", "short_name": "LunchGo", "description": i18n.T(lang, "site.about"), "lang": lang,
		"background_color": "#f6f7f4", "theme_color": "#f6f7f4",
		"icons":     []icon{{small, "192x192", "any"}, {large, "512x512", "any"}, {large, "512x512", "maskable"}},
		"shortcuts": []map[string]string{{"name": i18n.T(lang, "nav.reservations"), "url": views.ReservationsURL()}},
	})
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "application/manifest+json")
	return c.Send(body)
}

// icon is a picture of the site. One that is maskable has nothing of meaning near its edges.
type icon struct {
	Source  string `json:"src"`
	Sizes   string `json:"sizes"`
	Purpose string `json:"purpose"`
}
