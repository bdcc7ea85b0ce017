package webtest

import (
	"strings"
	"testing"

	"lunchgo/views"
)

func TestMailbox_ShowsLettersWithoutAMailServer(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	who, id := r.confirm(t, r.slot("19:00"), 2)
	r.page(t, who, views.MailboxURL()).is(t, 200).has(t, "예약이 확정되었습니다", "담담반상", views.ReservationURL(id),
		"@example.org 앞")
	other := r.page(t, r.diner(t, 0), views.MailboxURL()).is(t, 200)
	other.has(t, "아직 메일이 없습니다")
	other.hasNot(t, id)
	if a := r.page(t, person{}, views.MailboxURL()); a.status != 303 {
		t.Errorf("signed out: %d", a.status)
	}
}

// A letter of something that has changed since says that it does not show what was so then.
func TestMailbox_SaysWhichLettersAreOld(t *testing.T) {
	t.Parallel()
	const old = "지난 메일입니다"
	r := newHarness(t)
	who, id := r.confirm(t, r.slot("19:00"), 2)
	r.page(t, who, views.MailboxURL()).is(t, 200).hasNot(t, old)
	r.delete(t, who, "/api/reservations/"+id).want(t, 200, "")
	if box := r.page(t, who, views.MailboxURL()).is(t, 200); strings.Count(string(box.raw), old) != 1 {
		t.Errorf("the letter of the confirmation is old, that of the cancellation is not:\n%s", box.raw)
	}
}
