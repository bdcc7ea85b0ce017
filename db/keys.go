package db

import (
	"time"

	"lunchgo/app/keyset"
)

// keyRow is the key of a row by which its list is ordered. Local times of slots are written as if they were UTC.
type keyRow struct {
	KeyAt     time.Time `db:"key_at"`
	KeyNumber int64     `db:"key_number"`
}

func (r keyRow) cursor() keyset.Cursor { return keyset.Cursor{At: r.KeyAt, Number: r.KeyNumber} }
