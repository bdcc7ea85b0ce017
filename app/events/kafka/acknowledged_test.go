package kafka

import (
	"errors"
	"slices"
	"testing"

	"lunchgo/app/events"
)

// Behind an event that Kafka has not stored, later ones of its key are sent again, so that they come after it; others
// are not.
func TestAcknowledged_KeepsTheOrderOfAKey(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	of := func(id int64, kind, key string) events.Event {
		return events.Event{ID: id, Type: "lunchgo." + kind, Key: key}
	}
	list := []events.Event{of(1, "reservation.held", "a"), of(2, "reservation.held", "b"),
		of(3, "reservation.expired", "a"), of(4, "wallet.paid", "a"), of(5, "reservation.expired", "b")}
	ids, err := acknowledged(list, []error{refused, nil, nil, nil, nil})
	if !slices.Equal(ids, []int64{2, 4, 5}) || !errors.Is(err, refused) {
		t.Errorf("%v, %v", ids, err)
	}
	if ids, err := acknowledged(list, make([]error, len(list))); len(ids) != len(list) || err != nil {
		t.Errorf("%v, %v", ids, err)
	}
}
