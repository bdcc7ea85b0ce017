package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"testing"

	deepwebp "github.com/deepteams/webp"
	"golang.org/x/image/webp"
)

// far says how far two colours are apart: the largest difference of a channel, of 255.
func far(a, b color.Color) (most int) {
	r, g, blue, _ := a.RGBA()
	r2, g2, blue2, _ := b.RGBA()
	for _, d := range []int{int(r>>8) - int(r2>>8), int(g>>8) - int(g2>>8), int(blue>>8) - int(blue2>>8)} {
		most = max(most, d, -d)
	}
	return most
}

// A photo in WebP has the colours that it had: black stays black, and the decoder's own colours are the control.
func TestProcess_KeepsTheColoursOfWebP(t *testing.T) {
	t.Parallel()
	for _, want := range []color.RGBA{{A: 255}, {255, 255, 255, 255}, {200, 30, 40, 255}, {20, 120, 220, 255}} {
		painted := image.NewRGBA(image.Rect(0, 0, 120, 120))
		draw.Draw(painted, painted.Rect, image.NewUniform(want), image.Point{}, draw.Src)
		var file bytes.Buffer
		if err := deepwebp.Encode(&file, painted, deepwebp.DefaultOptions()); err != nil {
			t.Fatal(err)
		}
		p, err := Process(t.Context(), file.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if off := far(decoded(t, p.Large.JPEG).At(60, 60), want); off > 4 {
			t.Errorf("%v is %d off", want, off)
		}
		paler, err := webp.Decode(&file)
		if err != nil || far(paler.At(60, 60), want) < 10 {
			t.Errorf("%v as it is decoded: %v, %v: the trial tries nothing", want, paler.At(60, 60), err)
		}
	}
}

// wavy is an image as rich as a photo.
func wavy(width, height int) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			m.Set(x, y, color.RGBA{wave(x * y / 200), wave(x*x/900 + y), wave(x + y*y/600), 255})
		}
	}
	return m
}

func wave(at int) uint8 { return uint8(min(at%510, 510-at%510)) }

// The WebP of a picture is the same picture in fewer bytes.
func TestProcess_MakesASmallerWebP(t *testing.T) {
	t.Parallel()
	p, err := Process(t.Context(), asPNG(t, wavy(900, 600)))
	if err != nil {
		t.Fatal(err)
	}
	for name, e := range map[string]Encoded{"large": p.Large, "small": p.Small} {
		if len(e.WebP) == 0 || len(e.WebP) > len(e.JPEG)*9/10 {
			t.Errorf("%s: %d bytes as WebP, %d as JPEG", name, len(e.WebP), len(e.JPEG))
		}
		shown, err := decodeWebP(bytes.NewReader(e.WebP))
		if err != nil {
			t.Fatal(err)
		}
		other := decoded(t, e.JPEG)
		if shown.Bounds() != other.Bounds() {
			t.Fatalf("%s: %v, as JPEG %v", name, shown.Bounds(), other.Bounds())
		}
		if apart := apart(shown, other); apart > 8 {
			t.Errorf("%s: the formats are %.1f apart a pixel", name, apart)
		}
	}
}

// apart is how far the pixels of two images are apart, in the mean.
func apart(a, b image.Image) (mean float64) {
	size := a.Bounds().Size()
	for y := range size.Y {
		for x := range size.X {
			mean += float64(far(a.At(x, y), b.At(x, y)))
		}
	}
	return mean / float64(size.X*size.Y)
}

// What is no smaller, or larger than photos are, is there as JPEG alone.
func TestProcess_MakesNoWebPForNothing(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]image.Image{
		"long": drawn(1200, 1700), "longer than the format takes": drawn(110, 17_000),
	} {
		p, err := Process(t.Context(), asPNG(t, m))
		if err != nil || len(p.Large.JPEG) == 0 || len(p.Large.WebP) != 0 {
			t.Errorf("%s: %d bytes, %d as WebP, %v", name, len(p.Large.JPEG), len(p.Large.WebP), err)
		}
	}
}
