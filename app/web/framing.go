package web

import (
	"bytes"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
)

// Names of the header fields that say where a body ends.
var (
	contentLength    = []byte("Content-Length")
	transferEncoding = []byte("Transfer-Encoding")
)

// refuseAmbiguous is middleware that refuses what a proxy in front may have read otherwise, and ends its connection:
// one of the two then takes the rest of a request for the next one, of somebody else (request smuggling, RFC 9112
// sections 2.2, 6.1 and 11.2). Whatever of it the server lets pass is refused here: a line of the head that ends
// without a carriage return, and a body whose end is stated in two ways, or in a way that HTTP/1.0 does not have.
func refuseAmbiguous(c *fiber.Ctx) error {
	header := &c.Request().Header
	if isAmbiguous(header.RawHeaders(), header.IsHTTP11()) {
		c.Context().SetConnectionClose()
		return respond.BadRequest
	}
	return c.Next()
}

// isAmbiguous judges a head without its first line, as it was received.
func isAmbiguous(head []byte, isHTTP11 bool) bool {
	hasLength, hasEncoding := false, false
	for len(head) > 0 {
		end := bytes.IndexByte(head, '\n')
		if end < 1 || head[end-1] != '\r' {
			return true
		}
		line := head[:end]
		hasLength = hasLength || isField(line, contentLength)
		hasEncoding = hasEncoding || isField(line, transferEncoding)
		head = head[end+1:]
	}
	return hasEncoding && (hasLength || !isHTTP11)
}

// isField says whether a line is a header field of that name.
func isField(line, name []byte) bool {
	return len(line) > len(name) && line[len(name)] == ':' && bytes.EqualFold(line[:len(name)], name)
}
