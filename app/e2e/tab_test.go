package e2e_test

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// do takes steps in the tab, and fails the test when they take too long.
func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatalf("%v\n%s", err, b.describe())
	}
}

// open goes to an address of the product.
func (b *tab) open(path string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.url + path))
}

// click presses the mouse on the first element that fits, once it can be pressed: enabled, and covered by nothing.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.until("nothing is in the way of "+selector, fmt.Sprintf(reachable, selector))
	at := evaluate[[]float64](b, fmt.Sprintf(middle, selector))
	b.do(chromedp.MouseClickXY(at[0], at[1]))
}

// reachable scrolls an element to where it can be pressed and says whether it can. The label of a field is as good as
// the field: fields may be drawn by their labels.
const reachable = `(() => {
	const element = document.querySelector(%q);
	if (!element || element.disabled) return false;
	const form = element.closest("form");
	if (form?.matches(".htmx-request, :has(.htmx-request)")) return false; // what comes moves it
	element.scrollIntoView({ block: "center", behavior: "instant" });
	const box = element.getBoundingClientRect();
	const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
	return hit !== null && (element.contains(hit) || [...(element.labels ?? [])].some((label) => label.contains(hit)));
})()`

// middle is the point of an element at which it is pressed.
const middle = `(() => {
	const box = document.querySelector(%q).getBoundingClientRect();
	return [box.x + box.width / 2, box.y + box.height / 2];
})()`

// enter types into a field, over what is in it, as an input method does.
func (b *tab) enter(selector, text string) {
	b.t.Helper()
	b.click(selector)
	evaluate[chromedp.Void](b, fmt.Sprintf(`document.querySelector(%q).select()`, selector))
	b.do(send(input.InsertText, input.InsertTextParams{Text: text}))
}

// choose gives a field its value as a picker does, where keys would depend on the browser's language.
func (b *tab) choose(selector, value string) {
	b.t.Helper()
	evaluate[chromedp.Void](b, fmt.Sprintf(`(() => {
		const field = document.querySelector(%q);
		field.value = %q;
		for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
	})()`, selector, value))
}

// openSearch shows the search form.
func (b *tab) openSearch() {
	b.t.Helper()
	b.click(".search-pill")
}

// evaluate returns the value of an expression in the page.
func evaluate[T any](b *tab, expression string) T {
	b.t.Helper()
	value, err := try[T](b, expression)
	if err != nil {
		b.t.Fatalf("%s: %v\n%s", expression, err, b.describe())
	}
	return value
}

// try is evaluate for a page that may be about to go.
func try[T any](b *tab, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// until waits until a condition holds in the page, whichever page that is by then. It looks less often the longer it
// waits: every look costs the browser something, on a machine where that may be what it waits for.
func (b *tab) until(what, condition string) {
	b.t.Helper()
	deadline := time.After(patience)
	for pause := lookEvery; ; pause = min(pause*3/2, 10*lookEvery) {
		if ok, err := try[bool](b, "Boolean("+condition+")"); err == nil && ok {
			return
		}
		select {
		case <-time.After(pause):
		case <-deadline:
			b.t.Fatalf("after %s still not: %s\n%s", patience, what, b.describe())
		}
	}
}

// untilAt waits until the tab is at an address that begins so, or at the home page, whose path every other begins with.
func (b *tab) untilAt(path string) {
	b.t.Helper()
	b.until("the tab is at "+path, fmt.Sprintf(`document.readyState === "complete" &&
		(location.pathname === %[1]q || %[1]q !== "/" && location.pathname.startsWith(%[1]q))`, path))
}

// untilSays waits until an element holds a text.
func (b *tab) untilSays(selector, text string) {
	b.t.Helper()
	b.until(selector+" says "+text, fmt.Sprintf(`document.querySelector(%q)?.textContent.includes(%q)`, selector, text))
}

// exists is the condition that there is an element that fits.
func exists(selector string) string {
	return fmt.Sprintf(`document.querySelector(%q) !== null`, selector)
}

// path is where the tab is, without the query.
func (b *tab) path() string {
	b.t.Helper()
	return evaluate[string](b, "location.pathname")
}

// text is what the first element that fits says.
func (b *tab) text(selector string) string {
	b.t.Helper()
	return strings.TrimSpace(evaluate[string](b, fmt.Sprintf(`document.querySelector(%q).textContent`, selector)))
}

// mark leaves a sign in the page that is gone once another page is loaded.
func (b *tab) mark() {
	b.t.Helper()
	evaluate[chromedp.Void](b, `void (window.stillHere = true)`)
}

// mustBeMarked fails the test if the page was loaded again since mark.
func (b *tab) mustBeMarked() {
	b.t.Helper()
	if !evaluate[bool](b, `window.stillHere === true`) {
		b.t.Error("the page was loaded again")
	}
}

// describe tells where the tab is and what it shows, for failures.
func (b *tab) describe() string {
	shown, err := try[string](b, `location.href + "\n" + document.body.innerText`)
	if err != nil {
		return err.Error()
	}
	return shown
}

// signIn signs the diner in by the form.
func (b *tab) signIn(email, password string) {
	b.t.Helper()
	b.enter("#field-email", email)
	b.enter("#field-password", password)
	b.click("form.panel button")
	b.until("somebody is signed in", exists(`form[action="/signout"]`))
}
