package views_test

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"lunchgo/app/booking"
	"lunchgo/app/favourites"
	"lunchgo/app/legal"
	"lunchgo/app/setup"
	"lunchgo/app/wallet"
	"lunchgo/views"
	"lunchgo/views/i18n"
	"lunchgo/views/pages"
)

func search(lang string) views.Search {
	form := views.SearchForm{Date: "2026-11-21", Time: "19:00", Party: "2"}
	s := views.Search{
		Layout: layout(lang, "/"), Listing: views.HomeListing(lang, "https://lunchgo.example"), FirstDate: evening, LastDate: evening.AddDate(0, 0, 30),
		Times: []time.Time{evening.Add(-time.Hour), evening, evening.Add(time.Hour)},
		Districts: []views.Choice{{Value: "jongno", Label: pick(lang, "종로", "Jongno")},
			{Value: "gangnam", Label: pick(lang, "강남", "Gangnam")}},
		Cuisines: []views.Choice{{Value: "korean", Label: pick(lang, "한식", "Korean")}},
		Results:  views.SearchResults{Lang: lang, Form: form, Date: evening, At: "19:00", Party: 2, MaxParty: 20},
	}
	s.Results.Chips = []views.Chip{{Label: pick(lang, "지금", "Now"), URL: "/"}, {Label: pick(lang, "오늘 저녁", "Tonight"), URL: "/"}}
	for _, key := range []string{"gangnam", "jongno", "mapo", "seocho", "yongsan"} {
		s.Results.Chips = append(s.Results.Chips, views.Chip{Label: i18n.Label(lang, "district", key), URL: "/"})
	}
	for _, key := range []string{"chinese", "french", "indian", "italian", "japanese", "korean", "vietnamese"} {
		s.Results.Chips = append(s.Results.Chips,
			views.Chip{Label: i18n.Label(lang, "cuisine", key), URL: "/", On: key == "korean"})
	}
	for band := 1; band <= booking.MaxPriceBand; band++ {
		s.Results.Chips = append(s.Results.Chips, views.Chip{Label: i18n.PriceBand(lang, band), URL: "/"})
	}
	for i, picture := range setup.Dishes() {
		r := *rated()
		r.Rating.Stars, r.Rating.Reviews = r.Rating.Stars*int64(i%3), r.Rating.Reviews*(i%3) // some have none
		r.Slug, r.Picture = "r"+strconv.Itoa(i), picture
		r.DepositTiers = r.DepositTiers[i%3 : i%3+1]
		card := views.RestaurantCard{Of: &r, Slots: slots()[:5], More: i}
		card.Nearest = card.Slots[4].At
		if i == 2 {
			card.Slots = nil
		}
		s.Results.Cards = append(s.Results.Cards, card)
	}
	return s
}

func month(lang string) views.Month {
	first := time.Date(2026, 11, 1, 0, 0, 0, 0, seoul)
	m := views.Month{Lang: lang, Slug: "sol-bap", Party: 2, First: first, Selected: evening,
		Today: evening.AddDate(0, 0, -2), Next: true}
	for day := -6; day < 36; day++ { // November 2026 begins on a Sunday
		state := views.DayOpen
		switch {
		case day < 18 || day%7 == 1:
			state = views.DayClosed
		case day%5 == 0:
			state = views.DayFew
		case day%6 == 4:
			state = views.DayFull
		}
		m.Days = append(m.Days, views.Day{Date: first.AddDate(0, 0, day), State: state})
	}
	return m
}

// opensLater is the page of a restaurant with a day that its rule has not opened yet.
func opensLater(r views.Restaurant) views.Restaurant {
	of := *r.Of
	of.OpeningRule = booking.OpeningRule{Kind: booking.OpensMonthly, Day: 1, Time: "10:00", Draw: true}
	r.Of = &of
	r.Day.Slots = slots()
	for i := range r.Day.Slots {
		r.Day.Slots[i].State = views.SlotOpen
		r.Day.Slots[i].Steering = views.Steering{OpensAt: evening.AddDate(0, 0, 12), Draw: true, Now: evening}
	}
	r.Month.Days = slices.Clone(r.Month.Days)
	for i := range r.Month.Days {
		if r.Month.Days[i].State == views.DayOpen && i > 24 {
			r.Month.Days[i].State = views.DayLater
		}
	}
	return r
}

