package embedded

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// bindToParent has the kernel send deathSignal to the child when we die.
func bindToParent(attr *syscall.SysProcAttr, deathSignal syscall.Signal) {
	attr.Pdeathsig = deathSignal
}

// processes returns the ids of the server processes that run on the data, be
// they the server itself or what it left behind. Both servers work in their
// data directory, which no other process of that name can have in common.
func (h *home) processes() []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var pids []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		cwd, err := os.Readlink(filepath.Join("/proc", e.Name(), "cwd"))
		if err != nil || cwd != h.data() {
			continue
		}
		name, err := os.ReadFile(filepath.Join("/proc", e.Name(), "comm"))
		if err == nil && strings.TrimSpace(string(name)) == filepath.Base(h.service.program) {
			pids = append(pids, pid)
		}
	}
	return pids
}
