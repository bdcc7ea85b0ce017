package embedded

import (
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// PostgresCPU returns the processor time that a PostgreSQL on this machine has used since its start: of the server, of
// its processes, of which backend is one, and of those that have ended. Returns an error unless backend is such a
// process.
func PostgresCPU(backend int) (time.Duration, error) {
	one, err := statOf(strconv.Itoa(backend))
	if err != nil {
		return 0, err
	}
	server, err := statOf(strconv.Itoa(one.parent))
	if err != nil {
		return 0, err
	}
	if one.name != "postgres" || server.name != "postgres" {
		return 0, errNotPostgres
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0, err
	}
	// The children first: one that ends meanwhile is missing here, but not counted twice.
	sum := time.Duration(0)
	for _, e := range entries {
		if child, err := statOf(e.Name()); err == nil && child.parent == one.parent {
			sum += child.own
		}
	}
	if server, err = statOf(strconv.Itoa(one.parent)); err != nil {
		return 0, err
	}
	return sum + server.own + server.reaped, nil
}

func statOf(pid string) (stat, error) {
	text, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	if err != nil {
		return stat{}, err
	}
	return parseStat(text)
}
