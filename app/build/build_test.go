package build

import (
	"runtime/debug"
	"testing"
)

// The commit is Go's own, or the one that the build was given.
func TestInfo_Commit(t *testing.T) {
	t.Parallel()
	stamped := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: modified}}
	}
	for name, test := range map[string]struct {
		settings []debug.BuildSetting
		given    string
		want     string
	}{
		"unknown":        {nil, "", "lunchgo v1.2.3, commit unknown, go1.26"},
		"stamped":        {stamped("false"), "", "lunchgo v1.2.3, commit abc, go1.26"},
		"stamped, dirty": {stamped("true"), "", "lunchgo v1.2.3, commit abc-dirty, go1.26"},
		"given":          {nil, "def", "lunchgo v1.2.3, commit def, go1.26"},
		"given, dirty":   {nil, "def-dirty", "lunchgo v1.2.3, commit def-dirty, go1.26"},
		"both":           {stamped("true"), "def", "lunchgo v1.2.3, commit def, go1.26"},
	} {
		read := &debug.BuildInfo{GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3"}, Settings: test.settings}
		if got := infoOf(read, test.given).String(); got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
