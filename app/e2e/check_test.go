package e2e_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/chromedp/chromedp"

	"lunchgo/db/dbtest"
)

// axe is the source of axe-core, which finds what keeps people from using a page.
var axe = sync.OnceValues(func() (string, error) {
	source, err := os.ReadFile("../../static/testdata/axe.min.js")
	return string(source), err
})

// Rules of axe-core: all of them in the light, and those that judge colors in the dark.
const (
	allRules   = `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`
	colorRules = `["color-contrast", "link-in-text-block"]`
)

// axeRun gives a line for each element that breaks a rule. Bars that stick to the screen's edge stand in their places
// meanwhile: what is half under one can be scrolled out from there, which axe does not know. It says nothing of
// elements that break no rule, and fetches no style sheet and no sound for rules that are not among these, or have
// nothing to judge here.
const axeRun = `(async bars => {
	bars.forEach(bar => { bar.style.position = "static" })
	const r = await axe.run(document, {runOnly: %s, resultTypes: ["violations"], preload: false})
	bars.forEach(bar => { bar.style.position = "" })
	return r.violations.flatMap(v => v.nodes.map(n => v.id + ": " + n.target.join(" ") + ": " + n.failureSummary))
})([...document.querySelectorAll("body *")].filter(e => getComputedStyle(e).position === "sticky"))`

// tooWide gives the elements that reach over the right edge of the screen.
const tooWide = `document.documentElement.scrollWidth <= innerWidth ? [] :
	[...document.querySelectorAll("body *")].filter(e => e.getBoundingClientRect().right > innerWidth + 1)
		.map(e => e.tagName + "." + e.className)`

// check holds a page against what all pages promise: anybody can use it, in light and in dark, and it fits the screen.
// With E2E_SCREENSHOTS=folder it leaves pictures there.
func (b *tab) check(name string) {
	b.t.Helper()
	for _, element := range evaluate[[]string](b, tooWide) {
		b.t.Errorf("%s: wider than the screen: %s", name, element)
	}
	for _, run := range []struct{ scheme, rules string }{{"dark", colorRules}, {"light", allRules}} {
		if b.look.scheme != "" && b.look.scheme != run.scheme {
			continue
		}
		b.do(scheme(run.scheme))
		b.loadAxe()
		for _, fault := range evaluate[[]string](b, fmt.Sprintf(axeRun, run.rules)) {
			b.t.Errorf("%s, %s: %s", name, run.scheme, fault)
		}
		b.shoot(name, run.scheme)
	}
}

// loadAxe loads axe-core into the page unless it is there: half a megabyte.
func (b *tab) loadAxe() {
	b.t.Helper()
	if evaluate[bool](b, `"axe" in window`) {
		return
	}
	source, err := axe()
	dbtest.Must(b.t, err)
	evaluate[chromedp.Void](b, "void (() => {"+source+"})()")
}

// shoot takes a picture of the whole page.
func (b *tab) shoot(name, scheme string) {
	b.t.Helper()
	dir := os.Getenv("E2E_SCREENSHOTS")
	if dir == "" {
		return
	}
	b.do(chromedp.Evaluate[chromedp.Void](`window.scrollTo(0, 0)`))
	picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	dbtest.Must(b.t, err)
	dbtest.Must(b.t, os.MkdirAll(dir, 0o755))
	file := fmt.Sprintf("%s-%s-%s.png", strings.ReplaceAll(name, " ", "-"), b.look, scheme)
	dbtest.Must(b.t, os.WriteFile(filepath.Join(dir, file), picture, 0o644))
}
