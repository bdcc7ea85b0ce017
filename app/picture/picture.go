// Package picture makes pictures that anybody may have sent into pictures that can be shown: it reads JPEG, PNG and
// WebP, turns them upright, scales them down and encodes them again as JPEG. Nothing of the file that was sent is left,
// neither what cameras write into it nor what else it holds.
package picture

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"

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

// Quality of the JPEGs that Process makes.
const quality = 82

// Errors of files.
var (
	ErrUnknown  = errors.New("picture: neither JPEG nor PNG nor WebP")
	ErrBroken   = errors.New("picture: the file cannot be decoded")
	ErrTooBig   = errors.New("picture: too many bytes or pixels")
	ErrTooSmall = errors.New("picture: too few pixels to be shown")
)

// Picture is an upright picture as JPEG, in two sizes.
type Picture struct {
	Large  []byte
	Small  []byte
	Width  int // of the large one, in pixels
	Height int
}

// format is a kind of file, which its first bytes tell.
type format struct {
	begins  func(file []byte) bool
	measure func(file []byte) (image.Config, error)
	decode  func(file []byte) (image.Image, error)
}

var formats = []format{
	{func(b []byte) bool { return bytes.HasPrefix(b, []byte("\xff\xd8\xff")) },
		func(b []byte) (image.Config, error) { return jpeg.DecodeConfig(bytes.NewReader(b)) },
		func(b []byte) (image.Image, error) { return jpeg.Decode(bytes.NewReader(b)) }},
	{func(b []byte) bool { return bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")) },
		func(b []byte) (image.Config, error) { return png.DecodeConfig(bytes.NewReader(b)) },
		func(b []byte) (image.Image, error) { return png.Decode(bytes.NewReader(b)) }},
	{func(b []byte) bool { return len(b) > 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP" },
		func(b []byte) (image.Config, error) { return webp.DecodeConfig(bytes.NewReader(b)) },
		func(b []byte) (image.Image, error) { return webp.Decode(bytes.NewReader(b)) }},
}

// Measure returns how many pixels a file has, of which it decodes none. The type is read from the bytes. Returns
// ErrUnknown, ErrBroken, ErrTooBig and ErrTooSmall.
func Measure(file []byte) (pixels int, err error) {
	f, err := formatOf(file)
	if err != nil {
		return 0, err
	}
	config, err := f.measure(file)
	switch {
	case err != nil || config.Width <= 0 || config.Height <= 0:
		return 0, ErrBroken
	case config.Width > MaxPixels/config.Height:
		return 0, ErrTooBig
	case min(config.Width, config.Height) < MinSide:
		return 0, ErrTooSmall
	}
	return config.Width * config.Height, nil
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

// Process makes a picture of a file. Returns the errors of Measure.
func Process(file []byte) (Picture, error) {
	if _, err := Measure(file); err != nil {
		return Picture{}, err
	}
	f, err := formatOf(file)
	if err != nil {
		return Picture{}, err
	}
	decoded, err := f.decode(file)
	if err != nil || decoded.Bounds().Empty() {
		return Picture{}, ErrBroken
	}
	turned := orientation(file)
	large := upright(scale(decoded, Large, turned), turned)
	p := Picture{Width: large.Bounds().Dx(), Height: large.Bounds().Dy()}
	if p.Large, err = encode(large); err == nil {
		p.Small, err = encode(scale(large, Small, 1))
	}
	return p, err
}

// scale returns an image that is at most width wide when it is upright. The fine filter looks at every pixel, at a
// price: a coarse one first makes large images smaller.
func scale(from image.Image, width int, turned int) *image.RGBA {
	size := from.Bounds().Size()
	wide := size.X
	if turned > 4 { // it lies on its side
		wide = size.Y
	}
	if wide > width {
		size.X, size.Y = max(1, size.X*width/wide), max(1, size.Y*width/wide)
	}
	if double := size.Mul(2); double.X < from.Bounds().Dx() {
		from = resize(from, double, xdraw.ApproxBiLinear)
	}
	return resize(from, size, xdraw.CatmullRom)
}

// resize draws on white, which shows where an image is transparent.
func resize(from image.Image, size image.Point, by xdraw.Interpolator) *image.RGBA {
	to := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(to, to.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	by.Scale(to, to.Bounds(), from, from.Bounds(), xdraw.Over, nil)
	return to
}

func encode(of image.Image) ([]byte, error) {
	var out bytes.Buffer
	err := jpeg.Encode(&out, of, &jpeg.Options{Quality: quality})
	return out.Bytes(), err
}
