package views_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"lunchgo/views/pages"
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
	const part = e.closest("main, footer, .nav-bottom, .nav-top, header, .skip-link, .toasts");
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
		must(b.t, chromedp.Do(b.ctx, chromedp.KeyEvent("\t")))
		at, err := chromedp.Run(b.ctx, chromedp.Evaluate[focus](focused))
		must(b.t, err)
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
	for _, page := range []string{"wallet", "restaurant", "reservations-waits", "booking", "booking-newer", "staff-slot",
		"coupons"} {
		b.open(s.URL + "/ko/" + page)
		places := b.tabThrough()
		if len(places) <= 8 {
			t.Fatalf("%s: %d places, want more than 8", page, len(places))
		}
		left := false // the content, for the navigation
		for _, at := range places {
			if at.Covered != "" {
				t.Errorf("%s: %s is covered by %s", page, at.Tag, at.Covered)
			}
			if strings.Contains(at.Part, "nav-top") {
				t.Errorf("%s: %s is in %s", page, at.Tag, at.Part)
			}
			if left && at.Part != "site-nav nav-bottom" {
				t.Errorf("%s: %s comes after the navigation", page, at.Tag)
			}
			left = left || at.Part == "site-nav nav-bottom"
		}
		if want := !strings.HasPrefix(page, "booking"); left != want { // there is one thing to be finished there
			t.Errorf("%s: the navigation can be reached: %v, want %v", page, left, want)
		}
		if places[0].Part != "skip-link" {
			t.Errorf("%s: the first place is %s", page, places[0].Part)
		}
	}
}

// On a wide screen the one navigation is in the header, before the content.
func TestFocus_BeginsWithTheNavigationOnAWideScreen(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	b.open(s.URL + "/ko/wallet")
	must(t, chromedp.Do(b.ctx, chromedp.EmulateViewport(1280, 900)))
	var order []string
	for _, at := range b.tabThrough() {
		if len(order) == 0 || order[len(order)-1] != at.Part {
			order = append(order, at.Part)
		}
		if at.Covered != "" {
			t.Errorf("%s is covered by %s", at.Tag, at.Covered)
		}
	}
	want := []string{"skip-link", "site-header", "site-nav nav-top", "site-header", "main narrow", "site-footer"}
	if !slices.Equal(order, want) {
		t.Errorf("order %q, want %q", order, want)
	}
}

// A toast covers nothing of the page it speaks of, and stays until it has been read.
func TestToasts_CoverNothing(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	for _, width := range []int64{390, 1280} {
		b.open(s.URL + "/ko/reservation-changed")
		must(t, chromedp.Do(b.ctx, chromedp.EmulateViewport(width, 700)))
		b.until(
			`document.querySelector(".toast p").textContent.includes("변경했습니다") && document.querySelector(".toast-close") !== null`)
		b.until(
			`document.querySelector(".toast").getBoundingClientRect().bottom <= document.querySelector("main").getBoundingClientRect().top`)
		b.until(
			`document.querySelector(".toast").getBoundingClientRect().top >= document.querySelector(".site-header").getBoundingClientRect().bottom`)
		b.click(`.toast-close`)
		b.until(`document.querySelector(".toast") === null`)
	}
}

// TestUnconfirmed_IsOneLine looks at the reminder on a phone; the page of the address has what it does not say.
func TestUnconfirmed_IsOneLine(t *testing.T) {
	t.Parallel()
	s, b := newSite(t), newTab(t)
	for _, lang := range []string{"ko", "en"} {
		page := samples(lang)["email-unconfirmed"]
		holds(t, rendered(t, page), `action="/account/email/confirmation"`, `class="notice notice-warning unconfirmed"`)
		b.open(s.URL + "/" + lang + "/email-unconfirmed")
		b.until(`document.querySelector(".unconfirmed").offsetHeight <= 48 &&
			document.querySelector(".unconfirmed a").getClientRects().length === 1`)
	}
}

// An owner finds the way in at the top of the home page; staff, who are in, and readers of other pages do not.
func TestHeader_LeadsOwnersIn(t *testing.T) {
	t.Parallel()
	const way = `for-restaurants" href="/staff"`
	page := search("en")
	lacks(t, rendered(t, pages.Search(page)), way)
	page.IsStaff = false
	holds(t, rendered(t, pages.Search(page)), way)
	page.Path = "/?party=4"
	holds(t, rendered(t, pages.Search(page)), way)
	page.Path = "/wallet"
	lacks(t, rendered(t, pages.Search(page)), way)
}
