package respond

import "github.com/gofiber/fiber/v2"

// For makes a handler of one that is about what find finds in a request, such as who sent it. It answers with find's
// error.
func For[T any](find func(*fiber.Ctx) (T, error), handle func(*fiber.Ctx, T) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		found, err := find(c)
		if err != nil {
			return err
		}
		return handle(c, found)
	}
}

// ForBoth is For of two things.
func ForBoth[T, U any](find func(*fiber.Ctx) (T, U, error), handle func(*fiber.Ctx, T, U) error) fiber.Handler {
	return func(c *fiber.Ctx) error {
		one, other, err := find(c)
		if err != nil {
			return err
		}
		return handle(c, one, other)
	}
}
