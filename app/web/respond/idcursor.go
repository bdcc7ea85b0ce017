package respond

import (
	"strconv"

	"github.com/gofiber/fiber/v2"

	"lunchgo/views"
)

// IDCursor is the id after which a page of a list begins: the cursor of the query; 0, for the first page, if there is none.
func IDCursor(c *fiber.Ctx) (int64, error) {
	text := c.Query(views.FieldCursor)
	if text == "" {
		return 0, nil
	}
	after, err := strconv.ParseInt(text, 10, 64)
	if err != nil || after < 0 {
		return 0, Invalid(Field{Name: views.FieldCursor, Reason: "unknown"})
	}
	return after, nil
}
