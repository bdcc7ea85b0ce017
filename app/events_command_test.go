package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"lunchgo/db/dbtest"
)

func TestEventsCommand_PrintsWhatIsKept(t *testing.T) {
	t.Parallel()
	c := eventful(t)
	for _, test := range []struct {
		args  string
		lines int
	}{{"", 3}, {"--from 2", 2}, {"--topic lunchgo.slots", 0}, {"--from 2099-01-01T00:00:00Z", 0}} {
		var out bytes.Buffer
		if err := eventsCommand(t.Context(), c, strings.Fields(test.args), &out); err != nil ||
			strings.Count(out.String(), " lunchgo.wallet.") != test.lines {
			t.Errorf("%s: %v\n%s", test.args, err, out.String())
		}
	}
	var out bytes.Buffer
	dbtest.Must(t, eventsCommand(t.Context(), c, []string{"--json", "--from", "3"}, &out))
	var event struct{ ID, Type string }
	if err := json.Unmarshal(out.Bytes(), &event); err != nil || event.ID != "0000000000000000003" {
		t.Errorf("%v: %s", err, out.String())
	}
}

func TestEventsCommand_Usage(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"--from yesterday", "--topic lunchgo.mails", "now"} {
		var out bytes.Buffer
		if err := eventsCommand(t.Context(), Config{}, strings.Fields(args), &out); !errors.Is(err, errUsage) ||
			!strings.Contains(out.String(), "Usage: lunchgo events") {
			t.Errorf("%q: %v\n%s", args, err, out.String())
		}
	}
	var out bytes.Buffer
	if err := eventsCommand(t.Context(), Config{}, []string{"--help"}, &out); err != nil {
		t.Errorf("--help: %v", err)
	}
}
