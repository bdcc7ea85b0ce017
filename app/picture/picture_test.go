package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"strings"
	"testing"
)

// drawn is an image whose upper left quarter is red and the rest blue.
func drawn(width, height int) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.RGBA{B: 255, A: 255}
			if x < width/2 && y < height/2 {
				c = color.RGBA{R: 255, A: 255}
			}
			m.Set(x, y, c)
		}
	}
	return m
}

func asPNG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, m); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// asJPEG is the image as a camera writes it that was held so; 0 for one that does not say.
func asJPEG(t testing.TB, m image.Image, held uint16) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, nil); err != nil {
		t.Fatal(err)
	}
	if held == 0 {
		return out.Bytes()
	}
	exif := []byte("Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01")
	exif = append(binary.BigEndian.AppendUint16(exif, held), "\x00\x00\x00\x00\x00\x00SECRET PLACE"...)
	segment := append([]byte{0xff, 0xd8, 0xff, 0xe1}, binary.BigEndian.AppendUint16(nil, uint16(len(exif)+2))...)
	return append(append(segment, exif...), out.Bytes()[2:]...)
}

func decoded(t *testing.T, file []byte) image.Image {
	t.Helper()
	m, err := jpeg.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// red says in which quarters the picture is red.
func red(m image.Image) (at string) {
	b := m.Bounds()
	for _, q := range []struct {
		name string
		x, y int
	}{{"left top", 1, 1}, {"right top", 3, 1}, {"left bottom", 1, 3}, {"right bottom", 3, 3}} {
		if r, _, blue, _ := m.At(b.Dx()*q.x/4, b.Dy()*q.y/4).RGBA(); r > blue {
			at += q.name
		}
	}
	return at
}

func TestProcess_ScalesAndEncodesAgain(t *testing.T) {
	t.Parallel()
	webp, err := os.ReadFile("testdata/quarter.webp")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name          string
		file          []byte
		width, height int
	}{
		{"wide PNG", asPNG(t, drawn(2400, 1200)), 1200, 600},
		{"small JPEG", asJPEG(t, drawn(300, 200), 0), 300, 200},
		{"WebP", webp, 240, 160},
	} {
		p, err := Process(t.Context(), c.file)
		if err != nil || p.Width != c.width || p.Height != c.height {
			t.Fatalf("%s: %d by %d, %v", c.name, p.Width, p.Height, err)
		}
		large, small := decoded(t, p.Large.JPEG), decoded(t, p.Small.JPEG)
		if large.Bounds().Size() != image.Pt(c.width, c.height) || small.Bounds().Dx() != min(Small, c.width) {
			t.Errorf("%s: %v and %v", c.name, large.Bounds(), small.Bounds())
		}
		if red(large) != "left top" || red(small) != "left top" {
			t.Errorf("%s: red at %q, %q", c.name, red(large), red(small))
		}
	}
	clear, err := Process(t.Context(), asPNG(t, image.NewNRGBA(image.Rect(0, 0, 120, 120))))
	if err != nil {
		t.Fatal(err)
	}
	if r, g, b, _ := decoded(t, clear.Large.JPEG).At(60, 60).RGBA(); min(r, g, b) < 0xf000 {
		t.Errorf("what was transparent is %d %d %d, want white", r, g, b)
	}
}

// A picture is shown as the camera was held, and says nothing of where it was.
func TestProcess_TurnsUprightAndForgetsExif(t *testing.T) {
	t.Parallel()
	for held, want := range []string{1: "left top", "right top", "right bottom", "left bottom", "left top", "right top",
		"right bottom", "left bottom"} {
		if held == 0 {
			continue
		}
		file := asJPEG(t, drawn(300, 200), uint16(held))
		p, err := Process(t.Context(), file)
		if err != nil {
			t.Fatal(held, err)
		}
		if got := red(decoded(t, p.Large.JPEG)); got != want {
			t.Errorf("held as %d: red at %q, want %q", held, got, want)
		}
		if lies := p.Width < p.Height; lies != (held > 4) {
			t.Errorf("held as %d: %d by %d", held, p.Width, p.Height)
		}
		if !bytes.Contains(file, []byte("SECRET")) || bytes.Contains(p.Large.JPEG, []byte("SECRET")) ||
			bytes.Contains(p.Small.JPEG, []byte("Exif")) {
			t.Errorf("held as %d: what the camera wrote is still there", held)
		}
	}
}

