package views_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// focused says of what has the focus whether it is in the bottom navigation, and which bar covers it.
const focused = `(() => {
	const e = document.activeElement;
	const shape = (e.closest("label") ?? e).getBoundingClientRect();
	const covers = bar => {
		const r = bar.getBoundingClientRect();
		return !bar.contains(e) && !e.matches(".skip-link") && r.height > 0 && Math.min(r.bottom, shape.bottom) - Math.max(r.top, shape.top) > 1;
	};
	const bars = [...document.querySelectorAll(".site-header, .nav-bottom, .pay-bar")].filter(covers);
	const part = e.closest("main, .nav-bottom, .nav-top, header, .skip-link, .toasts");
	return {Part: part?.className ?? "", Tag: e.tagName + " " + e.textContent.trim(), Covered: bars.map(b => b.className).join()};
})()`

type focus struct {
	Part    string
	Tag     string
	Covered string
}

// tabThrough presses Tab until the focus has left the page, and returns where it was.
func (b tab) tabThrough() (all []focus) {
	b.t.Helper()
	for range 150 {
		require.NoError(b.t, chromedp.Do(b.ctx, chromedp.KeyEvent("\t")))
		at, err := chromedp.Run(b.ctx, chromedp.Evaluate[focus](focused))
		require.NoError(b.t, err)
		if at.Part == "" || len(all) > 0 && at == all[0] {
			break
		}
		all = append(all, at)
	}
	return all
}

// On a phone, nothing at the edges of the screen covers what has the focus, and the navigation at the bottom comes
// after the content, as it does on the screen.
func TestFocus_StaysInSightOnAPhone(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	for _, page := range []string{"wallet", "restaurant", "reservations-waits", "booking", "staff-slot", "coupons"} {
		b.open(s.URL + "/ko/" + page)
		places := b.tabThrough()
		require.Greater(t, len(places), 8, page)
		left := false // the content, for the navigation
		for _, at := range places {
			assert.Empty(t, at.Covered, "%s: %s", page, at.Tag)
			assert.NotContains(t, at.Part, "nav-top", page)
			assert.False(t, left && at.Part != "site-nav nav-bottom", "%s: %s comes after the navigation", page, at.Tag)
			left = left || at.Part == "site-nav nav-bottom"
		}
		assert.Equal(t, page != "booking", left, "%s: the navigation can be reached, except where there is one thing to be finished", page)
		assert.Equal(t, "skip-link", places[0].Part, page)
	}
}

// On a wide screen the one navigation is in the header, before the content.
func TestFocus_BeginsWithTheNavigationOnAWideScreen(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	b.open(s.URL + "/ko/wallet")
	require.NoError(t, chromedp.Do(b.ctx, chromedp.EmulateViewport(1280, 900)))
	var order []string
	for _, at := range b.tabThrough() {
		if len(order) == 0 || order[len(order)-1] != at.Part {
			order = append(order, at.Part)
		}
		assert.Empty(t, at.Covered, at.Tag)
	}
	assert.Equal(t, []string{"skip-link", "site-header", "site-nav nav-top", "site-header", "main narrow"}, order)
}

// A toast covers nothing of the page it speaks of, and stays until it has been read.
func TestToasts_CoverNothing(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	for _, width := range []int64{390, 1280} {
		b.open(s.URL + "/ko/reservation-confirmed")
		require.NoError(t, chromedp.Do(b.ctx, chromedp.EmulateViewport(width, 700)))
		b.until(`document.querySelector(".toast p").textContent.includes("확정되었습니다") && document.querySelector(".toast-close") !== null`)
		b.until(`document.querySelector(".toast").getBoundingClientRect().bottom <= document.querySelector("main").getBoundingClientRect().top`)
		b.until(`document.querySelector(".toast").getBoundingClientRect().top >= document.querySelector(".site-header").getBoundingClientRect().bottom`)
		b.click(`.toast-close`)
		b.until(`document.querySelector(".toast") === null`)
	}
}
