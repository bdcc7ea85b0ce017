package pg

import "testing"

func TestColumnOf(t *testing.T) {
	t.Parallel()
	for field, want := range map[string]string{"ID": "id", "UserID": "user_id", "CheckoutURL": "checkout_url",
		"OpensAt": "opens_at", "Name": "name", "URLOfHook": "url_of_hook", "P256dh": "p256dh",
		"SlotIDs": "slot_ids"} {
		if got := columnOf(field); got != want {
			t.Errorf("%s has the column %q, want %q", field, got, want)
		}
	}
}
