package picture

import (
	"encoding/binary"
	"image"
)

// Exif 2.32, 4.6.2 and 4.6.4: the orientation is tag 0x0112 of the first directory; 1 is upright, 8 the last.
const (
	tagOrientation = 0x0112
	lastOrient     = 8
	entrySize      = 12
)

// orientation returns how a camera says that it was held, 1 to 8; 1 for a file that does not say so in a way that can
// be read.
func orientation(file []byte) int {
	if len(file) < 2 || file[0] != 0xff || file[1] != 0xd8 {
		return 1
	}
	for rest := file[2:]; len(rest) >= 4 && rest[0] == 0xff; {
		marker, size := rest[1], int(binary.BigEndian.Uint16(rest[2:]))
		if marker == 0xda || size < 2 || len(rest) < 2+size { // the pixels begin
			break
		}
		if body := rest[4 : 2+size]; marker == 0xe1 && len(body) > 6 && string(body[:6]) == "Exif\x00\x00" {
			return ofTIFF(body[6:])
		}
		rest = rest[2+size:]
	}
	return 1
}

// ofTIFF reads the orientation of the first directory of a TIFF header.
func ofTIFF(b []byte) int {
	if len(b) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	if string(b[:2]) == "MM" {
		order = binary.BigEndian
	}
	at := int64(order.Uint32(b[4:]))
	if at+2 > int64(len(b)) {
		return 1
	}
	entries := int64(order.Uint16(b[at:]))
	for i := range entries {
		begin := at + 2 + i*entrySize
		if begin+entrySize > int64(len(b)) {
			break
		}
		if entry := b[begin:]; order.Uint16(entry) == tagOrientation {
			if held := int(order.Uint16(entry[8:])); held >= 1 && held <= lastOrient {
				return held
			}
		}
	}
	return 1
}

// upright returns the image as it was seen by a camera that was held so.
func upright(from *image.RGBA, held int) *image.RGBA {
	if held == 1 {
		return from
	}
	w, h := from.Bounds().Dx(), from.Bounds().Dy()
	size := image.Pt(w, h)
	if held > 4 {
		size = image.Pt(h, w)
	}
	to := image.NewRGBA(image.Rectangle{Max: size})
	for y := range h {
		for x := range w {
			toX, toY := place(held, x, y, w, h)
			copy(to.Pix[to.PixOffset(toX, toY):][:4], from.Pix[from.PixOffset(x, y):][:4])
		}
	}
	return to
}

// place is where a pixel of an image of w by h goes.
func place(held, x, y, w, h int) (toX, toY int) {
	switch held {
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return h - 1 - y, x
	case 7:
		return h - 1 - y, w - 1 - x
	case 8:
		return y, w - 1 - x
	}
	return x, y
}
