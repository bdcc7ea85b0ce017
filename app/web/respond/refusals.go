package respond

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/refusal"
)

// What handlers refuse by themselves: who asks, and the request as such.
var (
	Unauthenticated = refusal.Unauthenticated
	Forbidden       = refusal.Forbidden
	NotFound        = refusal.NotFound
	Unavailable     = refusal.Unavailable

	CrossSite  = refusal.New(refusal.NotAllowed, "cross_site", "the request comes from another site's page")
	MissingKey = refusal.New(refusal.Malformed, "idempotency_key_required", "no idempotency key")
	InvalidKey = refusal.New(refusal.Malformed, "idempotency_key_invalid", "no idempotency key can be like that")
	MediaType  = refusal.New(refusal.WrongType, "unsupported_media_type", "a body of another type")
	BadRequest = plain(refusal.Malformed, "bad_request", "not a request")
	TooLarge   = plain(refusal.TooLarge, "too_large", "too many bytes")
	Internal   = plain(refusal.Broken, "internal", "a fault of the server")

	methodNotAllowed = plain(refusal.WrongMethod, "method_not_allowed", "no such method here")
	headerTooLarge   = plain(refusal.HeadersTooLarge, "header_too_large", "too many bytes of headers")

	// Letters is for an installation that sends no letters: nobody would get the link.
	Letters = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "no_letters", Field: "email",
		Text: "no letters are sent"})

	// Waiting is for a program that does not wait for its turn.
	Waiting = refusal.New(refusal.TooMany, "waiting", "the turn has not come yet")

	TooManyAttempts = refusal.New(refusal.TooMany, "too_many_attempts", "too many attempts to sign in")
	TooManyRequests = refusal.Declare(refusal.Refusal{Kind: refusal.TooMany, Code: "too_many_requests", Field: "form",
		Text: "more requests than the limits allow"})
	TooManyStreams = refusal.Declare(refusal.Refusal{Kind: refusal.TooMany, Code: "too_many_streams",
		Retry: 30 * time.Second, Text: "too many open event streams"})
)

// plain declares a refusal of which readers of pages learn most from the words of its status.
func plain(kind refusal.Kind, code, text string) *refusal.Refusal {
	return refusal.Declare(refusal.Refusal{Kind: kind, Code: code, Text: text, Plain: true})
}

// ofRouter is the refusal that an error of Fiber's own is.
func ofRouter(err *fiber.Error) Problem {
	switch err.Code {
	case fiber.StatusNotFound:
		return NewProblem(NotFound)
	case fiber.StatusMethodNotAllowed:
		return NewProblem(methodNotAllowed)
	case fiber.StatusRequestEntityTooLarge:
		return NewProblem(TooLarge)
	case fiber.StatusRequestHeaderFieldsTooLarge:
		return NewProblem(headerTooLarge)
	case fiber.StatusServiceUnavailable:
		return NewProblem(Unavailable)
	}
	if err.Code >= 400 && err.Code < 500 {
		p := NewProblem(BadRequest)
		p.Status = err.Code
		return p
	}
	return NewProblem(Internal)
}
