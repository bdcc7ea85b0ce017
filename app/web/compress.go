package web

import (
	"bytes"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// compressFrom is the size in bytes from which on compressing an answer saves a packet.
const compressFrom = 1400

// zippable are the beginnings of the content types worth compressing.
var zippable = [][]byte{[]byte("text/"), []byte("application/json"), []byte("application/problem+json")}

var eventStream = []byte("text/event-stream")

// compress is middleware that compresses texts by gzip at its quickest. Event streams stay as they are: a
// compressor for each would cost more memory than all the rest of a waiting diner. So does what is compressed
// already, and what fasthttp turns away because more texts wait for its compressors than it lets wait.
func compress(c *fiber.Ctx) error {
	err := c.Next()
	response := c.Response()
	if response.IsBodyStream() || len(response.Header.ContentEncoding()) > 0 ||
		!isZippable(response.Header.ContentType()) {
		return err
	}
	c.Vary(fiber.HeaderAcceptEncoding)
	if len(response.Body()) < compressFrom || !c.Request().Header.HasAcceptEncoding("gzip") {
		return err
	}
	if packed := fasthttp.AppendGzipBytesLevel(nil, response.Body(), fasthttp.CompressBestSpeed); len(packed) > 0 {
		response.SetBodyRaw(packed)
		response.Header.SetContentEncoding("gzip")
	}
	return err
}

func isZippable(contentType []byte) bool {
	if bytes.HasPrefix(contentType, eventStream) {
		return false
	}
	for _, prefix := range zippable {
		if bytes.HasPrefix(contentType, prefix) {
			return true
		}
	}
	return false
}
