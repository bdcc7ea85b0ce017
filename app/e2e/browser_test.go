package e2e_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"lunchgo/db/dbtest"
	"lunchgo/views/browsertest"
)

// chromium is the one browser of this test process; each visitor has a profile of their own in it.
var chromium = struct {
	once  sync.Once
	ctx   context.Context
	close func()
	err   error
}{close: func() {}}

func startBrowser() { chromium.ctx, chromium.close, chromium.err = browsertest.Start() }

func closeBrowser() { chromium.close() }

// look is how a visitor reads the pages.
type look struct {
	lang   string
	width  int64
	height int64
	scheme string // the one in which pages are checked; "" for light and dark
}

var (
	phoneKo   = look{lang: "ko", width: 390, height: 844}
	phoneEn   = look{lang: "en", width: 390, height: 844}
	desktopKo = look{lang: "ko", width: 1280, height: 900}
	desktopEn = look{lang: "en", width: 1280, height: 900}
)

// in is the look in one scheme only.
func (l look) in(scheme string) look {
	l.scheme = scheme
	return l
}

func (l look) String() string { return l.lang + "-" + strconv.FormatInt(l.width, 10) }

// visitor is a person at a browser with a profile of their own.
type visitor struct {
	*product
	look    look
	profile context.Context // of the first tab
	used    bool
}

// newVisitor opens a browser that asks for pages in the look's language.
func (p *product) newVisitor(l look) *visitor {
	p.t.Helper()
	chromium.once.Do(startBrowser)
	dbtest.Must(p.t, chromium.err)
	ctx, cancel := chromedp.NewContext(chromium.ctx, chromedp.WithNewBrowserContext())
	p.t.Cleanup(cancel)
	return &visitor{product: p, look: l, profile: ctx}
}

// tab is a tab of a visitor's browser. The test fails at its end if a page had complaints in it.
type tab struct {
	*visitor
	ctx context.Context

	mu         sync.Mutex
	complaints []string
	expected   []string
}

// newTab opens a tab.
func (v *visitor) newTab() *tab {
	v.t.Helper()
	b := &tab{visitor: v, ctx: v.profile}
	if v.used {
		ctx, cancel := chromedp.NewContext(v.profile)
		v.t.Cleanup(cancel)
		b.ctx = ctx
	}
	v.used = true
	dbtest.Must(v.t, chromedp.Do(b.ctx)) // without a time limit: the tab lives as long as the context of its first call
	dbtest.Must(v.t, chromedp.Listen(b.ctx, b.listen))
	var viewport []chromedp.EmulateViewportOption
	if v.look.width < 600 {
		viewport = append(viewport, chromedp.EmulateMobile)
	}
	language := network.Headers{"Accept-Language": v.look.lang}
	b.do(chromedp.EmulateViewport(v.look.width, v.look.height, viewport...),
		send(network.SetExtraHTTPHeaders, network.SetExtraHTTPHeadersParams{Headers: language}), scheme("light"))
	v.t.Cleanup(b.complain)
	return b
}

// send is the step of sending a protocol command.
func send[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, command, params)
		return err
	})
}

// scheme has pages drawn light or dark, and still: a color on its way to another one is none that could be judged.
func scheme(name string) chromedp.Action[chromedp.Void] {
	return send(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
}

// remember signs the tab's browser in, as the form does.
func (b *tab) remember(d diner) *tab {
	b.t.Helper()
	b.do(send(network.SetCookie, network.SetCookieParams{Name: "session", Value: d.token, URL: b.url}))
	return b
}

// withoutScript switches JavaScript off.
func (b *tab) withoutScript() *tab {
	b.t.Helper()
	b.do(send(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
	return b
}

// expect lets pages complain of what holds the text.
func (b *tab) expect(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expected = append(b.expected, text)
}

// listen notes what a page complains of: script errors, what its security policy forbids, requests that fail.
func (b *tab) listen(event any) {
	var text string
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		text = "exception: " + e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type != runtime.ConsoleAPICalledTypeError && e.Type != runtime.ConsoleAPICalledTypeWarning {
			return
		}
		text = "console: " + fmt.Sprint(e.Type)
		for _, arg := range e.Args {
			text += " " + string(arg.Value) + arg.Description
		}
	case *log.EventEntryAdded:
		if e.Entry.Level != log.EntryLevelError && e.Entry.Level != log.EntryLevelWarning {
			return
		}
		text = fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL)
	case *network.EventLoadingFailed:
		if e.Canceled { // the page was left, or its stream closed
			return
		}
		text = fmt.Sprintf("request: %s %s %s", e.Type, e.ErrorText, e.BlockedReason)
	default:
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.complaints = append(b.complaints, text)
}

// complain fails the test for complaints that nobody expected.
func (b *tab) complain() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, text := range b.complaints {
		known := false
		for _, part := range b.expected {
			known = known || strings.Contains(text, part)
		}
		if !known {
			b.t.Errorf("a page complains: %s", text)
		}
	}
}
