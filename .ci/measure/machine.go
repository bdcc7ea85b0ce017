package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"

	"lunchgo/db/dbtest/measured"
)

var (
	model  = regexp.MustCompile(`(?m)^model name\s*: (.*)$`)
	memory = regexp.MustCompile(`(?m)^MemTotal: *(\d+)`)

	available = regexp.MustCompile(`(?m)^MemAvailable: *(\d+)`)
)

// thisRun says when and where the run is, by what Linux says of the machine.
func thisRun() (run measured.Run, err error) {
	run = measured.Run{Day: time.Now().Format(time.DateOnly), Processors: runtime.NumCPU(), Machine: runtime.GOARCH}
	load, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return run, fmt.Errorf("whether the machine is quiet: %w", err)
	}
	if _, err := fmt.Sscan(string(load), &run.Load); err != nil {
		return run, err
	}
	cpu, err := os.ReadFile("/proc/cpuinfo")
	if found := model.FindSubmatch(cpu); found != nil {
		run.Machine = string(found[1])
	}
	if err != nil {
		return run, err
	}
	var kilobytes float64
	text, err := os.ReadFile("/proc/meminfo")
	if found := memory.FindSubmatch(text); found != nil {
		_, err = fmt.Sscan(string(found[1]), &kilobytes)
	}
	run.Machine += fmt.Sprintf(", %.0f GiB", kilobytes/(1<<20))
	run.Commit = commit()
	return run, err
}

// spareFiles is how many open files an instance needs besides the connections of its visitors, and more.
const spareFiles = 256

// openFiles is how many files a process may have open; 0: not known.
func openFiles() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return int(min(limit.Max, math.MaxInt32))
}

// availableMemory is how many bytes of memory are available.
func availableMemory() int64 {
	var kilobytes int64
	text, _ := os.ReadFile("/proc/meminfo") // without it: none
	if found := available.FindSubmatch(text); found != nil {
		_, _ = fmt.Sscan(string(found[1]), &kilobytes)
	}
	return kilobytes << 10
}

// commit returns the commit, with a + if what is measured differs from it; without git nothing.
func commit() string {
	name, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return ""
	}
	if exec.Command("git", "diff", "--quiet", "HEAD", "--", "*.go", "*.lua", "*.sql").Run() != nil {
		return strings.TrimSpace(string(name)) + "+"
	}
	return strings.TrimSpace(string(name))
}
