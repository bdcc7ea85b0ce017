// Package guests is what a restaurant knows of those who come to it: their visits there, and only there. A guest is an
// account, or the phone number of parties that staff booked.
package guests

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/team"
)

// Guest is somebody who has booked at a restaurant, and what came of it.
type Guest struct {
	ID            string    `json:"id"`         // means nothing at another restaurant
	Name          string    `json:"name"`       // as of the latest booking
	Phone         string    `json:"phone"`      // empty when none is known
	HasAccount    bool      `json:"hasAccount"` // false: known by the phone number only
	Visits        int       `json:"visits"`
	NoShows       int       `json:"noShows"`
	Cancellations int       `json:"cancellations"`
	LastVisit     time.Time `json:"-"` // zero: has never come
	// Won paid to the restaurant, less refunds; 0 where notesAllowed is false.
	Spent     int64    `json:"spent"`
	Allergies []string `json:"allergies"` // as stated with their bookings
	// False: the guest has an account and has not agreed that restaurants keep notes and tags. Allergies, notes of
	// bookings and money are then shown for bookings of today and later only.
	Consents bool `json:"notesAllowed"`
	// Kinds that every restaurant has (vip, regular, window, quiet, wheelchair, high_chair, vegetarian,
	// allergy_nuts, allergy_shellfish, allergy_dairy, allergy_eggs, allergy_wheat), and words of the restaurant.
	Tags []string `json:"tags"`
}

// Booking is one of a guest's.
type Booking struct {
	ID        string         `json:"reservationId"`
	Start     time.Time      `json:"at"`
	PartySize int            `json:"partySize"`
	State     booking.State  `json:"state"`
	Source    booking.Source `json:"source"`
	Note      string         `json:"note"`  // without consent only of today and later
	Spent     int64          `json:"spent"` // 0 without consent
}

// Profile is a guest with a page of their bookings and all notes, the latest first.
type Profile struct {
	Guest
	Bookings keyset.Page[Booking]
	Notes    []Note
}

// Search says which guests are looked for; its zero value means all.
type Search struct {
	Name   string // part of it; a Korean consonant stands for the syllables that begin with it
	Digits string // part of the phone number
}

// Least lengths of what is searched for: shorter texts fit too many.
const (
	MinName   = 2
	MinDigits = 4
)

// maxSearch is how long a search may be, in runes.
const maxSearch = 100

// FieldQuery is the field of a search, in queries and errors.
const FieldQuery = "q"

// ParseSearch reads what was typed: a part of a name, or of a phone number when it has the signs of one only. Returns
// *booking.InvalidError about FieldQuery.
func ParseSearch(typed string) (Search, error) {
	typed = strings.TrimSpace(typed)
	number := strings.Trim(typed, "+-() 0123456789") == ""
	digits := digitsOf(typed)
	switch {
	case typed == "":
		return Search{}, nil
	case utf8.RuneCountInString(typed) > maxSearch:
		return Search{}, invalid(FieldQuery, "too_long", maxSearch)
	case number && len(digits) < MinDigits:
		return Search{}, invalid(FieldQuery, "too_short", 0)
	case number:
		return Search{Digits: digits}, nil
	case utf8.RuneCountInString(typed) < MinName:
		return Search{}, invalid(FieldQuery, "too_short", 0)
	}
	return Search{Name: typed}, nil
}

func invalid(field, reason string, most int) error {
	return &booking.InvalidError{Fields: []booking.FieldError{{Field: field, Reason: reason, Max: most}}}
}

// digitsOf are the digits of a phone number as it is dialled within Korea.
func digitsOf(phone string) string {
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, phone)
	if national, found := strings.CutPrefix(digits, "82"); found && len(national) >= 8 {
		return "0" + national
	}
	return digits
}

