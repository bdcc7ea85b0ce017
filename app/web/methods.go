package web

import (
	"slices"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// unknownMethod stands for every method that Fiber does not know. By itself it would answer those past all
// middleware, in plain text.
const unknownMethod = "UNKNOWN"

// methods are those that routes may have, and the one that none has.
func methods() []string { return append(slices.Clone(fiber.DefaultMethods), unknownMethod) }

// renameUnknown lets requests of unknown methods go the way of all others, at whose end stands that the address
// does not take them, and which ones it takes.
func renameUnknown(app *fiber.App) {
	known, server := methods(), app.Server()
	next := server.Handler
	server.Handler = func(c *fasthttp.RequestCtx) {
		if !slices.Contains(known, string(c.Method())) {
			c.Request.Header.SetMethod(unknownMethod)
		}
		next(c)
	}
}
