package main

import (
	"bufio"
	"bytes"
	"io/fs"
	"math"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
)

// gcPercent is how much garbage may pile up beside the memory in use before it is collected, in percent of it. Go's own
// 100 has a rush collect several times a second, and each time walk and shrink the stacks of all who wait; beyond 400
// nothing is gained (docs/performance-history.md).
const gcPercent = 400

// collectLessOften has garbage collected less often, within the memory that this process may use: near memoryLimit it
// is collected as often as it takes. Where that is not known, and where the operator has set GOGC or GOMEMLIMIT, Go's
// own pace stays.
func collectLessOften(c Config) {
	if c.GoGC != "" || c.GoMemLimit != "" {
		return
	}
	if limit := memoryLimit(os.DirFS("/")); limit > 0 {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(gcPercent)
	}
}

// memoryLimit returns how many bytes Go may use at most in a system with these files: three quarters of the limit of
// its container, or of its service, whose rest is for what Go does not count; and half of what the machine has
// available, where other programs run too. It returns 0 where the files say nothing of memory, as outside Linux.
func memoryLimit(system fs.FS) int64 {
	limit := int64(math.MaxInt64)
	if available := availableMemory(system); available > 0 {
		limit = available / 2
	}
	if group := groupMemory(system); group < math.MaxInt64 {
		limit = min(limit, group/4*3)
	}
	if limit == math.MaxInt64 {
		return 0
	}
	return limit
}

// availableMemory returns MemAvailable of Linux in bytes; 0 if that is not known.
func availableMemory(system fs.FS) int64 {
	text, err := fs.ReadFile(system, "proc/meminfo")
	if err != nil {
		return 0
	}
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) > 1 && fields[0] == "MemAvailable:" {
			kilobytes, _ := strconv.ParseInt(fields[1], 10, 64)
			return kilobytes << 10
		}
	}
	return 0
}

// groupMemory returns the least limit in bytes of the control groups that this process is in, of version 2 or 1;
// math.MaxInt64 if there is none. A container often sees its own group as the root, whatever path the kernel names.
func groupMemory(system fs.FS) int64 {
	least := int64(math.MaxInt64)
	groups, _ := fs.ReadFile(system, "proc/self/cgroup")
	for lines := bufio.NewScanner(bytes.NewReader(groups)); lines.Scan(); {
		fields := strings.SplitN(lines.Text(), ":", 3) // number:controllers:/path
		if len(fields) < 3 {
			continue
		}
		root, file := "sys/fs/cgroup", "memory.max"
		if fields[1] == "memory" {
			root, file = "sys/fs/cgroup/memory", "memory.limit_in_bytes"
		} else if fields[1] != "" {
			continue
		}
		for group := path.Clean("/" + fields[2]); ; group = path.Dir(group) {
			text, _ := fs.ReadFile(system, path.Join(root, group, file))
			if bytes, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && bytes > 0 {
				least = min(least, bytes)
			}
			if group == "/" {
				break
			}
		}
	}
	return least
}
