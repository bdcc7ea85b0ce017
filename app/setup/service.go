package setup

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/team"
)

// Store keeps what owners decide, and what operators read and say of drafts.
type Store interface {
	// FindSetup returns a restaurant as it is stored, drafts too, with its menu and its state. Returns
	// booking.ErrNotFound.
	FindSetup(ctx context.Context, restaurantID int64) (State, error)
	// Change locks a restaurant, lets decide say what becomes of it, and stores that with the rows of the audit log,
	// all in one transaction; or nothing, and decide's error, or *booking.InvalidError for an uploaded picture that is
	// another restaurant's. It returns the slots whose capacity it has changed with the restaurant's: those that had
	// that of the restaurant, and no less than their guests need. Returns booking.ErrNotFound.
	Change(ctx context.Context, c Change) ([]booking.SlotKey, error)
	// ListBooked returns the reservations that hold seats from a date on, in the order of their slots and within a slot
	// in that in which they were made.
	ListBooked(ctx context.Context, restaurantID int64, from booking.Date) ([]Booked, error)
	// Submit notes that a restaurant's owner asks for it to be published, or publishes it at once. A repeat changes
	// nothing.
	Submit(ctx context.Context, s Submission) error
	// ListChangedParts returns what of a restaurant's set-up was changed after a moment, the latest first.
	ListChangedParts(ctx context.Context, restaurantID int64, since time.Time) ([]ChangedPart, error)
	// Refuse sends a draft that was submitted back to its owner, with a letter. Returns booking.ErrNotFound for any
	// other.
	Refuse(ctx context.Context, r Refusal) error
}

// State is a restaurant with what its set-up shows besides.
type State struct {
	Restaurant  booking.Restaurant
	Menu        []booking.MenuItem
	SubmittedAt time.Time // zero: the owner has not asked for it to be published
	Refusal     string    // why an operator has sent it back; empty when none has since the owner asked
}

// Change is a change of a restaurant on behalf of a member of staff.
type Change struct {
	RestaurantID int64
	StaffID      string
	// Decide returns what the restaurant becomes. It runs while the restaurant is locked, and may run several times.
	Decide func(was booking.Restaurant) (booking.Restaurant, []Entry, error)
}

// Entry is what the audit log says of a document that changed.
type Entry struct {
	Document Name
	Was, Is  json.RawMessage // the members that differ
}

// Service holds the use cases of the set-up.
type Service struct {
	Store      Store
	IsOperator team.IsOperator
	// AtOnce says that owners publish their restaurants themselves: in a demonstration.
	AtOnce bool
	// NoPayments says that nobody can pay here: there is no payment provider, and no play money.
	NoPayments bool
	// Forget is called with the id of a restaurant that has changed, and the slots of which that changes what is
	// left.
	Forget func(restaurantID int64, slots []booking.SlotKey)
	Now    func() time.Time
}

// Find returns the set-up of a restaurant for a member of its staff.
func (s *Service) Find(ctx context.Context, by team.Staff, restaurantID int64) (State, error) {
	if err := by.Check(restaurantID, team.SeeSettings); err != nil {
		return State{}, err
	}
	return s.Store.FindSetup(ctx, restaurantID)
}

// Checks returns what in a restaurant's rules cannot work together.
func (s *Service) Checks(state State) []booking.Contradiction {
	found := booking.Contradictions(state.Restaurant, state.Menu, s.Now())
	if s.NoPayments && state.Restaurant.AsksDeposit() {
		found = slices.Insert(found, 0, booking.NoPayments)
	}
	return found
}

// Replacement is what a request says that documents become.
type Replacement struct {
	RestaurantID int64
	Documents    []Document // each of another name
	Tag          string     // TagOf the documents that the request has seen
	Preview      bool       // says what would be, and changes nothing
}

// Saved is what became of a replacement, or would.
type Saved struct {
	Restaurant booking.Restaurant
	Affected   Affected
	Checks     []booking.Contradiction
}

// Save replaces documents on behalf of a member of staff. Returns booking.ErrForbidden, booking.ErrNotFound,
// *booking.InvalidError with every invalid field, and ErrChanged, with nothing changed, when the documents are
// not those of the tag any more. Reservations stay as they were agreed.
func (s *Service) Save(ctx context.Context, by team.Staff, r Replacement) (Saved, error) {
	for _, d := range r.Documents {
		if err := by.Check(r.RestaurantID, d.Name().Action()); err != nil {
			return Saved{}, err
		}
	}
	state, err := s.Store.FindSetup(ctx, r.RestaurantID)
	if err != nil {
		return Saved{}, err
	}
	now := s.Now()
	booked, err := s.Store.ListBooked(ctx, r.RestaurantID, booking.DateOf(now, state.Restaurant.Location))
	if err != nil {
		return Saved{}, err
	}
	var saved Saved
	decide := func(was booking.Restaurant) (booking.Restaurant, []Entry, error) {
		next, err := r.replace(was, booked, now)
		if err != nil {
			return was, nil, err
		}
		saved = Saved{Restaurant: next, Affected: touchedBy(was, next, booked, now),
			Checks: booking.Contradictions(next, state.Menu, now)}
		entries, err := entriesOf(was, next)
		return next, entries, err
	}
	if r.Preview {
		_, _, err := decide(state.Restaurant)
		return saved, err
	}
	slots, err := s.Store.Change(ctx, Change{RestaurantID: r.RestaurantID, StaffID: by.UserID(), Decide: decide})
	if err == nil {
		s.Forget(r.RestaurantID, slots)
	}
	return saved, err
}

// replace returns the restaurant with the documents in place of its own.
func (r Replacement) replace(was booking.Restaurant, booked []Booked, now time.Time) (booking.Restaurant, error) {
	names := make([]Name, 0, len(r.Documents))
	for _, d := range r.Documents {
		names = append(names, d.Name())
	}
	if TagOf(was, names...) != r.Tag {
		return was, ErrChanged
	}
	next := was
	var invalid wrongs
	for _, d := range r.Documents {
		found := d.check(was, now)
		invalid = append(invalid, found...)
		if len(found) == 0 {
			next = d.apply(next)
		}
	}
	invalid.add(len(booked) > 0 && next.Location.String() != was.Location.String(), "timeZone", "has_bookings")
	if err := invalid.err(); err != nil {
		return was, err
	}
	return next, nil
}

// entriesOf returns what the audit log says of the documents that differ, with the members that do.
func entriesOf(was, next booking.Restaurant) ([]Entry, error) {
	var entries []Entry
	for _, name := range Names() {
		before, after := Of(name, was), Of(name, next)
		if tagOf(before) == tagOf(after) {
			continue
		}
		entry, err := differences(before, after)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry)
	}
	return entries, nil
}

// differences are the members of two versions of a document that are not the same.
func differences(before, after Document) (Entry, error) {
	was, err := membersOf(before)
	if err != nil {
		return Entry{}, err
	}
	is, err := membersOf(after)
	if err != nil {
		return Entry{}, err
	}
	for name, value := range was {
		if string(is[name]) == string(value) {
			delete(was, name)
			delete(is, name)
		}
	}
	entry := Entry{Document: before.Name()}
	if entry.Was, err = json.Marshal(was); err != nil {
		return entry, err
	}
	entry.Is, err = json.Marshal(is)
	return entry, err
}

func membersOf(d Document) (map[string]json.RawMessage, error) {
	raw, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	var members map[string]json.RawMessage
	return members, json.Unmarshal(raw, &members)
}
