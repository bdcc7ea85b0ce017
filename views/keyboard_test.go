package views_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"lunchgo/views/pages"
)

// mostTabs is how often somebody presses the Tab key at most, from the top of a page to its first time to book.
const mostTabs = 15

// tabsTo presses the Tab key until an element that fits has the focus, and returns how often; beyond the most it gives
// up.
func (b tab) tabsTo(selector string) (n int) {
	b.t.Helper()
	for n = 1; n <= mostTabs; n++ {
		b.press("Tab")
		at := fmt.Sprintf(`document.activeElement.matches(%q)`, selector)
		if found, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool](at)); found || err != nil {
			must(b.t, err)
			return n
		}
	}
	return n
}

// A keyboard comes soon to what people are here for, and past the chips and the days one by one only by its arrows.
func TestKeyboard_ComesSoonToTheTimes(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, page := range []string{"search", "restaurant", "restaurant-services"} {
		for _, width := range []int64{390, 820, 1280} {
			b := newTab(t)
			must(t, chromedp.Do(b.ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(s.URL+"/ko/"+page)))
			b.until(`document.querySelector("[data-rove] [tabindex='0']") !== null`)
			n := b.tabsTo(`a.slot[href*="/book?"]`)
			t.Logf("%s at %d: %d tabs", page, width, n)
			if n > mostTabs {
				t.Errorf("%s at %d: more than %d tabs to the first time", page, width, mostTabs)
			}
		}
	}
}

// A keyboard may pass what is above the restaurants that were found, and the next stop is the first of them.
func TestKeyboard_SkipsToTheResults(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	b.open(s.URL + "/ko/search")
	b.until(`document.querySelector("[data-rove] [tabindex='0']") !== null`)
	b.press("Tab")
	b.until(`document.activeElement.textContent === "검색 결과로 건너뛰기" &&
		document.activeElement.getBoundingClientRect().top >= 0`)
	must(t, chromedp.Do(b.ctx, chromedp.KeyEvent(kb.Enter)))
	b.until(`document.activeElement.id === "results-title"`)
	b.until(`document.activeElement.getBoundingClientRect().top >= document.querySelector(".site-header").offsetHeight`)
	b.press("Tab")
	b.until(`document.activeElement === document.querySelector(".restaurant-card a")`)
}

// The control: without the script each link is a stop of its own.
func TestKeyboard_CountsWhatIsInTheWay(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	b.disableScript()
	b.open(s.URL + "/ko/search")
	if n := b.tabsTo(`a.slot[href*="/book?"]`); n <= mostTabs {
		t.Errorf("%d tabs past %d chips", n, 18)
	}
}

// The arrows move within a group, whose stop is then where they left it.
func TestChips_AreOneStop(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	b.open(s.URL + "/ko/search")
	b.until(`document.querySelector(".chips [tabindex='0']").getAttribute("aria-current") === "true"`)
	b.run(`document.querySelector(".chips [tabindex='0']").focus()`)
	for key, at := range map[string]string{"End": "lastElementChild", "Home": "firstElementChild"} { // in any order
		b.press(key)
		b.until(`document.activeElement === document.querySelector(".chips").` + at)
	}
	b.press("Home")
	b.press("ArrowRight")
	b.until(`document.activeElement === document.querySelectorAll(".chip")[1]`)
	b.until(`document.querySelectorAll(".chips [tabindex='0']").length === 1 && document.activeElement.tabIndex === 0`)
}

