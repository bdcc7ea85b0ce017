package views_test

import (
	"strconv"
	"time"

	"github.com/a-h/templ"

	"lunchgo/app/booking"
	board "lunchgo/app/evening"
	"lunchgo/views"
	"lunchgo/views/i18n"
	"lunchgo/views/staff"
)

// shell is what surrounds the pages of a restaurant's evening, for somebody who may do everything.
func shell(lang, path string) views.StaffShell {
	return views.StaffShell{Layout: layout(lang, path), RestaurantID: 1, Location: seoul,
		Restaurant: head().Name.In(lang),
		Role:       pick(lang, "주인", "Owner"), Current: views.SectionTonight, Sections: []views.StaffSection{
			views.SectionTonight, views.SectionGuests, views.SectionReviews, views.SectionReports, views.SectionSetup, views.SectionTeam}}
}

func minutes(n int) time.Time { return evening.Add(time.Duration(n) * time.Minute) }

// eveningParties are parties in all states of an evening at 19:20.
func eveningParties(lang string) []views.EveningParty {
	row := func(r views.StaffReservation) views.EveningParty {
		r.From, r.PhoneTail = evening, "5678"
		return views.EveningParty{StaffReservation: r, Phone: "010-1234-5678", Ends: minutes(60)}
	}
	late := row(views.StaffReservation{ID: "r1", Code: "K7Q2M9", Name: pick(lang, "김하늘", "Haneul Kim"), Party: 4,
		Seats: []string{"A1", "A2"}, State: booking.Confirmed,
		Allergies: pick(lang, "땅콩, 갑각류", "Peanuts, shellfish"), CanArrive: true, CanSeat: true, CanNoShow: true})
	late.Late, late.FirstVisit, late.Override = 20, true, pick(lang, "단골, 30분만", "A regular, 30 minutes")
	late.GuestURL, late.GuestNote = views.GuestURL(1, "AAAA"), hostile
	late.GuestTags = []string{"VIP", pick(lang, "창가 선호", "Prefers window")}
	arrived := row(views.StaffReservation{ID: "r2", Code: "P3X8TA", Name: hostile, Party: 2, Seats: []string{"B1"},
		State: booking.Arrived, Note: hostile, CanSeat: true, CanUndo: true, JustMarked: true})
	arrived.Here, arrived.Dishes = 7, 3
	seated := row(views.StaffReservation{ID: "r3", Code: "ZD46WN", Name: pick(lang, "박지우", "Jiwoo Park"), Party: 12,
		Seats: []string{"C1"}, State: booking.Seated, CanComplete: true})
	seated.TableLeft, seated.SeatedAt = 35, minutes(2)
	over := row(views.StaffReservation{ID: "r4", Code: "MM46WN", Name: pick(lang, "한여름", "Yeoreum Han"), Party: 2,
		State: booking.Seated, CanComplete: true})
	over.TableLeft, over.SeatedAt = -12, minutes(-70)
	hold := row(views.StaffReservation{ID: "r5", Code: "HH46WN", Name: pick(lang, "이서준", "Seojun Lee"), Party: 3,
		State: booking.Temporary, HoldExpiresAt: minutes(27)})
	gone := row(views.StaffReservation{ID: "r6", Code: "GG46WN", Name: pick(lang, "최도윤", "Doyun Choi"), Party: 2,
		State: booking.NoShow, CanUndo: true})
	gone.Phone = ""
	prepaid := row(views.StaffReservation{ID: "r7", Code: "PP46WN", Name: pick(lang, "정유나", "Yuna Jung"), Party: 6,
		State: booking.PrepaidConfirmed})
	prepaid.Dishes = 12
	return []views.EveningParty{late, arrived, seated, over, hold, gone, prepaid}
}

