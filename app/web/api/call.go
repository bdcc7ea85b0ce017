package api

import (
	"cmp"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/keyset"
	"lunchgo/app/web/respond"
)

// call is what an operation does with a request, with the types that describe it.
type call struct {
	takes   any // a value of the type that the body is decoded into; nil: none
	gives   any // a value of the type that is encoded; nil: none, or one that the operation names
	handler func(*operation) fiber.Handler
}

// finder reads from a request who sent it, and what its path names.
type finder[By any] func(*fiber.Ctx) (By, error)

// anyone is the finder of requests that anybody may send.
func anyone(*fiber.Ctx) (struct{}, error) { return struct{}{}, nil }

// keyed is who sent a request, and its key.
type keyed[By any] struct {
	by  By
	key string
}

// withKey finds the key of a request too, which has to be there.
func withKey[By any](find finder[By]) finder[keyed[By]] {
	return func(c *fiber.Ctx) (sent keyed[By], err error) {
		if sent.by, err = find(c); err == nil {
			sent.key, err = respond.HeaderKey(c)
		}
		return sent, err
	}
}

// handles is a call that is a handler, for what the others do not fit.
func handles(run fiber.Handler) call {
	return call{handler: func(*operation) fiber.Handler { return run }}
}

// answers is a call whose answer do returns.
func answers[By, Out any](find finder[By], do func(*fiber.Ctx, By) (Out, error)) call {
	return call{gives: *new(Out), handler: serve(find, noBody, without(do), send[Out])}
}

// takes is a call that reads a body, and whose answer do returns.
func takes[By, In, Out any](find finder[By], do func(*fiber.Ctx, By, In) (Out, error)) call {
	return call{takes: *new(In), gives: *new(Out), handler: serve(find, readBody[In], do, send[Out])}
}

// does is a call whose answer has no body; if the operation gives something, do sends it.
func does[By any](find finder[By], do func(*fiber.Ctx, By) error) call {
	return call{handler: serve(find, noBody, func(c *fiber.Ctx, by By, _ struct{}) (struct{}, error) {
		return struct{}{}, do(c, by)
	}, sendStatus)}
}

// doesWith is does of a call that reads a body.
func doesWith[By, In any](find finder[By], do func(*fiber.Ctx, By, In) error) call {
	return call{takes: *new(In), handler: serve(find, readBody[In], func(c *fiber.Ctx, by By, in In) (struct{}, error) {
		return struct{}{}, do(c, by, in)
	}, sendStatus)}
}

// lists is a call that is answered with a page of a list, under a name.
func lists[By, Out any](name string, find finder[By],
	do func(*fiber.Ctx, By, keyset.Request) (keyset.Page[Out], error),
) call {
	return call{gives: page{name, *new(Out)}, handler: serve(find, readPage, do,
		func(c *fiber.Ctx, _ *operation, found keyset.Page[Out]) error {
			return c.JSON(fiber.Map{name: found.Items, "next": orNull(found.Next)})
		})}
}

// serve makes a handler of the steps of a call: each may refuse.
func serve[By, In, Out any](find finder[By], read func(*fiber.Ctx, *operation) (In, error),
	do func(*fiber.Ctx, By, In) (Out, error), send func(*fiber.Ctx, *operation, Out) error,
) func(*operation) fiber.Handler {
	return func(o *operation) fiber.Handler {
		return func(c *fiber.Ctx) error {
			by, err := find(c)
			if err != nil {
				return err
			}
			in, err := read(c, o)
			if err != nil {
				return err
			}
			out, err := do(c, by, in)
			if err != nil {
				return err
			}
			return send(c, o, out)
		}
	}
}

func without[By, Out any](do func(*fiber.Ctx, By) (Out, error)) func(*fiber.Ctx, By, struct{}) (Out, error) {
	return func(c *fiber.Ctx, by By, _ struct{}) (Out, error) { return do(c, by) }
}

func noBody(*fiber.Ctx, *operation) (none struct{}, err error) { return none, nil }

func readBody[In any](c *fiber.Ctx, o *operation) (in In, err error) {
	if !o.lacks || len(c.Request().Body()) > 0 {
		err = decode(c, &in, cmp.Or(o.most, maxBody))
	}
	return in, err
}

func readPage(c *fiber.Ctx, _ *operation) (keyset.Request, error) { return respond.ReadPage(c) }

func send[Out any](c *fiber.Ctx, o *operation, out Out) error { return c.Status(o.status).JSON(out) }

func sendStatus(c *fiber.Ctx, o *operation, _ struct{}) error {
	switch {
	case o.gives != nil:
		return nil
	case o.status == fiber.StatusNoContent:
		return c.SendStatus(o.status)
	}
	return c.Status(o.status).Send(nil)
}
