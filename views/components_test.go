package views_test

import (
	"context"
	"html"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"

	"lunchgo/app/booking"
	board "lunchgo/app/evening"
	"lunchgo/views"
	"lunchgo/views/components"
	"lunchgo/views/pages"
	"lunchgo/views/staff"
)

// rendered is a component's HTML with its white space collapsed.
func rendered(t *testing.T, c templ.Component) string {
	t.Helper()
	var out strings.Builder
	must(t, c.Render(context.Background(), &out))
	return strings.Join(strings.Fields(out.String()), " ")
}

// texts are what stands between the tags of HTML.
func texts(html string) (all []string) {
	for part := range strings.SplitSeq(html, ">") {
		text, _, _ := strings.Cut(part, "<")
		all = append(all, text)
	}
	return all
}

// text is what is left of HTML without its tags.
func text(html string) string {
	return strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(html, " ")), " ")
}

// Whatever a page is about: its language, one heading of the first rank, a title, no script or style of its own, no
// text that is missing from the catalogues, and every form posts to a path of this site.
func TestPages_AreWellFormed(t *testing.T) {
	t.Parallel()
	// Patterns that begin with a text of their own, which is found without the machine of the pattern: rendered leaves
	// one kind of white space.
	inline := []*regexp.Regexp{regexp.MustCompile(`<script(?: [^>]*)?>[^<]`), regexp.MustCompile(`<style`),
		regexp.MustCompile(` style=`), regexp.MustCompile(` on[a-z]+=`), regexp.MustCompile(`javascript:`)}
	facts := regexp.MustCompile(`<script id="facts" type="application/ld\+json">[^<]*</script>`) // no script, by its type
	missing := regexp.MustCompile(`^ ?[a-z]+\.[a-z_]+ ?$`)
	var targets []*regexp.Regexp
	for _, attribute := range []string{"action", "hx-get", "hx-post", "sse-connect"} { // formaction ends like action
		targets = append(targets, regexp.MustCompile(attribute+`="([^"]*)"`))
	}
	for _, lang := range []string{"ko", "en"} {
		for name, page := range samples(lang) {
			t.Run(lang+" "+name, func(t *testing.T) {
				html := facts.ReplaceAllString(rendered(t, page), "")
				holds(t, html, `<html lang="`+lang+`">`, " · LunchGo</title>")
				if name != "widget" { // whose frame has nothing before the content
					_, skips, _ := strings.Cut(html, `class="skip-link" href="#`)
					to, _, _ := strings.Cut(skips, `"`)
					holds(t, html, `id="`+to+`" tabindex="-1"`)
				}
				counts(t, html, "<h1", 1)
				lacks(t, html, "<no value>", "/static/missing/")
				for _, pattern := range inline {
					none(t, "script or style", pattern.FindAllString(html, -1))
				}
				for _, text := range texts(html) {
					if strings.Contains(text, ".") && missing.MatchString(text) {
						t.Errorf("missing text: %s", text)
					}
				}
				for _, target := range targets {
					for _, form := range target.FindAllStringSubmatch(html, -1) {
						if !strings.HasPrefix(form[1], "/") || strings.HasPrefix(form[1], "//") {
							t.Errorf("leads to %s", form[1])
						}
					}
				}
			})
		}
	}
}

func TestPages_EscapeNotes(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"booking", "reservation-confirmed", "staff-slot"} {
		t.Run(name, func(t *testing.T) {
			html := rendered(t, samples("ko")[name])
			lacks(t, html, "<script>alert")
			holds(t, html, "&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt; 창가 &amp;")
		})
	}
}

func TestField_TiesLabelHintAndError(t *testing.T) {
	t.Parallel()
	html := rendered(t, components.Input(components.Field{
		Name: "phone", Label: "전화", Value: `"><b>`, Hint: "hint", Error: "wrong",
		Attributes: templ.Attributes{"type": "tel"},
	}))
	holds(t, html,
		`<label for="field-phone">전화</label>`,
		`aria-describedby="field-phone-error field-phone-hint"`,
		`aria-invalid="true"`,
		`value="&#34;&gt;&lt;b&gt;"`,
		`id="field-phone-error"`)
	well := rendered(t, components.Input(components.Field{Name: "phone", Label: "전화"}))
	lacks(t, well, "aria-invalid", "aria-describedby")
}

