// Package build says which build of LunchGo a process is.
package build

import (
	"fmt"
	"runtime/debug"
	"strings"
)

// revision is the commit, where a build gives it because there is no repository that Go could ask:
// -ldflags "-X lunchgo/app/build.revision=…". A commit that ends in -dirty was changed before the build.
var revision string

const dirty = "-dirty"

// Info is what is known of a build.
type Info struct {
	Version   string // of the module; (devel) where it is not known
	Revision  string // the commit in full; empty where it is not known
	Modified  bool   // files differ from those of the commit
	GoVersion string
}

// Read returns what is known of this build.
func Read() Info {
	read, ok := debug.ReadBuildInfo()
	if !ok {
		read = new(debug.BuildInfo)
	}
	return infoOf(read, revision)
}

func infoOf(read *debug.BuildInfo, given string) Info {
	info := Info{Version: read.Main.Version, GoVersion: read.GoVersion}
	for _, s := range read.Settings {
		switch s.Key {
		case "vcs.revision":
			info.Revision = s.Value
		case "vcs.modified":
			info.Modified = s.Value == "true"
		}
	}
	if given != "" {
		info.Revision, info.Modified = strings.CutSuffix(given, dirty)
	}
	return info
}

// Commit is the revision, with -dirty where files differ from it.
func (i Info) Commit() string {
	if i.Revision == "" {
		return "unknown"
	}
	if i.Modified {
		return i.Revision + dirty
	}
	return i.Revision
}

// String is a line for people.
func (i Info) String() string {
	return fmt.Sprintf("lunchgo %s, commit %s, %s", i.Version, i.Commit(), i.GoVersion)
}