// Store keeps guests. Deleted accounts, and parties without account and number, are nobody. Its methods return
// booking.ErrNotFound for an id that is not of this restaurant.
type Store interface {
	// ListGuests returns who booked at a restaurant, the latest visitor first, and then those who have never come.
	ListGuests(ctx context.Context, restaurantID int64, search Search, page keyset.Request) (keyset.Page[Guest], error)
	// FindGuest returns a guest with a page of their bookings.
	FindGuest(ctx context.Context, restaurantID int64, guest string, page keyset.Request) (Profile, error)
	// BeginExport returns the ids of the guests that a search finds, in the order of ListGuests, and writes down who has
	// asked for them.
	BeginExport(ctx context.Context, restaurantID int64, staffID string, search Search) ([]string, error)
	// ListExported returns guests by id, in the order of ListGuests, without those that are there no more.
	ListExported(ctx context.Context, restaurantID int64, ids []string) ([]Listed, error)
	// AddNote stores what somebody writes of a guest. Returns ErrNoConsent, ErrTooManyNotes.
	AddNote(ctx context.Context, about About, text string) (Note, error)
	// DeleteNote deletes a note; that it was deleted stays in the log, without its text.
	DeleteNote(ctx context.Context, about About, note int64) error
	// SetTags replaces the tags of a guest. Returns ErrNoConsent, unless there are none.
	SetTags(ctx context.Context, about About, tags []string) error
	// Forget deletes up to limit notes, and the tags of up to limit guests, that are over, and returns how many.
	Forget(ctx context.Context, limit int) (int, error)
}

// About says whom an act of staff concerns.
type About struct {
	RestaurantID int64
	Guest        string
	By           string // user id of the member
}

// Service is what staff do with what they know of guests. All of it returns booking.ErrNotFound and
// booking.ErrForbidden by the table of rights.
type Service struct {
	store Store
}

// NewService returns the use cases over a store.
func NewService(store Store) *Service { return &Service{store: store} }

// List returns a page of guests, as Store.ListGuests.
func (s *Service) List(ctx context.Context, by team.Staff, restaurantID int64, search Search,
	page keyset.Request) (keyset.Page[Guest], error) {
	if err := by.Check(restaurantID, team.SeeGuests); err != nil {
		return keyset.Page[Guest]{}, err
	}
	return s.store.ListGuests(ctx, restaurantID, search, page)
}

// Find returns one guest, as Store.FindGuest.
func (s *Service) Find(ctx context.Context, by team.Staff, restaurantID int64, guest string,
	page keyset.Request) (Profile, error) {
	if err := by.Check(restaurantID, team.SeeGuests); err != nil {
		return Profile{}, err
	}
	return s.store.FindGuest(ctx, restaurantID, guest, page)
}

// AddNote writes about a guest, as Store.AddNote. Returns *booking.InvalidError about FieldText besides.
func (s *Service) AddNote(ctx context.Context, by team.Staff, restaurantID int64, guest, text string) (Note, error) {
	if err := by.Check(restaurantID, team.NoteGuests); err != nil {
		return Note{}, err
	}
	text, err := parseNote(text)
	if err != nil {
		return Note{}, err
	}
	return s.store.AddNote(ctx, About{restaurantID, guest, by.UserID()}, text)
}

// DeleteNote deletes a note about a guest, as Store.DeleteNote.
func (s *Service) DeleteNote(ctx context.Context, by team.Staff, restaurantID int64, guest string, note int64) error {
	if err := by.Check(restaurantID, team.DeleteGuestNotes); err != nil {
		return err
	}
	return s.store.DeleteNote(ctx, About{restaurantID, guest, by.UserID()}, note)
}

// SetTags replaces the tags of a guest and returns them in the form that is stored, as Store.SetTags. Returns
// *booking.InvalidError about FieldTags besides.
func (s *Service) SetTags(ctx context.Context, by team.Staff, restaurantID int64, guest string,
	tags []string) ([]string, error) {
	if err := by.Check(restaurantID, team.NoteGuests); err != nil {
		return nil, err
	}
	tags, err := ParseTags(tags)
	if err != nil {
		return nil, err
	}
	return tags, s.store.SetTags(ctx, About{restaurantID, guest, by.UserID()}, tags)
}