func TestErrorSummary_LeadsToTheFields(t *testing.T) {
	t.Parallel()
	summary := components.Summary{
		Lang: "en", Title: "!", Fields: []string{views.FieldForm, views.FieldParty, views.FieldTime},
		Errors: views.FieldErrors{views.FieldTime: "no time", views.FieldParty: "too many", views.FieldForm: "no"},
	}
	html := rendered(t, components.ErrorSummary(summary))
	holds(t, html, `role="alert"`)
	matches(t, html,
		`<li>no</li>.*<a href="#field-party">Guests: too many</a>.*<a href="#field-time">Time: no time</a>`)
	summary.Labels = map[string]string{views.FieldTime: "contents.price"}
	holds(t, rendered(t, components.ErrorSummary(summary)), `<a href="#field-time">Price (won): no time</a>`)
	summary.Errors = nil
	if got := rendered(t, components.ErrorSummary(summary)); got != "" {
		t.Errorf("a summary of no errors: %s", got)
	}
}

func TestSlotLinks(t *testing.T) {
	t.Parallel()
	links := views.SlotLinks{Lang: "ko", Slug: "sol-bap", Party: 4, Slots: slots()}
	html := rendered(t, components.SlotLinks(links))
	counts(t, html, "/book?", 4)     // only slots with room for the party can be booked
	counts(t, html, "/waitlist?", 2) // for those that are sold out a party can wait
	counts(t, html, "<a ", 6)        // a closed slot leads nowhere
	holds(t, html, `href="/restaurants/sol-bap/book?date=2026-11-21&amp;party=4&amp;time=19%3A00"`)
	holds(t, text(html), "오후 7:00 12석 대기 128팀", "오전 11:30 마감", "오후 12:30 매진")
	links.Lang = "en"
	holds(t, text(rendered(t, components.SlotLinks(links))), "7:00 PM 12 seats 128 in line")
}

func TestWaitingStatus_InBothLanguages(t *testing.T) {
	t.Parallel()
	korean := rendered(t, pages.WaitingStatus(status("ko")))
	holds(t, text(korean), "10 번째 앞에 9팀이 있습니다", "자리 12석 · 앞에 9팀(18석)", "예상 시간 1~4분")
	holds(t, korean,
		`<progress id="line-progress" max="100" value="76">`,
		`data-announce="앞에 9팀. 예상 시간은 1~4분."`)
	lacks(t, korean, "aria-live") // the page announces sparsely by itself
	english := text(rendered(t, pages.WaitingStatus(status("en"))))
	holds(t, english, "10 th 9 parties are ahead of you", "12 seats left · 9 parties ahead (seats: 18)")
	unknown := status("en")
	unknown.SeatsAhead, unknown.SeatsAheadKnown, unknown.SeatsLeft = 0, false, 200
	holds(t, text(rendered(t, pages.WaitingStatus(unknown))),
		"200 seats left · 9 parties ahead Seats are left. How many")
	now := status("en")
	now.Position = 0
	holds(t, text(rendered(t, pages.WaitingStatus(now))), "Your turn")
}

func TestWaiting_SaysThatEachServerHasItsOwnOrder(t *testing.T) {
	t.Parallel()
	for lang, line := range map[string]string{"ko": "서버마다 따로 순서를 지킵니다",
		"en": "each server keeps its own diners' places"} {
		now := status(lang)
		lacks(t, html.UnescapeString(rendered(t, pages.WaitingStatus(now))), line)
		now.Local = true
		holds(t, html.UnescapeString(rendered(t, pages.WaitingStatus(now))), line)
		page := views.Waiting{Layout: layout(lang, "/tickets/T"), Ticket: "T.s", Visit: visit(2),
			HoldUnseen: 3 * time.Minute, Status: now}
		holds(t, html.UnescapeString(rendered(t, pages.Waiting(page))), line)
	}
}

func TestWaiting_WorksWithAndWithoutScript(t *testing.T) {
	t.Parallel()
	html := rendered(t, samples("ko")["waiting"])
	holds(t, html,
		`<noscript><meta http-equiv="refresh" content="3;url=/tickets/T.s?from=42"></noscript>`,
		`sse-connect="/tickets/T.s/events?from=42" sse-close="done"`,
		`hx-get="/tickets/T.s" hx-trigger="sse:done" hx-target="body"`,
		`method="post" action="/tickets/T.s/leave"`)
}

