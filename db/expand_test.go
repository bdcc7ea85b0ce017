package db_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lunchgo/db/dbtest"
)

// firstExpanding is the first migration that the binary before it must be able to run on: instances of both versions
// serve while they are updated one by one (docs/instances.md).
const firstExpanding = "00039"

// Migrations only add. What takes something away from the binary before says which earlier migration it completes.
func TestMigrations_OnlyExpand(t *testing.T) {
	t.Parallel()
	files, err := os.ReadDir("migrations")
	dbtest.Must(t, err)
	var earlier []string
	for _, file := range files {
		text, err := os.ReadFile("migrations/" + file.Name())
		dbtest.Must(t, err)
		if number, _, _ := strings.Cut(file.Name(), "_"); number >= firstExpanding {
			for _, fault := range contractions(string(text), earlier) {
				t.Errorf("%s: %s: the binary before cannot run on that; see docs/instances.md", file.Name(), fault)
			}
			for _, name := range validatedAtOnce(string(text)) {
				t.Errorf("%s: %s: nobody reads the table meanwhile; a later migration can validate", file.Name(), name)
			}
		}
		earlier = append(earlier, file.Name())
	}
}

func TestMigrations_ContractionsAreFound(t *testing.T) {
	t.Parallel()
	for _, statement := range []string{
		"CREATE TABLE t (a int NOT NULL, CONSTRAINT t_a CHECK (a > 0)); CREATE UNIQUE INDEX t_b ON t (a)",
		"CREATE TABLE t (a int); ALTER TABLE t ADD CONSTRAINT t_pk PRIMARY KEY (a)",
		"ALTER TABLE users ADD a int NOT NULL DEFAULT 0, ADD COLUMN b int, ADD CONSTRAINT users_b CHECK (b > 0)",
		"ALTER TABLE users ADD COLUMN a int GENERATED ALWAYS AS IDENTITY NOT NULL",
		"ALTER TABLE users DROP CONSTRAINT users_a, ALTER COLUMN b DROP NOT NULL",
		"CREATE INDEX users_a ON users (a); DROP TRIGGER x ON users; UPDATE users SET a = 'DROP TABLE users'",
		"CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ DROP TABLE x; $$",
		"-- wider: users_kind\nALTER TABLE users DROP CONSTRAINT users_kind, ADD CONSTRAINT users_kind CHECK (kind <> 'x')",
		"-- contracts 00001: nothing reads it since\nALTER TABLE users DROP COLUMN a",
		"SELECT 1;\n-- +goose Down\nDROP TABLE users",
	} {
		if faults := contractions("-- +goose Up\n"+statement+";", []string{"00001_x.sql"}); len(faults) > 0 {
			t.Errorf("%s: refused: %q", statement, faults)
		}
	}
	for _, statement := range []string{
		"-- contracts 00002: not an earlier one\nALTER TABLE users DROP COLUMN a",
		"-- contracts 00001\nALTER TABLE users DROP COLUMN a",
		"DROP TABLE users",
		"ALTER TABLE users DROP a",
		"ALTER TABLE users ADD b int, DROP COLUMN a",
		"DROP INDEX users_a",
		"DROP FUNCTION f",
		"ALTER TABLE users RENAME COLUMN a TO b",
		"ALTER TABLE users ALTER a SET NOT NULL",
		"ALTER TABLE users ALTER COLUMN a DROP DEFAULT",
		"ALTER TABLE users ALTER COLUMN a SET DATA TYPE int USING 1",
		"alter table users\n\tadd column a text not null",
		"ALTER TABLE users ADD COLUMN a int, ADD CHECK (kind <> 'x')",
		"ALTER TABLE users DROP CONSTRAINT k, ADD CONSTRAINT k CHECK (kind <> 'x')",
		"ALTER TABLE users ADD CONSTRAINT u UNIQUE (a)",
		"ALTER TABLE users ADD FOREIGN KEY (a) REFERENCES b (c)",
		"CREATE UNIQUE INDEX users_a ON users (a)",
		"TRUNCATE users",
		"DO $$ BEGIN EXECUTE 'ALTER TABLE users ADD CONSTRAINT k CHECK (a)'; END $$",
	} {
		if faults := contractions("-- +goose Up\n"+statement+";", []string{"00001_x.sql"}); len(faults) == 0 {
			t.Errorf("%s: not refused", statement)
		}
	}
}

var (
	completes    = regexp.MustCompile(`(?m)^-- contracts (\d{5}): \S`)
	widens       = regexp.MustCompile(`(?m)^-- wider: (.+)$`)
	unseen       = regexp.MustCompile(`(?s)--[^\n]*|\$(\w*)\$.*?\$(\w*)\$|'(?:[^']|'')*'`)
	block        = regexp.MustCompile(`(?is)\bDO\s+\$\$(.*?)\$\$`)
	createdTable = regexp.MustCompile(`(?i)^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)`)
	uniqueIndex  = regexp.MustCompile(`(?i)^CREATE UNIQUE INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?(\w+) ON (\w+)`)
	alteredTable = regexp.MustCompile(`(?i)\bALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\w+) (.*)`)
	addedColumn  = regexp.MustCompile(`(?i)^ADD (?:COLUMN )?(?:IF NOT EXISTS )?(\w+) (.*)`)
	addedRule    = regexp.MustCompile(
		`(?i)^ADD (?:CONSTRAINT (\w+) )?(?:CHECK|UNIQUE|PRIMARY KEY|FOREIGN KEY|EXCLUDE)\b`)
	hasValue      = regexp.MustCompile(`(?i)\b(DEFAULT|GENERATED)\b`)
	requiresValue = regexp.MustCompile(`(?i)\bNOT NULL\b`)
	dropped       = regexp.MustCompile(`(?i)\bDROP (\w+)`)
	takesAway     = regexp.MustCompile(
		`(?i)\bRENAME\b|^TRUNCATE\b|\bSET NOT NULL\b|\bALTER (COLUMN )?\w+ (SET DATA )?TYPE\b`)
	harmlessDrops = []string{"CONSTRAINT", "TRIGGER", "NOT"} // they allow more than before
)