// withServices is the page of a restaurant with lunch and dinner, of stays of their own.
func withServices(lang string, r views.Restaurant) views.Restaurant {
	of := *r.Of
	of.Services = []booking.Service{{Key: "lunch", Name: booking.Text{Ko: "점심", En: "Lunch"},
		Stays: []booking.StayTier{{FromParty: 1, Minutes: 90}, {FromParty: 5, Minutes: 105}}},
		{Key: "dinner", Name: booking.Text{Ko: "저녁", En: "Dinner"},
			Stays: []booking.StayTier{{FromParty: 1, Minutes: 120}}}}
	spans := []booking.Span{{From: "11:30", Last: "13:30", Service: "lunch"},
		{From: "17:00", Last: "21:00", Service: "dinner"}}
	r.Of, r.Hours, r.Day.Hours = &of, nil, nil
	for i, last := range []booking.TimeOfDay{"13:30", "21:00"} {
		r.Day.Hours = append(r.Day.Hours,
			booking.ServiceHours{Service: of.Services[i], Span: spans[i], LastSeating: last})
	}
	for day := range 7 {
		r.Hours = append(r.Hours, views.HoursOfDay{Day: time.Weekday((day + 1) % 7), Periods: r.Day.Hours})
	}
	return r
}

func addBrowsing(lang string, all map[string]templ.Component) {
	rush := views.Rush{Layout: layout(lang, views.RushURL()), Restaurant: head(), People: 1_000,
		IdempotencyKey: "key-1", Staff: views.DemoAccount{Email: "staff@lunchgo.example", Password: "lunchgo-demo"}}
	rush.Restaurant.Capacity = 20
	all["rush"] = pages.Rush(rush)
	rush.Waiting, rush.OpensAt, rush.LineURL = 412, evening, views.StaffLineURL(1, evening)
	all["rush-on"] = pages.Rush(rush)
	found := search(lang)
	found.HasRush, found.IsStaff = true, false
	found.Results.Cards = found.Results.Cards[:6]
	found.Results.Pager = views.Pager{Lang: lang, Next: "/?after=x"}
	all["search"] = pages.Search(found)
	addWaits(lang, all)
	addSteered(lang, all)
	found.Layout = views.Layout{Lang: lang, Path: "/",
		Flash: views.Flash{Kind: views.FlashInfo, Message: found.T("flash.signed_out")}}
	found.Results.Cards = nil
	found.Results.Form.Words, found.Results.Form.District, found.Results.Form.Party = "피자", "jongno", "40"
	found.Results.Errors = views.FieldErrors{views.FieldParty: found.T("fault.out_of_range", "Min", 1, "Max", 20)}
	all["search-none"] = pages.Search(found)
	hours := []views.HoursOfDay{}
	for day := range 7 {
		periods := []booking.ServiceHours{{Span: booking.Span{From: "11:30", Last: "13:30"}},
			{Span: booking.Span{From: "17:00", Last: "21:00"}}}
		if day == 0 {
			periods = nil
		}
		hours = append(hours, views.HoursOfDay{Day: time.Weekday((day + 1) % 7), Periods: periods})
	}
	all["restaurant"] = pages.Restaurant(views.Restaurant{
		Layout:  layout(lang, "/restaurants/sol-bap"),
		Listing: views.RestaurantListing(lang, "https://lunchgo.example", rated()), Of: rated(), Hours: hours,
		Menu: menu(lang), Month: month(lang),
		Other: []views.OtherDay{{Date: evening.AddDate(0, 0, 9),
			Periods: []booking.ServiceHours{{Span: booking.Span{From: "11:30", Last: "14:00"}}}},
			{Date: evening.AddDate(0, 0, 12), Reason: pick(lang, "김장하는 날", "Kimchi day")}},
		Day:     views.DaySlots{Lang: lang, Slug: "sol-bap", Date: evening, Party: 2, Slots: slots()},
		Reviews: reviewList(lang),
	})
	kept := views.Restaurant{Layout: layout(lang, "/restaurants/sol-bap"), Saved: true, Of: rated(),
		Listing: views.RestaurantListing(lang, "https://lunchgo.example", rated()), Month: month(lang),
		Day: views.DaySlots{Lang: lang, Slug: "sol-bap", Date: evening, Party: 2, Slots: slots()}}
	all["restaurant-saved"] = pages.Restaurant(kept)
	all["restaurant-opening"] = pages.Restaurant(opensLater(kept))
	all["restaurant-services"] = pages.Restaurant(withServices(lang, kept))
	saved := views.Favourites{Layout: layout(lang, views.FavouritesURL())}
	all["favourites-none"] = pages.Favourites(saved)
	saved.Saved = []favourites.Saved{
		{Restaurant: rated(), Favourite: favourites.Favourite{RestaurantID: 1, Name: rated().Name}},
		{Favourite: favourites.Favourite{RestaurantID: 2, Name: head().Name}}}
	all["favourites"] = pages.Favourites(saved)
	framed := views.Restaurant{Layout: views.Layout{Lang: lang}, Of: head(),
		Day: views.DaySlots{Lang: lang, Slug: "sol-bap", Date: evening, Party: 2, Slots: slots()}}
	framed.Month.Today = evening
	all["widget"] = pages.Widget(views.Widget{Restaurant: framed})
	form := bookingPage(lang)
	all["booking"] = pages.Booking(form)
	form.Coupons = []views.CouponChoice{{ID: 7, CouponHead: couponHead(lang)}, {ID: 8, CouponHead: menuCoupon(lang)}}
	form.Form.Coupon = "7"
	all["booking-coupon"] = pages.Booking(form)
	form.Form.Coupon = "8"
	form.Errors = views.FieldErrors{views.FieldCoupon: form.T("fault.coupon_useless")}
	all["booking-coupon-refused"] = pages.Booking(form)
	form = bookingPage(lang)
	form.Form.Time, form.Form.Party = "", "90"
	form.Errors = views.FieldErrors{
		views.FieldParty: form.T("fault.party", "Min", 1, "Max", 8), views.FieldTime: form.T("fault.invalid_time"),
		views.ItemField(2): form.T("fault.out_of_range", "Min", 0, "Max", 3),
		views.FieldNote:    form.T("fault.too_long", "Max", 500),
	}
	form.Dishes.Errors = views.FieldErrors{views.ItemField(2): form.Errors[views.ItemField(2)]}
	all["booking-errors"] = pages.Booking(form)
	form = bookingPage(lang)
	form.Problem = &views.BookingProblem{Kind: views.OutcomeSoldOut, Remaining: 1,
		Alternatives: outcome(lang, views.OutcomeSoldOut).Alternatives}
	all["booking-sold-out"] = pages.Booking(form)
	form.Problem = &views.BookingProblem{Kind: views.OutcomeOutOfStock, Items: shortDishes(lang)}
	all["booking-out-of-stock"] = pages.Booking(form)
	free := *form.Restaurant
	free.DepositTiers = []booking.DepositTier{{FromParty: 1, Kind: booking.NoDeposit}}
	form.Problem, form.Restaurant = nil, &free
	stranger := form
	stranger.Layout.SignedInName, stranger.SignInURL = "", views.SignInURL("/")
	stranger.SignedOut, stranger.Form.Name, stranger.Form.Email = true, "Kim", "kim@"
	stranger.Form.Quantities, stranger.Form.Note = nil, ""
	stranger.Errors = views.FieldErrors{views.FieldEmail: form.T("fault.invalid_email")}
	stranger.Consent = asks(lang, "legal.by_booking")
	all["booking-stranger"] = pages.Booking(stranger)
	all["booking-free"] = pages.Booking(form)
	form = bookingPage(lang)
	form.Consent = asks(lang, "legal.by_booking", legal.Terms)
	all["booking-newer"] = pages.Booking(form)
	form = bookingPage(lang)
	form.CannotTopUp, form.Balance = true, 0
	all["booking-no-payment"] = pages.Booking(form)
	form = bookingPage(lang)
	form.Slots = nil
	all["booking-closed"] = pages.Booking(form)
}