func TestPayment_OffersWhatCanBePaid(t *testing.T) {
	t.Parallel()
	p := payment("ko")
	html := rendered(t, pages.Payment(p))
	holds(t, html, `value="deposit" checked`, `value="prepay"`, `name="idempotency_key" value="key-3"`)
	lacks(t, html, `action="/wallet/charges"`) // enough in the wallet
	p.Balance, p.Items, p.MenuTotal, p.Kind = 4_500, nil, 0, views.KindPrepay
	p.Charge.Next = views.PayURL("r1")
	html = rendered(t, pages.Payment(p))
	lacks(t, html, `value="prepay"`) // no dish was chosen
	holds(t, text(html), "15,500원이 모자랍니다")
	holds(t, html, `type="hidden" name="kind" value="deposit"`, `name="next" value="/reservations/r1/pay"`,
		`value="16000"`) // the amount that is needed, rounded up
}

// Where a provider takes what the wallet lacks nobody tops up on the way, and the button names the amount, under a line
// of what comes back of it.
func TestPayment_ByCardNamesTheAmount(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string][]string{
		"ko": {"지갑에서 5,000원, 나머지 15,000원은 카드나 간편결제로 냅니다.", "지갑에서 5,000원, 나머지 43,000원은",
			"2일 전까지 100% 환불", "그 뒤 환불 없음", "확정 후 15분 안에 취소하면 전액 환불 자세히", "20,000원 결제하기", "48,000원 결제하기"},
		"en": {"₩5,000 comes from your wallet; you pay the other ₩15,000 by card", "you pay the other ₩43,000 by card",
			"Up to 2 days before 100% back", "Later No refund", "Free to cancel for 15 minutes Details", "Pay ₩20,000", "Pay ₩48,000"},
	} {
		html := rendered(t, samples(lang)["payment-both"])
		lacks(t, html, `action="/wallet/charges"`, "button-secondary")
		at := -1
		for _, piece := range want {
			next := strings.Index(text(html), piece)
			if next <= at {
				t.Errorf("%s: %q is missing, or comes too early, in %s", lang, piece, text(html))
			}
			at = next
		}
	}
}

// What cannot be paid is not the first thing to press: topping up comes first, and alone looks like the way on.
func TestPayment_TopsUpFirstWhenShort(t *testing.T) {
	t.Parallel()
	topUp, pay := `action="/wallet/charges"`, `action="/reservations/r1/pay"`
	const primary, secondary = `<button class="button button-large wide" form="payment-form">`,
		`<button class="button button-large wide button-secondary" form="payment-form">`
	for _, test := range []struct {
		name    string
		balance int64
		kind    string
		short   bool
	}{
		{"nothing in the wallet", 0, views.KindDeposit, true},
		{"one won short", 19_999, views.KindDeposit, true},
		{"just enough", 20_000, views.KindDeposit, false},
		{"enough for the deposit, not for the menu", 20_000, views.KindPrepay, true},
		{"enough for the menu", 48_000, views.KindPrepay, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := payment("ko")
			p.Balance, p.Kind = test.balance, test.kind
			html := rendered(t, pages.Payment(p))
			if test.short {
				holds(t, html, secondary)
				lacks(t, html, primary)
				if strings.Index(html, topUp) >= strings.Index(html, pay) {
					t.Error("to pay comes before topping up")
				}
				return
			}
			holds(t, html, primary)
			lacks(t, html, secondary)
			if at := strings.Index(html, topUp); at >= 0 && at <= strings.Index(html, pay) {
				t.Error("topping up comes before to pay")
			}
		})
	}
}

func TestChangePreview_TopsUpFirstWhenShort(t *testing.T) {
	t.Parallel()
	short := rendered(t, samples("ko")["change-preview-short"])
	matches(t, short,
		`<a class="button button-large wide" href="/wallet">.*<button class="button button-large wide button-secondary" name="action" value="change">`)
	enough := rendered(t, samples("ko")["change-preview"])
	holds(t, enough, `<button class="button button-large wide" name="action" value="change">`)
	lacks(t, enough, `<a class="button button-large wide" href="/wallet">`)
}

