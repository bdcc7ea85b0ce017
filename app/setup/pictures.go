package setup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sync/semaphore"

	"lunchgo/app/booking"
	"lunchgo/app/picture"
	"lunchgo/app/team"
)

// Bounds of uploads.
const (
	MaxPictures = 300            // of a restaurant
	OrphanLife  = 24 * time.Hour // of a picture that nothing shows
)

// mostDecodings is how many pictures are decoded at once at most, and mediumPixels from when on a picture is decoded
// alone: one of 12 megapixels takes some 200 MB meanwhile.
const (
	mostDecodings = 2
	mediumPixels  = picture.MaxPixels / mostDecodings
)

// ErrTooManyPictures says that a restaurant has as many pictures as it may.
var ErrTooManyPictures = errors.New("setup: as many pictures as a restaurant may have")

// Upload is a picture of a restaurant, ready to be stored. Its hash is of the restaurant and the file that was sent, so
// that the same file sent again is the same picture, and no two restaurants share one.
type Upload struct {
	Hash         string
	RestaurantID int64
	StaffID      string
	picture.Picture
}

// PictureStore keeps uploaded pictures.
type PictureStore interface {
	// AddPicture stores an upload, if it is not there, and deletes those of the restaurant that nothing shows and that
	// are older than OrphanLife. Returns ErrTooManyPictures.
	AddPicture(ctx context.Context, u Upload) error
	// KeepPicture returns an upload that is stored already, without its JPEGs, and keeps it for another OrphanLife.
	// Returns booking.ErrNotFound.
	KeepPicture(ctx context.Context, u Upload) (Upload, error)
	// FindPicture returns the JPEG of an uploaded picture. Returns booking.ErrNotFound.
	FindPicture(ctx context.Context, hash string, small bool) ([]byte, error)
}

// Decoder makes pictures of files, a bounded number at a time.
type Decoder struct {
	slots *semaphore.Weighted
	most  int64
}

// NewDecoder returns a decoder without work. It takes half of the processors at most, so that uploads leave a rush the
// others.
func NewDecoder() *Decoder {
	most := int64(max(1, min(mostDecodings, runtime.GOMAXPROCS(0)/2)))
	return &Decoder{slots: semaphore.NewWeighted(most), most: most}
}

// process waits for its turn. Returns the errors of picture.Process, and booking.ErrUnavailable when ctx ends first.
func (d *Decoder) process(ctx context.Context, file []byte) (picture.Picture, error) {
	pixels, err := picture.Measure(file)
	if err != nil {
		return picture.Picture{}, err
	}
	weight := int64(1)
	if pixels > mediumPixels {
		weight = d.most
	}
	if err := d.slots.Acquire(ctx, weight); err != nil {
		return picture.Picture{}, errors.Join(booking.ErrUnavailable, err)
	}
	defer d.slots.Release(weight)
	return picture.Process(file)
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
	known, err := c.Pictures.KeepPicture(ctx, u)
	if !errors.Is(err, booking.ErrNotFound) {
		return known, err
	}
	if u.Picture, err = c.Decoder.process(ctx, file); err != nil {
		return Upload{}, err
	}
	return u, c.Pictures.AddPicture(ctx, u)
}
