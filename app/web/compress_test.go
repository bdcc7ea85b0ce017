package web

import (
	"bytes"
	"runtime"
	"strings"
	"sync"
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
	atOnce := func(answer func() []byte) (lost int) {
		busy := keepCompressorsBusy()
		defer busy.Wait()
		answers := make([][]byte, 10_000)
		var visitors sync.WaitGroup
		for i := range answers {
			visitors.Go(func() { answers[i] = answer() })
		}
		visitors.Wait()
		for _, answered := range answers {
			if string(answered) != page {
				lost++
			}
		}
		return lost
	}
	if lost := atOnce(func() []byte { return visitPage(handler) }); lost > 0 {
		t.Errorf("%d pages are lost", lost)
	}
	unguarded := func() []byte {
		return unpacked(fasthttp.AppendGzipBytesLevel(nil, []byte(page), fasthttp.CompressBestSpeed))
	}
	if atOnce(unguarded) == 0 {
		t.Error("no page is lost without the guard: the test shows nothing")
	}
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

func visitPage(handler fasthttp.RequestHandler) []byte {
	var ctx fasthttp.RequestCtx
	ctx.Request.SetRequestURI("/")
	ctx.Request.Header.Set(fiber.HeaderAcceptEncoding, "gzip")
	handler(&ctx)
	if len(ctx.Response.Header.ContentEncoding()) == 0 {
		return ctx.Response.Body()
	}
	return unpacked(ctx.Response.Body())
}

// unpacked is what was compressed; nil for what was not.
func unpacked(packed []byte) []byte {
	text, err := fasthttp.AppendGunzipBytes(nil, packed)
	if err != nil {
		return nil
	}
	return text
}