// tonight is an evening with something in each of its parts.
func tonight(lang string, tab views.EveningTab) views.Tonight {
	address := views.EveningAddress{RestaurantID: 1, Day: evening, Tab: tab}
	parties := eveningParties(lang)
	room := hall()
	p := views.Tonight{StaffShell: shell(lang, address.URL()), Today: evening, CanStop: true, CanRehearse: true,
		Push: views.BookingPush{Push: views.Push{Key: "BKey", Session: "S"}},
		Live: views.TonightLive{Lang: lang, Address: address,
			Totals: board.Totals{Parties: 41, Covers: 112, Present: 36, OnHold: 3, Waiting: 14, NoShows: 1,
				Deposits: 860_000, Prepaid: 240_000},
			Alerts: []views.EveningAlert{
				{Kind: "late", Items: []views.EveningAlertItem{{Label: parties[0].Name, Detail: pick(lang, "오후 7:00 · 4명", "7:00 pm · 4 people"), URL: "#g-r1"}}},
				{Kind: "allergies", Items: []views.EveningAlertItem{{Label: parties[0].Name, Detail: pick(lang, "땅콩, 갑각류", "Peanuts, shellfish"), URL: "#g-r1"}}},
				{Kind: "auditor", Items: []views.EveningAlertItem{{Label: pick(lang, "좌석 수", "Seats")}}},
				{Kind: "growing", Items: []views.EveningAlertItem{{Label: pick(lang, "오후 8:00", "8:00 pm"), Detail: pick(lang, "14팀", "14 parties"), URL: "#"}}},
			},
			Groups: []views.EveningGroup{{Count: 41}, {Name: "expected", Count: 22}, {Name: "present", Count: 14},
				{Name: "on_hold", Count: 1}, {Name: "gone", Count: 4}, {Name: "over", Count: 2}},
			Served: views.EstimateFigures{People: 1000, Percent: 93},
		}}
	switch tab {
	case views.TabRoom:
		room.Seats[0].State, room.Seats[0].Guests = booking.SeatTaken, seatGuest(lang, parties[2], "left", 35)
		p.Live.Room = &room
		for i, seat := range room.Seats {
			room.Seats[i].URL = address.TableURL(seat.ID)
			table := views.EveningTable{ID: seat.ID, Label: seat.Label, Places: seat.Places}
			switch i {
			case 0:
				table.Now, table.Next, table.IsMain = &parties[2], parties[6:], true
				table.Now.Override = pick(lang, "단골, 30분만", "A regular, 30 minutes")
			case 1:
				table.Next, table.IsMain = parties[1:2], true
				room.Seats[i].State = booking.SeatHeld
				room.Seats[i].Guests = []views.SeatGuest{{Name: parties[1].Name, When: "19:00"}}
			case 2:
				table.Now = &parties[3]
				room.Seats[i].State, room.Seats[i].Sign = booking.SeatTaken, views.SeatOver
				room.Seats[i].Guests = seatGuest(lang, parties[3], "over", 12)
			case 3:
				table.Next, table.IsMain = parties[:1], true
				room.Seats[i].Sign = views.SeatLate
				room.Seats[i].Guests = []views.SeatGuest{{Name: parties[0].Name, Party: 4, When: "19:00"}}
			case 4:
				table.IsBlocked, room.Seats[i].State = true, booking.SeatBlocked
			case 5:
				room.Seats[i].Sign, room.Seats[i].State, table.IsFree = views.SeatDue, booking.SeatFree, true
			}
			p.Live.Tables = append(p.Live.Tables, table)
		}
		p.Live.Seated = parties[4:5]
	case views.TabTimeline:
		p.Live.Timeline = eveningTimeline(lang)
	case views.TabSlots, views.TabLine:
		p.Live.Slots = eveningSlots(lang)
	case views.TabDoor:
		p.Live.Door, p.CanQueue, p.Door = doorParties(lang), true, views.DoorForm{IdempotencyKey: "K", Largest: 40}
	default:
		p.Live.Hours = []views.EveningHour{{At: evening, Covers: 29, Parties: parties[:5]},
			{At: minutes(60), Covers: 6, Parties: parties[6:]}}
		p.Live.Ended.Add(parties[5])
	}
	return p
}

// seatGuest is who sits at a table of the map, with the minutes that they still have it, or have had it too long.
func seatGuest(lang string, p views.EveningParty, left string, minutes int) []views.SeatGuest {
	return []views.SeatGuest{{Name: p.Name, Party: p.Party,
		When: i18n.T(lang, "evening.map_"+left, "Count", minutes)}}
}

// roomTomorrow is the room on a day to come, with more parties at its tables one after the other.
func roomTomorrow(lang string) views.Tonight {
	p := tonight(lang, views.TabRoom)
	p.Live.Address.Day, p.Live.Alerts = evening.AddDate(0, 0, 1), nil
	for i := range p.Live.Tables {
		p.Live.Room.Seats[i].State, p.Live.Room.Seats[i].Sign, p.Live.Room.Seats[i].Guests = booking.SeatFree, "", nil
		p.Live.Tables[i].Now, p.Live.Tables[i].Next, p.Live.Tables[i].IsBlocked = nil, nil, false
		if i == 1 {
			p.Live.Tables[i].BlockedFor = []board.Hours{{From: minutes(-7 * 60), To: minutes(-5 * 60)},
				{From: minutes(-2 * 60), To: minutes(-60)}}
			p.Live.Room.Seats[i].Guests = []views.SeatGuest{{Name: i18n.T(lang, "evening.key_blocked"), When: "12:00"}}
		}
		for n := range (i + 1) % 5 {
			party := views.EveningParty{StaffReservation: views.StaffReservation{ID: "r" + strconv.Itoa(n),
				Name: pick(lang, "김하늘", "Haneul Kim"), Party: n + 2, State: booking.Confirmed, From: minutes(90 * n)}}
			p.Live.Tables[i].Next, p.Live.Tables[i].IsFree = append(p.Live.Tables[i].Next, party), false
			p.Live.Room.Seats[i].Guests = append(p.Live.Room.Seats[i].Guests,
				views.SeatGuest{Name: party.Name, Party: party.Party, When: party.From.Format("15:04")})
		}
	}
	return p
}

