//go:build !linux

package e2e_test

import "syscall"

// dieWithUs has no like on this system: a child outlives a test process that is killed.
func dieWithUs() *syscall.SysProcAttr { return nil }
