package diner

import (
	"bytes"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/reserve"
)

// A sitemap is made once for a directory and a site, and anew for the next one.
func TestSitemaps_FollowTheDirectory(t *testing.T) {
	t.Parallel()
	directory := func(slugs ...string) *reserve.Directory {
		var all []booking.Restaurant
		for i, slug := range slugs {
			all = append(all, booking.Restaurant{ID: int64(i + 1), Settings: booking.Settings{Slug: slug}})
		}
		return reserve.NewDirectory(all, nil, func(string, string) string { return "" })
	}
	var maps sitemaps
	render := func(d *reserve.Directory, site string) []byte {
		text, err := maps.render(d, site)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	one := directory("haru")
	first := render(one, "https://a.example")
	if again := render(one, "https://a.example"); &again[0] != &first[0] {
		t.Error("it is made for each reader")
	}
	lists := func(text []byte, address string) bool { return bytes.Contains(text, []byte("<loc>"+address+"</loc>")) }
	if other := render(one, "https://b.example"); !lists(other, "https://b.example/restaurants/haru") {
		t.Errorf("another site: %s", other)
	}
	if next := render(directory("haru", "namu"), "https://b.example"); !lists(next, "https://b.example/restaurants/namu") {
		t.Errorf("another directory: %s", next)
	}
	many := make([]string, maxListed+1)
	if most := render(directory(many...), "https://b.example"); bytes.Count(most, []byte("<url>")) != maxListed {
		t.Errorf("%d pages are listed", bytes.Count(most, []byte("<url>")))
	}
}
