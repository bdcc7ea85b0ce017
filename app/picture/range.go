package picture

import (
	"image"
	"io"

	"golang.org/x/image/webp"
)

// decodeWebP gives the colours of a lossy WebP the range that Go's images have: the format (RFC 9649) leaves black and
// white at 16 and 235, and the decoder gives them on as they are, which shows a photo paler than it is.
func decodeWebP(file io.Reader) (image.Image, error) {
	decoded, err := webp.Decode(file)
	switch m := decoded.(type) {
	case *image.YCbCr:
		widen(m)
	case *image.NYCbCrA:
		widen(&m.YCbCr)
	}
	return decoded, err
}

var wideLuma, wideChroma = func() (luma, chroma [256]byte) {
	clamp := func(v int) byte { return byte(min(max(v, 0), 255)) }
	for i := range 256 {
		luma[i] = clamp(((i-16)*255 + 219/2) / 219)
		chroma[i] = clamp((i*255 - 128*(255-224) + 224/2) / 224)
	}
	return luma, chroma
}()

func widen(m *image.YCbCr) {
	for i, y := range m.Y {
		m.Y[i] = wideLuma[y]
	}
	for i := range m.Cb {
		m.Cb[i], m.Cr[i] = wideChroma[m.Cb[i]], wideChroma[m.Cr[i]]
	}
}
