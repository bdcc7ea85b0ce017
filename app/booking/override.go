package booking

import (
	"errors"
	"fmt"

	"lunchgo/app/refusal"
)

// Override is what staff say when they seat a party over the plan: at a table that is taken soon, or although all
// covers are given.
type Override struct {
	Reason string `json:"reason"` // for staff
}

// FireLimitError reports that more people would be in the house at once than may be. No override goes beyond it.
type FireLimitError struct {
	Limit  int `json:"fireLimit"`
	Inside int `json:"inside"` // without the party, in the fullest slot of its stay
}

// ErrFireLimit is what a *FireLimitError unwraps to.
var ErrFireLimit = refusal.Declare(refusal.Refusal{Kind: refusal.Conflict, Code: "fire_limit", Turn: true,
	New: func() error { return new(FireLimitError) }, Text: "booking: more people than may be in the house"})

func (e *FireLimitError) Unwrap() error { return ErrFireLimit }

// Phrase implements refusal.Phrased.
func (e *FireLimitError) Phrase() (string, []any) {
	return "", []any{"Limit", e.Limit, "Inside", e.Inside}
}

func (e *FireLimitError) Error() string {
	return fmt.Sprintf("booking: no more than %d people may be in the house, %d are", e.Limit, e.Inside)
}

// MostCovers is how many covers a slot may be given: no more than people may be in the house.
func (r Restaurant) MostCovers() int {
	if r.FireLimit > 0 {
		return min(r.FireLimit, MaxCapacity)
	}
	return MaxCapacity
}

// CanOverride returns whether an error is one that staff can override: the plan has no seats for the party.
func CanOverride(err error) bool {
	return errors.Is(err, ErrSoldOut) || errors.Is(err, ErrSeatTaken)
}

// Overrides returns whether staff ask to be seated over the plan, should the plan have no seats.
func (r Request) Overrides() bool { return r.Override != nil }

// checkOverride returns what is wrong with an override; nothing with none.
func checkOverride(o *Override) []FieldError {
	switch {
	case o == nil:
		return nil
	case o.Reason == "":
		return []FieldError{{Field: "override.reason", Reason: "required"}}
	}
	return CheckText("override.reason", o.Reason, MaxReasonRunes)
}

// override seats a party of staff that the plan has no seats for, if nothing but that, which is why, speaks against it
// and the house may hold as many people. It gets the seats that staff have chosen, else those that give finds free when
// it comes, and none where all are taken: in later slots it holds those of them that nobody else has. What the waitlist
// has a right to is no bar. Returns why the party is not seated.
func (s SlotState) override(req Request, why error, give func(SlotState) error) error {
	if !req.Overrides() || !CanOverride(why) {
		return why
	}
	if short := s.Stock.short(req.Items); len(short) > 0 {
		return &OutOfStockError{Items: short}
	}
	inside := 0
	for _, slot := range s.Slots {
		inside = max(inside, slot.Held)
	}
	if inside+req.PartySize > s.FireLimit {
		return &FireLimitError{Limit: s.FireLimit, Inside: inside}
	}
	err := give(SlotState{Slots: s.Slots[:1], Plan: s.Plan})
	if len(req.SeatIDs) == 0 && CanOverride(err) {
		return nil // it stands until a table is free
	}
	return err
}
