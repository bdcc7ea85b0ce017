package picture

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/jpeg"
	"runtime"
	"testing"
	"time"
)

// progressive is a JPEG of one grey, which passes so often over all its blocks in a few bytes.
func progressive(width, height, components, scans int) []byte {
	segment := func(marker byte, body ...byte) []byte {
		return append(binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(body)+2)), body...)
	}
	file := []byte{0xff, 0xd8}
	if components == 4 {
		file = append(file, segment(0xee, []byte("Adobe\x00\x64\x00\x00\x00\x00\x00")...)...)
	}
	file = append(file, segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)...)
	frame := []byte{8, byte(height >> 8), byte(height), byte(width >> 8), byte(width), byte(components)}
	var first []byte
	for id := range byte(components) {
		frame, first = append(frame, id+1, 0x11, 0), append(first, id+1, 0)
	}
	file = append(file, segment(0xc2, frame...)...)
	counts := make([]byte, 16)
	counts[0] = 1                                                                           // one code, of one bit
	file = append(file, segment(0xc4, append(append([]byte{0x00}, counts...), 0)...)...)    // no difference
	file = append(file, segment(0xc4, append(append([]byte{0x10}, counts...), 0xe0)...)...) // a run of 16,384 or more
	blocks := ((width + 7) / 8) * ((height + 7) / 8)
	file = append(file, segment(0xda, append(append([]byte{byte(components)}, first...), 0, 0, 0)...)...)
	file = append(file, make([]byte, (blocks*components+7)/8)...)
	for range scans - 1 {
		file = append(file, segment(0xda, 1, 1, 0, 1, 63, 0)...)
		file = append(file, make([]byte, (blocks/(1<<14)+1)*15/8+1)...)
	}
	return append(file, 0xff, 0xd9)
}

// What takes memory or time beyond measure is refused by its head: a pixel of one file weighs twenty times that of
// another, and a scan is a few bytes.
func TestWeigh_ByWhatDecodingTakes(t *testing.T) {
	t.Parallel()
	for name, file := range map[string][]byte{
		"two scans": progressive(160, 120, 1, 2), "as many scans as may be": progressive(160, 120, 1, mostScans),
	} {
		if _, err := jpeg.Decode(bytes.NewReader(file)); err != nil {
			t.Errorf("%s: %v: the trial tries nothing", name, err)
		}
		if _, err := Process(t.Context(), file); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	bomb := progressive(6300, 6300, 1, 3000)
	began := time.Now()
	if _, err := Process(t.Context(), bomb); !errors.Is(err, ErrTooBig) {
		t.Errorf("%d kB with 3,000 scans: %v after %s", len(bomb)>>10, err, time.Since(began))
	}
	if _, err := Weigh(progressive(6300, 6300, 1, mostScans)); !errors.Is(err, ErrTooBig) {
		t.Errorf("a large one with as many scans as a small one may have: %v", err)
	}
	if _, err := Weigh(progressive(6300, 6300, 1, 16)); err != nil {
		t.Errorf("a large one with more scans than encoders make: %v", err)
	}
	const pixels = 6300 * 6300
	for name, c := range map[string]struct {
		file  []byte
		bytes int64 // a pixel, at least and decoded
	}{
		"baseline":              {baseline(6300, 6300), 3},
		"progressive":           {progressive(6300, 6300, 3, 2), 15},
		"progressive with four": {progressive(6300, 6300, 4, 2), 24},
		"PNG":                   {claimed(t, 6300, 6300), 4},
	} {
		weight, err := Weigh(c.file)
		if err != nil || weight < c.bytes*pixels || weight > c.bytes*pixels*3 {
			t.Errorf("%s: %d MB, %v", name, weight>>20, err)
		}
	}
}

// baseline is the head of a JPEG as cameras make it.
func baseline(width, height int) []byte {
	file := progressive(width, height, 3, 1)
	return bytes.Replace(file, []byte("\xff\xc2"), []byte("\xff\xc0"), 1)
}

func TestWeigh_IsNoLessThanProcessTakes(t *testing.T) {
	const small = 4 << 20 // buffers and tables
	for name, file := range map[string][]byte{
		"baseline":              asJPEG(t, drawn(1500, 1000), 6),
		"progressive":           progressive(1500, 1000, 3, 2),
		"progressive with four": progressive(1500, 1000, 4, 2),
		"PNG":                   asPNG(t, drawn(1500, 1000)),
		"long and narrow":       asPNG(t, drawn(400, 2400)),
		"PNG of 16 bits":        asPNG(t, image.NewNRGBA64(image.Rect(0, 0, 1000, 750))),
	} {
		weight, err := Weigh(file)
		if err != nil {
			t.Fatal(name, err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Process(t.Context(), file); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		runtime.ReadMemStats(&after)
		taken := int64(after.TotalAlloc - before.TotalAlloc) // all of it, though some is free again before the end
		if taken > weight+small {
			t.Errorf("%s: it weighs %d MB and takes %d MB", name, weight>>20, taken>>20)
		}
	}
}

// ending is a context that ends while a picture is decoded: when it was asked so often whether it has.
type ending struct {
	context.Context
	looks int
}

func (e *ending) Err() error {
	if e.looks--; e.looks < 0 {
		return context.Canceled
	}
	return nil
}

// Decoding ends with who wanted it, however much of the file is left.
func TestProcess_EndsWithItsRequest(t *testing.T) {
	t.Parallel()
	file := progressive(1500, 1000, 1, 32) // most of its scans fit into any buffer
	for _, looks := range []int{0, 4, len(file)/atATime - 1} {
		if _, err := Process(&ending{t.Context(), looks}, file); !errors.Is(err, context.Canceled) {
			t.Errorf("after %d looks: %v", looks, err)
		}
	}
}
