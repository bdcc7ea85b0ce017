package webtest

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/db/dbtest"
	"lunchgo/views"
)

// guestFile asks for a file of guests, and returns its rows.
func (r *harness) guestFile(t *testing.T, as person, path string) (rows []string, name string) {
	t.Helper()
	response, err := agent.Do(r.request(t, call{method: http.MethodGet, path: path, as: as}))
	dbtest.Must(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	dbtest.Must(t, err)
	if response.StatusCode != 200 || response.Header.Get("Content-Type") != "text/csv; charset=utf-8" ||
		!strings.HasPrefix(response.Header.Get("Cache-Control"), "no-store") {
		t.Fatalf("%s: %d %s %.300s", path, response.StatusCode, response.Header, text)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\r\n"), "\r\n"), response.Header.Get("Content-Disposition")
}

// Staff download the guests that their search shows, with all pages of them; the log says who did, and not whom they
// looked for.
func TestGuests_AsAFile(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	host, manager := r.staff(t, r.restaurant.ID), r.staffAs(t, r.restaurant.ID, identity.RoleManager)
	about := r.caller(t)
	r.book(t, host, "key-1", "wait=20", byPhone(r.slot("19:00"), 1,
		map[string]any{"name": "=HYPERLINK(1)", "phone": "010-1111-2222", "allergies": "땅콩"})).want(t, 201, "")
	guest := "/api" + views.GuestURL(r.restaurant.ID, about.Guest)
	r.post(t, host, guest+"/notes", "", map[string]any{"text": "likes tea"}).want(t, 201, "")
	r.post(t, host, guest+"/notes", "", map[string]any{"text": "likes, \"coffee\""}).want(t, 201, "")
	r.call(t, host, "PUT", guest+"/tags", map[string]any{"tags": []string{"vip", "Wine"}}).want(t, 200, "")

	rows, name := r.guestFile(t, host, views.GuestFileURL(r.restaurant.ID, ""))
	if len(rows) != 3 || rows[0] != "\ufeff이름,전화번호,태그,알레르기,메모,방문,노쇼,취소,최근 방문,결제 금액" ||
		rows[1] != `'=HYPERLINK(1),010-1111-2222,,땅콩,,0,0,0,,0` ||
		rows[2] != `김하늘,010-9876-5432,"VIP, Wine",,"likes, ""coffee""",0,0,0,,0` {
		t.Errorf("%q", rows)
	}
	if !strings.Contains(name, r.restaurant.Slug+"-guests-") {
		t.Errorf("it is called %s", name)
	}
	found, _ := r.guestFile(t, host, views.GuestFileURL(r.restaurant.ID, "하늘"))
	asked, _ := r.guestFile(t, host, "/api"+views.GuestFileURL(r.restaurant.ID, "9876-5432"))
	for _, rows := range [][]string{found, asked} {
		if len(rows) != 2 || !strings.HasPrefix(rows[1], "김하늘") {
			t.Errorf("a search: %q", rows)
		}
	}
	if asked[0] != "\ufeffname,phone,tags,allergies,note,visits,no_shows,cancellations,last_visit,spent" ||
		!strings.Contains(asked[1], `"vip, Wine"`) {
		t.Errorf("for programs: %q", asked)
	}
	r.get(t, host, "/api"+views.GuestFileURL(r.restaurant.ID, "987")).want(t, 422, "invalid")
	r.page(t, host, views.GuestsURL(r.restaurant.ID, "하늘")).is(t, 200).has(t,
		fmt.Sprintf("%d/guests/file.csv?q=", r.restaurant.ID))

	log := string(r.get(t, manager, r.teamPath("audit")).want(t, 200, "").raw)
	if strings.Count(log, `"guest.export"`) != 3 || strings.Contains(log, "하늘") && strings.Contains(log, "9876") {
		t.Errorf("the log %s", log)
	}
	r.page(t, manager, views.TeamLogURL(r.restaurant.ID)).is(t, 200).has(t, "손님 목록을 파일로 내려받음")
}

// Nobody else gets the file, and nothing is written down then.
func TestGuests_FileIsForStaff(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	r.caller(t)
	other, _ := r.newRestaurant(t, "another")
	owner := r.staffAs(t, other.ID, identity.RoleOwner)
	page := views.GuestFileURL(r.restaurant.ID, "")
	for _, path := range []string{page, "/api" + page} {
		for _, who := range []person{owner, r.diner(t, 0)} {
			if a := r.get(t, who, path); a.status != 404 {
				t.Errorf("%s: %d %s", path, a.status, a.raw)
			}
		}
	}
	rows, _ := r.guestFile(t, owner, views.GuestFileURL(other.ID, ""))
	if len(rows) != 1 {
		t.Errorf("another restaurant's: %q", rows)
	}
	if n := r.audited(t, "guest.export"); n != 1 {
		t.Errorf("%d entries of the log, want that of another restaurant", n)
	}
}