func bookingPage(lang string) views.Booking {
	return views.Booking{
		Layout: layout(lang, "/restaurants/sol-bap/book"), Restaurant: head(),
		Form: views.BookingForm{
			Date: "2026-11-21", Time: "19:00", Party: "2", Quantities: map[int64]string{1: "2", 4: "1"},
			Note: hostile, IdempotencyKey: "key-1",
		},
		Day: evening, FirstDate: evening, LastDate: evening.AddDate(0, 0, 30), Slots: slots(), Party: 2,
		Dishes: views.Dishes{Lang: lang, Slug: "sol-bap", Day: evening, At: "19:00", Menu: menu(lang), MaxQuantity: 20,
			Quantities: map[int64]string{1: "2", 4: "1"}},
		MenuTotal: 48_000, MaxNote: 500,
	}
}

func chargeForm(lang string) views.ChargeForm {
	return views.ChargeForm{
		Lang: lang, Presets: []int64{10_000, 30_000, 50_000, 100_000}, Min: 1_000, Max: 2_000_000,
		IdempotencyKey: "key-2",
	}
}

func payment(lang string) views.Payment {
	return views.Payment{
		Layout: layout(lang, "/reservations/r1/pay"),
		Booked: views.Booked{ReservationID: "r1", Visit: visit(2)},
		Items:  lines(), Deposit: 20_000, MenuTotal: 48_000, Prepay: 48_000, Kind: views.KindDeposit,
		Charge: chargeForm(lang), Policy: head().Policy,
		HoldExpiresAt: evening.Add(6*time.Minute + 30*time.Second), Now: evening, IdempotencyKey: "key-3",
	}
}

