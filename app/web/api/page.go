package api

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/keyset"
)

// sendPage answers with a page of a list under a name, and the cursor of the next page: null on the last one.
func sendPage[T, A any](c *fiber.Ctx, name string, page keyset.Page[T], answer func(T) A) error {
	list := make([]A, 0, len(page.Items))
	for _, item := range page.Items {
		list = append(list, answer(item))
	}
	return c.JSON(fiber.Map{name: list, "next": nextOf(page.Next)})
}

// nextOf is the member "next" of a page.
func nextOf(cursor string) *string {
	if cursor == "" {
		return nil
	}
	return &cursor
}
