package picture

import (
	"bytes"
	"image"
	"image/color"
)

// mostScans is how many scans a JPEG may have, and mostPasses how many pixels all of them. Each of a progressive one
// passes over the whole picture again, in a few bytes if it likes: encoders make 10 of them, and not 30 when they try.
const (
	mostScans  = 64
	mostPasses = 16 * MaxPixels
)

// Bytes that decoders take for a pixel or more, as their sources have it; where the head of a file leaves it open, the
// most.
const (
	coefficients  = 4 // of a component of a progressive JPEG, beside its byte
	converted     = 4 // of a JPEG whose colours are converted
	pngPixel      = 4 // with 16 bits a channel twice as much, and again for an interlaced one
	webpPixel     = 12
	webpTreesArea = 16      // pixels of a lossless WebP that may have Huffman trees of their own
	webpTrees     = 2_800   // of one such area
	webpMostTrees = 1 << 16 // areas that differ
	scalingPixel  = 4       // of an RGBA image
	encodedPixel  = 28      // of a picture that becomes a WebP
	kernelPixel   = 4 * 8   // of the draft of a scaled picture: a float64 a channel
	mcuSide       = 32      // pixels by which a JPEG is rounded up, at most
	pngBitDepth   = 24      // where the head of a PNG has it
	pngInterlace  = 28
)

// jpegWeight is what decoding a JPEG takes. In what a scan holds, the byte 0xff is never followed by the code of a marker:
// so the markers are there at most as often as their codes are anywhere in the file.
func jpegWeight(file []byte, c image.Config) (int64, error) {
	if scans := bytes.Count(file, []byte("\xff\xda")); scans > mostScans || scans > mostPasses/(c.Width*c.Height) {
		return 0, ErrTooBig
	}
	components, extra := int64(3), int64(converted)
	switch c.ColorModel {
	case color.GrayModel:
		components, extra = 1, 0
	case color.YCbCrModel:
		extra = 0
	case color.CMYKModel:
		components, extra = 4, 2*converted
	}
	each := components + extra
	if bytes.Contains(file, []byte("\xff\xc2")) {
		each += coefficients * components
	}
	return int64(c.Width+mcuSide) * int64(c.Height+mcuSide) * each, nil
}

func pngWeight(file []byte, c image.Config) (int64, error) {
	each := int64(pngPixel)
	if file[pngBitDepth] == 16 {
		each *= 2
	}
	if file[pngInterlace] != 0 {
		each *= 2
	}
	return int64(c.Width) * int64(c.Height) * each, nil
}

func webpWeight(file []byte, c image.Config) (int64, error) {
	pixels := int64(c.Width) * int64(c.Height)
	weight := pixels * webpPixel
	if bytes.Contains(file, []byte("VP8L")) || bytes.Contains(file, []byte("ALPH")) {
		weight += min(webpMostTrees, pixels/webpTreesArea) * webpTrees
	}
	return weight, nil
}

// scalingWeight is what Process takes besides the decoded picture.
func scalingWeight(size image.Point, turned int) int64 {
	_, large := sizes(size, Large, turned)
	return resizeWeight(size, Large, turned) + resizeWeight(large, Small, 1) +
		min(int64(large.X)*int64(large.Y), webpPixels)*encodedPixel
}

func resizeWeight(size image.Point, width, turned int) int64 {
	draft, final := sizes(size, width, turned)
	if draft == final { // it is not halved on the way
		draft = size
	}
	return int64(draft.X)*int64(draft.Y)*scalingPixel + int64(final.X)*int64(draft.Y)*kernelPixel +
		2*int64(final.X)*int64(final.Y)*scalingPixel
}
