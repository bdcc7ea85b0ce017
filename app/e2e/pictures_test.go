package e2e_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"lunchgo/app/seed"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// TestPictures takes the pictures of the README into E2E_SCREENSHOTS, as a screen shows them: a busy evening, and a
// line that has moved.
func TestPictures(t *testing.T) {
	if os.Getenv("E2E_SCREENSHOTS") == "" {
		t.Skip("pictures are taken with E2E_SCREENSHOTS=folder")
	}
	t.Parallel()
	p := newProduct(t)
	s := p.freeSlot("sotbul", 2)
	s.date = time.Now().In(seoul).AddDate(0, 0, 1).Format(time.DateOnly)
	var evening []slot
	for p.fill(&s, s.date) {
		evening = append(evening, s)
	}
	if len(evening) == 0 {
		t.Fatal("tomorrow has no empty time")
	}
	s = evening[len(evening)-1]
	p.fillEvening(evening)
	line := p.holdLine(s, 16)

	b := p.newVisitor(phoneEn).newTab().remember(p.newDiner(0))
	b.do(chromedp.EmulateViewport(phoneEn.width, phoneEn.height, chromedp.EmulateMobile, chromedp.EmulateScale(2)))
	b.open(views.SearchURL(views.SearchForm{Date: s.date, Party: "2", District: "gangnam"}))
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#results").scrollIntoView()`))
	b.picture("search-390")
	b.open(views.BookURL(s.slug, s.at, s.party))
	b.click(".pay-bar button")
	b.untilAt("/tickets/")
	b.untilPlace("en", 17, 17)
	line.join(9)
	for range 5 {
		line.leave()
		line.next()
	}
	b.untilPlace("en", 12, 21)
	b.picture("waiting-390")

	staff := p.newVisitor(desktopEn).newTab().remember(p.account(seed.StaffEmail))
	staff.do(chromedp.EmulateViewport(820, 1024))
	staff.open(views.EveningAddress{RestaurantID: s.restaurantID, Day: s.at, Tab: views.TabGuests}.URL())
	staff.until("the evening's list shows the line",
		`document.querySelector(".tonight-totals .hot") && document.querySelector(".party")`)
	staff.picture("staff-820")
}

// fillEvening has diners book tables for four: more of them the later it is, and some have not paid yet.
func (p *product) fillEvening(evening []slot) {
	p.t.Helper()
	tokens := p.seedDiners(8 * len(evening))
	_, err := p.db.ExecContext(p.t.Context(), `
		UPDATE users
		SET name = ('{김서윤,이도현,Emma Larsen,박지민,최하은,정우진,한소희}'::text[])[1 + substr(name, 7)::int % 7]
		WHERE name LIKE 'Diner %'`)
	dbtest.Must(p.t, err)
	for i, s := range evening {
		s.party = 4
		for n := range min(2*i+1, 8) {
			diner{product: p, token: tokens[8*i+n]}.reserve(s, n%4 != 1)
		}
	}
}

// picture takes what the screen shows.
func (b *tab) picture(name string) {
	b.t.Helper()
	shown, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	dbtest.Must(b.t, err)
	dbtest.Must(b.t, os.MkdirAll(os.Getenv("E2E_SCREENSHOTS"), 0o755))
	dbtest.Must(b.t, os.WriteFile(filepath.Join(os.Getenv("E2E_SCREENSHOTS"), name+".png"), shown, 0o644))
}
