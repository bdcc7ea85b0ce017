package booking

import "slices"

// Details are what staff correct of who comes with a reservation, as they have checked it. A nil field stays as it is.
type Details struct {
	Name      *string
	Phone     *string // empty if it is not known
	Note      *string
	Allergies *string
	Tags      []string // of the guest, in place of those that there are
	// TagsSeen are those that Tags were made of: what came or went meanwhile, or is another guest's, stays. nil: Tags
	// are all.
	TagsSeen []string
}

// IsEmpty returns whether the details say nothing.
func (d Details) IsEmpty() bool {
	return d.Name == nil && d.Phone == nil && d.Note == nil && d.Allergies == nil && d.Tags == nil
}

// HasGuestName returns whether staff wrote down who comes. Else that is the diner, whose name and number are those of
// the account.
func (r Reservation) HasGuestName() bool { return r.GuestName != "" }

// CanCorrect returns whether staff may still correct who comes.
func (r Reservation) CanCorrect() bool {
	return slices.Contains([]State{Temporary, Confirmed, PrepaidConfirmed, Arrived, Seated}, r.State)
}

// WithDetails returns the reservation with other details, and the names of those that differ, tags excepted. Returns
// ErrWrongState for one that is over, and *InvalidError for the name and the number of a diner's account.
func (r Reservation) WithDetails(d Details) (Reservation, []string, error) {
	if !r.CanCorrect() {
		return r, nil, ErrWrongState
	}
	var differ []string
	var faults []FieldError
	for _, field := range []struct {
		name   string
		is     *string
		become *string
		fixed  bool
	}{
		{"name", &r.GuestName, d.Name, !r.HasGuestName()},
		{"phone", &r.GuestPhone, d.Phone, !r.HasGuestName()},
		{"note", &r.Note, d.Note, false},
		{"allergies", &r.Allergies, d.Allergies, false},
	} {
		switch {
		case field.become == nil:
		case field.fixed:
			faults = append(faults, FieldError{Field: field.name, Reason: "of_account"})
		case *field.is != *field.become:
			*field.is = *field.become
			differ = append(differ, field.name)
		}
	}
	if len(faults) > 0 {
		return r, nil, &InvalidError{Fields: faults}
	}
	r.DetailsChanged = r.DetailsChanged || len(differ) > 0
	return r, differ, nil
}
