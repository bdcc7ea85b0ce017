package views_test

import (
	"time"

	"github.com/a-h/templ"

	"lunchgo/views"
	"lunchgo/views/pages"
)

// place is a place in a line at a position.
func place(lang string, position int) views.WaitPlace {
	return views.WaitPlace{Ticket: "T.s", Name: head().Name.In(lang), Picture: "bibimbap", At: evening, Party: 2,
		State: views.WaitOpen, Position: position, Now: evening, Since: evening.Add(-12 * time.Minute)}
}

func couponPlace(lang string) views.WaitPlace {
	return views.WaitPlace{Ticket: "C.s", Name: pick(lang, "점심 5천원 할인", "5,000 won off lunch"), State: views.WaitOpen,
		Now: evening, Since: evening.Add(-time.Minute)}
}

// addWaits adds pages of somebody who waits elsewhere.
func addWaits(lang string, all map[string]templ.Component) {
	held, refused, over := place(lang, 0), place(lang, 0), couponPlace(lang)
	held.State, held.Deadline = views.WaitHeld, evening.Add(7*time.Minute)
	refused.State, refused.Reason = views.WaitRefused, pages.OutcomeTitle(lang, views.OutcomeSoldOut, false)
	over.State = views.WaitDone
	for name, places := range map[string][]views.WaitPlace{
		"open":    {place(lang, 12), place(lang, 340), couponPlace(lang)},
		"next":    {place(lang, 1)},
		"held":    {held, place(lang, 3)},
		"refused": {refused, over},
	} {
		page := views.Reservations{Layout: layout(lang, "/reservations")}
		page.Layout.Waits = views.WaitBar{Lang: lang, Places: places}
		page.Layout.Waits.Live = page.Layout.Waits.Waits()
		all["waits-"+name] = pages.Reservations(page)
	}
}
