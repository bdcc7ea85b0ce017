// Package keyset cuts lists into pages. A page ends with a cursor: the key of its last item, after which the next page
// begins. Pages therefore have no gap and no repeat, also while items are added.
package keyset

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math"
	"time"
)

// Size is how many items a page has at most.
const Size = 50

// ErrInvalid says that a text is no cursor, or a number no limit.
var ErrInvalid = errors.New("keyset: not a cursor, or not a limit")

// Cursor is the key of an item by which its list is ordered: a time, to the microsecond, and among equal times a
// number. Lists without a time leave it zero.
type Cursor struct {
	At     time.Time
	Number int64
}

// least and greatest bound the times of cursors: PostgreSQL and JSON write all between.
var (
	least    = time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC)
	greatest = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)
)

// Compare orders cursors: it returns a number below zero for an item before another.
func (c Cursor) Compare(other Cursor) int {
	return cmp.Or(c.At.Compare(other.At), cmp.Compare(c.Number, other.Number))
}

// String returns the cursor as it appears in addresses.
func (c Cursor) String() string {
	var raw [16]byte
	binary.BigEndian.PutUint64(raw[:8], uint64(c.At.UnixMicro()))
	binary.BigEndian.PutUint64(raw[8:], uint64(c.Number))
	return base64.RawURLEncoding.EncodeToString(raw[:])
}

// Parse reads a cursor that String wrote. Returns ErrInvalid.
func Parse(text string) (Cursor, error) {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) != 16 {
		return Cursor{}, ErrInvalid
	}
	c := Cursor{At: time.UnixMicro(int64(binary.BigEndian.Uint64(raw[:8]))).UTC(),
		Number: int64(binary.BigEndian.Uint64(raw[8:]))}
	if c.At.Before(least) || c.At.After(greatest) || c.String() != text { // the decoder passes over line breaks
		return Cursor{}, ErrInvalid
	}
	return c, nil
}

// Request asks for a page. Its zero value asks for the first, of Size items.
type Request struct {
	After *Cursor // nil: from the start
	Limit int     // 1 to Size; 0: Size
}

// Rows returns how many rows a query for the page reads: one more than it shows, to know whether there is a next one.
func (r Request) Rows() int { return r.limit() + 1 }

func (r Request) limit() int {
	if r.Limit < 1 || r.Limit > Size {
		return Size
	}
	return r.Limit
}

// Below returns the key that all items of the page are below, in a list from the greatest key to the least.
func (r Request) Below() Cursor {
	if r.After == nil {
		return Cursor{At: greatest, Number: math.MaxInt64}
	}
	return *r.After
}

// Above returns the key that all items of the page are above, in a list from the least key to the greatest.
func (r Request) Above() Cursor {
	if r.After == nil {
		return Cursor{At: least, Number: math.MinInt64}
	}
	return *r.After
}

// Page is a part of a list.
type Page[T any] struct {
	Items []T
	Next  string // cursor of the next page; empty on the last one
}

// Cut makes a page of the rows that were read for it.
func Cut[R, T any](r Request, rows []R, key func(R) Cursor, item func(R) T) Page[T] {
	page := Page[T]{Items: make([]T, 0, len(rows))}
	if len(rows) > r.limit() {
		rows = rows[:r.limit()]
		page.Next = key(rows[len(rows)-1]).String()
	}
	for _, row := range rows {
		page.Items = append(page.Items, item(row))
	}
	return page
}

// Slice makes a page of a whole list in memory, which rises by its keys.
func Slice[T any](r Request, all []T, key func(T) Cursor) Page[T] {
	after := r.Above()
	rest := make([]T, 0, r.Rows())
	for _, item := range all {
		if len(rest) < r.Rows() && key(item).Compare(after) > 0 {
			rest = append(rest, item)
		}
	}
	page := Cut(r, rest, key, Whole)
	return page
}

// Whole is the item of a row that is one.
func Whole[T any](row T) T { return row }
