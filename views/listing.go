package views

import (
	"strings"

	"lunchgo/app/booking"
	"lunchgo/app/legal"
	"lunchgo/app/reviews"
	"lunchgo/static"
	"lunchgo/views/i18n"
)

// Listing is what search engines and previews of links show of a page that everybody may find. Its addresses are
// absolute. The zero value keeps a page out of search engines: it is somebody's own.
type Listing struct {
	Description string            // in the page's language
	Addresses   map[string]string // of the page, by language
	Picture     string            // a JPEG
	Facts       map[string]any    // by the words of schema.org; nil for none
}

// IsPublic returns whether everybody may find the page.
func (l Listing) IsPublic() bool { return l.Addresses != nil }

// englishPrefix begins the path of a page at its English address.
const englishPrefix = "/en"

// EnglishURL is the address at which the page of a path is in English whatever the reader's browser asks for.
func EnglishURL(path string) string {
	if path == HomeURL() {
		return englishPrefix
	}
	return englishPrefix + path
}

// PlainPath is the path, with its query, of the page that an English address shows. It leaves other paths alone.
func PlainPath(path string) string {
	rest, ok := strings.CutPrefix(path, englishPrefix)
	switch {
	case !ok || rest != "" && rest[0] != '/' && rest[0] != '?':
		return path
	case rest == "" || rest[0] == '?':
		return HomeURL() + rest
	}
	return rest
}

// SitemapURL lists the pages that everybody may find.
func SitemapURL() string { return "/sitemap.xml" }

// Addresses are those of the page of a path, by language, where site is what all addresses begin with.
func Addresses(site, path string) map[string]string {
	return map[string]string{i18n.Korean: site + path, i18n.English: site + EnglishURL(path)}
}

// HomeListing is the Listing of the start page of a site.
func HomeListing(lang, site string) Listing {
	return Listing{Description: i18n.T(lang, "site.about"), Addresses: Addresses(site, HomeURL()),
		Picture: site + PreviewURL("")}
}

// DocumentListing is the Listing of a document that people agree to.
func DocumentListing(lang, site string, d legal.Document) Listing {
	return Listing{Description: i18n.T(lang, "legal.about", "Title", d.Title.In(lang)),
		Addresses: Addresses(site, DocumentURL(d.Kind)), Picture: site + PreviewURL("")}
}

// RestaurantListing is the Listing of a restaurant's page.
func RestaurantListing(lang, site string, r *booking.Restaurant) Listing {
	l := Listing{Description: r.Description.In(lang), Addresses: Addresses(site, RestaurantURL(r.Slug)),
		Picture: site + PreviewURL(r.Picture)}
	own := l.Addresses[lang]
	l.Facts = map[string]any{
		"@context": "https://schema.org", "@type": "Restaurant", "@id": l.Addresses[i18n.Korean],
		"name": r.Name.In(lang), "description": l.Description, "url": own, "image": l.Picture, "hasMenu": own + "#menu-title",
		"servesCuisine": i18n.Label(lang, "cuisine", r.Cuisine), "acceptsReservations": "True",
		"potentialAction": map[string]any{"@type": "ReserveAction",
			"target": map[string]any{"@type": "EntryPoint", "urlTemplate": own, "inLanguage": lang,
				"actionPlatform": []string{"https://schema.org/DesktopWebPlatform", "https://schema.org/MobileWebPlatform"}},
			"result": map[string]any{"@type": "FoodEstablishmentReservation"}},
	}
	if address := r.Address.In(lang); address != "" {
		l.Facts["address"] = map[string]any{"@type": "PostalAddress", "streetAddress": address}
	}
	if r.Phone != "" {
		l.Facts["telephone"] = r.Phone
	}
	if r.PriceBand > 0 {
		l.Facts["priceRange"] = i18n.PriceSigns(r.PriceBand)
	}
	if r.Rating.Reviews > 0 {
		l.Facts["aggregateRating"] = map[string]any{"@type": "AggregateRating", "ratingValue": RatingText(r.Rating),
			"reviewCount": r.Rating.Reviews, "bestRating": reviews.MaxStars, "worstRating": 1}
	}
	return l
}

// PreviewURL is PictureURL as a JPEG, which previews of links show; of a laid table without a name.
func PreviewURL(name string) string {
	if isUploaded(name) {
		return PictureURL(name)
	}
	return static.URL("pictures/previews/" + drawn(name) + ".jpg")
}
