package mail

import (
	"strings"
	"testing"
	"time"

	"lunchgo/app/booking"
)

var noted = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

func place(t *testing.T) booking.Restaurant {
	t.Helper()
	seoul, err := time.LoadLocation("Asia/Seoul")
	if err != nil {
		t.Fatal(err)
	}
	return booking.Restaurant{ID: 1,
		Location: seoul,
		Settings: booking.Settings{Name: booking.Text{Ko: "담담반상", En: "Damdam"},
			Address: booking.Text{Ko: "종로 <1>", En: "Jongno"}, SlotMinutes: 90}}
}

func note(kind Kind, state booking.State) Note {
	return Note{ID: 7, Kind: kind, CreatedAt: noted, Email: "ann@example.org", Name: `앤 "A" <b>`, Language: "ko",
		Reservation: booking.Reservation{ID: "K7Q2M5XWZ4P6", RestaurantID: 1, PartySize: 2, State: state,
			PaidAmount:   20_000,
			RefundAmount: 10_000, HoldExpiresAt: noted.Add(7 * time.Minute),
			Slot: booking.SlotKey{RestaurantID: 1, Date: "2026-11-21", Time: "19:00"}}}
}

func TestLetters_SayWhatHappened(t *testing.T) {
	t.Parallel()
	for kind, want := range map[Kind][]string{
		Turn:      {"오후 7:07까지 결제", "/reservations/K7Q2M5XWZ4P6/pay"},
		Confirmed: {"예약이 확정되었습니다", "20,000원", "예약 번호: K7Q2M5"},
		Cancelled: {"예약이 취소되었습니다", "10,000원이며"},
		Refunded:  {"10,000원을 환불해 드렸습니다", "결제하신 수단으로"},

		PaymentRefused:    {"결제가 승인되지 않았습니다", "청구된 금액은 없고"},
		ChangeRefused:     {"변경의 결제가 승인되지 않았습니다", "그대로 유효합니다", "20,000원"},
		CardRefundRefused: {"카드로 돌려 드리지 못한", "지갑에 넣었습니다"},
		Reminder:          {"예약하신 날이 다가왔습니다", "2명"},
		Unseen:            {"자리가 다음 분께 넘어갔습니다", "오후 7:07까지 잡아 두었습니다", "결제된 금액은 없습니다"},
	} {
		l, err := composeReservation(note(kind, booking.Confirmed), place(t), "https://lunch.example")
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range append(want, "담담반상", "종로 <1>") {
			if !strings.Contains(l.Subject+"\n"+l.Text(), part) {
				t.Errorf("%s does not say %q:\n%s\n%s", kind, part, l.Subject, l.Text())
			}
		}
		if l.Text() == "" || strings.Contains(l.Subject+l.Text(), "mail.") || strings.Contains(l.Text(), "no value") {
			t.Errorf("%s: a text is missing:\n%s\n%s", kind, l.Subject, l.Text())
		}
		if has := strings.Contains(l.Calendar, "DTSTART:20261121T100000Z"); has != (kind == Confirmed ||
			kind == Reminder || kind == ChangeRefused) {
			t.Errorf("%s: calendar %q", kind, l.Calendar)
		}
		html, err := l.HTML(t.Context())
		if err != nil || !strings.Contains(html, "종로 &lt;1&gt;") || strings.Contains(html, "<b>") ||
			!strings.Contains(html, `href="https://lunch.example/`) {
			t.Errorf("%s: %v\n%s", kind, err, html)
		}
	}
	free := note(Confirmed, booking.Confirmed)
	free.Reservation.ConfirmedAt = noted
	free.Reservation.Policy = booking.Policy{FreeCancelMinutes: 15}
	if l, err := composeReservation(free, place(t), ""); err != nil || !strings.Contains(l.Text(),
		"오후 7:15까지 취소하면 전액 환불") {
		t.Errorf("free to cancel: %v\n%s", err, l.Text())
	}
	unpaid := note(Cancelled, booking.Cancelled)
	unpaid.Language, unpaid.Reservation.RefundAmount = "en", 0
	if l, err := composeReservation(unpaid, place(t), ""); err != nil ||
		!strings.Contains(l.Text(), "Nothing is to be paid back") {
		t.Errorf("%v\n%s", err, l.Text())
	}
}

// Whoever was away at their turn reads until when to look, and until when to pay then.
func TestLetters_OfAnUnseenHold(t *testing.T) {
	t.Parallel()
	n := note(Turn, booking.Temporary)
	n.Reservation.HoldExpiresAt, n.Reservation.SeenExpiresAt = noted.Add(3*time.Minute), noted.Add(7*time.Minute)
	for lang, parts := range map[string][]string{
		"ko": {"오후 7:03까지 확인해 주세요", "오후 7:03까지 확인하면 오후 7:07까지 결제", "/reservations/K7Q2M5XWZ4P6/pay"},
		"en": {"have a look by 7:03", "you have until 7:07"},
	} {
		n := n
		n.Language = lang
		l, err := composeReservation(n, place(t), "https://lunch.example")
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range parts {
			if !strings.Contains(l.Subject+"\n"+l.Text(), part) {
				t.Errorf("%s does not say %q:\n%s\n%s", lang, part, l.Subject, l.Text())
			}
		}
	}
	n.Language, n.Reservation = "ko", n.Reservation.See()
	if l, err := composeReservation(n, place(t), ""); err != nil || !strings.Contains(l.Text(),
		"오후 7:07까지 결제하면 예약이 확정됩니다") {
		t.Errorf("once it is seen: %v\n%s", err, l.Text())
	}
}