// The search form lies over the page at every width, without a script too, and goes when it is sent.
func TestSearch_OpensOverThePage(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	sent := make(chan string, 9)
	s.mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		sent <- r.Header.Get("HX-Request")
		must(t, pages.SearchPart(search("ko").Results).Render(r.Context(), w))
	})
	const below = `document.querySelector(".results").getBoundingClientRect().top`
	for _, scripted := range []bool{true, false} {
		for _, width := range []int64{390, 820, 1280} {
			b := newTab(t)
			if !scripted {
				b.disableScript()
			}
			must(t, chromedp.Do(b.ctx, chromedp.EmulateViewport(width, 844), chromedp.Navigate(s.URL+"/ko/search")))
			b.until(`document.querySelector("#field-date").offsetHeight === 0`)
			b.until(fmt.Sprintf(`(document.title = %s, true)`, below))
			b.click(".search-pill")
			b.until(`document.querySelector("#search-sheet").matches(":popover-open")`)
			b.until(`document.querySelector("#search-sheet").getBoundingClientRect().bottom <= innerHeight`)
			b.until(below + ` === Number(document.title)`)
			if dir := os.Getenv("SHOTS"); dir != "" && scripted {
				shoot(b.ctx, t, filepath.Join(dir, fmt.Sprintf("search-sheet-%d.png", width)))
			}
			b.click(".search-submit")
			if scripted {
				b.receives(sent, "true")
				b.until(`document.querySelector("#search-sheet").offsetHeight === 0`)
			} else {
				b.receives(sent, "")
			}
		}
	}
}

// A link to a field that is to be mended opens the sheet that it lies in.
func TestSearch_LeadsToTheFieldOfAnError(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	b.open(s.URL + "/ko/search-none") // a whole page with an error shows the form
	b.until(`document.querySelector("#field-party").offsetHeight > 0`)
	b.open(s.URL + "/ko/search")
	b.run(`document.querySelector("#results").innerHTML = '<a id="fault" href="#field-party">1</a>'`)
	b.click("#fault")
	b.until(`document.activeElement.id === "field-party"`)
}

// More restaurants come below those that are shown, and the first of them has the focus.
func TestSearch_ShowsMore(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	s.mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		more := search("ko").Results
		more.Cards, more.IsMore, more.Pager.First = more.Cards[6:9], true, "/"
		must(t, pages.SearchResults(more).Render(r.Context(), w))
	})
	b.open(s.URL + "/ko/search")
	b.until(`document.querySelector("#more").getBoundingClientRect().bottom < 1900`)
	b.until(`document.querySelector(".restaurant-card").getBoundingClientRect().top < 400`)
	b.click("#more a")
	b.until(`document.querySelectorAll(".cards > article").length === 9 && !document.querySelector("#more")`)
	b.until(`document.activeElement === document.querySelectorAll(".card-title a")[6]`)
	b.until(`location.pathname === "/ko/search" && !document.querySelector(".pager")`)
}

// The times of a restaurant begin on the first screen, and the calendar is one row until it is unfolded, by hand or
// because another month is looked at.
func TestRestaurant_ShowsItsTimesFirst(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	b.disableScript()
	for _, width := range []int64{390, 820, 1280} {
		must(t, chromedp.Do(b.ctx, chromedp.EmulateViewport(width, 844), chromedp.Navigate(s.URL+"/ko/restaurant")))
		b.until(`document.querySelector("#slots a.slot").getBoundingClientRect().bottom < innerHeight - 64`)
		b.until(`document.querySelectorAll("[name=date]:not([type=hidden])").length === 0`)
	}
	const rows = `[...document.querySelectorAll(".month tbody tr")].filter((row) => row.offsetHeight > 0).length`
	b.until(rows + ` === 1`)
	b.click(".month-fold summary")
	b.until(rows + ` === 3`)
}

// On a phone the chosen day and the way back to its times stay at hand.
func TestRestaurant_KeepsTheDayAtHand(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := newTab(t)
	b.open(s.URL + "/ko/restaurant")
	b.run(`document.querySelector("#policy-title").scrollIntoView()`)
	b.until(`document.elementFromPoint(100, 70).closest("#chosen-day") !== null`)
	b.until(`document.querySelector("#policy-title").getBoundingClientRect().top >=
		document.querySelector("#chosen-day").getBoundingClientRect().bottom`)
	b.click("#chosen-day")
	b.until(`document.querySelector("#slots a.slot").getBoundingClientRect().top > 56 &&
		document.querySelector("#slots a.slot").getBoundingClientRect().bottom < innerHeight`)
}
