package db

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// docs/scale.md says of every table to whom it belongs: a new one has to be placed there.
func TestScale_ListsEveryTable(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/scale.md")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for _, row := range regexp.MustCompile("(?m)^\\|( `[a-z_]+`,?)+ \\|").FindAllString(string(text), -1) {
		listed = append(listed, regexp.MustCompile("[a-z_]+").FindAllString(row, -1)...)
	}
	var tables []string
	err = setup(t).list(t.Context(), &tables, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		if !slices.Contains(listed, table) {
			t.Errorf("the table %s has no row in docs/scale.md: say whether it belongs to a restaurant or an account",
				table)
		}
	}
	for _, name := range listed {
		if !slices.Contains(tables, name) {
			t.Errorf("docs/scale.md lists %s, which is no table", name)
		}
	}
}
