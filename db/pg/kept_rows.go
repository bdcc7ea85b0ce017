package pg

import (
	"bytes"
	"database/sql/driver"
	"errors"
	"io"
)

// keptRows are the rows of a statement, all of them in memory.
type keptRows struct {
	columns []string
	rows    [][]driver.Value
}

// readAll reads all rows and closes them.
func readAll(from driver.Rows) (kept *keptRows, err error) {
	defer func() { err = errors.Join(err, from.Close()) }()
	kept = &keptRows{columns: from.Columns()}
	for {
		row := make([]driver.Value, len(kept.columns))
		err := from.Next(row)
		if errors.Is(err, io.EOF) {
			return kept, nil
		}
		if err != nil {
			return nil, err
		}
		for i, value := range row {
			if b, ok := value.([]byte); ok {
				row[i] = bytes.Clone(b) // the driver's own memory
			}
		}
		kept.rows = append(kept.rows, row)
	}
}

// Columns implements driver.Rows.
func (r *keptRows) Columns() []string { return r.columns }

// Close implements driver.Rows.
func (r *keptRows) Close() error { return nil }

// Next implements driver.Rows.
func (r *keptRows) Next(row []driver.Value) error {
	if len(r.rows) == 0 {
		return io.EOF
	}
	copy(row, r.rows[0])
	r.rows = r.rows[1:]
	return nil
}
