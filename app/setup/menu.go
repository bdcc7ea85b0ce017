package setup

import (
	"context"
	"fmt"
	"regexp"
	"slices"

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
	w, err := w.by(by, team.ChangeMenu)
	if err == nil {
		menu, err = c.checkMenu(menu)
	}
	if err != nil {
		return Menu{}, err
	}
	return c.Store.PutMenu(ctx, w, menu)
}

// checkMenu returns the menu with its texts trimmed and the retired dishes last, or *booking.InvalidError.
func (c *Contents) checkMenu(menu Menu) (Menu, error) {
	var f wrongs
	f.tooMany("items", len(menu.Items), MaxStoredItems)
	if len(f) > 0 {
		return menu, f.err()
	}
	var offered, retired []booking.MenuItem
	known := map[int64]bool{}
	for i, item := range menu.Items {
		at := fmt.Sprintf("items[%d].", i)
		f.add(item.ID != 0 && known[item.ID], at+"id", "duplicate")
		f.add(item.ID < 0, at+"id", "unknown")
		known[item.ID] = true
		item = c.checkItem(&f, at, item)
		if item.Retired {
			retired = append(retired, item)
		} else {
			offered = append(offered, item)
		}
	}
	f.tooMany("items", len(offered), MaxItems)
	return Menu{Items: append(offered, retired...)}, f.err()
}

func (c *Contents) checkItem(f *wrongs, at string, item booking.MenuItem) booking.MenuItem {
	item.Category = f.readLine(at+"category", item.Category, MaxCategory)
	f.add(item.Category == "", at+"category", "required")
	item.Name.Ko = f.readLine(at+"name.ko", item.Name.Ko, MaxItemName)
	f.add(item.Name.Ko == "", at+"name.ko", "required")
	item.Name.En = f.readLine(at+"name.en", item.Name.En, MaxItemName)
	item.Description.Ko = f.readText(at+"description.ko", item.Description.Ko, MaxDescription)
	item.Description.En = f.readText(at+"description.en", item.Description.En, MaxDescription)
	f.within(at+"price", int(min(item.Price, MaxPrice+1)), 0, MaxPrice)
	switch {
	case item.StayMinutes != 0:
		f.within(at+"stayMinutes", item.StayMinutes, booking.MinStayMinutes, booking.MaxStayMinutes)
	case item.StaySlots == 0:
		f.add(true, at+"staySlots", "required")
	default:
		f.within(at+"staySlots", item.StaySlots, 1, booking.MaxStay)
	}
	if item.DailyQuantity != nil {
		f.within(at+"dailyQuantity", *item.DailyQuantity, 1, booking.MaxStock)
	}
	if item.Served != nil {
		f.span(at+"served", *item.Served, nil)
		f.add(item.Served.Service != "", at+"served.service", "unknown")
	}
	known := item.Picture == "" || slices.Contains(Dishes(), item.Picture) || IsUploaded(item.Picture)
	f.add(!known, at+"picture", "unknown")
	return item
}

// In returns a menu with the slots and the minutes of its stays, in a restaurant whose slots have a length in minutes.
// Returns *booking.InvalidError for dishes whose slots are not those that their minutes touch.
func (m Menu) In(slotMinutes int) (Menu, error) {
	var f wrongs
	items := slices.Clone(m.Items)
	for i, item := range items {
		items[i] = item.In(slotMinutes)
		given := stay{slots: item.StaySlots, minutes: item.StayMinutes}
		if given.minutes == 0 {
			f.within(fmt.Sprintf("items[%d].staySlots", i), given.slots, 0, booking.MostSlots(slotMinutes))
		}
		f.add(given.contradicts(slotMinutes), fmt.Sprintf("items[%d].stayMinutes", i), "contradicts_slots")
	}
	return Menu{Items: items}, f.err()
}

var hash = regexp.MustCompile(`^[0-9a-f]{64}$`)

// IsUploaded returns whether the name of a picture is the hash of an uploaded one.
func IsUploaded(picture string) bool { return hash.MatchString(picture) }
