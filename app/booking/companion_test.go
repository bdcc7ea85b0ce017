package booking

import (
	"errors"
	"testing"
)

func TestReservation_AddCompanion(t *testing.T) {
	t.Parallel()
	r := Reservation{State: Confirmed, PartySize: 3, Allergies: "땅콩"}
	jimin, other := Companion{Name: "지민", Allergies: "새우"}, Companion{Allergies: "우유"}
	one, err := r.AddCompanion(jimin)
	if err != nil || len(r.Companions) != 0 {
		t.Fatalf("%+v %v", r.Companions, err)
	}
	if again, err := one.AddCompanion(jimin); err != nil || len(again.Companions) != 1 {
		t.Errorf("the same again: %+v %v", again.Companions, err)
	}
	two, err := one.AddCompanion(other)
	if got := two.PartyAllergies(); err != nil || got != "땅콩 · 지민: 새우 · 우유" {
		t.Errorf("%q %v", got, err)
	}
	if _, err := two.AddCompanion(Companion{Allergies: "게"}); !errors.Is(err, ErrCompanionsFull) {
		t.Errorf("a third of three: %v", err)
	}
	for name, r := range map[string]Reservation{
		"alone": {State: Confirmed, PartySize: 1}, "held": {State: Temporary, PartySize: 2},
		"over": {State: Completed, PartySize: 2}, "cancelled": {State: Cancelled, PartySize: 2},
	} {
		if _, err := r.AddCompanion(jimin); !errors.Is(err, ErrWrongState) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What was said while a party was larger blocks nobody once it is smaller, and stays until its diner removes it.
func TestReservation_CompanionsOfALargerParty(t *testing.T) {
	t.Parallel()
	r := Reservation{State: Confirmed, PartySize: 4}
	for _, allergy := range []string{"새우", "우유", "땅콩"} {
		r, _ = r.AddCompanion(Companion{Allergies: allergy})
	}
	r.PartySize = 2
	if same, err := r.AddCompanion(Companion{Allergies: "우유"}); err != nil || len(same.Companions) != 3 {
		t.Errorf("the same again: %+v %v", same.Companions, err)
	}
	r, err := r.AddCompanion(Companion{Name: "지민", Allergies: "게"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.AddCompanion(Companion{Allergies: "밀"}); !errors.Is(err, ErrCompanionsFull) {
		t.Errorf("a second of one: %v", err)
	}
	r = r.RemoveCompanion(Companion{Name: "지민", Allergies: "게"}).RemoveCompanion(Companion{Allergies: "새우"})
	if got := r.PartyAllergies(); got != "우유 · 땅콩" {
		t.Errorf("%q", got)
	}
	if none := (Reservation{}).RemoveCompanion(Companion{}); none.Companions == nil {
		t.Error("without companions there is no list, which cannot be stored")
	}
	if _, err := r.AddCompanion(Companion{Allergies: "밀"}); err != nil {
		t.Errorf("in the place of the removed: %v", err)
	}
}
