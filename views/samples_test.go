package views_test

import (
	"time"

	"github.com/a-h/templ"

	"lunchgo/app/booking"
	board "lunchgo/app/evening"
	"lunchgo/views"
	"lunchgo/views/i18n"
	"lunchgo/views/pages"
	"lunchgo/views/staff"
)

// hostile is a note that must not become markup.
const hostile = `<script>alert("x")</script> 창가 & "조용한" 자리 🙏`

var seoul = time.FixedZone("KST", 9*60*60)

// evening is 7 pm of a Saturday in Seoul; the samples play around it.
var evening = time.Date(2026, 11, 21, 19, 0, 0, 0, seoul)

// visit is of a party that comes in the evening.
func visit(party int) views.Visit { return views.Visit{Restaurant: head(), At: evening, Party: party} }

// pick returns the text of a language, as handlers do with the texts of restaurants.
func pick(lang, ko, en string) string {
	if lang == "en" {
		return en
	}
	return ko
}

func layout(lang, path string) views.Layout {
	return views.Layout{
		Lang: lang, Path: path, SignedInName: pick(lang, "김하늘", "Haneul Kim"), Balance: 128_000, BalanceKnown: true,
		IsStaff: true,
		Company: views.Company{Name: "주식회사 런치고", Representative: "김하늘", Registration: "123-45-67890",
			MailOrder: "2026-서울종로-0123", Address: "서울 종로구 북촌로 12", Phone: "02-123-4567",
			Email: "help@lunchgo.example"},
	}
}

func head() *booking.Restaurant {
	return &booking.Restaurant{
		Photos: []string{"table", "bibimbap", "naengmyeon", "dessert"},
		DepositTiers: []booking.DepositTier{
			{FromParty: 1, Kind: booking.PerPerson, Amount: 10_000}, {FromParty: 5, Kind: booking.NoDeposit},
			{FromParty: 6, Kind: booking.PerParty, Amount: 100_000},
		},
		Policy: booking.Policy{Tiers: []booking.RefundTier{{HoursBefore: 48, Percent: 100},
			{HoursBefore: 24, Percent: 70}, {HoursBefore: 3, Percent: 30}}, FreeCancelMinutes: 15},
		Settings: booking.Settings{Slug: "sol-bap", Name: booking.Text{Ko: "솔밥", En: "Sol Bap"},
			Cuisine: "korean", District: "jongno", Picture: "bibimbap", Phone: "02-123-4567", PriceBand: 2,
			Address:     booking.Text{Ko: "서울 종로구 북촌로 12", En: "12 Bukchon-ro, Jongno-gu, Seoul"},
			Description: booking.Text{Ko: "제철 나물과 갓 지은 솥밥을 내는 북촌의 작은 식당. 하루 두 번, 스무 자리만 엽니다.", En: "A small Bukchon place for seasonal greens and rice from the pot. Twenty seats, twice a day."},
			Story:       booking.Text{Ko: "할머니의 장독대에서 시작한 집입니다.\n\n자리에 앉으시면 솥을 안칩니다.", En: "It began with a grandmother's sauce crocks.\n\nThe pot goes on when you sit down."},
			Directions:  booking.Text{Ko: "안국역 2번 출구에서 걸어서 12분", En: "12 minutes on foot from Anguk station, exit 2"},
			PartyMin:    1, PartyMax: 8, HoldMinutes: 7, ExtensionMinutes: 5},
	}
}

func slots() []views.Slot {
	at := func(hour, minute int) time.Time { return time.Date(2026, 11, 21, hour, minute, 0, 0, seoul) }
	return []views.Slot{
		{At: at(11, 30), State: views.SlotClosed},
		{At: at(12, 30), State: views.SlotSoldOut, Waiting: 3},
		{At: at(13, 30), State: views.SlotOpen, Remaining: 14},
		{At: at(17, 0), State: views.SlotOpen, Remaining: 20},
		{At: at(18, 0), State: views.SlotOpen, Remaining: 3},
		{At: at(19, 0), State: views.SlotOpen, Remaining: 12, Waiting: 128},
		{At: at(20, 0), State: views.SlotSoldOut, Remaining: 1},
		{At: at(21, 0), State: views.SlotOpen, Remaining: 8},
	}
}

