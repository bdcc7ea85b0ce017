package views_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// unsafeFocus names the dialogs of a page in which the focus does not begin on the button that changes nothing.
const unsafeFocus = `[...document.querySelectorAll("dialog")].filter(dialog => {
	dialog.showModal();
	const focused = document.activeElement;
	dialog.close();
	return !(dialog.contains(focused) && focused.matches("form[method=dialog] button"));
}).map(dialog => dialog.id)`

// A dialog asks before something that cannot be undone: Enter pressed by mistake must change nothing.
func TestDialogs_FocusTheSafeChoice(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	seen := 0
	for name, page := range samples("ko") {
		n := strings.Count(rendered(t, page), "<dialog ")
		if n == 0 {
			continue
		}
		seen += n
		b.open(s.URL + "/ko/" + name)
		b.until(`document.activeElement.closest("dialog") === null`)
		wrong, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string](unsafeFocus))
		must(t, err)
		none(t, name, wrong)
	}
	if seen < 3 { // leaving the line, two cancellations
		t.Errorf("%d dialogs, want at least 3", seen)
	}
}
