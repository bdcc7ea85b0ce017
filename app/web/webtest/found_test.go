package webtest

import (
	"encoding/json"
	"encoding/xml"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"lunchgo/app/program/programtest"
	"lunchgo/db/dbtest"
)

const ownSite = "https://lunchgo.example"

func newFoundHarness(t *testing.T) *harness {
	t.Helper()
	setup := programtest.Setup{}
	setup.Config.Web.BaseURL = ownSite
	return newHarnessWith(t, setup)
}

// tag returns what follows the beginning of an element's tag up to the next quotation mark, unescaped; empty if there
// is none.
func (a answer) tag(begins string) string {
	_, rest, ok := strings.Cut(string(a.raw), begins)
	if !ok {
		return ""
	}
	value, _, _ := strings.Cut(rest, `"`)
	return html.UnescapeString(value)
}

// A restaurant's page and the start page say in both languages where they are found, and by what picture and words.
func TestListing_OfPublicPages(t *testing.T) {
	t.Parallel()
	r := newFoundHarness(t)
	for path, want := range map[string][3]string{ // language, title, own address
		"/":                      {"ko", "", ownSite + "/"},
		"/en":                    {"en", "", ownSite + "/en"},
		"/terms":                 {"ko", "이용약관", ownSite + "/terms"},
		"/en/privacy":            {"en", "Privacy policy", ownSite + "/en/privacy"},
		"/restaurants/damdam":    {"ko", "담담반상", ownSite + "/restaurants/damdam"},
		"/en/restaurants/damdam": {"en", "Damdam Bansang", ownSite + "/en/restaurants/damdam"},
	} {
		a := r.do(t, call{method: http.MethodGet, path: path + "?party=3"}).is(t, 200)
		plain := strings.TrimPrefix(path, "/en")
		for begins, value := range map[string]string{
			`<html lang="`:                             want[0],
			`<link rel="canonical" href="`:             want[2],
			`<meta property="og:url" content="`:        want[2],
			`<link rel="alternate" hreflang="ko" href`: "=",
			`hreflang="ko" href="`:                     ownSite + "/" + strings.TrimPrefix(plain, "/"),
			`hreflang="x-default" href="`:              ownSite + "/" + strings.TrimPrefix(plain, "/"),
			`hreflang="en" href="`:                     ownSite + "/en" + strings.TrimSuffix(plain, "/"),
		} {
			if got := a.tag(begins); got != value {
				t.Errorf("%s: %s%q, want %q", path, begins, got, value)
			}
		}
		if want[1] != "" && a.tag(`<meta property="og:title" content="`) != want[1] {
			t.Errorf("%s: the title is not %s", path, want[1])
		}
		if a.tag(`<meta name="description" content="`) == "" {
			t.Errorf("%s has no description", path)
		}
		picture := strings.TrimPrefix(a.tag(`<meta property="og:image" content="`), ownSite)
		if p := r.get(t, person{}, picture).is(t, 200); p.header.Get("Content-Type") != "image/jpeg" {
			t.Errorf("%s: %s is %s", path, picture, p.header.Get("Content-Type"))
		}
		a.hasNot(t, `content="noindex"`)
	}
}

var factsPattern = regexp.MustCompile(`(?s)<script[^>]*type="application/ld\+json"[^>]*>(.*?)</script>`)