var validated = regexp.MustCompile(`VALIDATE CONSTRAINT (\w+)`)

// validatedAtOnce returns the constraints that a migration both adds and validates: it holds the lock of the first
// while it reads the whole table for the second.
func validatedAtOnce(text string) (names []string) {
	up, _, _ := strings.Cut(text, "-- +goose Down")
	for _, found := range validated.FindAllStringSubmatch(up, -1) {
		if strings.Contains(up, "ADD CONSTRAINT "+found[1]+" ") {
			names = append(names, found[1])
		}
	}
	return names
}

func TestMigrations_ValidatedAtOnceIsFound(t *testing.T) {
	t.Parallel()
	const add, validate = "ALTER TABLE t ADD CONSTRAINT c CHECK (a) NOT VALID;", "ALTER TABLE t VALIDATE CONSTRAINT c;"
	if got := validatedAtOnce(add + validate); !slices.Equal(got, []string{"c"}) {
		t.Errorf("found %v", got)
	}
	if got := slices.Concat(validatedAtOnce(add), validatedAtOnce(validate)); len(got) > 0 {
		t.Errorf("in migrations of their own: %v", got)
	}
}

// contractions returns what a migration takes away from the binary before it. It reads no bodies of functions.
func contractions(text string, earlier []string) (faults []string) {
	up, _, _ := strings.Cut(text, "-- +goose Down")
	if mark := completes.FindStringSubmatch(up); mark != nil &&
		slices.ContainsFunc(earlier, func(name string) bool { return strings.HasPrefix(name, mark[1]+"_") }) {
		return nil
	}
	m := migration{wider: map[string]bool{}, created: map[string]bool{}, added: map[string][]string{}}
	for _, mark := range widens.FindAllStringSubmatch(up, -1) {
		for name := range strings.SplitSeq(mark[1], ",") {
			m.wider[strings.TrimSpace(name)] = true
		}
	}
	statements := statementsOf(up)
	for _, statement := range statements {
		m.read(statement)
	}
	for _, statement := range statements {
		if m.contracts(statement) {
			faults = append(faults, statement)
		}
	}
	return faults
}

// statementsOf parts SQL into statements, each on one line, without comments, texts and bodies of functions. The
// statements in an anonymous block, and those that it makes of texts, are among them.
func statementsOf(text string) (statements []string) {
	for _, inside := range block.FindAllStringSubmatch(text, -1) {
		text += ";" + strings.ReplaceAll(inside[1], "'", " ")
	}
	text = unseen.ReplaceAllString(text, " ")
	for statement := range strings.SplitSeq(text, ";") {
		if statement = strings.Join(strings.Fields(statement), " "); statement != "" {
			statements = append(statements, statement)
		}
	}
	return statements
}

// migration is what one makes, on which it may lay what rules it likes: the binary before does not write there.
type migration struct {
	wider   map[string]bool // constraints that its author says to allow more than before
	created map[string]bool
	added   map[string][]string // columns by table
}

func (m migration) read(statement string) {
	if made := createdTable.FindStringSubmatch(statement); made != nil {
		m.created[made[1]] = true
	}
	table, clauses := clausesOf(statement)
	for _, clause := range clauses {
		if column := addedColumn.FindStringSubmatch(clause); column != nil && !addedRule.MatchString(clause) {
			m.added[table] = append(m.added[table], column[1])
		}
	}
}

func (m migration) contracts(statement string) bool {
	if takesAway.MatchString(statement) {
		return true
	}
	if index := uniqueIndex.FindStringSubmatch(statement); index != nil {
		return m.restricts(index[2], index[1], statement)
	}
	table, clauses := clausesOf(statement)
	for _, clause := range clauses {
		if rule := addedRule.FindStringSubmatch(clause); rule != nil {
			if m.restricts(table, rule[1], clause) {
				return true
			}
		} else if column := addedColumn.FindStringSubmatch(clause); column != nil &&
			requiresValue.MatchString(column[2]) &&
			!hasValue.MatchString(column[2]) {
			return true
		}
	}
	return slices.ContainsFunc(dropped.FindAllStringSubmatch(statement, -1), func(drop []string) bool {
		return !slices.Contains(harmlessDrops, strings.ToUpper(drop[1]))
	})
}

// restricts says whether a rule named so is one for what the binary before writes.
func (m migration) restricts(table, name, rule string) bool {
	return !m.created[table] && !m.wider[name] && !slices.ContainsFunc(m.added[table], func(column string) bool {
		return regexp.MustCompile(`\b` + column + `\b`).MatchString(rule)
	})
}

// clausesOf returns what a statement does to a table that exists, or nothing.
func clausesOf(statement string) (table string, clauses []string) {
	found := alteredTable.FindStringSubmatch(statement)
	if found == nil {
		return "", nil
	}
	depth, from := 0, 0
	for i, r := range found[2] + "," {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				clauses, from = append(clauses, strings.TrimSpace(found[2][from:i])), i+1
			}
		}
	}
	return found[1], clauses
}
