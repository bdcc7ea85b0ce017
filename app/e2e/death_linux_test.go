package e2e_test

import "syscall"

// dieWithUs has the kernel end a child when the test process is gone, however it ends.
func dieWithUs() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
