package web

import (
	"bytes"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// In a rush more pages want to be compressed than fasthttp lets wait for its compressors. Then it compresses nothing
// and says nothing, which would be an empty page.
func TestCompress_LosesNoPageInARush(t *testing.T) {
	page := strings.Repeat("<p>a place in the line</p>", 200)
	app := fiber.New()
	app.Use(compress)
	app.Get("/", func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
		return c.SendString(page)
	})
	handler := app.Handler()
	if lost := lostInARush(func() ([]byte, bool) { return visitPage(handler) }, page); lost > 0 {
		t.Errorf("%d pages are lost", lost)
	}
	unguarded := func() (answer []byte, turnedAway bool) {
		packed := fasthttp.AppendGzipBytesLevel(nil, []byte(page), fasthttp.CompressBestSpeed)
		return unpacked(packed), len(packed) == 0
	}
	if lostInARush(unguarded, page) == 0 {
		t.Error("no page is lost without the guard: the test shows nothing")
	}
}

// lostInARush is how many of ten thousand visitors at once do not get the page. A rush that the compressors keep up
// with shows nothing: another follows.
func lostInARush(visit func() (answer []byte, turnedAway bool), page string) int {
	for range 100 {
		var lost, turnedAway atomic.Int32
		var visitors sync.WaitGroup
		busy := keepCompressorsBusy()
		for range 10_000 {
			visitors.Go(func() {
				answer, away := visit()
				if away {
					turnedAway.Add(1)
				}
				if string(answer) != page {
					lost.Add(1)
				}
			})
		}
		visitors.Wait()
		busy.Wait()
		if lost.Load() > 0 || turnedAway.Load() > 0 {
			return int(lost.Load())
		}
	}
	return 0
}

// keepCompressorsBusy gives each of fasthttp's compressors something large, so that others have to wait.
func keepCompressorsBusy() *sync.WaitGroup {
	large := bytes.Repeat([]byte("0123456789abcdefghijklmnopqrstuvwxyz"), 1<<20)
	var busy sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		busy.Go(func() { fasthttp.AppendGzipBytesLevel(nil, large, fasthttp.CompressBestSpeed) })
	}
	return &busy
}

// visitPage is the page as a browser shows it, and whether it came uncompressed.
func visitPage(handler fasthttp.RequestHandler) (page []byte, uncompressed bool) {
	var ctx fasthttp.RequestCtx
	ctx.Request.SetRequestURI("/")
	ctx.Request.Header.Set(fiber.HeaderAcceptEncoding, "gzip")
	handler(&ctx)
	if len(ctx.Response.Header.ContentEncoding()) == 0 {
		return ctx.Response.Body(), true
	}
	return unpacked(ctx.Response.Body()), false
}

// unpacked is what was compressed; nil for what was not.
func unpacked(packed []byte) []byte {
	text, err := fasthttp.AppendGunzipBytes(nil, packed)
	if err != nil {
		return nil
	}
	return text
}
