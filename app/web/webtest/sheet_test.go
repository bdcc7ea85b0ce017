package webtest

import (
	"testing"

	"lunchgo/views"
)

// The kitchen reads what is ordered, by time, and what a guest does not eat, without names; the list for printing has
// them.
func TestSheet_ForKitchenAndForPrint(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, slot := r.staff(t, r.restaurant.ID), r.slot("19:00")
	items := []map[string]any{{"menuItemId": r.menu[0].ID, "quantity": 2}}
	id := r.book(t, host, "key-1", "wait=20", byPhone(slot, 2, map[string]any{"allergies": "메밀", "items": items})).
		want(t, 201, "").text(t, "id")
	r.book(t, host, "key-2", "wait=20", byPhone(slot, 3, map[string]any{"name": "한여름",
		"items": items})).want(t, 201, "")
	r.patchGuest(t, host, id, map[string]any{"tags": []string{"allergy_nuts", "단골손님"}}).want(t, 200, "")
	day := r.start(t, slot)
	dish := r.menu[0].Name.Ko
	kitchen := r.page(t, host, views.StaffSheetURL(r.restaurant.ID, day, true)).is(t, 200)
	kitchen.has(t, "메밀", "견과 알레르기", dish+" × 4", dish+" × 2").hasNot(t, "김하늘", "단골손님")
	list := views.StaffSheetURL(r.restaurant.ID, day, false)
	r.page(t, host, list).is(t, 200).has(t, "메밀 · 견과 알레르기", "김하늘", "한여름", "단골손님")
	r.patchGuest(t, host, id, map[string]any{"state": "cancelled"}).want(t, 200, "")
	r.page(t, host, list).is(t, 200).has(t, "한여름").hasNot(t, "김하늘")
}