func menu(lang string) []views.MenuSection {
	return []views.MenuSection{
		{Title: pick(lang, "식사", "Mains"), Items: []views.MenuItem{
			{Stock: -1, MenuItem: booking.MenuItem{ID: 1, Price: 17_000, Name: booking.Text{Ko: "솔잎 돌솥비빔밥", En: "Pine stone-pot bibimbap"},
				Description: booking.Text{Ko: "제철 나물 일곱 가지와 들기름", En: "Seven seasonal greens and perilla oil"}}},
			{Stock: 3, MenuItem: booking.MenuItem{ID: 2, Price: 24_000, DailyQuantity: new(10), Name: booking.Text{Ko: "한우 육회비빔밥", En: "Beef tartare bibimbap"},
				Description: booking.Text{Ko: "당일 들어온 한우 우둔", En: "Hanwoo round, in this morning"}}},
			{Stock: 0, MenuItem: booking.MenuItem{ID: 3, Price: 38_000, Name: booking.Text{Ko: "들깨 버섯전골", En: "Perilla mushroom hotpot"},
				Description: booking.Text{Ko: "여섯 가지 버섯, 2인부터", En: "Six mushrooms, for two or more"}}},
		}},
		{Title: pick(lang, "곁들임", "Sides"), Items: []views.MenuItem{
			{Stock: -1, MenuItem: booking.MenuItem{ID: 4, Price: 14_000, Served: &booking.Span{From: "17:00", Last: "21:00"},
				Name:        booking.Text{Ko: "감자전", En: "Potato pancake"},
				Description: booking.Text{Ko: "강판에 갈아 바로 부칩니다", En: "Grated and fried to order"}}},
			{Stock: -1, MenuItem: booking.MenuItem{ID: 5, Price: 5_000, Served: &booking.Span{From: "11:30", Last: "14:00"},
				Name:        booking.Text{Ko: "식혜", En: "Sikhye"},
				Description: booking.Text{Ko: "집에서 삭힌 쌀 음료", En: "House-made sweet rice drink"}}},
		}},
	}
}

// shortDishes are dishes that are nearly sold out, as a refusal names them.
func shortDishes(lang string) []string {
	return []string{pick(lang, "한우 육회비빔밥(3개 남음)", "Beef tartare bibimbap (3 left)"),
		pick(lang, "들깨 버섯전골(매진)", "Perilla mushroom hotpot (sold out)")}
}

func lines() []booking.Item {
	return []booking.Item{
		{Name: booking.Text{Ko: "솔잎 돌솥비빔밥", En: "Pine stone-pot bibimbap"}, Quantity: 2, UnitPrice: 17_000},
		{Name: booking.Text{Ko: "감자전", En: "Potato pancake"}, Quantity: 1, UnitPrice: 14_000},
	}
}

func status(lang string) views.WaitingStatus {
	return views.WaitingStatus{
		Lang: lang, Position: 10, WaitingCount: 134, FirstPosition: 42, EstimatedLow: 110 * time.Second,
		EstimatedHigh: 230 * time.Second, EstimateKnown: true,
		SeatsLeft: 12, SeatsAhead: 18, SeatsAheadKnown: true, Party: 2,
	}
}

// qr is a pattern of the shape of a QR code.
func qr() [][]bool {
	modules := make([][]bool, 29)
	for y := range modules {
		modules[y] = make([]bool, 29)
		for x := range modules[y] {
			modules[y][x] = (x*y+x+y*3)%5 < 2
		}
	}
	return modules
}

// samples are all pages, by name, in a language.
func samples(lang string) map[string]templ.Component {
	all := map[string]templ.Component{}
	for _, add := range []func(string, map[string]templ.Component){
		addBrowsing,
		addSeats,
		addLine,
		addReservations,
		addAccounts,
		addErrors,
		addStaff,
		addStaffMenu,
		addCoupons,
		addChanges,
		addWaitlist,
		addAccountArea,
		addLegal,
		addOperator,
		addReports,
		addTeam,
		addWebhooks,
		addGuests,
		addMessages,
		addDoor,
		addClosing,
		addEvening,
		addSetup,
		addContents,
		addGuestHistory,
		addSteering,
		addReviews,
	} {
		add(lang, all)
	}
	return all
}

