package guests

import (
	"slices"
	"testing"
)

// Who corrects tags changes those that they have seen; another's stay.
func TestRetag_LeavesWhatNobodySaw(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ present, seen, tags, want []string }{
		"another guest's": {[]string{"allergy_nuts"}, []string{"vip"}, []string{"vip", "window"},
			[]string{"allergy_nuts", "window"}},
		"one taken away":    {[]string{"vip", "quiet"}, []string{"vip"}, []string{}, []string{"quiet"}},
		"set by two":        {[]string{"vip"}, []string{}, []string{"vip"}, []string{"vip"}},
		"all that there is": {[]string{"vip"}, nil, []string{"quiet"}, []string{"quiet"}},
	} {
		if got, err := Retag(c.present, c.seen, c.tags); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v; want %v", name, got, err, c.want)
		}
	}
}
