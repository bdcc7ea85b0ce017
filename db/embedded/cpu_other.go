//go:build !linux

package embedded

import "time"

// PostgresCPU is not known.
func PostgresCPU(int) (time.Duration, error) { return 0, errNotPostgres }
