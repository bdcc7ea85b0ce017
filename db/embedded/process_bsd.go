//go:build unix && !linux

package embedded

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// bindToParent does nothing here: only Linux tells a child of its parent's
// death. A server that outlived us is ended at the next start.
func bindToParent(*syscall.SysProcAttr, syscall.Signal) {}

// processes returns the id of the server that runs on the data, as the server
// wrote it down.
func (h *home) processes() []int {
	for _, name := range []string{"postmaster.pid", "redis.pid"} {
		text, err := os.ReadFile(filepath.Join(h.data(), name))
		if err != nil {
			continue
		}
		first, _, _ := strings.Cut(string(text), "\n")
		pid, err := strconv.Atoi(strings.TrimSpace(first))
		if err != nil {
			continue
		}
		// The number may have passed to another program since.
		name, err := exec.Command("ps", "-o", "comm=", "-p", strconv.Itoa(pid)).Output()
		if err == nil && filepath.Base(strings.TrimSpace(string(name))) == filepath.Base(h.service.program) {
			return []int{pid}
		}
	}
	return nil
}
