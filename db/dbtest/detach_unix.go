//go:build unix

package dbtest

import (
	"os/exec"
	"syscall"
)

// outliveUs keeps a ctrl-C in the terminal from the command, whose work begins
// when we are gone.
func outliveUs(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
