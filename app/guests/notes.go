package guests

import (
	"slices"
	"strings"
	"time"

	"lunchgo/app/booking"
	"lunchgo/app/refusal"
)

// Why nothing is noted of a guest.
var (
	ErrNoConsent = refusal.New(refusal.Conflict, "no_consent",
		"guests: the guest has not agreed that restaurants keep notes and tags")
	ErrTooManyNotes = refusal.New(refusal.Conflict, "too_many_notes",
		"guests: a guest has as many notes as there may be")
)

// Limits of what is noted of a guest.
const (
	MaxNote  = 1_000 // characters
	MaxNotes = 100
	MaxTag   = 30 // characters
	MaxTags  = 12
	// KeepYears is for how many years after the latest visit a note or tag is kept; one that is written later, after
	// that.
	KeepYears = 2
)

// Fields of notes and tags, in requests and errors.
const (
	FieldText = "text"
	FieldTags = "tags"
)

// Note is what a member of staff wrote about a guest. It is never changed.
type Note struct {
	ID     int64     `json:"id"`
	Text   string    `json:"text"`
	By     string    `json:"writtenBy"`  // user id
	ByName string    `json:"writerName"` // as of now; empty once that account is deleted
	At     time.Time `json:"createdAt"`
}

// kinds are the tags that every restaurant has; the catalogues name them as "guest_tag.<kind>". All other tags are
// words of the restaurant.
var kinds = [...]string{"vip", "regular", "window", "quiet", "wheelchair", "high_chair", "vegetarian",
	"allergy_nuts", "allergy_shellfish", "allergy_dairy", "allergy_eggs", "allergy_wheat"}

// Kinds are the tags that every restaurant has, in the order of forms.
func Kinds() []string { return slices.Clone(kinds[:]) }

// Diets are those of some tags that say what somebody does not eat.
func Diets(tags []string) (diets []string) {
	for _, tag := range tags {
		if tag == "vegetarian" || IsAllergy(tag) {
			diets = append(diets, tag)
		}
	}
	return diets
}

// IsAllergy says whether a tag is of what somebody must not eat.
func IsAllergy(tag string) bool { return strings.HasPrefix(tag, "allergy_") }

// Retag returns the tags of a guest once somebody has made tags of those that they saw: what is there besides stays.
// Where they saw nothing, tags are all. Returns *booking.InvalidError for too many.
func Retag(present, seen, tags []string) ([]string, error) {
	if seen == nil {
		return tags, nil
	}
	all := slices.DeleteFunc(slices.Clone(present), func(tag string) bool {
		return slices.Contains(seen, tag) && !slices.Contains(tags, tag)
	})
	for _, tag := range tags {
		if !slices.Contains(seen, tag) {
			all = append(all, tag)
		}
	}
	return ParseTags(all)
}

// IsKind says whether a tag is one that every restaurant has.
func IsKind(tag string) bool { return slices.Contains(kinds[:], tag) }

func parseNote(text string) (string, error) {
	text = strings.TrimSpace(booking.Lines(text))
	if text == "" {
		return "", invalid(FieldText, "required", 0)
	}
	if faults := booking.CheckLines(FieldText, text, MaxNote); len(faults) > 0 {
		return "", &booking.InvalidError{Fields: faults}
	}
	return text, nil
}

// ParseTags returns tags on one line each, without those that come again in whatever case. Blank ones are none. Returns
// *booking.InvalidError about FieldTags.
func ParseTags(tags []string) ([]string, error) {
	clean := []string{}
	for _, tag := range tags {
		tag = booking.PlainText(tag)
		if lower := strings.ToLower(tag); IsKind(lower) {
			tag = lower
		}
		if faults := booking.CheckText(FieldTags, tag, MaxTag); len(faults) > 0 {
			return nil, &booking.InvalidError{Fields: faults}
		}
		same := func(known string) bool { return strings.EqualFold(known, tag) }
		if tag != "" && !slices.ContainsFunc(clean, same) {
			clean = append(clean, tag)
		}
	}
	if len(clean) > MaxTags {
		return nil, invalid(FieldTags, "too_many", MaxTags)
	}
	return clean, nil
}
