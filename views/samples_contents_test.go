package views_test

import (
	"fmt"
	"strconv"

	"github.com/a-h/templ"

	"lunchgo/app/booking"
	"lunchgo/views"
	"lunchgo/views/contents"
	"lunchgo/views/i18n"
)

func addContents(lang string, all map[string]templ.Component) {
	shell := teamShell(lang, "owner")
	shell.Path, shell.Current = views.ContentsMenuURL(7), views.SectionSetup
	list := views.ContentsMenu{StaffShell: shell, Version: "v"}
	aDay := 10
	all["setup-menu-none"] = contents.Menu(list)
	for i, name := range []string{pick(lang, "솔잎 돌솥비빔밥", "Pine stone-pot bibimbap"), hostile,
		pick(lang, "감자전", "Potato pancake")} {
		list.Items = append(list.Items,
			booking.MenuItem{ID: int64(i + 1), Name: booking.Text{Ko: name, En: name}, Category: "main", Price: 17_000,
				Picture: []string{"bibimbap", "", "pub"}[i], DailyQuantity: []*int{nil, &aDay, &aDay}[i]})
	}
	list.Retired = []booking.MenuItem{{ID: 9, Name: booking.Text{Ko: "냉국수", En: "Cold noodles"}, Category: "main",
		Price: 9_000}}
	all["setup-menu"] = contents.Menu(list)
	list.IsDraft = true
	all["setup-menu-draft"] = contents.Menu(list)
	list.IsDraft, list.ReadOnly = false, true
	all["setup-menu-host"] = contents.Menu(list)

	dish := views.ContentsItemForm{StaffShell: shell, ID: "2", Version: "v", MaxMinutes: 720,
		Categories: []views.Choice{{Value: "main", Label: shell.T("category.main")}},
		Pictures: []views.Choice{{Label: shell.T("contents.no_picture")},
			{Value: "pub", Label: shell.T("picture.pub")}}}
	dish.Values = map[string]string{views.FieldNameKo: hostile, views.FieldPrice: "x", views.FieldCategory: "main",
		views.FieldMinutes: "90", views.FieldPicture: "pub"}
	dish.Errors = views.FieldErrors{views.FieldPrice: shell.T("fault.invalid_number")}
	all["setup-dish"] = contents.Item(dish)
	addContentsPicture(lang, all)
	addContentsSeats(lang, all)
	addContentsCoupons(lang, all)
}

func addContentsPicture(lang string, all map[string]templ.Component) {
	page := views.ContentsPicture{StaffShell: teamShell(lang, "owner"), Version: "v", Of: head(), GalleryVersion: "g",
		MaxPhotos: 10,
		Drawings:  []views.Choice{{Value: "sushi", Label: "Sushi"}}}
	page.Path, page.Current, page.IsDraft = views.ContentsPictureURL(7), views.SectionSetup, true
	page.Values = map[string]string{views.FieldPicture: "sushi"}
	all["setup-picture"] = contents.Picture(page)
	page.IsDraft, page.IsUploaded = false, true
	page.Errors = views.FieldErrors{views.FieldFile: page.T("fault.no_file"),
		views.FieldPhoto: page.T("fault.no_file")}
	all["setup-picture-errors"] = contents.Picture(page)
}

func addContentsSeats(lang string, all map[string]templ.Component) {
	page := views.ContentsSeats{StaffShell: teamShell(lang, "owner"), Version: "v"}
	page.Path, page.Current = views.ContentsSeatsURL(7), views.SectionSetup
	page.Values = map[string]string{"width": "0", "height": "0"}
	all["setup-seats-none"] = contents.Seats(page)
	page.Values, page.Room.Floor = map[string]string{"width": "900", "height": "600"}, booking.Floor{Width: 900, Height: 600,
		Fixtures: []booking.Fixture{{Kind: "kitchen", Area: booking.Area{Width: 300, Height: 60}}}}
	page.Fixtures = []int{0}
	for name, n := range map[string]int{"fx": 0, "fy": 0, "fw": 300, "fh": 60} {
		page.Values[name+"-0"] = strconv.Itoa(n)
	}
	page.Values["fkind-0"] = "kitchen"
	for i := range 4 {
		seat := views.Seat{State: booking.SeatFree, Seat: booking.Seat{ID: int64(i + 1), Label: fmt.Sprint("T", i+1),
			Kind: booking.TableSeat, Places: 4, MinParty: 2,
			Area: booking.Area{X: 100 + 200*i, Y: 200, Width: 100, Height: 100}}}
		if i == 3 {
			seat.Kind, seat.Label, seat.Places, seat.MinParty = booking.CounterSeat, "C1", 1, 1
			seat.Area.Width, seat.Area.Height = 50, 50
		}
		page.Rows, page.Room.Seats = append(page.Rows, i), append(page.Room.Seats, seat)
		at := "-" + strconv.Itoa(i)
		page.Values["label"+at], page.Values["kind"+at], page.Values["id"+at] = seat.Label, string(seat.Kind), strconv.Itoa(10+i)
		for name, n := range map[string]int{"places": seat.Places, "min": seat.MinParty, "x": seat.Area.X, "y": seat.Area.Y,
			"w": seat.Area.Width, "h": seat.Area.Height} {
			page.Values[name+at] = strconv.Itoa(n)
		}
	}
	page.Values["partners-0"], page.Values["partners-1"] = "T2", "T1"
	all["setup-seats"] = contents.Seats(page)
	page.Held = []string{page.T("contents.not_saved"), "T1 · 2026-11-21 19:00 · 4"}
	page.Errors = views.FieldErrors{"x-1": page.T("fault.invalid_number")}
	all["setup-seats-errors"] = contents.Seats(page)
	page.Held, page.Errors, page.ReadOnly = nil, nil, true
	all["setup-seats-manager"] = contents.Seats(page)
}

func addContentsCoupons(lang string, all map[string]templ.Component) {
	page := views.ContentsCoupons{StaffShell: teamShell(lang, "owner"), MayChange: true}
	page.Path, page.Current = views.ContentsCouponsURL(7), views.SectionSetup
	page.Values = map[string]string{views.FieldUse: "deposit"}
	all["setup-coupons-none"] = contents.Coupons(page)
	page.Campaigns = []views.ContentsCampaign{
		{ID: 1, Name: hostile, What: page.T("contents.off_deposit", "Amount", i18n.Won(lang, 5_000)), When: "2026", State: page.T("contents.campaign_open"),
			Issued: 12, Total: 100},
		{ID: 2, Name: pick(lang, "지난 행사", "Last month"), What: page.T("contents.off_menu", "Amount", i18n.Won(lang, 3_000)), When: "2026",
			State: page.T("contents.campaign_over"), Issued: 100, Total: 100, IsOver: true},
	}
	page.Errors = views.FieldErrors{views.FieldAmount: page.T("fault.invalid_number")}
	all["setup-coupons"] = contents.Coupons(page)
}
