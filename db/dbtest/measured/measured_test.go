package measured

import (
	"slices"
	"strings"
	"testing"
)

var results = Results{
	{Day: "2026-11-26", Commit: "a", Machine: "m", Processors: 2, Load: 0.25, Blocks: []Block{
		{"portions", "go test -run X ./db", []Row{{"portions", map[string]int{"diners": 1_200, "slots": 12},
			map[string][]float64{"served": {20, 20}, "s": {0.514, 0.4967}}}}},
		{"gone", "go test -run Y ./db", nil},
	}},
	{Day: "2026-11-27", Commit: "b", Machine: "m", Processors: 2, Load: 3, Blocks: []Block{
		{"compared", "lunchgo rush --against all", []Row{{"compared/ours", nil, map[string][]float64{"s": {12.34}}},
			{"compared/theirs", nil, map[string][]float64{"s": {1_234.5}}}}},
	}},
}

func TestWriteTables(t *testing.T) {
	t.Parallel()
	got := results.WriteTables(`
<!-- measured: runs -->
<!-- /measured -->
<!-- measured: portions compared | served, s -->
| old |
<!-- /measured -->
<!-- measured: compared | s -->
<!-- /measured -->
- ` + "`portions`: `go test -run X ./db`.")
	want := `
<!-- measured: runs -->
- 2026-11-26, a: m, 2 processors, load 0.2 at the start: portions gone
- 2026-11-27, b: m, 2 processors, load 3.0 at the start: compared
<!-- /measured -->
<!-- measured: portions compared | served, s -->
|  | sizes | served | s |
|---|---|---|---|
| portions | 1,200 diners, 12 slots | 20 | 0.5–0.51 |
| compared: ours |  |  | 12.3 |
| compared: theirs |  |  | 1,230 |
<!-- /measured -->
<!-- measured: compared | s -->
|  | s |
|---|---|
| ours | 12.3 |
| theirs | 1,230 |
<!-- /measured -->
- ` + "`portions`: `go test -run X ./db`."
	if got != want {
		t.Errorf("got %s", got)
	}
	if again := results.WriteTables(got); again != got {
		t.Errorf("written again: %s", again)
	}
	if blocks := BlocksOf(got); len(blocks) != 1 || blocks[0].Command != "go test -run X ./db" {
		t.Errorf("blocks %v", blocks)
	}
}

func TestReplace(t *testing.T) {
	t.Parallel()
	run := Run{Day: "2026-11-28", Blocks: []Block{{Name: "portions"}}}
	var got []string
	for _, run := range results.Replace(run, []string{"portions", "compared"}) {
		for _, block := range run.Blocks {
			got = append(got, run.Day+" "+block.Name)
		}
	}
	if want := []string{"2026-11-27 compared", "2026-11-28 portions"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// failures keeps what a test would have failed with.
type failures struct {
	testing.TB
	text string
}

func (f *failures) Helper()                        {}
func (f *failures) Errorf(format string, _ ...any) { f.text += format }

func TestHold(t *testing.T) {
	t.Setenv(Measuring, "")
	stored, err := Stored()
	if err != nil || len(stored) == 0 {
		t.Fatal(stored, err)
	}
	row := stored[0].Blocks[0].Rows[0]
	held, other, unknown := &failures{}, &failures{}, &failures{}
	Hold(held, row.Name, row.Sizes)
	Hold(other, row.Name, map[string]int{"diners": 1})
	Hold(unknown, "unknown", row.Sizes)
	if held.text != "" || other.text == "" || !strings.Contains(unknown.text, "task measure") {
		t.Errorf("%q, %q, %q", held.text, other.text, unknown.text)
	}
}
