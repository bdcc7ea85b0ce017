package views

import "net/url"

// Map leads to a place on the map of a service.
type Map struct {
	Service string // key, e.g. "naver"
	URL     string
}

// Maps leads to an address on the maps that people here use. Each service finds it by its words.
func Maps(address string) []Map {
	return []Map{
		{"naver", "https://map.naver.com/p/search/" + url.PathEscape(address)},
		{"kakao", "https://map.kakao.com/?q=" + url.QueryEscape(address)},
		{"osm", "https://www.openstreetmap.org/search?query=" + url.QueryEscape(address)},
	}
}