// A restaurant's facts are there for machines, by the words of schema.org; nothing that an owner writes ends them.
func TestListing_FactsOfARestaurant(t *testing.T) {
	t.Parallel()
	r := newFoundHarness(t)
	r.mustExec(t, `
		UPDATE restaurants
		SET description_ko = '</script><script>alert(1)</script>', phone = '02-1', price_band = 3`)
	r = r.twin(t) // which has read nothing yet
	a := r.get(t, person{}, "/restaurants/damdam").is(t, 200)
	found := factsPattern.FindSubmatch(a.raw)
	if found == nil {
		t.Fatal("no facts")
	}
	var facts struct {
		Type    string `json:"@type"`
		Name    string
		Phone   string `json:"telephone"`
		Price   string `json:"priceRange"`
		Text    string `json:"description"`
		Address struct{ StreetAddress string }
		Action  struct {
			Type   string `json:"@type"`
			Target struct{ URLTemplate string }
		} `json:"potentialAction"`
	}
	if err := json.Unmarshal(found[1], &facts); err != nil {
		t.Fatalf("%v: %s", err, found[1])
	}
	if facts.Type != "Restaurant" || facts.Name != "담담반상" || facts.Phone != "02-1" || facts.Price != "₩₩₩" ||
		facts.Text != `</script><script>alert(1)</script>` || facts.Action.Type != "ReserveAction" ||
		facts.Action.Target.URLTemplate != ownSite+"/restaurants/damdam" {
		t.Errorf("%+v", facts)
	}
	a.hasNot(t, "<script>alert")
}

// What is somebody's own is in no search engine: its pages say so, and robots are asked to keep out.
func TestListing_NotOfOwnPages(t *testing.T) {
	t.Parallel()
	r := newFoundHarness(t)
	for _, path := range []string{"/reservations", "/wallet", "/account"} {
		r.page(t, r.diner(t, 0), path).is(t, 200).has(t, `<meta name="robots" content="noindex"`)
		r.get(t, person{}, "/robots.txt").has(t, "Disallow: "+path+"\n")
	}
	r.get(t, person{}, "/signin").is(t, 200).has(t, `content="noindex"`)
	r.get(t, person{}, "/robots.txt").has(t, "Sitemap: "+ownSite+"/sitemap.xml\n")
}

// The sitemap lists the start page, what people agree to, and each restaurant that is published, once, with both
// addresses.
func TestSitemap_ListsWhatIsPublished(t *testing.T) {
	t.Parallel()
	r := newFoundHarness(t)
	r.newRestaurant(t, "hidden")
	r.mustExec(t, `UPDATE restaurants SET state = 'draft' WHERE slug = 'hidden'`)
	r = r.twin(t)
	a := r.get(t, person{}, "/sitemap.xml").is(t, 200)
	var document struct {
		XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		Pages   []struct {
			Address   string `xml:"loc"`
			Languages []struct {
				Language string `xml:"hreflang,attr"`
				Address  string `xml:"href,attr"`
			} `xml:"http://www.w3.org/1999/xhtml link"`
		} `xml:"url"`
	}
	dbtest.Must(t, xml.Unmarshal(a.raw, &document))
	var all []string
	for _, p := range document.Pages {
		all = append(all, strings.TrimPrefix(p.Address, ownSite))
		for _, l := range p.Languages {
			all = append(all, l.Language+strings.TrimPrefix(l.Address, ownSite))
		}
	}
	want := "/ ko/ en/en /terms ko/terms en/en/terms /privacy ko/privacy en/en/privacy " +
		"/restaurants/damdam ko/restaurants/damdam en/en/restaurants/damdam"
	if got := strings.Join(all, " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// An English address is English for everybody and for what they open next, until they choose otherwise.
func TestEnglishAddress_IsStayedWith(t *testing.T) {
	t.Parallel()
	r := newFoundHarness(t)
	a := r.do(t, call{method: http.MethodGet, path: "/en/restaurants/damdam",
		headers: map[string]string{"Cookie": "lang=ko", "Accept-Language": "ko"}}).is(t, 200).has(t, "Damdam Bansang")
	if cookie := a.header.Get("Set-Cookie"); !strings.HasPrefix(cookie, "lang=en;") {
		t.Errorf("the browser keeps %q", cookie)
	}
	if got := a.tag(`name="next" value="`); got != "/restaurants/damdam" {
		t.Errorf("a change of language leads to %q", got)
	}
	r.get(t, person{}, "/en/restaurants/none").is(t, 404)
	r.get(t, person{}, "/english").is(t, 404)
}
