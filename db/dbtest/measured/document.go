package measured

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	block = regexp.MustCompile("(?m)^- `([a-z-]+)`: `([^`]+)`")
	table = regexp.MustCompile(`(?s)(<!-- measured: ([^>]*) -->\n).*?(<!-- /measured -->)`)
)

// BlocksOf returns the blocks of a document, without results: the items of its lists that begin with a name and a
// command.
func BlocksOf(document string) (blocks []Block) {
	for _, found := range block.FindAllStringSubmatch(document, -1) {
		blocks = append(blocks, Block{Name: found[1], Command: found[2]})
	}
	return blocks
}

// WriteTables returns a document with its tables as the results have them. A table stands behind a comment that names
// its blocks and its columns ("measured: portions stays | served, refused"); behind "measured: runs" stands when and
// where all was measured.
func (results Results) WriteTables(document string) string {
	return table.ReplaceAllStringFunc(document, func(old string) string {
		parts := table.FindStringSubmatch(old)
		if parts[2] == "runs" {
			return parts[1] + results.runs() + parts[3]
		}
		names, columns, _ := strings.Cut(parts[2], " | ")
		return parts[1] + results.table(strings.Fields(names), strings.Split(columns, ", ")) + parts[3]
	})
}

// runs returns when and where was measured, an item a run.
func (results Results) runs() string {
	var text strings.Builder
	for _, run := range results {
		fmt.Fprintf(&text, "- %s, %s: %s, %d processors, load %.1f at the start", run.Day, run.Commit, run.Machine,
			run.Processors, run.Load)
		if len(results) > 1 {
			text.WriteString(":")
			for _, block := range run.Blocks {
				text.WriteString(" " + block.Name)
			}
		}
		text.WriteString("\n")
	}
	return text.String()
}

// table returns a row for each measurement of some blocks: its name, its sizes if the blocks have any, its results.
func (results Results) table(names, columns []string) string {
	var rows [][]string
	for _, name := range names {
		of := results.Blocks()[name]
		for _, row := range of.Rows {
			label := strings.Replace(row.Name, "/", ": ", 1)
			if _, variant, is := strings.Cut(row.Name, "/"); is && len(names) == 1 {
				label = variant
			}
			cells := []string{label, row.sizes(of)}
			for _, column := range columns {
				cells = append(cells, between(row.Results[column]))
			}
			rows = append(rows, cells)
		}
	}
	head := append([]string{"", "sizes"}, columns...)
	if !slices.ContainsFunc(rows, func(cells []string) bool { return cells[1] != "" }) {
		for i := range rows {
			rows[i] = slices.Delete(rows[i], 1, 2)
		}
		head = slices.Delete(head, 1, 2)
	}
	var text strings.Builder
	line := func(cells []string) { text.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	line(head)
	text.WriteString("|" + strings.Repeat("---|", len(head)) + "\n")
	for _, cells := range rows {
		line(cells)
	}
	return text.String()
}

// sizes lists the sizes of a row. A block of one row without sizes, as a rush, has them in its command.
func (row Row) sizes(of Block) string {
	if len(row.Sizes) == 0 && len(of.Rows) == 1 {
		return "`" + of.Command + "`"
	}
	var all []string
	for _, what := range slices.Sorted(maps.Keys(row.Sizes)) {
		all = append(all, number(float64(row.Sizes[what]))+" "+what)
	}
	return strings.Join(all, ", ")
}

// between returns the least and the most of some results, which may be one.
func between(results []float64) string {
	if len(results) == 0 {
		return ""
	}
	least, most := number(slices.Min(results)), number(slices.Max(results))
	if least == most {
		return least
	}
	return least + "–" + most
}

// number returns a whole number in full, another one with two or three digits.
func number(n float64) string {
	digits := 2
	if math.Abs(n) >= 1 {
		digits = 3
	}
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(n, 'g', digits, 64), 64)
	if n == math.Trunc(n) || err != nil {
		rounded = n
	}
	whole, rest, _ := strings.Cut(strconv.FormatFloat(rounded, 'f', -1, 64), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if rest != "" {
		return whole + "." + rest
	}
	return whole
}