func addReservations(lang string, all map[string]templ.Component) {
	pay := payment(lang)
	pay.MoreMinutes = 5
	all["payment"] = pages.Payment(pay)
	free := payment(lang)
	free.Deposit, free.MenuTotal, free.Prepay, free.Items, free.Extended = 0, 0, 0, nil, true
	all["payment-free"] = pages.Payment(free)
	addPaying(lang, all)
	cheaper := payment(lang)
	cheaper.Deposit, cheaper.Prepay, cheaper.Discount = 0, 28_000,
		booking.Discount{Use: booking.OffDeposit, Amount: 20_000}
	all["payment-coupon"] = pages.Payment(cheaper)
	pay.Balance, pay.Charge.Next = 4_500, views.PayURL("r1")
	pay.Errors = views.FieldErrors{views.FieldForm: pay.T("fault.balance_too_low")}
	all["payment-short"] = pages.Payment(pay)
	pay.Errors, pay.Charge = nil, views.ChargeForm{Closed: true}
	all["payment-closed"] = pages.Payment(pay)
	for _, state := range states {
		all["reservation-"+string(state)] = pages.Reservation(reservation(lang, state))
	}
	late := reservation(lang, booking.Expired)
	late.RefundAmount = late.PaidAmount
	all["reservation-returned"] = pages.Reservation(late)
	cancel := views.Cancel{
		Layout: layout(lang, "/reservations/r1/cancel"),
		Booked: views.Booked{ReservationID: "r1", Visit: visit(2)},
		Paid:   20_000, Offer: views.CancelOffer{Refund: 14_000, Percent: 70, Coupon: true},
	}
	all["cancel"] = pages.Cancel(cancel)
	cancel.Changed = true
	all["cancel-changed"] = pages.Cancel(cancel)
	rows := []views.ReservationRow{}
	for i, state := range states {
		rows = append(rows, views.ReservationRow{
			ID: "r" + strconv.Itoa(i), State: state,
			Visit:         views.Visit{Restaurant: head(), At: evening.AddDate(0, 0, i), Party: 2 + i},
			HoldExpiresAt: evening.Add(7 * time.Minute), Reviewable: state == booking.Completed,
		})
	}
	keep := views.Keep{Session: "S", Pages: []string{"/reservations", "/reservations/r1", "/offline"}, At: evening}
	all["reservations"] = pages.Reservations(views.Reservations{Layout: layout(lang, "/reservations"), Keep: keep,
		Upcoming: rows[:3], Past: rows[3:]})
	kept := reservation(lang, booking.Confirmed)
	kept.Keep = keep
	all["reservation-copy"] = copyOf{pages.Reservation(kept)}
	kept.PartySize, kept.ForOthers = 3, "https://lunchgo.example/with/cjI6MjAyNi0xMS0yOHwxOTowMA.3s4yCDsxgDSwlQ3phbdrPg"
	kept.Companions = []booking.Companion{{Name: pick(lang, "지민", "Jimin"), Allergies: pick(lang, "새우", "Shrimp")},
		{Allergies: hostile}}
	all["reservation-companions"] = pages.Reservation(kept)
	invited := views.Companion{Layout: layout(lang, "/with/T"), Token: "T", Open: true, Visit: visit(3),
		GoogleURL: "https://calendar.google.com/"}
	invited.Until = evening.Add(2 * time.Hour)
	all["companion"] = pages.Companion(invited)
	invited.Form.Name, invited.Errors = hostile, views.FieldErrors{views.FieldAllergies: invited.T("fault.required")}
	all["companion-errors"] = pages.Companion(invited)
	coming := views.Coming{Layout: invited.Layout, Token: "T", Open: true,
		Booked: views.Booked{ReservationID: "r", Visit: visit(2)}}
	all["coming"] = pages.Coming(coming)
	coming.Said = true
	all["coming-said"] = pages.Coming(coming)
	all["coming-over"] = pages.Coming(views.Coming{Layout: invited.Layout, Token: "T",
		Booked: views.Booked{ReservationID: "r"}})
	all["companion-over"] = pages.Companion(views.Companion{Layout: layout(lang, "/with/T")})
	all["offline"] = pages.Offline(layout(lang, "/offline"))
	all["reservations-lines"] = pages.Reservations(views.Reservations{Layout: layout(lang, "/reservations"),
		Upcoming: rows[:1], Lines: []views.WaitPlace{place(lang, 12), couponPlace(lang)}})
	justConfirmed := reservation(lang, booking.Confirmed)
	justConfirmed.Cancel = &views.CancelOffer{Refund: 20_000, Percent: 100, FreeUntil: evening.Add(15 * time.Minute)}
	all["reservation-free"] = pages.Reservation(justConfirmed)
	justConfirmed.DepositAmount, justConfirmed.PaidAmount, justConfirmed.Items = 0, 0, nil
	justConfirmed.Discount, justConfirmed.Cancel = booking.Discount{}, &views.CancelOffer{}
	all["reservation-without-deposit"] = pages.Reservation(justConfirmed)
	all["pass"] = pages.Pass(reservation(lang, booking.Confirmed))
	all["pass-seated"] = pages.Pass(reservation(lang, booking.Seated))
	all["reservations-none"] = pages.Reservations(views.Reservations{Layout: layout(lang, "/reservations")})
}