// An offer and the temporary reservation behind it are one thing: the list shows it once, with both answers.
func TestReservations_OfferShowsOnce(t *testing.T) {
	t.Parallel()
	html := rendered(t, pages.Reservations(offered("ko")))
	counts(t, html, `action="/offers/token/accept"`, 1)
	counts(t, html, `action="/offers/token/decline"`, 1)
	holds(t, text(html), "오후 7:00까지 수락해 주세요")
	lacks(t, html, `href="/reservations/r2"`) // the reservation that is offered
	holds(t, html, `href="/reservations/r1"`) // another one to be paid stays in the list
	holds(t, html, `href="/waitlist/w1"`)
	matches(t, html, `id="offers-title".*id="upcoming-title".*id="waits-title"`) // what has a deadline comes first
}

// A search that found nothing offers to leave out each of its conditions, and no other.
func TestSearchResults_WidenEachCondition(t *testing.T) {
	t.Parallel()
	form := views.SearchForm{Party: "2", District: "jongno", Price: "4"}
	html := rendered(t, pages.SearchResults(views.SearchResults{Lang: "ko", Form: form, Date: evening, Party: 2}))
	holds(t, text(html), "모든 지역", "모든 가격대", "다음 날")
	lacks(t, text(html), "모든 음식", "검색어 없이")
	form.Price = ""
	holds(t, html, strings.ReplaceAll(views.SearchURL(form), "&", "&amp;")+`"`)
}

// What comes after the line asks for money only where the table costs some.
func TestWaiting_FreeTableSpeaksOfNoPayment(t *testing.T) {
	t.Parallel()
	waiting := views.Waiting{Layout: layout("ko", "/tickets/t1"), Visit: visit(2),
		Ticket: "t1"}
	holds(t, text(rendered(t, pages.Waiting(waiting))), "결제 화면으로 넘어갑니다", "줄 서기 결제 확정")
	waiting.Party = 5 // asks for no deposit
	html := text(rendered(t, pages.Waiting(waiting)))
	holds(t, html, "낼 돈은 없고", "줄 서기 확정")
	lacks(t, html, "결제 화면")
}

// A restaurant that gave no address is called, or found by its own words.
func TestReservation_SaysTheWayWithoutAnAddress(t *testing.T) {
	t.Parallel()
	r := reservation("ko", booking.Confirmed)
	holds(t, rendered(t, pages.Reservation(r)), "북촌로 12", "안국역", `href="tel:021234567"`)
	r.Restaurant.Address = booking.Text{}
	holds(t, rendered(t, pages.Reservation(r)), `id="way-title"`, "안국역", `href="tel:021234567"`)
	r.Restaurant.Directions, r.Restaurant.Phone = booking.Text{}, ""
	lacks(t, rendered(t, pages.Reservation(r)), `id="way-title"`)
}

// A search that cannot be understood says so, not for how many it would have looked.
func TestSearchResults_ClaimNothingForAFault(t *testing.T) {
	t.Parallel()
	refused := views.SearchResults{Lang: "ko", Form: views.SearchForm{Party: "0"}, Date: evening, Party: 2, MaxParty: 8,
		Errors: views.FieldErrors{views.FieldParty: "1에서 8 사이로 입력해 주세요."}}
	html := rendered(t, pages.SearchResults(refused))
	holds(t, text(html), "검색 조건을 고쳐 주세요", "1에서 8 사이로 입력해 주세요.")
	lacks(t, text(html), "2명", "식당 0곳", "맞는 식당이 없습니다", "8명")
	lacks(t, text(rendered(t, pages.SearchPart(refused))), "2명")
	whole := rendered(t, pages.Search(views.Search{Layout: layout("ko", "/"), Results: refused}))
	holds(t, whole, `popovertarget="search-sheet" hidden`) // the form stands open already
	for _, many := range []string{"9", "40", "99999999999999999999"} {
		refused.Form.Party, refused.Form.Words = many, "밥"
		html = rendered(t, pages.SearchResults(refused))
		holds(t, text(html), "8명까지 온라인 예약 · 8명으로 찾기")
		holds(t, html, `href="/?party=8&amp;q=%EB%B0%A5"`)
	}
}

