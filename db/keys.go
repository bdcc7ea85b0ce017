package db

import (
	"time"

	"lunchgo/app/keyset"
)

// keyRow is the key of a row by which its list is ordered. Local times of slots are written as if they were UTC.
type keyRow struct {
	KeyAt     time.Time
	KeyNumber int64
}

func (r keyRow) cursor() keyset.Cursor { return keyset.Cursor{At: r.KeyAt, Number: r.KeyNumber} }
