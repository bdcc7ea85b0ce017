package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"

	"lunchgo/app/build"
)

// A binary says which build it is also where the settings are not right.
func TestVersion_NeedsNoSettings(t *testing.T) {
	t.Setenv("DATABASE_CONNS", "none")
	var out bytes.Buffer
	if err := runCommand(t.Context(), []string{"version"}, &out); err != nil || out.String() != build.Read().String()+"\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
	if err := runCommand(t.Context(), []string{"migrate"}, &out); err == nil {
		t.Error("migrate takes settings that are not right")
	}
}

// The log of a server begins with its build, also when it does not come further.
func TestServe_LogsItsBuildFirst(t *testing.T) {
	t.Parallel()
	server := exec.Command(os.Args[0], "serve")
	server.Env = append(os.Environ(), "DATABASE_URL=postgres://nobody@127.0.0.1:1/none", "REDIS_URL=private",
		"LOG_FORMAT=text", "LOG_LEVEL=INFO", "SECRET=dLUW3gJ2pWcVYqmDz8Rk5HnXtA7bFs0E")
	var log bytes.Buffer
	server.Stderr = &log
	if err := server.Run(); err == nil {
		t.Error("it serves without a database")
	}
	if first, _, _ := strings.Cut(log.String(), "\n"); !strings.Contains(first,
		`msg="LunchGo starts" version=`) || !strings.Contains(first, "revision="+build.Read().Commit()) {
		t.Errorf("the log begins with %q", first)
	}
}
