package sheet

import "testing"

// Whatever a restaurant is called, the name of its file stays one name.
func TestFileName_HasNoSeparators(t *testing.T) {
	t.Parallel()
	if got, want := FileName("../담담\r\n\"반상\";x=%41", "2030-01-01", "2030-01-31"),
		"담담반상x=41 2030-01-01 2030-01-31.csv"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
