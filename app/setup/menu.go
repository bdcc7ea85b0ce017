package setup

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"lunchgo/app/booking"
	"lunchgo/app/team"
)

// Bounds of a menu.
const (
	MaxItems       = 200        // on the menu at a time
	MaxStoredItems = 1_000      // with the retired ones
	MaxPrice       = 10_000_000 // won
	MaxItemName    = 80         // runes
	MaxDescription = 500        // runes
	MaxCategory    = 30         // runes
)

// Menu is the document of what can be ordered, in the order in which diners see it.
type Menu struct {
	// In the order of the menu, at most 200 that are not retired; the retired ones last.
	Items []booking.MenuItem `json:"items"`
}

// Menu returns the menu of a restaurant, retired dishes among it, for who sees the evening.
func (c *Contents) Menu(ctx context.Context, by team.Staff, restaurantID int64) (Menu, error) {
	if err := by.Check(restaurantID, team.SeeEvening); err != nil {
		return Menu{}, err
	}
	return c.Store.FindMenu(ctx, restaurantID)
}

// PutMenu replaces the menu that has the tag, and returns it as stored. Prices and names of reservations stay as they
// were agreed. Returns the errors of ContentStore.PutMenu and *booking.InvalidError with every invalid field.
func (c *Contents) PutMenu(ctx context.Context, by team.Staff, w Write, menu Menu) (Menu, error) {
	if err := by.Check(w.RestaurantID, team.ChangeMenu); err != nil {
		return Menu{}, err
	}
	if w.Tag == "" {
		return Menu{}, ErrNoTag
	}
	menu, err := c.checkMenu(menu)
	if err != nil {
		return Menu{}, err
	}
	w.StaffID = by.UserID()
	return c.Store.PutMenu(ctx, w, menu)
}

// checkMenu returns the menu with its texts trimmed and the retired dishes last, or *booking.InvalidError.
func (c *Contents) checkMenu(menu Menu) (Menu, error) {
	var f faults
	f.add(len(menu.Items) > MaxStoredItems, booking.FieldError{Field: "items", Reason: "too_many", Max: MaxStoredItems})
	if len(f.fields) > 0 {
		return menu, f.err()
	}
	var offered, retired []booking.MenuItem
	known := map[int64]bool{}
	for i, item := range menu.Items {
		at := fmt.Sprintf("items[%d].", i)
		f.add(item.ID != 0 && known[item.ID], booking.FieldError{Field: at + "id", Reason: "duplicate"})
		f.add(item.ID < 0, booking.FieldError{Field: at + "id", Reason: "unknown"})
		known[item.ID] = true
		item = c.checkItem(&f, at, item)
		if item.Retired {
			retired = append(retired, item)
		} else {
			offered = append(offered, item)
		}
	}
	f.add(len(offered) > MaxItems, booking.FieldError{Field: "items", Reason: "too_many", Max: MaxItems})
	return Menu{Items: append(offered, retired...)}, f.err()
}

func (c *Contents) checkItem(f *faults, at string, item booking.MenuItem) booking.MenuItem {
	item.Category = f.line(at+"category", item.Category, MaxCategory)
	f.add(item.Category == "", booking.FieldError{Field: at + "category", Reason: "required"})
	item.Name.Ko = f.line(at+"name.ko", item.Name.Ko, MaxItemName)
	f.add(item.Name.Ko == "", booking.FieldError{Field: at + "name.ko", Reason: "required"})
	item.Name.En = f.line(at+"name.en", item.Name.En, MaxItemName)
	item.Description.Ko = f.text(at+"description.ko", item.Description.Ko, MaxDescription)
	item.Description.En = f.text(at+"description.en", item.Description.En, MaxDescription)
	f.add(item.Price < 0 || item.Price > MaxPrice, booking.FieldError{Field: at + "price", Reason: "out_of_range",
		Max: MaxPrice})
	f.between(at+"staySlots", item.StaySlots, 1, booking.MaxStay)
	if item.DailyQuantity != nil {
		f.between(at+"dailyQuantity", *item.DailyQuantity, 1, booking.MaxStock)
	}
	if item.Served != nil {
		var wrong wrongs
		wrong.span(at+"served", *item.Served, nil)
		f.fields = append(f.fields, wrong...)
	}
	f.add(item.Picture != "" && !c.drawing(item.Picture) && !IsUploaded(item.Picture),
		booking.FieldError{Field: at + "picture", Reason: "unknown"})
	return item
}

var hash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// IsUploaded returns whether the name of a picture is the hash of an uploaded one.
func IsUploaded(picture string) bool { return hash.MatchString(picture) }

// faults are the invalid fields of a document.
type faults struct{ fields []booking.FieldError }

func (f *faults) add(wrong bool, field booking.FieldError) {
	if wrong {
		f.fields = append(f.fields, field)
	}
}

func (f *faults) between(field string, n, low, high int) {
	f.add(n < low || n > high, booking.FieldError{Field: field, Reason: "out_of_range", Min: low, Max: high})
}

// line checks a text of one line and returns it without the spaces around it.
func (f *faults) line(field, s string, most int) string {
	f.add(strings.ContainsFunc(s, unicode.IsControl), booking.FieldError{Field: field, Reason: "invalid_text"})
	return f.text(field, s, most)
}

// text checks a text and returns it without the spaces around it. Line ends are "\n" alone.
func (f *faults) text(field, s string, most int) string {
	s = strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n"))
	f.add(!isVisible(s), booking.FieldError{Field: field, Reason: "invalid_text"})
	f.add(utf8.RuneCountInString(s) > most, booking.FieldError{Field: field, Reason: "too_long", Max: most})
	return s
}

// isVisible returns whether a text has no characters that nobody sees or that turn the order of what follows.
func isVisible(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
	})
}

func (f *faults) err() error {
	if len(f.fields) == 0 {
		return nil
	}
	return &booking.InvalidError{Fields: f.fields}
}