func addStaff(lang string, all map[string]templ.Component) {
	page := staffSlot(lang)
	name := head().Name.In(lang)
	all["staff-home"] = staff.Home(views.StaffHome{Layout: layout(lang, "/staff"), Today: evening,
		Restaurants: []views.StaffRestaurant{
			{Name: name, Picture: "bibimbap", Role: pick(lang, "매니저", "Manager"), URL: "/staff/restaurants/1"},
			{Name: pick(lang, "불판", "Bulpan"), Picture: "barbecue", Role: pick(lang, "홀 담당", "Host"), URL: "/staff/restaurants/2"},
			{Name: pick(lang, "새 식당", "New Place"), Role: pick(lang, "대표", "Owner"), IsDraft: true},
		}})
	all["staff-none"] = staff.Home(views.StaffHome{Layout: layout(lang, "/staff"), Today: evening})
	all["staff-slot"] = staff.Slot(page)
	page.Waitlist = []views.StaffWaiting{
		{ID: "w1", Name: pick(lang, "정하린", "Harin Jung"), PhoneTail: "1234", Party: 4, State: booking.EntryWaiting, Passes: 1, MaxPasses: 3},
		{ID: "w2", Name: pick(lang, "최도윤", "Doyun Choi"), PhoneTail: "9876", Party: 2, State: booking.EntryOffered, MaxPasses: 3, Deadline: evening},
	}
	all["staff-slot-waitlist"] = staff.Slot(page)
	page.Slot.State = board.SlotClosed
	page.Reservations = nil
	all["staff-slot-closed"] = staff.Slot(page)
	page.Slot.State, page.Reservations = board.SlotOver, guests(lang)
	all["staff-slot-over"] = staff.Slot(page)
	arrived := page.Reservations[0]
	arrived.State, arrived.From, arrived.CanArrive, arrived.CanNoShow, arrived.CanCancel = booking.Arrived, evening,
		false, false, false
	arrived.CanSeat, arrived.CanComplete, arrived.CanUndo, arrived.JustMarked = true, true, true, true
	all["staff-pass"] = staff.Pass(views.StaffPass{StaffShell: page.StaffShell, Reservation: arrived})
	page.Reservations = []views.StaffReservation{arrived}
	all["staff-slot-arrived"] = staff.Slot(page)
}

func staffSlot(lang string) views.StaffSlotPage {
	return views.StaffSlotPage{
		StaffShell: shell(lang, "/staff/restaurants/1/slots/2026-11-21/19:00"),
		Slot: views.EveningSlot{State: board.SlotOpen, Slot: board.Slot{Start: evening,
			Occupancy: booking.Occupancy{Capacity: 20, Held: 16, OnHold: 4, Waitlisted: 3, Arriving: 12,
				ArrivalLimit: 12},
			Figures: board.Figures{Left: 4}, Line: board.Line{Waiting: 128}}},
		Reservations: guests(lang),
	}
}

func staffMenu(lang string) views.StaffMenu {
	return views.StaffMenu{
		StaffShell: shell(lang, "/staff/restaurants/1/menu"), Date: evening, Today: evening,
		MaxPortions: 9_999,
		Dishes: []views.StaffDish{
			{ID: 1, Name: pick(lang, "솔잎 돌솥비빔밥", "Pine stone-pot bibimbap")},
			{ID: 2, Name: pick(lang, "한우 육회비빔밥", "Beef tartare bibimbap"), Limited: true, Offered: 10, Left: 3},
			{ID: 3, Name: pick(lang, "들깨 버섯전골", "Perilla mushroom hotpot"), Limited: true, Offered: 12},
		},
	}
}

func addStaffMenu(lang string, all map[string]templ.Component) {
	m := staffMenu(lang)
	all["staff-menu"] = staff.Menu(m)
	m.Dishes = append(m.Dishes[:0:0], m.Dishes...)
	m.Dishes[1].Typed, m.Dishes[1].Error = "-1", m.T("fault.out_of_range", "Min", 0, "Max", m.MaxPortions)
	all["staff-menu-errors"] = staff.Menu(m)
	m.Today = evening.AddDate(0, 0, 1)
	all["staff-menu-over"] = staff.Menu(m)
}

