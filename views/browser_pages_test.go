package views_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// look is one way of looking at a page.
type look struct {
	width  int64
	scheme string
}

// looks are the narrowest screen and, if the page is judged, a tablet and a wide screen in the dark; the staff's pages
// are held at the door, on a tablet. All widths and schemes are looked at when screenshots are asked for.
func looks(page string, judged bool) []look {
	narrow, tablet, wide := look{390, "light"}, look{820, "light"}, look{1280, "dark"}
	if isStaffs(page) {
		tablet, wide = look{1280, "light"}, look{820, "dark"}
	}
	switch {
	case os.Getenv("SHOTS") != "":
		return []look{narrow, tablet, wide, {narrow.width, "dark"}, {wide.width, "light"}}
	case !judged:
		return []look{narrow}
	case isStaffs(page):
		return []look{narrow, wide}
	}
	return []look{narrow, tablet, wide}
}

// isStaffs returns whether a sample is a page of a restaurant's staff.
func isStaffs(page string) bool {
	area, _, _ := strings.Cut(page, "-")
	return slices.Contains([]string{"staff", "setup", "reports", "guests", "team", "rehearsal", "webhooks"}, area)
}

// show has the page drawn for the look, from its top, and still. A page scrolls to what it puts in focus, where the
// screen that the tab had before is too low for it; what then lies half beneath the header would be judged as too
// small. A color on its way to another one is none that could be judged.
func (l look) show(ctx context.Context, t *testing.T) {
	t.Helper()
	features := []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: l.scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}
	must(t, chromedp.Do(ctx, chromedp.EmulateViewport(l.width, 900),
		send(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})))
	evaluate[bool](ctx, t, `scrollTo({top: 0, behavior: "instant"}), true`)
}

// TestPages_InBrowser loads every page in a browser, in each language: no violation of axe-core's rules or of the
// security policy, no script error, nothing wider than the screen. Both languages are seen on a phone, where words have
// the least room. What a page is made of is the same in both: they take turns, page by page, at being seen on the wider
// screens too, and at being judged by axe-core. With SHOTS=folder the test leaves pictures of all looks there.
//
// The rules are judged on the phone, those of colors anew in the dark: dark pages have the same elements of the same
// sizes, in other colors (static.TestStyles_DarkIsColorsOnly).
func TestPages_InBrowser(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.serveAxe()
	// A page that stays for long asks for parts of it again, which have not changed.
	same := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }
	s.mux.HandleFunc("GET /restaurants/sol-bap/{part}", same)
	s.mux.HandleFunc("GET /coupons", same)
	pages := &still
	if os.Getenv("SHOTS") != "" {
		pages = &headless
	}
	tabs := make(chan context.Context, 2) // one loads while the other is judged
	var complaints []func() []string
	for range cap(tabs) {
		ctx := pages.open(t)
		complaints = append(complaints, failures(ctx))
		tabs <- ctx
	}
	t.Cleanup(func() {
		none(t, "content security policy", s.violated())
		for _, found := range complaints {
			none(t, "script errors", found())
		}
	})
	for i, name := range slices.Sorted(maps.Keys(samples("ko"))) {
		if only := os.Getenv("PAGE"); only != "" && !strings.HasPrefix(name, only) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tab := <-tabs
			defer func() { tabs <- tab }()
			ctx, cancel := context.WithTimeout(tab, 2*time.Minute)
			defer cancel()
			for j, lang := range []string{"ko", "en"} {
				must(t, chromedp.Do(ctx, chromedp.Navigate(s.URL+"/"+lang+"/"+name)))
				judged := j == i%2
				for k, l := range looks(name, judged) {
					l.show(ctx, t)
					checkPage(ctx, t, fmt.Sprintf("%s-%s-%d-%s", name, lang, l.width, l.scheme))
					if judged && (k == 0 || l.scheme == "dark") {
						none(t, "rules of axe-core", broken(ctx, t, k == 0))
					}
				}
			}
		})
	}
}

func (s *site) serveAxe() {
	s.mux.HandleFunc("GET /axe.js", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "max-age=3600")
		http.ServeFile(w, r, "../static/testdata/axe.min.js")
	})
}

// faulty is too wide, and has a picture without words and a text that is pale in the dark only.
const faulty = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Faulty</title>
<style>@media (prefers-color-scheme: dark) { body { background: #222; color: #444 } }</style>
<main><h1>Faulty</h1><img src="/none.png" width="9" height="9"><p style="width: 500px">Pale</p></main></html>`

// TestPages_FindsWhatIsWrong is the control: what TestPages_InBrowser looks for is found in a page that has it.
func TestPages_FindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.serveAxe()
	s.mux.HandleFunc("GET /faulty", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Del("Content-Security-Policy")
		_, _ = w.Write([]byte(faulty))
	})
	ctx := still.open(t)
	must(t, chromedp.Do(ctx, chromedp.Navigate(s.URL+"/faulty")))
	look{390, "light"}.show(ctx, t)
	holds(t, strings.Join(evaluate[[]string](ctx, t, tooWide), "\n"), "P.")
	light := strings.Join(broken(ctx, t, true), "\n")
	holds(t, light, "image-alt: img")
	lacks(t, light, "color-contrast")
	look{1280, "dark"}.show(ctx, t)
	holds(t, strings.Join(broken(ctx, t, false), "\n"), "color-contrast: p", "color-contrast: h1")
}

// tooWide gives the elements that reach over the right edge of the screen.
const tooWide = `document.documentElement.scrollWidth <= innerWidth ? [] :
	[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1)
		.map(e => e.tagName + "." + e.className)`

// checkPage checks that the page fits the screen, and takes a picture if they are asked for.
func checkPage(ctx context.Context, t *testing.T, name string) {
	t.Helper()
	if dir := os.Getenv("SHOTS"); dir != "" {
		shoot(ctx, t, filepath.Join(dir, name+".png"))
	}
	none(t, "wider than the screen: "+name, evaluate[[]string](ctx, t, tooWide))
}

// Rules of axe-core: all of them, and those that judge colors. What is large enough to press on a phone is so on any
// screen.
const (
	allRules   = `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`
	colorRules = `["color-contrast", "link-in-text-block"]`
)

// axeRun gives one line for each element that breaks a rule. It says nothing of elements that break none, and fetches
// no style sheet and no sound for rules that are not among these, or have nothing to judge here.
const axeRun = `(async () => {
	if (!("axe" in window)) await new Promise(loaded => {
		const script = document.createElement("script")
		script.src = "/axe.js"
		script.onload = loaded
		document.head.append(script)
	})
	const r = await axe.run(document, {runOnly: %s, resultTypes: ["violations"], preload: false})
	return r.violations.flatMap(v => v.nodes.map(n => v.id + ": " + n.target.join(" ") + ": " + n.failureSummary))
})()`

// broken returns which elements of the page break a rule of axe-core.
func broken(ctx context.Context, t *testing.T, byAll bool) []string {
	t.Helper()
	rules := colorRules
	if byAll {
		rules = allRules
	}
	return evaluate[[]string](ctx, t, fmt.Sprintf(axeRun, rules))
}

func shoot(ctx context.Context, t *testing.T, file string) {
	picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	must(t, err)
	must(t, os.WriteFile(file, picture, 0o600))
}
