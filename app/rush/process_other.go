//go:build !unix

package rush

import (
	"math"
	"time"
)

// cpuTime is not known.
func cpuTime() time.Duration { return 0 }

// openFiles has no limit that is known.
func openFiles() int { return math.MaxInt32 }