// claimed is a PNG that says that it is so large; its pixels are missing.
func claimed(t testing.TB, width, height uint32) []byte {
	file := asPNG(t, drawn(120, 120))
	binary.BigEndian.PutUint32(file[16:], width)
	binary.BigEndian.PutUint32(file[20:], height)
	binary.BigEndian.PutUint32(file[29:], crc32.ChecksumIEEE(file[12:29]))
	return file
}

func TestProcess_RefusesHostileFiles(t *testing.T) {
	t.Parallel()
	whole := asJPEG(t, drawn(300, 200), 0)
	var moving bytes.Buffer
	if err := gif.Encode(&moving, drawn(120, 120), nil); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		file []byte
		want error
	}{
		{"nothing", nil, ErrUnknown},
		{"SVG", []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`), ErrUnknown},
		{"HTML", []byte("<!DOCTYPE html><script>alert(1)</script>"), ErrUnknown},
		{"GIF", moving.Bytes(), ErrUnknown},
		{"HTML that ends as a JPEG", append([]byte("<html>"), whole...), ErrUnknown},
		{"cut JPEG", whole[:len(whole)/2], ErrBroken},
		{"head of a JPEG", whole[:3], ErrBroken},
		{"head of a WebP", []byte("RIFF\x04\x00\x00\x00WEBPVP8 "), ErrBroken},
		{"bomb", claimed(t, 60_000, 60_000), ErrTooBig},
		{"sides that overflow", claimed(t, 1<<31-1, 1<<31-1), ErrBroken},
		{"missing pixels", claimed(t, 5_000, 5_000), ErrBroken},
		{"a stamp", asPNG(t, drawn(120, 20)), ErrTooSmall},
		{"many bytes", append(bytes.Clone(whole), make([]byte, MaxBytes)...), ErrTooBig},
	} {
		if _, err := Process(t.Context(), c.file); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	// A file that is a picture and something else besides becomes the picture alone.
	both := append(bytes.Clone(whole), "<script>alert(1)</script>PK\x03\x04"...)
	p, err := Process(t.Context(), both)
	if err != nil || strings.Contains(string(p.Large.JPEG)+string(p.Small.JPEG), "script") {
		t.Errorf("polyglot: %v", err)
	}
}

func FuzzProcess(f *testing.F) {
	f.Add(asPNG(f, drawn(100, 100)))
	f.Add(asJPEG(f, drawn(100, 100), 6))
	f.Add(claimed(f, 60_000, 60_000))
	f.Add([]byte("RIFF\x04\x00\x00\x00WEBPVP8 "))
	f.Fuzz(func(t *testing.T, file []byte) {
		if weight, err := Weigh(file); err == nil && weight > 20_000_000 {
			t.Skip("slow")
		}
		p, err := Process(t.Context(), file)
		if err != nil {
			return
		}
		if p.Width < 1 || p.Width > Large || p.Height < 1 || len(p.Small.JPEG) == 0 {
			t.Errorf("%d by %d", p.Width, p.Height)
		}
		if size := decoded(t, p.Large.JPEG).Bounds().Size(); size != image.Pt(p.Width, p.Height) {
			t.Errorf("%v, not %d by %d", size, p.Width, p.Height)
		}
	})
}

func BenchmarkProcess(b *testing.B) {
	for name, size := range map[string]image.Point{"12 megapixels": image.Pt(4000, 3000),
		"40 megapixels": image.Pt(7300, 5475)} {
		b.Run(name, func(b *testing.B) {
			file := asJPEG(b, drawn(size.X, size.Y), 6)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Process(b.Context(), file); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
