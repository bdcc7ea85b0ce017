package views

// Names of the form fields of what staff do for a guest, besides those of the booking form.
const (
	FieldReason = "reason" // why: of a cancellation, of what is closed or paused; for diners
	FieldSource = "source" // how a guest books: SourcePhone or SourceWalkIn
	FieldSeated = "seated" // "1" when a walk-in sits down at once
)
