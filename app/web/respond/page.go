package respond

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/keyset"
	"lunchgo/views"
)

// ReadPage reads which page of a list is asked for: "after" is the cursor that the page before ended with, "limit" how
// many items it shows. Returns a Problem with the field that makes no sense.
func ReadPage(c *fiber.Ctx) (keyset.Request, error) {
	page, err := ReadPageAfter(c, "after")
	if text := c.Query("limit"); err == nil && text != "" {
		page.Limit, err = strconv.Atoi(text)
		if err != nil || page.Limit < 1 || page.Limit > keyset.Size {
			return keyset.Request{}, Invalid(Field{Name: "limit", Reason: "out_of_range", Min: 1, Max: keyset.Size})
		}
	}
	return page, err
}

// ReadPageAfter reads a cursor of that name, for pages of the site that show several lists.
func ReadPageAfter(c *fiber.Ctx, name string) (keyset.Request, error) {
	text := strings.Clone(c.Query(name))
	if text == "" {
		return keyset.Request{}, nil
	}
	after, err := keyset.Parse(text)
	if err != nil {
		return keyset.Request{}, Invalid(Field{Name: name, Reason: "invalid_cursor"})
	}
	return keyset.Request{After: &after}, nil
}

// Pager returns the links between the pages of a list on the page at path, whose cursors are in the query under a name.
// They keep the rest of the query.
func Pager(c *fiber.Ctx, path, name, next string) views.Pager {
	query := url.Values{}
	if u, err := url.Parse(c.OriginalURL()); err == nil && c.Method() == fiber.MethodGet {
		query = u.Query()
	}
	pager := views.Pager{Lang: Lang(c)}
	if query.Has(name) {
		query.Del(name)
		pager.First = address(path, query)
	}
	if next != "" {
		query.Set(name, next)
		pager.Next = address(path, query)
	}
	return pager
}

func address(path string, query url.Values) string {
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}
