package respond

import "testing"

// A number that has to be one is named alone.
func TestFieldSentence_OfANumber(t *testing.T) {
	t.Parallel()
	for want, field := range map[string]Field{
		"Please enter a number from 1 to 4.": {Reason: "out_of_range", Min: 1, Max: 4},
		"Please enter 1.":                    {Reason: "out_of_range", Min: 1, Max: 1},
	} { // in any order
		if got := FieldSentence("en", field); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