// eveningTimeline has bars of all states, next to each other, at several tables and at none.
func eveningTimeline(lang string) views.Timeline {
	var t views.Timeline
	for n := range 12 {
		slot := views.TimelineSlot{At: minutes(30 * (n - 3)), Ends: minutes(30 * (n - 2)), Left: 12, IsNow: n == 3}
		switch n {
		case 0, 1, 2:
			slot.Shut = "over"
		case 8:
			slot.Left = 1
		case 9:
			slot.IsGap = true
		case 11:
			slot.Shut = "closed"
		}
		t.Slots = append(t.Slots, slot)
	}
	parties := eveningParties(lang)
	left := parties[5]
	left.ID, left.State = "r8", booking.Completed
	parties = append(parties, left)
	bar := func(party, from, slots, part int, seats ...int64) views.TimelineSpan {
		p := &parties[party]
		return views.TimelineSpan{From: from, Slots: slots, Party: p, SeatIDs: seats, Part: part,
			AnyTime: p.State.IsConfirmed(), CanMove: p.State.IsConfirmed() || p.State.IsPresent()}
	}
	row := func(seat booking.Seat, bars ...views.TimelineSpan) {
		r := views.TimelineRow{Seat: seat}
		for at := 0; at < len(t.Slots); {
			span := views.TimelineSpan{From: at, Slots: 1}
			for _, b := range bars {
				if b.From == at {
					span = b
				}
			}
			r.Spans = append(r.Spans, span)
			at += span.Slots
		}
		t.Rows = append(t.Rows, r)
	}
	seats := hall().Seats
	row(seats[0].Seat, bar(0, 3, 3, 0, 1, 2))
	row(seats[1].Seat, bar(0, 3, 3, 1, 1, 2), bar(4, 8, 1, 0, 2))
	row(seats[2].Seat, bar(1, 3, 4, 0, 3), views.TimelineSpan{From: 8, Slots: 4, IsTaken: true, Blocked: true})
	row(seats[3].Seat, bar(3, 1, 2, 0, 4), bar(6, 5, 4, 0, 4), views.TimelineSpan{From: 10, Slots: 1, IsTaken: true})
	row(seats[4].Seat, bar(7, 3, 1, 0, 5))
	row(booking.Seat{}, bar(2, 4, 3, 0))
	return t
}

func eveningSlots(lang string) []views.EveningSlot {
	slot := func(at int, state board.SlotState, o booking.Occupancy, f board.Figures, l board.Line) views.EveningSlot {
		o.Capacity, o.ArrivalLimit = 20, 12
		return views.EveningSlot{State: state,
			Slot: board.Slot{Start: minutes(at), Occupancy: o, Figures: f, Line: l}}
	}
	return []views.EveningSlot{
		slot(-60, board.SlotOver, booking.Occupancy{Held: 18, Arriving: 6}, board.Figures{Seated: 6, Left: 2},
			board.Line{}),
		slot(0, board.SlotClosed, booking.Occupancy{Held: 8, Arriving: 8, Reason: pick(lang, "대관", "Private party")},
			board.Figures{Left: 12}, board.Line{}),
		slot(60, board.SlotSoldOut, booking.Occupancy{Held: 19, OnHold: 2, Arriving: 13, Waitlisted: 3},
			board.Figures{Left: 1}, board.Line{Waiting: 14, Longest: 50 * time.Second, Estimate: 40 * time.Second,
				PerPerson: 10 * time.Minute / 214}),
		slot(120, board.SlotPaused, booking.Occupancy{Held: 4, Arriving: 4,
			Notice: pick(lang, "주방이 밀렸습니다. 20분 뒤에 다시 받습니다.", "The kitchen is behind. We go on in 20 minutes.")},
			board.Figures{Left: 16}, board.Line{Waiting: 3, Longest: 4 * time.Minute, Estimate: 9 * time.Second}),
		slot(180, board.SlotOpen, booking.Occupancy{}, board.Figures{Left: 20}, board.Line{}),
		slot(240, board.SlotPlanned, booking.Occupancy{OpensAt: minutes(-600)}, board.Figures{Left: 20}, board.Line{}),
	}
}