func guests(lang string) []views.StaffReservation {
	return []views.StaffReservation{
		{ID: "r1", Code: "K7Q-2M9", Name: pick(lang, "김하늘", "Haneul Kim"), PhoneTail: "5678", Party: 4, State: booking.Confirmed,
			Items: lines(), Note: hostile, Allergies: pick(lang, "땅콩", "Peanuts"), Paid: 40_000, CanArrive: true,
			CanNoShow: true, CanCancel: true},
		{ID: "r2", Code: "P3X-8TA", Name: pick(lang, "이서준", "Seojun Lee"), PhoneTail: "0042", Party: 2, State: booking.Temporary,
			HoldExpiresAt: evening.Add(7 * time.Minute), CanCancel: true},
		{ID: "r4", Code: "B2W-5QE", Name: pick(lang, "최예린", "Yerin Choi"), PhoneTail: "3190", Party: 2, State: booking.Temporary,
			HoldExpiresAt: evening.AddDate(0, 0, -1), AskedToPay: true, CanWaive: true, CanCancel: true},
		{ID: "r3", Code: "ZD4-6WN", Name: pick(lang, "박지우", "Jiwoo Park"), PhoneTail: "7731", Party: 2, State: booking.Completed, Paid: 20_000,
			Discount: booking.Discount{Use: booking.OffMenu, Amount: 12_000}},
	}
}

func addLine(lang string, all map[string]templ.Component) {
	waiting := views.Waiting{
		Layout: layout(lang, "/tickets/T"), Ticket: "T.s", Visit: visit(2), HoldUnseen: 3 * time.Minute,
		Status: status(lang), Refresh: 3,
	}
	all["waiting"] = pages.Waiting(waiting)
	waiting.Status.Position, waiting.Status.SeatsLeft, waiting.Status.EstimateKnown = 1, 30, false
	all["waiting-next"] = pages.Waiting(waiting)
	waiting.Status.Position, waiting.Status.SeatsLeft, waiting.Status.Local = 1204, 1, true
	waiting.Status.EstimatedLow, waiting.Status.EstimatedHigh, waiting.Status.EstimateKnown = 50*time.Minute,
		75*time.Minute, true
	all["waiting-poor"] = pages.Waiting(waiting)
	for _, kind := range []views.OutcomeKind{
		views.OutcomeSoldOut, views.OutcomeDuplicate, views.OutcomeClosed, views.OutcomeOutOfStock,
		views.OutcomeTimedOut, views.OutcomeLeft, views.OutcomeInProgress, views.OutcomeFailed, views.OutcomeCoupon,
		views.OutcomeOverlapping, views.OutcomeHeldRecently, views.OutcomeTooManyHolds,
	} {
		all["outcome-"+string(kind)] = pages.Outcome(outcome(lang, kind))
	}
}

func outcome(lang string, kind views.OutcomeKind) views.Outcome {
	o := views.Outcome{
		Layout: layout(lang, "/tickets/T"), Visit: visit(4), Kind: kind,
	}
	switch kind {
	case views.OutcomeSoldOut:
		o.Remaining, o.HeldSeats = 1, 6
		o.WaitlistURL = views.JoinWaitlistURL("sol-bap", evening, "4")
		o.Alternatives = []views.Slot{
			{At: evening.Add(time.Hour), State: views.SlotOpen, Remaining: 8, Waiting: 12},
			{At: evening.AddDate(0, 0, 1), State: views.SlotOpen, Remaining: 4},
			{At: evening.AddDate(0, 0, 2), State: views.SlotOpen, Remaining: 20},
		}
	case views.OutcomeDuplicate:
		o.ReservationID = "r1"
	case views.OutcomeOutOfStock:
		o.Items = shortDishes(lang)
	case views.OutcomeOverlapping:
		o.ReservationID, o.Reason = "r1", o.T("limit.overlapping")
	case views.OutcomeHeldRecently:
		o.Reason = o.T("limit.recently", "Time", i18n.Duration(lang, 6*time.Minute))
	case views.OutcomeTooManyHolds:
		o.Reason = o.T("limit.unconfirmed", "Count", 1)
	case views.OutcomeCoupon:
		o.Reason = o.T("fault.coupon_used")
	}
	return o
}

// states are all states of a reservation, in the order of its life.
var states = []booking.State{
	booking.Temporary, booking.Confirmed, booking.PrepaidConfirmed, booking.Arrived, booking.Seated, booking.Completed,
	booking.NoShow, booking.Expired, booking.Cancelled, booking.RefundPending, booking.Refunded,
}