// The small hours of a bar are behind the evening in the list of times, not before everybody's lunch.
func TestSearch_PutsTheSmallHoursLast(t *testing.T) {
	t.Parallel()
	midnight := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	html := rendered(t, pages.Search(views.Search{Layout: layout("ko", "/"), Times: []time.Time{midnight, evening},
		Results: views.SearchResults{Lang: "ko", Date: evening, At: "18:30", Party: 2}}))
	holds(t, text(html), "다음 식사 시간 오후 7:00 오전 12:00 (그날 새벽)")
}

// What is left of an offer counts down, as of a hold.
func TestOffer_CountsDown(t *testing.T) {
	t.Parallel()
	html := rendered(t, pages.Offer(views.Offer{Layout: layout("ko", "/offers/t"), Token: "t", Visit: visit(2),
		State: booking.EntryOffered, IsOpen: true, Deadline: evening, Now: evening.Add(-4 * time.Minute)}))
	holds(t, html, `data-countdown="`+evening.Format(time.RFC3339)+`"`)
	holds(t, text(html), "오후 7:00까지 수락해 주세요", "약 4분")
}

func TestWaitlist_AsksBeforeLeaving(t *testing.T) {
	t.Parallel()
	html := rendered(t, samples("ko")["waitlist-waiting"])
	holds(t, html, `data-confirm="leave-dialog"`, `<dialog id="leave-dialog"`)
	holds(t, text(html), "대기 명단에서 나갈까요?")
}

// What is confirmed begins with the visit and its code: no words above them repeat the headline.
func TestReservation_BeginsWithTheVisit(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"reservation-companions", "reservation-prepaid_confirmed"} {
		html := rendered(t, samples("ko")[page])
		lacks(t, html, "badge", `class="lead"`, "data-toast")
		at := -1
		for _, piece := range []string{"솔밥", "오후 7:00", "QR 코드", "서울 종로구", "네이버 지도", "안국역 2번 출구", "예약 내용"} {
			next := strings.Index(html[max(at, strings.Index(html, "<h1")):], piece)
			if next < 0 {
				t.Fatalf("%s: no %q after what stands above it", page, piece)
			}
			at = max(at, strings.Index(html, "<h1")) + next
		}
	}
	b := newTab(t)
	b.open(newSite(t).URL + "/ko/reservation-companions")
	b.until(`document.querySelector(".qr").getBoundingClientRect().bottom < 700`)
	b.until(`document.querySelector("#way-title").getBoundingClientRect().top <
		document.querySelector("#companions-title").getBoundingClientRect().top`)
	b.until(`!document.querySelector("[data-share]").hidden && !document.querySelector("input[readonly]").checkVisibility()`)
	b.disableScript()
	b.open(newSite(t).URL + "/ko/reservation-companions")
	b.until(`document.querySelector("input[readonly]").checkVisibility() && document.querySelector("[data-share]").hidden`)
}

// The bar that stays in sight on a phone has the button and one line.
func TestPayment_HasAShortBar(t *testing.T) {
	t.Parallel()
	s, b := newSite(t), newTab(t)
	for _, page := range []string{"/ko/payment-both", "/en/payment-both", "/ko/payment", "/en/payment-card"} {
		b.open(s.URL + page)
		b.until(`document.querySelector(".pay-bar").offsetHeight < 120`)
	}
}

func TestReservation_ShowsTheRefundBeforeTheClick(t *testing.T) {
	t.Parallel()
	html := rendered(t, pages.Reservation(reservation("ko", booking.Confirmed)))
	holds(t, text(html), "지금 취소하면 14,000원(70%)을 결제하신 수단으로 돌려받습니다.")
	holds(t, html,
		`href="/reservations/r1/cancel" data-dialog="cancel-dialog"`,
		`<dialog id="cancel-dialog"`,
		`role="img" aria-label="예약 번호 R1 QR 코드"`)
	free := text(rendered(t, samples("ko")["reservation-free"]))
	holds(t, free, "확정 후 15분 안 100% 환불", "오후 7:15까지 취소하면 20,000원을 모두 결제하신 수단으로 돌려받습니다.")
	for _, state := range []booking.State{booking.Completed, booking.RefundPending, booking.Expired} {
		over := rendered(t, pages.Reservation(reservation("ko", state)))
		lacks(t, over, "/cancel", "calendar.ics", "QR")
	}
}

