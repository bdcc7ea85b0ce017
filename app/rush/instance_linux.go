package rush

import (
	"os/exec"
	"syscall"
)

// own keeps a ctrl-C in the terminal from the child, which is ended in order after the rush, and has the kernel end it
// if this process dies without a word.
func own(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
}
