package e2e_test

import (
	"bytes"
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"lunchgo/app/seed"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// How the animation is taken: a picture each pause, which is then shown for a part of that.
const (
	animationHeight = 720
	staffWidth      = 600
	framePause      = time.Second
	frameShown      = 28 // hundredths of a second
	lastShown       = 300
)

// TestAnimation takes the animation of the README into E2E_SCREENSHOTS: a visitor in the line of a rush, and beside it
// what staff see of the line, until the visitor has an answer.
func TestAnimation(t *testing.T) {
	if os.Getenv("E2E_SCREENSHOTS") == "" {
		t.Skip("the animation is taken with E2E_SCREENSHOTS=folder")
	}
	t.Parallel()
	p := newProduct(t)
	visitor := p.newVisitor(phoneEn).newTab()
	visitor.do(chromedp.EmulateViewport(phoneEn.width, animationHeight, chromedp.EmulateMobile))
	visitor.open(views.RushURL())
	visitor.click("main form button")
	visitor.untilAt("/tickets/")
	host := p.newVisitor(desktopEn).newTab().remember(p.account(seed.StaffEmail))
	host.do(chromedp.EmulateViewport(staffWidth, animationHeight))
	host.open(views.RushURL())
	host.click(`a[href$="/line"]`)
	host.untilAt("/staff/restaurants/")

	var frames []*image.RGBA
	for answered := false; !answered && len(frames) < 90; time.Sleep(framePause) {
		answered = !evaluate[bool](visitor,
			`location.pathname.startsWith("/tickets/") && !!document.querySelector(".status-position")`)
		frames = append(frames, sideBySide(shown(visitor), shown(host)))
	}
	dbtest.Must(t, os.MkdirAll(os.Getenv("E2E_SCREENSHOTS"), 0o755))
	file, err := os.Create(filepath.Join(os.Getenv("E2E_SCREENSHOTS"), "rush.gif"))
	dbtest.Must(t, err)
	dbtest.Must(t, gif.EncodeAll(file, animate(frames)))
	dbtest.Must(t, file.Close())
}

// shown is what a tab's screen shows.
func shown(b *tab) image.Image {
	b.t.Helper()
	raw, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	dbtest.Must(b.t, err)
	picture, err := png.Decode(bytes.NewReader(raw))
	dbtest.Must(b.t, err)
	return picture
}

func sideBySide(left, right image.Image) *image.RGBA {
	split := left.Bounds().Dx()
	both := image.NewRGBA(image.Rect(0, 0, split+right.Bounds().Dx(), left.Bounds().Dy()))
	draw.Draw(both, both.Bounds(), left, image.Point{}, draw.Src)
	draw.Draw(both, both.Bounds().Add(image.Pt(split, 0)), right, image.Point{}, draw.Src)
	return both
}

// animate makes an animation of 256 colors, of which each frame but the first holds what differs from the one before.
func animate(frames []*image.RGBA) *gif.GIF {
	colors := paletteOf(frames)
	nearest := map[color.RGBA]uint8{}
	out := &gif.GIF{}
	var before *image.Paletted
	for _, frame := range frames {
		now := image.NewPaletted(frame.Bounds(), colors)
		for i := range now.Pix {
			c := color.RGBA{frame.Pix[4*i], frame.Pix[4*i+1], frame.Pix[4*i+2], 255}
			at, known := nearest[c]
			if !known {
				at = uint8(colors.Index(c))
				nearest[c] = at
			}
			now.Pix[i] = at
		}
		out.Image = append(out.Image, changed(before, now))
		out.Delay = append(out.Delay, frameShown)
		before = now
	}
	out.Delay[len(out.Delay)-1] = lastShown
	return out
}

// paletteOf are the 256 most frequent colors.
func paletteOf(frames []*image.RGBA) color.Palette {
	count := map[color.RGBA]int{}
	for _, frame := range frames {
		for i := 0; i < len(frame.Pix); i += 4 {
			count[color.RGBA{frame.Pix[i], frame.Pix[i+1], frame.Pix[i+2], 255}]++
		}
	}
	all := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int { return cmp.Compare(count[b], count[a]) })
	var colors color.Palette
	for _, c := range all[:min(256, len(all))] {
		colors = append(colors, c)
	}
	return colors
}

// changed is the part of a frame that differs from the one before: at least a pixel.
func changed(before, now *image.Paletted) *image.Paletted {
	if before == nil {
		return now
	}
	part := image.Rectangle{}
	for y := range now.Rect.Dy() {
		for x := range now.Rect.Dx() {
			if before.ColorIndexAt(x, y) != now.ColorIndexAt(x, y) {
				part = part.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if part.Empty() {
		part = image.Rect(0, 0, 1, 1)
	}
	cut := image.NewPaletted(part, now.Palette)
	draw.Draw(cut, part, now, part.Min, draw.Src)
	return cut
}
