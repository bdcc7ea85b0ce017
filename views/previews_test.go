package views_test

import (
	"bytes"
	"flag"
	"fmt"
	"image/jpeg"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"lunchgo/app/setup"
	"lunchgo/static"
	"lunchgo/views"
)

var update = flag.Bool("update", false, "draw the previews of pictures anew")

// What previews of links show: 1.91 to 1, of which no service cuts anything off.
const previewWidth, previewHeight = 1200, 630

// Every drawn picture has a JPEG, as previews of links show no SVG. -update draws them.
func TestPreviews_OfDrawnPictures(t *testing.T) {
	t.Parallel()
	for _, name := range setup.Pictures() {
		file := "pictures/previews/" + name + ".jpg"
		if *update {
			drawPreview(t, name, "../static/"+file)
			continue
		}
		picture, kind, ok := static.Open(strings.TrimPrefix(views.PreviewURL(name), static.Prefix))
		if !ok || kind != "image/jpeg" {
			t.Errorf("%s: %v, %s", file, ok, kind)
			continue
		}
		size, err := jpeg.DecodeConfig(bytes.NewReader(picture))
		if err != nil || size.Width != previewWidth || size.Height != previewHeight {
			t.Errorf("%s: %d by %d, %v", file, size.Width, size.Height, err)
		}
	}
}

func drawPreview(t *testing.T, name, file string) {
	t.Helper()
	s := newSite(t)
	s.mux.HandleFunc("GET /preview", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Security-Policy", "")
		_, _ = fmt.Fprintf(w, `<style>body{margin:0}img{width:100vw;height:100vh;object-fit:cover}</style><img src=%q>`,
			static.URL("pictures/"+name+".svg"))
	})
	ctx := browser(t)
	must(t, chromedp.Do(ctx, chromedp.EmulateViewport(previewWidth, previewHeight), chromedp.Navigate(s.URL+"/preview")))
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(80))
	must(t, err)
	must(t, os.WriteFile(file, picture, 0o600))
}
