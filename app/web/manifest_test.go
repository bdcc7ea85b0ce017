package web_test

import (
	"bytes"
	"encoding/json"
	"image/png"
	"strconv"
	"testing"

	"lunchgo/views"
)

// A phone that puts the site on its start screen finds a name in its reader's language, and icons of the sizes stated.
func TestManifest_NamesIconsThatAreThere(t *testing.T) {
	t.Parallel()
	b := newHarness(t).browser()
	b.language = "ko"
	answer := b.get(views.ManifestURL()).must(200)
	var manifest struct {
		StartURL  string `json:"start_url"`
		Display   string
		Shortcuts []struct{ Name, URL string }
		Icons     []struct{ Src, Sizes string }
	}
	b.must(json.Unmarshal([]byte(answer.body), &manifest))
	if answer.header.Get("Content-Type") != "application/manifest+json" || manifest.StartURL != "/" ||
		manifest.Display != "standalone" || len(manifest.Icons) != 3 || manifest.Shortcuts[0].Name != "내 예약" {
		t.Errorf("%v %+v", answer.header, manifest)
	}
	b.get(manifest.Shortcuts[0].URL).must(303)
	for _, icon := range manifest.Icons {
		size, err := png.DecodeConfig(bytes.NewReader([]byte(b.get(icon.Src).must(200).body)))
		if side := strconv.Itoa(size.Width); err != nil || icon.Sizes != side+"x"+side || size.Height != size.Width {
			t.Errorf("%+v is %+v: %v", icon, size, err)
		}
	}
}
