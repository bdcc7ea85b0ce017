package main

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"lunchgo/db/dbtest"
)

// The unit of systemd shuts LunchGo in: systemd's own judgement where there is one on this machine, from 0 to 10.
func TestServiceUnit_ShutsLunchGoIn(t *testing.T) {
	t.Parallel()
	const unit = "../docs/lunchgo@.service"
	text, err := os.ReadFile(unit)
	dbtest.Must(t, err)
	lines := strings.Split(string(text), "\n")
	for _, line := range []string{"ExecStart=/usr/local/bin/lunchgo serve", "DynamicUser=yes", "NoNewPrivileges=yes",
		"CapabilityBoundingSet=", "ProtectSystem=strict", "SystemCallFilter=@system-service", "MemoryDenyWriteExecute=yes"} {
		if !slices.Contains(lines, line) {
			t.Errorf("%s lacks %s", unit, line)
		}
	}
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("no systemd here")
	}
	const tenths = "15" // of the exposure, at most
	out, err := exec.Command(analyze, "security", "--offline=true", "--threshold="+tenths, unit).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