func TestStateName_DiffersForEachState(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, lang := range []string{"ko", "en"} {
		for _, state := range states {
			name := components.StateName(components.State{Lang: lang, State: state})
			if name == string(state) || seen[name] {
				t.Errorf("%s is called %s", state, name)
			}
			seen[name] = true
		}
	}
	if got := components.StateName(components.State{Lang: "ko", State: "odd"}); got != "odd" {
		t.Errorf("an unknown state is called %q", got)
	}
}

func TestTonightSlots_GiveEachRowAnID(t *testing.T) {
	t.Parallel()
	html := rendered(t, staff.TonightLive(views.TonightLive{Lang: "en", Slots: []views.EveningSlot{
		{State: board.SlotOpen, Slot: board.Slot{Start: evening, Figures: board.Figures{Left: 4},
			Occupancy: booking.Occupancy{Capacity: 20, Held: 16, OnHold: 4, Waitlisted: 3},
			Line:      board.Line{Waiting: 1280}}}},
		Address: views.EveningAddress{RestaurantID: 1, Day: evening, Tab: views.TabSlots}}))
	holds(t, html,
		`id="slot-1900"`, // morphing finds a row by its id
		`href="/staff/restaurants/1/slots/2026-11-21/19:00"`)
	holds(t, text(html), "16/20 4 1,280 3 4 12 – Open") // a zero is quiet
	lacks(t, text(html), "Arrivals")
}

// A line is of parties, however many people come with them.
func TestTonight_CountsLinesInParties(t *testing.T) {
	t.Parallel()
	for lang, parties := range map[string]string{"ko": "14팀", "en": "14 parties"} { // in any order
		for _, tab := range []views.EveningTab{views.TabGuests, views.TabLine} {
			page := text(rendered(t, staff.Tonight(tonight(lang, tab))))
			holds(t, page, parties)
			lacks(t, page, "14명", "14 people")
		}
		longest := views.TonightLive{Lang: lang, Address: views.EveningAddress{RestaurantID: 1, Day: evening}}
		longest.LongestLine = 14
		holds(t, text(rendered(t, staff.TonightLive(longest))), parties)
	}
}

func TestStaffSlot_OffersNothingOnceItIsOver(t *testing.T) {
	t.Parallel()
	for lang, words := range map[string]string{"ko": "지난 시간", "en": "Over"} {
		past := views.EveningSlot{State: board.SlotOver, Slot: board.Slot{Start: evening,
			Occupancy: booking.Occupancy{Capacity: 20, Held: 12}, Figures: board.Figures{Left: 8}}}
		page := rendered(t, staff.Slot(views.StaffSlotPage{StaffShell: shell(lang, "/staff"), Slot: past}))
		holds(t, text(page), words)
		lacks(t, page, views.StaffSlotControlsURL(1, evening))
	}
}

// A restaurant says what a meal costs; one that has not chosen says nothing of it.
func TestPlaceLine_SaysThePriceBand(t *testing.T) {
	t.Parallel()
	for lang, words := range map[string]string{"ko": "가격대: 고급", "en": "Prices: Upscale"} { // in any order
		r := *head()
		r.PriceBand = 3
		holds(t, text(rendered(t, components.PlaceLine(lang, &r))), "· "+words)
		r.PriceBand = 0
		lacks(t, rendered(t, components.PlaceLine(lang, &r)), strings.Split(words, ":")[0])
	}
}

// The first picture of a list comes first, the rest of its row with it, and others when they are scrolled to.
func TestRestaurantPicture_LoadsTheFirstRowAtOnce(t *testing.T) {
	t.Parallel()
	for number, wants := range [][2]bool{{true, false}, {false, false}, {false, false}, {false, true}} {
		html := rendered(t, components.RestaurantPicture(components.Photo{Picture: "ramen", Number: number}))
		first, later := strings.Contains(html, `fetchpriority="high"`), strings.Contains(html, `loading="lazy"`)
		if first != wants[0] || later != wants[1] {
			t.Errorf("number %d: %s", number, html)
		}
	}
}
