package pg

import (
	"bytes"
	"cmp"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/jmoiron/sqlx/reflectx"
	"github.com/lib/pq"
)

// ScanOne reads the only row into dest. Returns sql.ErrNoRows when there is none.
func ScanOne(rows *sqlx.Rows, dest any) error {
	defer func() { _ = rows.Close() }()
	if !rows.Next() {
		return cmp.Or(rows.Err(), sql.ErrNoRows)
	}
	row := reflect.ValueOf(dest).Elem()
	scan, err := newScan(rows, row.Type())
	if err == nil {
		err = scan.into(row)
	}
	return cmp.Or(err, rows.Close())
}

// scanAll reads all rows into dest, a pointer to a slice.
func scanAll(rows *sqlx.Rows, dest any) error {
	defer func() { _ = rows.Close() }()
	list := reflect.ValueOf(dest).Elem()
	scan, err := newScan(rows, list.Type().Elem())
	if err != nil {
		return err
	}
	list.SetLen(0)
	for rows.Next() {
		row := reflect.New(list.Type().Elem()).Elem()
		if err := scan.into(row); err != nil {
			return err
		}
		list.Set(reflect.Append(list, row))
	}
	return rows.Err()
}

// scan reads rows into values of one type: a struct whose fields have the columns, or what the only column has.
type scan struct {
	rows    *sqlx.Rows
	fields  [][]int // of the struct, by column; nil for the only column
	columns []column
	places  []any
}

func newScan(rows *sqlx.Rows, of reflect.Type) (*scan, error) {
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	s := &scan{rows: rows, columns: make([]column, len(names)), places: make([]any, len(names))}
	if of.Kind() != reflect.Struct || of == reflect.TypeFor[time.Time]() {
		return s, nil
	}
	s.fields = rows.Mapper.TraversalsByName(of, names)
	for i, field := range s.fields {
		if len(field) == 0 {
			return nil, fmt.Errorf("pg: %s has no field for the column %s", of, names[i])
		}
	}
	return s, nil
}

func (s *scan) into(row reflect.Value) error {
	for i := range s.places {
		value := row
		if s.fields != nil {
			value = reflectx.FieldByIndexes(row, s.fields[i])
		}
		s.places[i] = s.columns[i].place(value)
	}
	return s.rows.Scan(s.places...)
}

// column implements sql.Scanner for what database/sql does not know: a time that may be null, which is zero then, and
// slices, maps and structs, which are arrays and JSON in the database.
type column struct{ value reflect.Value }

// place returns what a value is scanned by.
func (c *column) place(value reflect.Value) any {
	place := value.Addr().Interface()
	if _, scans := place.(sql.Scanner); scans || !isComposite(value.Type()) {
		return place
	}
	c.value = value
	return c
}

func isComposite(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Slice:
		return t.Elem().Kind() != reflect.Uint8
	case reflect.Pointer:
		return t.Elem().Kind() == reflect.Struct && t.Elem() != reflect.TypeFor[time.Time]()
	}
	return t.Kind() == reflect.Struct || t.Kind() == reflect.Map
}

// Scan implements sql.Scanner.
func (c *column) Scan(from any) error {
	c.value.SetZero()
	switch from := from.(type) {
	case nil:
		return nil
	case time.Time:
		if c.value.Type() == reflect.TypeFor[time.Time]() {
			c.value.Set(reflect.ValueOf(from.UTC()))
			return nil
		}
	case string:
		return c.Scan([]byte(from))
	case []byte:
		if c.value.Kind() == reflect.Slice && bytes.HasPrefix(from, []byte("{")) {
			return c.scanArray(from)
		}
		return json.Unmarshal(from, c.value.Addr().Interface())
	}
	return fmt.Errorf("pg: a %T is no %s", from, c.value.Type())
}

// scanArray reads an array of texts or numbers.
func (c *column) scanArray(from []byte) error {
	if c.value.Type().Elem().Kind() == reflect.Int64 {
		return pq.Array(c.value.Addr().Interface()).(sql.Scanner).Scan(from)
	}
	var texts pq.StringArray
	if err := texts.Scan(from); err != nil {
		return err
	}
	c.value.Set(reflect.MakeSlice(c.value.Type(), len(texts), len(texts)))
	for i, text := range texts {
		c.value.Index(i).SetString(text)
	}
	return nil
}

// NullTime is an argument that is null where a time is zero.
func NullTime(t time.Time) sql.NullTime { return sql.NullTime{Time: t, Valid: !t.IsZero()} }

// JSON returns an argument that PostgreSQL reads as JSON; nil is null.
func JSON(of any) driver.Valuer { return jsonArgument{of} }

type jsonArgument struct{ of any }

// Value implements driver.Valuer.
func (j jsonArgument) Value() (driver.Value, error) {
	text, err := json.Marshal(j.of)
	if err != nil || string(text) == "null" {
		return nil, err
	}
	return string(text), nil
}
