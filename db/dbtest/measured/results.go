package measured

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// File is where the results are stored, from the root of the repository.
const File = "db/dbtest/measured/results.json"

//go:embed results.json
var stored []byte

// Results are the newest ones of every block, by the runs that measured them.
type Results []Run

// A Run is what was measured at one time.
type Run struct {
	Day        string  `json:"day"`
	Commit     string  `json:"commit"`
	Machine    string  `json:"machine"`
	Processors int     `json:"processors"`
	Load       float64 `json:"load"` // of one minute, at the start
	Blocks     []Block `json:"blocks"`
}

// A Block is one command, and what it measured.
type Block struct {
	Name    string `json:"name"`
	Command string `json:"command"`
	Rows    []Row  `json:"rows"`
}

// A Row is what all repeats of a measurement have shown.
type Row struct {
	Name    string               `json:"name"` // of its block, or with the case
	Sizes   map[string]int       `json:"sizes,omitempty"`
	Results map[string][]float64 `json:"results"` // in the order of the repeats
}

// Stored returns the results that are stored.
func Stored() (results Results, err error) { return results, json.Unmarshal(stored, &results) }

var (
	values  = regexp.MustCompile(`"(sizes|results)": \{[^{}]*\}`)
	newline = regexp.MustCompile(`\n *`)
)

// Encode returns the results as File has them: indented, with the sizes and the results of a row in a line each.
func (results Results) Encode() ([]byte, error) {
	text, err := json.MarshalIndent(results, "", " ")
	return append(values.ReplaceAllFunc(text, func(list []byte) []byte {
		return newline.ReplaceAll(list, nil)
	}), '\n'), err
}

// Replace returns the results with those of a run instead of older ones of its blocks, and without blocks that are not
// among the names.
func (results Results) Replace(run Run, names []string) (all Results) {
	isNewer := func(name string) bool {
		return slices.ContainsFunc(run.Blocks, func(b Block) bool { return b.Name == name })
	}
	for _, old := range results {
		old.Blocks = slices.DeleteFunc(slices.Clone(old.Blocks), func(b Block) bool {
			return isNewer(b.Name) || !slices.Contains(names, b.Name)
		})
		if len(old.Blocks) > 0 {
			all = append(all, old)
		}
	}
	if len(run.Blocks) > 0 {
		all = append(all, run)
	}
	return all
}

// Blocks returns all blocks by name.
func (results Results) Blocks() map[string]Block {
	blocks := map[string]Block{}
	for _, run := range results {
		for _, block := range run.Blocks {
			blocks[block.Name] = block
		}
	}
	return blocks
}

func (results Results) find(name string) *Row {
	rows := results.Blocks()[blockOf(name)].Rows
	if i := slices.IndexFunc(rows, func(row Row) bool { return row.Name == name }); i >= 0 {
		return &rows[i]
	}
	return nil
}

// blockOf returns the name of a measurement's block.
func blockOf(name string) string {
	block, _, _ := strings.Cut(name, "/")
	return block
}
