package web

import (
	"context"
	"net/http"
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

const webP = "image/webp"

// askedPicture is what a request asks for.
type askedPicture struct {
	hash              string
	small, preferWebP bool
}

// pictures serves what restaurants have uploaded.
type pictures struct {
	store setup.ContentStore
	known cache.Cache[askedPicture, []byte]
}

func newPictures(store setup.ContentStore) *pictures {
	return &pictures{store: store, known: cache.Cache[askedPicture, []byte]{Life: pictureLife, Most: picturesKept}}
}

// serve answers GET /pictures/:file, with a WebP where the reader takes one. An address names one picture for ever, as
// those of static files do.
func (p *pictures) serve(c *fiber.Ctx) error {
	name, ok := strings.CutSuffix(strings.Clone(c.Params("file")), views.PictureSuffix)
	hash, small := strings.CutSuffix(name, views.SmallSuffix)
	if !ok || !setup.IsUploaded(hash) {
		return respond.NotFound
	}
	asked := askedPicture{hash, small, strings.Contains(c.Get(fiber.HeaderAccept), webP)}
	file, err := p.known.Load(c.UserContext(), asked, func(ctx context.Context) ([]byte, error) {
		return p.store.FindPicture(ctx, asked.hash, asked.small, asked.preferWebP)
	})
	if err == nil && len(file) == 0 {
		err = booking.ErrNotFound
	}
	if err != nil {
		return err
	}
	c.Vary(fiber.HeaderAccept)
	c.Set(fiber.HeaderCacheControl, "public, max-age=31536000, immutable")
	c.Set(fiber.HeaderContentType, http.DetectContentType(file))
	c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; sandbox")
	return c.Send(file)
}
