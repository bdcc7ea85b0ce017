package web

import (
	"context"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/cache"
	"lunchgo/app/setup"
	"lunchgo/app/web/respond"
	"lunchgo/views"
)

// How many uploaded pictures a process keeps, of some 100 kB each: those of the pages that a crowd looks at.
const (
	picturesKept = 200
	pictureLife  = time.Hour
)

// pictures serves what restaurants have uploaded.
type pictures struct {
	store setup.ContentStore
	known cache.Cache[string, []byte]
}

func newPictures(store setup.ContentStore) *pictures {
	return &pictures{store: store, known: cache.Cache[string, []byte]{Life: pictureLife, Most: picturesKept}}
}

// serve answers GET /pictures/:file. An address names one picture for ever, as those of static files do.
func (p *pictures) serve(c *fiber.Ctx) error {
	name, ok := strings.CutSuffix(strings.Clone(c.Params("file")), views.PictureSuffix)
	hash, small := strings.CutSuffix(name, views.SmallSuffix)
	if !ok || !setup.IsUploaded(hash) {
		return respond.NotFound
	}
	jpeg, err := p.known.Load(c.UserContext(), name, func(ctx context.Context) ([]byte, error) {
		return p.store.FindPicture(ctx, hash, small)
	})
	if err == nil && len(jpeg) == 0 {
		err = booking.ErrNotFound
	}
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
	c.Set(fiber.HeaderContentType, "image/jpeg")
	c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; sandbox")
	return c.Send(jpeg)
}
