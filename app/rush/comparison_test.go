package rush

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"lunchgo/db/dbtest"
)

func TestNewRow_CountsAnswersInTime(t *testing.T) {
	t.Parallel()
	r := Report{Diners: 8, Answered: 4, Reserved: 1, Failed: 4, Oversold: 2, overtaken: 3,
		answers: []time.Duration{time.Second, 3 * time.Second, 5 * time.Second, 6 * time.Second}}
	row := NewRow("spin", r)
	if row.Within3sPercent != 25 || row.Within5sPercent != 37.5 || row.AnswerP50Ms != 3000 || row.AnswerP99Ms != 6000 {
		t.Errorf("%+v", row)
	}
	if row.Design != "spin" || row.Diners != 8 || row.Answered != 4 || row.Reserved != 1 || row.GaveUp != 4 ||
		row.Overtaken != 3 || row.Oversold != 2 || row.MaxDBConnections != nil {
		t.Errorf("%+v", row)
	}
}

func TestComparison_IsATableAndJSON(t *testing.T) {
	t.Parallel()
	cost, connections := 0.25, 10
	c := Comparison{Rows: []Row{
		{Design: "lunchgo", Diners: 4, Answered: 4},
		{Design: "rowlock", Diners: 4, Answered: 3, GaveUp: 1, MaxDBConnections: &connections,
			RedisCommandsPerDiner: &cost, ServerCPUMsPerDiner: &cost, RedisCPUMsPerDiner: &cost,
			PostgresCPUMsPerDiner: &cost},
	}}
	var table, text bytes.Buffer
	dbtest.Must(t, c.WriteTable(&table))
	for _, want := range []string{"design", "gave up", "not known", "rowlock", "0.25 + 0.25 + 0.25 = 0.75 ms"} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("no %q in\n%s", want, table.String())
		}
	}
	dbtest.Must(t, Write(&text, c, true))
	var found struct{ Rows []map[string]any }
	dbtest.Must(t, json.Unmarshal(text.Bytes(), &found))
	if len(found.Rows) != 2 || found.Rows[0]["maxDbConnections"] != nil || found.Rows[1]["gaveUp"] != 1.0 {
		t.Errorf("%s", text.String())
	}
}

// Presses less than a moment apart may come in any order. Who gave up is overtaken like who was refused, and who never
// pressed by nobody.
func TestOvertaken_CountsWhoPressedEarlier(t *testing.T) {
	t.Parallel()
	pressed := func(id string, sent time.Duration) answer {
		return answer{Outcome: reserved, ReservationID: id, Sent: sent * time.Millisecond, Placed: time.Hour}
	}
	decided := func(ids ...string) (all []Decision) {
		for _, id := range ids {
			all = append(all, Decision{ReservationID: id})
		}
		return all
	}
	tests := []struct {
		name    string
		decided []Decision
		answers []answer
		want    int
	}{
		{"in order", decided("a", "b"), []answer{pressed("a", 1), pressed("b", 500)}, 0},
		{"exchanged", decided("b", "a"), []answer{pressed("a", 1), pressed("b", 500)}, 1},
		{"at the same moment", decided("b", "a"), []answer{pressed("a", 1), pressed("b", 101)}, 0},
		{"without seats", decided("b"), []answer{pressed("b", 500), {Outcome: soldOut, Sent: 1},
			{Outcome: other, Sent: 1}, {Outcome: unanswered, Sent: 1}, {Outcome: unanswered}}, 3},
		{"without seats, but later", decided("b"), []answer{pressed("b", 500),
			{Outcome: soldOut, Sent: time.Second}}, 0},
	}
	for _, test := range tests {
		if got := overtaken(test.decided, test.answers); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}
