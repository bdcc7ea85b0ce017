// Package reviews is what diners say of restaurants that they have been to: one review of each completed visit, the
// restaurant's answer to it, and what operators do about reviews that somebody reports.
package reviews

import (
	"cmp"
	"context"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"lunchgo/app/booking"
	"lunchgo/app/keyset"
	"lunchgo/app/refusal"
)

// Why a visit is not reviewed.
var (
	ErrNotVisited = refusal.New(refusal.Conflict, "not_visited", "reviews: the visit is not completed")
	ErrOver       = refusal.New(refusal.Conflict, "review_over", "reviews: the visit is too long ago")
	ErrHidden     = refusal.New(refusal.Conflict, "review_hidden", "reviews: an operator has hidden the review")
)

// ErrChanged says that an operator has not read what they decide on.
var ErrChanged = refusal.ChangedMeanwhile.Because("reviews: the review or its reports have changed")

// Limits of reviews.
const (
	MaxStars  = 5
	MaxText   = 1_000 // characters, of reviews and answers
	MaxReason = 500   // characters, of reports and decisions
	OpenDays  = 90    // after the visit, in which it can be reviewed
)

// Fields of reviews, in requests and errors.
const (
	FieldStars  = "stars"
	FieldText   = "text"
	FieldReason = "reason"
)

// Review is what a diner says of a visit.
type Review struct {
	ID            int64        `json:"id"`
	ReservationID string       `json:"-"`
	RestaurantID  int64        `json:"-"`
	Author        string       `json:"author"` // shortened: a family name, or initials
	Stars         int          `json:"stars"`
	Text          string       `json:"text"` // may be empty
	Visited       booking.Date `json:"-"`
	WrittenAt     time.Time    `json:"writtenAt"`
	// What the restaurant says to it. Missing while it says nothing.
	Answer       string    `json:"answer,omitempty"`
	AnsweredAt   time.Time `json:"-"` // last
	IsOutdated   bool      `json:"-"` // the answer: the review changed after it
	HiddenReason string    `json:"-"` // why an operator hid it from everybody but its author; empty: it is public
}

// Draft is what a diner writes.
type Draft struct {
	UserID        string
	ReservationID string
	Stars         int
	Text          string
}

// Check returns the draft in the form that is stored. Returns *booking.InvalidError.
func (d Draft) Check() (Draft, error) {
	var faults []booking.FieldError
	if d.Stars < 1 || d.Stars > MaxStars {
		faults = append(faults, booking.FieldError{Field: FieldStars, Reason: "out_of_range", Min: 1, Max: MaxStars})
	}
	d.Text = linesOf(d.Text)
	if faults = append(faults, booking.CheckLines(FieldText, d.Text, MaxText)...); len(faults) > 0 {
		return d, &booking.InvalidError{Fields: faults}
	}
	return d, nil
}

// CheckVisit says whether a visit can be reviewed on a date of its restaurant. Returns ErrNotVisited, ErrOver.
func CheckVisit(state booking.State, visited, today booking.Date) error {
	switch {
	case state != booking.Completed:
		return ErrNotVisited
	case today > visited.AddDays(OpenDays):
		return ErrOver
	}
	return nil
}

// ShortName is how a diner is named beside a review: the family name of a Korean name, and of names in letters that
// have capitals the initials.
func ShortName(name string) string {
	var initials []string
	for _, word := range strings.Fields(name) {
		letter, _ := utf8.DecodeRuneInString(word)
		switch letter = unicode.ToUpper(letter); {
		case unicode.IsUpper(letter):
			initials = append(initials, string(letter)+".")
		case unicode.IsLetter(letter) && initials == nil:
			return string(letter) + "○○"
		}
	}
	return cmp.Or(strings.Join(initials, " "), "○○")
}

// linesOf is a text of several lines without space around it.
func linesOf(text string) string { return strings.TrimSpace(booking.Lines(text)) }

// checkWords returns a text that has to say something, as it is stored. Returns *booking.InvalidError.
func checkWords(field, text string, most int) (string, error) {
	text = linesOf(text)
	faults := booking.CheckLines(field, text, most)
	if text == "" {
		faults = []booking.FieldError{{Field: field, Reason: "required"}}
	}
	if len(faults) > 0 {
		return "", &booking.InvalidError{Fields: faults}
	}
	return text, nil
}

// Filter chooses reviews of a restaurant; its zero value chooses all that are public.
type Filter struct {
	Unanswered bool // or changed since the answer
}

// Reported is a review with what was reported of it and not decided on.
type Reported struct {
	Review
	Reasons []string // the oldest first, MaxReasons of them
	Reports int
	Version int64 // of the review and its open reports
}

// MaxReasons is how many reasons of reports are shown of one review.
const MaxReasons = 10

// Decision is what an operator makes of a reported review.
type Decision struct {
	ReviewID   int64
	OperatorID string
	Hide       bool // else it stays public, or is so again
	Reason     string
	Version    int64 // of what the operator has read
}

// Store keeps reviews. Its methods return booking.ErrNotFound for a review or visit that is not there, or not of whom
// they name.
type Store interface {
	// Write stores the review of a visit, or changes it. Returns the errors of CheckVisit for a first review, and
	// ErrHidden.
	Write(ctx context.Context, draft Draft) (Review, error)
	// Delete deletes the review of a visit, if there is one. Returns ErrHidden.
	Delete(ctx context.Context, userID, reservationID string) error
	// Find returns a public review.
	Find(ctx context.Context, id int64) (Review, error)
	// ListOf returns the reviews of visits, hidden ones too, by the id of the reservation.
	ListOf(ctx context.Context, reservationIDs []string) (map[string]Review, error)
	// List returns a page of a restaurant's public reviews, the newest first.
	List(ctx context.Context, restaurantID int64, filter Filter, page keyset.Request) (keyset.Page[Review], error)
	// Answer stores what a member of staff answers to a public review of their restaurant, in place of an earlier
	// answer.
	Answer(ctx context.Context, answer Answer) error
	// Report stores why somebody reports a public review; the first reason of each person counts, until the review
	// changes after a decision.
	Report(ctx context.Context, reviewID int64, userID, reason string) error
	// ListReported returns a page of the reviews whose reports are open, the oldest first.
	ListReported(ctx context.Context, page keyset.Request) (keyset.Page[Reported], error)
	// Decide hides or keeps a review and closes its reports. Returns ErrChanged for another version.
	Decide(ctx context.Context, decision Decision) error
}

// Answer is what a member of staff says to a review.
type Answer struct {
	ReviewID     int64
	RestaurantID int64
	StaffID      string
	Text         string
}
