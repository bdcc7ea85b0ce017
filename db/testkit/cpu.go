package testkit

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

// clockTicks are those of a second in /proc.
const clockTicks = 100

// BackendCPU is the processor time that the server's process of the harness's only connection has used, by /proc: it
// says more than the time by the clock where others use the machine. 0 where there is no /proc.
func (h *Harness) BackendCPU(b *testing.B) time.Duration {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", h.Count(b, `SELECT pg_backend_pid()`)))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * time.Second / clockTicks
}