// copyOf is a page as the service worker shows its copy.
type copyOf struct{ page templ.Component }

func (c copyOf) Render(ctx context.Context, w io.Writer) error {
	var page strings.Builder
	if err := c.page.Render(ctx, &page); err != nil {
		return err
	}
	_, err := io.WriteString(w, strings.Replace(page.String(), "<body ", "<body data-copy ", 1))
	return err
}

func reservation(lang string, state booking.State) views.Reservation {
	r := views.Reservation{Layout: layout(lang, "/reservations/r1"), Restaurant: head(), At: evening, Now: evening,
		QR: qr(), Reservation: booking.Reservation{ID: "r1", PartySize: 2, State: state, Items: lines(),
			MenuAmount: 48_000, DepositAmount: 20_000, PaidAmount: 20_000, Note: hostile,
			Allergies: pick(lang, "땅콩", "Peanuts"), HoldExpiresAt: evening.Add(5 * time.Minute), Policy: head().Policy}}
	switch state {
	case booking.PrepaidConfirmed:
		r.PaidAmount, r.Discount = 36_000, booking.Discount{Use: booking.OffMenu, Amount: 12_000}
	case booking.Temporary:
		r.PaidAmount, r.Cancel = 0, &views.CancelOffer{}
	case booking.Confirmed:
		r.Cancel = &views.CancelOffer{Refund: 14_000, Percent: 70}
	case booking.RefundPending, booking.Refunded:
		r.RefundAmount = 14_000
	}
	return r
}

