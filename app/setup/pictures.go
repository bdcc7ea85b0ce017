package setup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"runtime"
	"runtime/debug"
	"strconv"
	"time"

	"golang.org/x/sync/semaphore"

	"lunchgo/app/booking"
	"lunchgo/app/picture"
	"lunchgo/app/refusal"
	"lunchgo/app/team"
)

// Bounds of uploads.
const (
	MaxPictures = 300            // of a restaurant
	OrphanLife  = 24 * time.Hour // of a picture that nothing shows
)

// What decoding takes at most: so many pictures at once, and so many bytes for all of them, or a part of the memory that
// the process may have.
const (
	mostDecodings  = 2
	decodingMemory = 512 << 20
	decodingPart   = 3
)

// ErrTooManyPictures says that a restaurant has as many pictures as it may.
var ErrTooManyPictures = refusal.New(refusal.Conflict, "too_many_pictures",
	"setup: as many pictures as a restaurant may have")

// Upload is a picture of a restaurant, ready to be stored. Its hash is of the restaurant and the file that was sent, so
// that the same file sent again is the same picture, and no two restaurants share one.
type Upload struct {
	Hash         string
	RestaurantID int64
	StaffID      string
	picture.Picture
}

// Decoder makes pictures of files, a bounded number at a time, in bounded memory.
type Decoder struct {
	slots  *semaphore.Weighted
	memory *semaphore.Weighted // in bytes
	most   int64
}

// NewDecoder returns a decoder without work. It takes half of the processors at most, so that uploads leave a rush the
// others.
func NewDecoder() *Decoder {
	most := min(decodingMemory, debug.SetMemoryLimit(-1)/decodingPart)
	return &Decoder{slots: semaphore.NewWeighted(int64(max(1, min(mostDecodings, runtime.GOMAXPROCS(0)/2)))),
		memory: semaphore.NewWeighted(most), most: most}
}

// process waits for its turn, and ends with ctx. Returns the errors of picture.Process, and refusal.ErrUnavailable when
// ctx ends first.
func (d *Decoder) process(ctx context.Context, file []byte) (picture.Picture, error) {
	weight, err := picture.Weigh(file)
	switch {
	case err != nil:
		return picture.Picture{}, err
	case weight > d.most:
		return picture.Picture{}, picture.ErrTooBig
	}
	for _, of := range []struct {
		what *semaphore.Weighted
		n    int64
	}{{d.slots, 1}, {d.memory, weight}} {
		if err := of.what.Acquire(ctx, of.n); err != nil {
			return picture.Picture{}, errors.Join(refusal.ErrUnavailable, err)
		}
		defer of.what.Release(of.n)
	}
	made, err := picture.Process(ctx, file)
	if ctx.Err() != nil {
		return picture.Picture{}, errors.Join(refusal.ErrUnavailable, ctx.Err())
	}
	return made, err
}

// AddPicture stores a picture of a restaurant and returns it; menus and settings name it by its hash. A file that was
// sent before is not decoded again. Returns the errors of picture.Process and ErrTooManyPictures.
func (c *Contents) AddPicture(ctx context.Context, by team.Staff, restaurantID int64, file []byte) (Upload, error) {
	if err := by.Check(restaurantID, team.ChangeMenu); err != nil {
		return Upload{}, err
	}
	sum := sha256.New()
	sum.Write([]byte(strconv.FormatInt(restaurantID, 10) + " "))
	sum.Write(file)
	u := Upload{Hash: hex.EncodeToString(sum.Sum(nil)), RestaurantID: restaurantID, StaffID: by.UserID()}
	known, err := c.Store.KeepPicture(ctx, u)
	if !errors.Is(err, booking.ErrNotFound) {
		return known, err
	}
	if u.Picture, err = c.Decoder.process(ctx, file); err != nil {
		return Upload{}, err
	}
	return u, c.Store.AddPicture(ctx, u)
}
