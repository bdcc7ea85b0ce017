package rush

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

// reportKeys are the contract with whoever reads the report.
var reportKeys = strings.Fields(
	`diners slots tickets lineSeconds turns answered reserved soldOut failed oversold fifoInversions wireInversions httpErrors laterAnswers laterAnswersMost totalSeconds
	answerP50Ms answerP95Ms answerP99Ms reservationsPerSecond etaErrorP50Percent etaInRangePercent
	etaFirstShownPercent etaFirstInRangePercent etaFirstRangeP50Percent
	etaRangeP50Percent maxDbConnections redisCommandsPerDiner
	rssBytesPerWaiter serverCpuMsPerDiner redisCpuMsPerDiner postgresCpuMsPerDiner serverCpuMsPerReservation
	redisCpuMsPerReservation postgresCpuMsPerReservation rushCpuMsPerDiner handoffP50Pings handoffP99Pings positionGapP99Ms
	positionGapMaxMs answerAfterTurnP99Ms answerAfterTurnMaxMs walBytesPerDiner databaseBytesPerDiner redisMemoryBytesPerDiner
	redisNetworkBytesPerDiner`)

// optionalKeys are null where their figures are not known.
var optionalKeys = strings.Fields(
	`etaErrorP50Percent etaFirstShownPercent etaFirstInRangePercent etaFirstRangeP50Percent
	etaInRangePercent etaRangeP50Percent maxDbConnections redisCommandsPerDiner rssBytesPerWaiter serverCpuMsPerDiner
	redisCpuMsPerDiner postgresCpuMsPerDiner serverCpuMsPerReservation redisCpuMsPerReservation postgresCpuMsPerReservation
	handoffP50Pings handoffP99Pings positionGapP99Ms positionGapMaxMs answerAfterTurnP99Ms answerAfterTurnMaxMs
	walBytesPerDiner databaseBytesPerDiner redisMemoryBytesPerDiner redisNetworkBytesPerDiner turns`)

func TestReport_HasExactlyTheKeysOfTheContract(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	dbtest.Must(t, Write(&text, Report{Diners: 3}, true))
	var found map[string]any
	dbtest.Must(t, json.Unmarshal(text.Bytes(), &found))
	if len(found) != len(reportKeys) {
		t.Errorf("%d keys, want %d", len(found), len(reportKeys))
	}
	for _, key := range reportKeys {
		if _, ok := found[key]; !ok {
			t.Errorf("%s is missing", key)
		}
	}
	for _, key := range optionalKeys {
		if value := found[key]; value != nil {
			t.Errorf("%s is %v, want null: it is not known", key, value)
		}
	}
}

func TestReport_CountsAnAnswerFromTheOwnPress(t *testing.T) {
	t.Parallel()
	var r Report
	r.countAnswers([]answer{
		{Outcome: reserved, Answered: 300 * time.Millisecond},
		{Outcome: reserved, Due: time.Second, Answered: 1100 * time.Millisecond},
		{Outcome: soldOut, Due: 4 * time.Second, Answered: 4050 * time.Millisecond},
		{Due: 5 * time.Second},
	})
	if r.AnswerP50Ms != 100 || r.AnswerP95Ms != 300 || r.AnswerP99Ms != 300 {
		t.Errorf("answers took %v, %v, %v ms, want 100, 300, 300", r.AnswerP50Ms, r.AnswerP95Ms, r.AnswerP99Ms)
	}
	if r.TotalSeconds != 4.05 || r.ReservationsPerSecond != 1.82 {
		t.Errorf("%v s, %v reservations a second, want 4.05 and 1.82", r.TotalSeconds, r.ReservationsPerSecond)
	}
}

func TestReport_IsGoodOnlyWithoutAnyFault(t *testing.T) {
	t.Parallel()
	if !(Report{Diners: 5, Answered: 5}).Good() {
		t.Error("a report without faults is not good")
	}
	for _, r := range []Report{{Oversold: 1}, {FIFOInversions: 1}, {WireInversions: 1}, {Failed: 1}, {HTTPErrors: 1}} {
		if r.Good() {
			t.Errorf("%+v is good", r)
		}
	}
}

func TestReport_TableShowsNotesAndUnknowns(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	connections := 7
	r := Report{Diners: 12, Answered: 11, Reserved: 4, SoldOut: 7, MaxDBConnections: &connections,
		Notes: []string{"something broke"}}
	dbtest.Must(t, r.WriteTable(&text))
	for _, want := range []string{"11: 4 reserved, 7 sold out", "7 at most", "something broke", "not known"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the table does not say %q:\n%s", want, text.String())
		}
	}
}

func TestParseMetrics(t *testing.T) {
	t.Parallel()
	found, err := parseMetrics(strings.NewReader(`# HELP process_resident_memory_bytes Resident memory size in bytes.
# TYPE process_resident_memory_bytes gauge
process_resident_memory_bytes 2.5829376e+07
http_requests_total{code="200"} 5
lunchgo_line_events_total{event="lease_lost"} 2
lunchgo_db_connections_in_use_max 9 1700000000000
broken
`))
	dbtest.Must(t, err)
	if len(found.values) != 2 || found.events["lease_lost"] != 2 || found.values[metricMemory] != 25829376 ||
		found.values[metricConnections] != 9 {
		t.Errorf("found %v", found)
	}
}

func TestParseServers(t *testing.T) {
	t.Parallel()
	servers, err := parseServers([]string{"http://a:8080", "https://b.example/", "http://[::1]"})
	dbtest.Must(t, err)
	want := []server{
		{base: "http://a:8080", address: "a:8080"},
		{base: "https://b.example", address: "b.example:443", name: "b.example"},
		{base: "http://[::1]", address: "[::1]:80"},
	}
	if !slices.Equal(servers, want) {
		t.Errorf("parsed %+v, want %+v", servers, want)
	}
}