func addAccounts(lang string, all map[string]templ.Component) {
	wallet := views.Wallet{Layout: layout(lang, "/wallet"), Charge: chargeForm(lang),
		Pager: views.Pager{Lang: lang, First: views.WalletURL(), Next: views.WalletURL() + "?after=x"},
		Entries: []views.LedgerEntry{
			{Entry: wallet.Entry{CreatedAt: evening, Kind: wallet.KindRefund, Amount: 14_000, BalanceAfter: 128_000, ReservationID: "r1"},
				Restaurant: head().Name.In(lang)},
			{Entry: wallet.Entry{CreatedAt: evening.Add(-time.Hour), Kind: wallet.KindDeposit, Amount: -20_000, BalanceAfter: 114_000, ReservationID: "r1"},
				Restaurant: head().Name.In(lang)},
			{Entry: wallet.Entry{CreatedAt: evening.Add(-2 * time.Hour), Kind: wallet.KindPrepay, Amount: -66_000, BalanceAfter: 134_000, ReservationID: "r2"}},
			{Entry: wallet.Entry{CreatedAt: evening.AddDate(0, 0, -1), Kind: wallet.KindWithdrawal, Amount: -15_000, BalanceAfter: 200_000}},
			{Entry: wallet.Entry{CreatedAt: evening.AddDate(0, 0, -1), Kind: wallet.KindCharge, Amount: 215_000, BalanceAfter: 215_000}},
		}}
	wallet.Withdrawal = views.WithdrawalForm{Lang: lang, Balance: wallet.Balance, IdempotencyKey: "key-3"}
	all["wallet"] = pages.Wallet(wallet)
	wallet.Withdrawal.Amount = "1000000000000"
	wallet.Withdrawal.Errors = views.FieldErrors{views.FieldWithdrawal: wallet.T("fault.beyond_balance")}
	all["wallet-withdrawal-errors"] = pages.Wallet(wallet)
	wallet.Withdrawal = views.WithdrawalForm{Lang: lang}
	wallet.Entries, wallet.Balance, wallet.Charge.Amount = nil, 0, "5"
	wallet.Charge.Errors = views.FieldErrors{views.FieldAmount: wallet.T("fault.amount", "Min", "1,000", "Max",
		"2,000,000")}
	wallet.Flash = views.Flash{Kind: views.FlashError, Message: wallet.T("fault.balance_limit")}
	all["wallet-errors"] = pages.Wallet(wallet)
	wallet.Flash, wallet.Charge = views.Flash{}, views.ChargeForm{Closed: true}
	all["wallet-closed"] = pages.Wallet(wallet)
	box := views.Mailbox{Layout: layout(lang, views.MailboxURL()), Letters: []views.MailboxLetter{{
		Letter: views.Letter{Lang: lang, Title: wallet.T("mail.confirmed_title"), Lead: wallet.T("mail.reminder_title"),
			Facts: []views.Fact{{Label: wallet.T("mail.restaurant"), Value: head().Name.In(lang)},
				{Label: wallet.T("mail.code"), Value: "K7Q2M5"}},
			URL: views.ReservationURL("r2"), Label: wallet.T("mail.confirmed_button")},
		Subject: wallet.T("mail.confirmed_title"), To: "diner@example.org", At: evening, Calendar: true, IsOld: true,
	}}}
	all["mailbox"] = pages.Mailbox(box)
	box.Letters = nil
	all["mailbox-empty"] = pages.Mailbox(box)
	visitor := views.Layout{Lang: lang, Path: "/signin?next=%2Fwallet"}
	all["signin"] = pages.SignIn(views.SignIn{Layout: visitor, Next: "/wallet", Demo: []views.DemoAccount{
		{Name: pick(lang, "손님", "Diner"), Email: "diner@lunchgo.test", Password: "lunchgo-diner"},
		{Name: pick(lang, "솔밥 매니저", "Manager of Sol Bap"), Email: "staff@lunchgo.test", Password: "lunchgo-staff"},
	}})
	others := []views.SignInProvider{{Name: "kakao", Label: visitor.T("signin.with", "Name", visitor.T("provider.kakao"))},
		{Name: "naver", Label: visitor.T("signin.with", "Name", visitor.T("provider.naver"))}}
	all["signin-others"] = pages.SignIn(views.SignIn{Layout: visitor, Providers: others, Passkeys: true})
	all["signup-others"] = pages.SignUp(views.SignUp{Layout: visitor, Providers: others, MinPassword: 8,
		Consent: asks(lang, "legal.by_signup")})
	all["signin-errors"] = pages.SignIn(views.SignIn{Layout: visitor, Email: "me@x", Errors: views.FieldErrors{
		views.FieldForm: visitor.T("fault.wrong_credentials"),
	}})
	addLinks(lang, visitor, all)
	addVerify(lang, visitor, all)
	addAPI(visitor, all)
	all["signup"] = pages.SignUp(views.SignUp{Layout: visitor, MinPassword: 10, Consent: asks(lang, "legal.by_signup"), Errors: views.FieldErrors{
		views.FieldEmail:    visitor.T("fault.invalid_email"),
		views.FieldPassword: visitor.T("fault.too_short", "Min", 10),
	}})
}

func addErrors(lang string, all map[string]templ.Component) {
	for _, status := range []int{400, 401, 403, 404, 405, 409, 413, 422, 429, 500, 503} {
		e := views.Error{Layout: views.Layout{Lang: lang, Path: "/x"}, Status: status}
		if status == 429 || status == 503 {
			e.RetryAfter = 30
		}
		if status == 500 {
			e.RequestID = "01JD8Z4W3K"
		}
		all["error-"+strconv.Itoa(status)] = pages.Error(e)
		if e.RetryAfter > 0 {
			e.IsForm, e.RetryURL = true, "/restaurants/sol-bap/book?date=2026-11-21&party=2"
			all["error-"+strconv.Itoa(status)+"-form"] = pages.Error(e)
		}
	}
}