func TestLetters_OutdatedOnes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind     Kind
		state    booking.State
		after    time.Duration
		outdated bool
	}{
		{Turn, booking.Temporary, time.Minute, false},
		{Turn, booking.Temporary, 8 * time.Minute, true},
		{Turn, booking.Confirmed, time.Minute, true},
		{Confirmed, booking.PrepaidConfirmed, time.Hour, false},
		{Confirmed, booking.RefundPending, time.Minute, true},
		{Reminder, booking.Cancelled, time.Minute, true},
		{Cancelled, booking.Refunded, time.Hour, false},
		{Refunded, booking.Refunded, 73 * time.Hour, true},
		{Unseen, booking.Expired, time.Hour, false},
		{Unseen, booking.Confirmed, time.Minute, true},
	} {
		if got := note(c.kind, c.state).IsOutdated(noted.Add(c.after)); got != c.outdated {
			t.Errorf("%s of a %s reservation after %v: %v", c.kind, c.state, c.after, got)
		}
	}
}

// Owners read which program gets nothing any more, why, and where to mend it, unless somebody has done so.
func TestLetters_OfAWebhook(t *testing.T) {
	t.Parallel()
	n := Note{Kind: WebhookDisabled, CreatedAt: noted, Language: "ko", Webhook: Webhook{ID: "W1", RestaurantID: 7,
		Restaurant: place(t).Name, URL: "https://till.example/events", Gone: true}}
	for lang, parts := range map[string][]string{
		"ko": {"담담반상의 웹훅이 꺼졌습니다", "더는 받지 않겠다고 답했습니다(410)", "https://till.example/events",
			"https://lunch.example/staff/restaurants/7/webhooks/W1"},
		"en": {"A webhook of Damdam was disabled", "wants no more events (410)"},
	} {
		n := n
		n.Language = lang
		l := composeWebhook(n, "https://lunch.example")
		for _, part := range parts {
			if !strings.Contains(l.Subject+"\n"+l.Text(), part) {
				t.Errorf("%s does not say %q:\n%s\n%s", lang, part, l.Subject, l.Text())
			}
		}
	}
	n.Language, n.Webhook.Gone = "en", false
	if l := composeWebhook(n, ""); !strings.Contains(l.Text(), "three days") {
		t.Errorf("%s", l.Text())
	}
	if n.IsOutdated(noted.Add(time.Hour)) {
		t.Error("outdated while it is so")
	}
	n.Webhook.Ended = true
	if !n.IsOutdated(noted) {
		t.Error("a resumed webhook is written of")
	}
}

// Owners read what an operator decided about their restaurant, why, and where to go from there.
func TestLetters_OfADecision(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind  Kind
		lang  string
		parts []string
	}{
		{Refused, "ko", []string{"공개 보류: 담담반상", "이유: 주소가 없습니다", "https://lunch.example/staff/restaurants/7/setup"}},
		{Published, "ko", []string{"공개 완료: 담담반상", "https://lunch.example/restaurants/damdam"}},
		{Unpublished, "en", []string{"Damdam is unpublished", "Reason: 주소가 없습니다", "/staff/restaurants/7/setup"}},
	} {
		n := Note{Kind: c.kind, CreatedAt: noted, Language: c.lang, Decision: Decision{RestaurantID: 7, Slug: "damdam",
			Restaurant: place(t).Name, Stands: true}}
		if c.kind != Published {
			n.Decision.Reason = "주소가 없습니다"
		}
		l, err := Composer{Site: "https://lunch.example"}.Compose(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range c.parts {
			if text := l.Subject + "\n" + l.Text(); !strings.Contains(text, part) {
				t.Errorf("%s does not say %q:\n%s", c.kind, part, text)
			}
		}
		if n.IsOutdated(noted) {
			t.Errorf("%s is outdated", c.kind)
		}
		if n.Decision.Stands = false; !n.IsOutdated(noted) {
			t.Errorf("%s is not outdated by another decision", c.kind)
		}
	}
}

// The letter that offers another time says which, and leads to where the diner takes it.
func TestLetters_OfferAnotherTime(t *testing.T) {
	t.Parallel()
	for offered, want := range map[booking.OfferedTime]string{{Date: "2026-11-22"}: "11월 22일 (일) 오후 7:00",
		{Date: "2026-11-22", Time: "20:00"}: "11월 22일 (일) 오후 8:00", {Date: "2026-11-21"}: "2026년 11월 21일 (토)\n"} {
		n := note(Message, booking.Confirmed)
		n.Message, n.Offered = "주방 공사입니다.", offered
		l, err := composeReservation(n, place(t), "https://lunch.example")
		for _, part := range []string{"제안하는 시간: " + want, "수수료는 없습니다", n.Message, "11월 21일 (토) 오후 7:00",
			"https://lunch.example/reservations/K7Q2M5XWZ4P6/another-time"} {
			if text := l.Subject + "\n" + l.Text(); err != nil || !strings.Contains(text, part) {
				t.Errorf("it does not say %q: %v\n%s", part, err, text)
			}
		}
	}
}
