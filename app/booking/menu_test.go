package booking

import (
	"errors"
	"slices"
	"testing"
	"time"
)

// lunchDish is served at noon only, soup at any time.
var lunchDish, soup = MenuItem{ID: 1, Served: &Span{From: "12:00", Last: "14:00"}}, MenuItem{ID: 2}

func TestDraftCheck_DishesOfTheHour(t *testing.T) {
	t.Parallel()
	r := inZone(t, "Asia/Seoul")
	r.Hours = append(r.Hours, Opening{Weekday: time.Thursday, From: "12:00", Last: "14:00"})
	now := time.Date(2026, 12, 20, 12, 0, 0, 0, r.Location)
	for at, want := range map[TimeOfDay][]FieldError{
		"12:00": nil, "14:00": nil, "19:00": {{Field: "items[1].menuItemId", Reason: "not_served"}},
	} {
		draft := Draft{RestaurantID: 1, Date: "2026-12-24", Time: string(at), PartySize: 2,
			Items: []DraftItem{{soup.ID, 1}, {lunchDish.ID, 1}}}
		_, err := draft.Check(r, []MenuItem{lunchDish, soup}, now)
		var invalid *InvalidError
		if errors.As(err, &invalid); want != nil && (invalid == nil || !slices.Equal(invalid.Fields, want)) ||
			want == nil && err != nil {
			t.Errorf("at %s: %v, want %v", at, err, want)
		}
	}
	if dinner := ServedAt([]MenuItem{lunchDish, soup}, "19:00"); len(dinner) != 1 || dinner[0].ID != soup.ID {
		t.Errorf("at dinner there is %+v", dinner)
	}
}

// TestMenuFor_KeepsWhatWasAgreed changes a dinner that has a dish which is served for lunch only by now, and a lunch.
func TestMenuFor_KeepsWhatWasAgreed(t *testing.T) {
	t.Parallel()
	menu := []MenuItem{lunchDish, soup}
	for at, kept := range map[TimeOfDay]bool{"19:00": true, "12:00": false} {
		has := Reservation{Slot: SlotKey{Time: at}, Items: []Item{{MenuItemID: lunchDish.ID, Quantity: 1}}}
		if own := has.MenuFor(menu); own[0].IsServedAt("20:00") != kept {
			t.Errorf("a reservation at %s may have it at 20:00: %v, want %v", at, !kept, kept)
		}
	}
	if menu[0].Served == nil {
		t.Error("everybody's menu has changed")
	}
}
