//go:build unix

package main

import (
	"math"
	"syscall"
)

// raiseOpenFiles raises the limit of open files of this process as far as it may, and returns it; 0 when it is not
// known. Go does so too as a program starts, but not where the limit was lowered since, and not on every system.
func raiseOpenFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	if limit.Cur < limit.Max {
		raised := syscall.Rlimit{Cur: limit.Max, Max: limit.Max}
		if syscall.Setrlimit(syscall.RLIMIT_NOFILE, &raised) == nil {
			limit = raised
		}
	}
	return int(min(uint64(limit.Cur), math.MaxInt32))
}
