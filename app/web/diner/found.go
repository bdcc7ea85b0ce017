package diner

import (
	"encoding/xml"
	"slices"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/legal"
	"lunchgo/app/reserve"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// ownPaths begin the addresses of what is somebody's own, and of what programs ask for.
var ownPaths = []string{"/account", "/api/", "/c/", "/favourites", "/offers/", "/operator", "/payments/",
	"/door/", "/reservations", "/signin", "/signup", "/staff", "/tickets/", "/waitlist/", "/waits", "/wallet", "/with/"}

// A sitemap changes when a restaurant does; search engines ask for it every few hours.
const sitemapLife = "public, max-age=3600"

// robots answers GET /robots.txt: it keeps search engines out of what is somebody's own, and leads them to the sitemap.
func (s *Pages) robots(c *fiber.Ctx) error {
	c.Set(fiber.HeaderCacheControl, "public, max-age=86400")
	return c.SendString("User-agent: *\nDisallow: " + strings.Join(ownPaths, "\nDisallow: ") +
		"\nSitemap: " + s.absolute(c, views.SitemapURL()) + "\n")
}

// sitemaps keeps the sitemap of the newest directory, by the site's address.
type sitemaps struct {
	mu   sync.Mutex
	of   *reserve.Directory
	site string
	text []byte
}

// maxListed is how many pages a sitemap may list, by the protocol of sitemaps.org. Restaurants beyond them are found
// from the pages of the search.
const maxListed = 50_000

// sitemap answers GET /sitemap.xml: the start page, what people agree to, and every restaurant, each with its address
// in both languages.
func (s *Pages) sitemap(c *fiber.Ctx) error {
	directory, err := s.Bookings.Directory(c.UserContext())
	if err != nil {
		return err
	}
	text, err := s.maps.render(directory, s.absolute(c, ""))
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderCacheControl, sitemapLife)
	c.Set(fiber.HeaderContentType, fiber.MIMEApplicationXMLCharsetUTF8)
	return c.Send(text)
}

func (m *sitemaps) render(directory *reserve.Directory, site string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of == directory && m.site == site {
		return m.text, nil
	}
	document := sitemapDocument{Space: "http://www.sitemaps.org/schemas/sitemap/0.9",
		XHTML: "http://www.w3.org/1999/xhtml", Pages: []sitemapPage{sitemapPageOf(site, views.HomeURL())}}
	for _, kind := range legal.Kinds {
		document.Pages = append(document.Pages, sitemapPageOf(site, views.DocumentURL(kind)))
	}
	for r := range directory.All() {
		if len(document.Pages) == maxListed {
			break
		}
		document.Pages = append(document.Pages, sitemapPageOf(site, views.RestaurantURL(r.Slug)))
	}
	text, err := xml.Marshal(document)
	if err != nil {
		return nil, err
	}
	m.of, m.site, m.text = directory, site, slices.Concat([]byte(xml.Header), text)
	return m.text, nil
}

type sitemapDocument struct {
	XMLName xml.Name      `xml:"urlset"`
	Space   string        `xml:"xmlns,attr"`
	XHTML   string        `xml:"xmlns:xhtml,attr"`
	Pages   []sitemapPage `xml:"url"`
}

type sitemapPage struct {
	Address   string        `xml:"loc"`
	Languages []sitemapLink `xml:"xhtml:link"`
}

type sitemapLink struct {
	Rel      string `xml:"rel,attr"`
	Language string `xml:"hreflang,attr"`
	Address  string `xml:"href,attr"`
}

func sitemapPageOf(site, path string) sitemapPage {
	addresses := views.Addresses(site, path)
	page := sitemapPage{Address: addresses[i18n.Korean]}
	for _, lang := range i18n.Languages {
		page.Languages = append(page.Languages, sitemapLink{Rel: "alternate", Language: lang, Address: addresses[lang]})
	}
	return page
}
