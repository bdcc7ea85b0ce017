package setup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
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

	decodings = 2 // at once, so that uploads leave a rush its processors and its memory
	largePart = picture.MaxPixels / decodings
)

// ErrTooManyPictures says that a restaurant has as many pictures as it may.
var ErrTooManyPictures = errors.New("setup: as many pictures as a restaurant may have")

// Upload is a picture of a restaurant, ready to be stored. Its hash is of the restaurant and the file that was sent, so that the
// same file sent again is the same picture, and no two restaurants share one.
type Upload struct {
	Hash         string
	RestaurantID int64
	StaffID      string
	picture.Picture
}

// PictureStore keeps uploaded pictures.
type PictureStore interface {
	// AddPicture stores an upload, if it is not there, and deletes those of the restaurant that nothing shows and that are older
	// than OrphanLife. Returns ErrTooManyPictures.
	AddPicture(ctx context.Context, u Upload) error
	// FindPicture returns the JPEG of an uploaded picture. Returns booking.ErrNotFound.
	FindPicture(ctx context.Context, hash string, small bool) ([]byte, error)
}

// Decoder makes pictures of files, a bounded number at a time.
type Decoder struct{ slots *semaphore.Weighted }

// NewDecoder returns a decoder without work.
func NewDecoder() *Decoder { return &Decoder{semaphore.NewWeighted(decodings)} }

// process waits for its turn. Returns the errors of picture.Process, and booking.ErrUnavailable when ctx ends first.
func (d *Decoder) process(ctx context.Context, file []byte) (picture.Picture, error) {
	pixels, err := picture.Measure(file)
	if err != nil {
		return picture.Picture{}, err
	}
	weight := int64(1)
	if pixels > largePart {
		weight = decodings
	}
	if err := d.slots.Acquire(ctx, weight); err != nil {
		return picture.Picture{}, errors.Join(booking.ErrUnavailable, err)
	}
	defer d.slots.Release(weight)
	return picture.Process(file)
}

// AddPicture stores a picture of a restaurant and returns it; menus and settings name it by its hash. Returns the errors of
// picture.Process and ErrTooManyPictures.
func (c *Contents) AddPicture(ctx context.Context, by team.Staff, restaurantID int64, file []byte) (Upload, error) {
	if err := by.Check(restaurantID, team.ChangeMenu); err != nil {
		return Upload{}, err
	}
	made, err := c.Decoder.process(ctx, file)
	if err != nil {
		return Upload{}, err
	}
	sum := sha256.New()
	sum.Write([]byte(strconv.FormatInt(restaurantID, 10) + " "))
	sum.Write(file)
	u := Upload{Hash: hex.EncodeToString(sum.Sum(nil)), RestaurantID: restaurantID, StaffID: by.UserID(), Picture: made}
	return u, c.Pictures.AddPicture(ctx, u)
}
