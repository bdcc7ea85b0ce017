// Package picture makes pictures that anybody may have sent into pictures that can be shown: it reads JPEG, PNG and
// WebP, turns them upright, scales them down and encodes them again as JPEG and as WebP. Nothing of the file that was
// sent is left, neither what cameras write into it nor what else it holds.
package picture

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"

	deepwebp "github.com/deepteams/webp"
	xdraw "golang.org/x/image/draw"
	"golang.org/x/image/webp"
)

// Bounds of pictures.
const (
	MaxBytes  = 5 << 20    // of a file
	MaxPixels = 40_000_000 // of a picture, before it is decoded
	MinSide   = 100        // pixels
	Large     = 1_200      // pixels of the width at most
	Small     = 400
)

// Quality of what Process makes: a photo looks the same in both formats. A higher method of the WebP saves a few bytes
// more, for as much time again; of a picture with more pixels there is none, since nothing ends its encoder.
const (
	quality    = 82
	webpMethod = 3
	webpPixels = 2_000_000
)

// Errors of files.
var (
	ErrUnknown  = errors.New("picture: neither JPEG nor PNG nor WebP")
	ErrBroken   = errors.New("picture: the file cannot be decoded")
	ErrTooBig   = errors.New("picture: too many bytes or pixels")
	ErrTooSmall = errors.New("picture: too few pixels to be shown")
)

// Picture is an upright picture, in two sizes.
type Picture struct {
	Large  Encoded
	Small  Encoded
	Width  int // of the large one, in pixels
	Height int
}

// Encoded is one picture in two formats: every browser shows the JPEG, and most of them the smaller WebP.
type Encoded struct {
	JPEG []byte
	WebP []byte // nil if it would be no smaller
}

// format is a kind of file, which its first bytes tell.
type format struct {
	begins  func(file []byte) bool
	measure func(file io.Reader) (image.Config, error)
	weigh   func(file []byte, head image.Config) (int64, error) // in bytes, decoded
	decode  func(file io.Reader) (image.Image, error)
}

var formats = []format{
	{func(b []byte) bool { return bytes.HasPrefix(b, []byte("\xff\xd8\xff")) }, jpeg.DecodeConfig, jpegWeight, jpeg.Decode},
	{func(b []byte) bool { return bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")) }, png.DecodeConfig, pngWeight, png.Decode},
	{func(b []byte) bool { return len(b) > 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP" },
		webp.DecodeConfig, webpWeight, decodeWebP},
}

// Weigh returns how many bytes of memory Process takes for a file at most, from its head and without decoding it. Returns
// ErrUnknown, ErrBroken, ErrTooBig, also for a file that would take long, or ErrTooSmall.
func Weigh(file []byte) (int64, error) {
	f, err := formatOf(file)
	if err != nil {
		return 0, err
	}
	head, err := f.measure(bytes.NewReader(file))
	switch {
	case err != nil || head.Width <= 0 || head.Height <= 0:
		return 0, ErrBroken
	case head.Width > MaxPixels/head.Height:
		return 0, ErrTooBig
	case min(head.Width, head.Height) < MinSide:
		return 0, ErrTooSmall
	}
	decoded, err := f.weigh(file, head)
	return decoded + scalingWeight(image.Pt(head.Width, head.Height), orientation(file)), err
}

func formatOf(file []byte) (format, error) {
	if len(file) > MaxBytes {
		return format{}, ErrTooBig
	}
	for _, f := range formats {
		if f.begins(file) {
			return f, nil
		}
	}
	return format{}, ErrUnknown
}

// Process makes the picture of a file. It ends soon after ctx. Returns what Weigh does, and ctx's error.
func Process(ctx context.Context, file []byte) (Picture, error) {
	if _, err := Weigh(file); err != nil {
		return Picture{}, err
	}
	f, err := formatOf(file)
	if err != nil {
		return Picture{}, err
	}
	decoded, err := f.decode(whileWanted{bytes.NewReader(file), ctx})
	if ctx.Err() != nil {
		return Picture{}, ctx.Err()
	}
	if err != nil || decoded.Bounds().Empty() {
		return Picture{}, ErrBroken
	}
	turned := orientation(file)
	large := upright(scale(decoded, Large, turned), turned)
	if ctx.Err() != nil {
		return Picture{}, ctx.Err()
	}
	p := Picture{Width: large.Bounds().Dx(), Height: large.Bounds().Dy()}
	if p.Large, err = encode(large); err == nil && ctx.Err() == nil {
		p.Small, err = encode(scale(large, Small, 1))
	}
	return p, cmp.Or(ctx.Err(), err)
}

// whileWanted is a file that has no more bytes for its decoder once ctx has ended. It gives some at a time: a few
// thousand can be work for seconds.
type whileWanted struct {
	io.Reader
	ctx context.Context
}

// atATime is how many bytes a decoder gets before ctx is looked at again.
const atATime = 256

// Read implements io.Reader.
func (w whileWanted) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.Reader.Read(p[:min(len(p), atATime)])
}

// scale returns an image that is at most width wide when it is upright. The fine filter looks at every pixel, at a
// price: a coarse one first makes large images smaller.
func scale(from image.Image, width int, turned int) *image.RGBA {
	draft, final := sizes(from.Bounds().Size(), width, turned)
	if draft != final {
		from = resize(from, draft, xdraw.ApproxBiLinear)
	}
	return resize(from, final, xdraw.CatmullRom)
}

// sizes are those of a picture that is scaled to a width at most, once it is upright, and of its draft on the way; of the
// same size if it has none.
func sizes(size image.Point, width, turned int) (draft, final image.Point) {
	final = size
	wide := size.X
	if turned > 4 { // it lies on its side
		wide = size.Y
	}
	if wide > width {
		final.X, final.Y = max(1, size.X*width/wide), max(1, size.Y*width/wide)
	}
	if double := final.Mul(2); double.X < size.X {
		return double, final
	}
	return final, final
}

// resize draws on white, which shows where an image is transparent.
func resize(from image.Image, size image.Point, by xdraw.Interpolator) *image.RGBA {
	to := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(to, to.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	by.Scale(to, to.Bounds(), from, from.Bounds(), xdraw.Over, nil)
	return to
}

func encode(of *image.RGBA) (e Encoded, err error) {
	var asJPEG, asWebP bytes.Buffer
	err = jpeg.Encode(&asJPEG, of, &jpeg.Options{Quality: quality})
	e.JPEG = asJPEG.Bytes()
	if err != nil || of.Rect.Dx()*of.Rect.Dy() > webpPixels || of.Rect.Dy() > deepwebp.MaxDimension {
		return e, err
	}
	options := deepwebp.DefaultOptions()
	options.Quality, options.Method = quality, webpMethod
	if err = deepwebp.Encode(&asWebP, of, options); asWebP.Len() < asJPEG.Len() {
		e.WebP = asWebP.Bytes()
	}
	return e, err
}