// tableOf is what can be done at a table at which somebody sits, or nobody does.
func tableOf(lang string, taken bool) views.StaffTable {
	parties := eveningParties(lang)
	room := views.EveningAddress{RestaurantID: 1, Day: evening, Tab: views.TabRoom}
	t := views.StaffTable{StaffShell: shell(lang, room.TableURL(1)), ID: 1, Label: "C1", Places: 4, Address: room,
		CanBlock: true, Key: "K"}
	if taken {
		t.Now, t.Parties, t.CanUnblock = &parties[2], []views.EveningParty{parties[0], parties[6]}, true
		t.Refused = pick(lang, "C1번 자리는 김하늘 님 자리입니다.", "C1 is taken by Haneul Kim.")
		t.OtherWay = views.StaffMoveFormURL("r1", "2026-11-21", "19:00", []int64{1})
		return t
	}
	t.Door = doorParties(lang)[:2]
	t.Movable = []views.TableMove{{EveningParty: parties[1]}, {EveningParty: parties[0], EndTime: "20:00"}}
	for _, p := range parties[6:] {
		t.Later = append(t.Later, views.TableMove{EveningParty: p})
	}
	for n, until := range []string{"20:25", "20:25", "20:30", "20:30"} {
		t.WalkIns = append(t.WalkIns, views.TableWalkIn{Party: n + 1, At: evening, Until: until, Key: "K"})
	}
	return t
}

func addEvening(lang string, all map[string]templ.Component) {
	refused := tonight(lang, views.TabTimeline)
	refused.Refused, refused.OtherWay = tableOf(lang, true).Refused, tableOf(lang, true).OtherWay
	all["staff-evening-timeline-refused"] = staff.Tonight(refused)
	for _, tab := range views.EveningTabs {
		all["staff-evening-"+string(tab)] = staff.Tonight(tonight(lang, tab))
		empty := tonight(lang, tab)
		empty.Live = views.TonightLive{Lang: lang, Address: empty.Live.Address,
			Groups: []views.EveningGroup{{}}}
		all["staff-evening-"+string(tab)+"-none"] = staff.Tonight(empty)
	}
	all["staff-table"], all["staff-table-free"] = staff.Table(tableOf(lang, true)), staff.Table(tableOf(lang, false))
	marked := tonight(lang, views.TabGuests)
	marked.Marked = &marked.Live.Hours[0].Parties[1].StaffReservation
	marked.Live.Address.Text, marked.Live.Address.Group = "하늘", "present"
	all["staff-evening-room-tomorrow"] = staff.Tonight(roomTomorrow(lang))
	all["staff-evening-marked"] = staff.Tonight(marked)
	moved := tonight(lang, views.TabTimeline)
	moved.MoveBack = moveBack(lang)
	all["staff-evening-moved"] = staff.Tonight(moved)
	sheet := views.EveningSheet{StaffShell: shell(lang, views.StaffSheetURL(1, evening, false)), Day: marked.Live.Address.Day,
		Today: marked.Today, Now: evening}
	all["staff-sheet-none"] = staff.Sheet(sheet)
	dishes := []booking.Item{{MenuItemID: 1, Name: booking.Text{Ko: "한우 반상", En: "Hanwoo set"}, Quantity: 4},
		{MenuItemID: 2, Name: booking.Text{Ko: "전복죽", En: "Abalone porridge"}, Quantity: 2}}
	parties := eveningParties(lang)
	parties[0].Items, parties[1].Items = dishes, dishes[:1]
	first, second := views.SheetTime{EveningHour: views.EveningHour{At: evening}, Dishes: dishes},
		views.SheetTime{EveningHour: views.EveningHour{At: minutes(60)}}
	for _, p := range parties[:3] {
		first.Add(p)
	}
	second.Add(parties[6])
	sheet.Times = []views.SheetTime{first, second}
	all["staff-sheet"] = staff.Sheet(sheet)
	sheet.Kitchen, sheet.Path = true, views.StaffSheetURL(1, evening, true)
	sheet.HasSeats = true
	first.Parties[0].GuestTags = views.GuestTags(lang, []string{"vegetarian"}) // all that the kitchen gets of them
	all["staff-sheet-kitchen"] = staff.Sheet(sheet)
	all["staff-scan"] = staff.Scan(views.StaffScan{StaffShell: shell(lang, views.StaffScanURL(1))})
	wrong := views.StaffScan{StaffShell: shell(lang, views.StaffScanURL(1)), Code: "K7Q2M8"}
	wrong.Error = wrong.T("evening.scan_unknown")
	all["staff-scan-unknown"] = staff.Scan(wrong)
}

// moveBack offers to take back a move.
func moveBack(lang string) *views.MoveBack {
	return &views.MoveBack{ID: "r7", Name: pick(lang, "김하늘", "Haneul Kim"),
		Was: pick(lang, "오후 8:00 · L1, L2", "8:00 PM · L1, L2"), Date: "2026-11-21", Time: "20:00", Party: 4,
		Seats: []int64{4, 5}, IdempotencyKey: "key-1234567"}
}
