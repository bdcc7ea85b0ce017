package pg

import (
	"time"

	"lunchgo/app/keyset"
)

// KeyRow is the key of a row by which its list is ordered. Local times are written as if they were UTC.
type KeyRow struct {
	KeyAt     time.Time
	KeyNumber int64
}

func (r KeyRow) Cursor() keyset.Cursor { return keyset.Cursor{At: r.KeyAt, Number: r.KeyNumber} }
