package webtest

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/image/webp"

	"lunchgo/app/identity"
	"lunchgo/app/setup"
)

// photo is a JPEG of one color, larger than it is shown, and not by much: the race detector takes its time over pixels.
func photo(t testing.TB, c color.Color) string {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 1280, 160))
	for i := range m.Pix {
		r, _, _, _ := c.RGBA()
		m.Pix[i] = byte(r >> 8)
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, nil); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func (r *harness) upload(t *testing.T, as person, file string) answer {
	t.Helper()
	return r.do(t, call{method: http.MethodPost, path: r.api(r.restaurant.ID, "pictures"), as: as, body: file,
		headers: map[string]string{"Content-Type": "image/jpeg"}})
}

// What a manager uploads is served to everybody, for ever, as a picture and nothing else; a dish shows it.
func TestPictures_UploadedAndServed(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, quickCatalog())
	chef := r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	up := r.upload(t, chef, photo(t, color.Gray{200})).want(t, 201, "")
	if up.number(t, "width") != 1200 || up.number(t, "height") != 150 {
		t.Errorf("%s", up.raw)
	}
	hash, url := up.text(t, "picture"), up.text(t, "url")
	if again := r.upload(t, chef, photo(t, color.Gray{200})); again.text(t, "picture") != hash {
		t.Errorf("sent again it is %s", again.raw)
	}
	for address, width := range map[string]int{url: 1200, strings.Replace(url, ".jpg", "-400.jpg", 1): 400} {
		shown := r.page(t, person{}, address).is(t, 200)
		m, err := jpeg.DecodeConfig(bytes.NewReader(shown.raw))
		if err != nil || m.Width != width {
			t.Errorf("%s: %d, %v", address, m.Width, err)
		}
		for name, want := range map[string]string{"Content-Type": "image/jpeg", "X-Content-Type-Options": "nosniff",
			"Vary":                    "Accept",
			"Cache-Control":           "public, max-age=31536000, immutable",
			"Content-Security-Policy": "default-src 'none'; sandbox"} {
			if got := shown.header.Get(name); got != want {
				t.Errorf("%s: %q", name, got)
			}
		}
		smaller := r.do(t, call{method: http.MethodGet, path: address,
			headers: map[string]string{"Accept": "image/avif,image/webp,*/*;q=0.8"}}).is(t, 200)
		w, err := webp.DecodeConfig(bytes.NewReader(smaller.raw))
		if err != nil || w.Width != width || smaller.header.Get("Content-Type") != "image/webp" ||
			smaller.header.Get("Vary") != "Accept" {
			t.Errorf("%s for a browser: %d, %v, %v", address, w.Width, err, smaller.header)
		}
	}
	for _, unknown := range []string{"/pictures/x.jpg", strings.Replace(url, ".jpg", ".png", 1), "/pictures/" +
		strings.Repeat("0", 64) + ".jpg"} {
		r.page(t, person{}, unknown).is(t, 404)
	}
	d := document{path: r.api(r.restaurant.ID, "menu"), as: chef}
	var menu setup.Menu
	r.read(t, &d, &menu)
	menu.Items[0].Picture = hash
	r.write(t, d, menu).want(t, 200, "")
	r.page(t, person{}, "/restaurants/"+r.restaurant.Slug).is(t, 200).has(t,
		strings.Replace(url, ".jpg", "-400.jpg", 1))
	// Another restaurant cannot show it.
	other, _ := r.newRestaurant(t, "another")
	d = document{path: r.api(other.ID, "menu"), as: r.staffAs(t, other.ID, identity.RoleOwner)}
	r.read(t, &d, &menu)
	menu.Items[0].Picture = hash
	r.write(t, d, menu).want(t, 422, "invalid")
}

func TestPictures_RefuseWhatIsNone(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	chef := r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	for file, want := range map[string]string{
		`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`: "picture no_picture",
		photo(t, color.White)[:2000]:                       "picture broken_picture",
		photo(t, color.White) + strings.Repeat("x", 5<<20): "picture too_many_pixels",
	} {
		if got := r.upload(t, chef, file).want(t, 422, "invalid").fieldsOf(t); len(got) != 1 || got[0] != want {
			t.Errorf("%v, want %s", got, want)
		}
	}
	r.upload(t, r.staffAs(t, r.restaurant.ID, identity.RoleHost), photo(t, color.White)).want(t, 403, "forbidden")
}
