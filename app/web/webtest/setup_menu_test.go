package webtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"lunchgo/app/booking"
	"lunchgo/app/identity"
	"lunchgo/app/program/programtest"
	"lunchgo/app/setup"
	"lunchgo/app/web/respond"
)

// document is a document of the set-up and its version.
type document struct {
	path string
	as   person
	tag  string
}

// read reads the document into dest, and remembers its version.
func (r *harness) read(t *testing.T, d *document, dest any) {
	t.Helper()
	a := r.get(t, d.as, d.path).want(t, 200, "")
	d.tag = a.header.Get("ETag")
	if err := json.Unmarshal(a.raw, dest); err != nil || d.tag == "" {
		t.Fatal(err, d.tag)
	}
}

// write puts the document over the version that was read last.
func (r *harness) write(t *testing.T, d document, body any) answer {
	t.Helper()
	c := call{method: http.MethodPut, path: d.path, as: d.as, body: body, headers: map[string]string{}}
	if d.tag != "" {
		c.headers["If-Match"] = d.tag
	}
	return r.do(t, c)
}

// fieldsOf are the names of the fields that a problem is about, with the reasons.
func (a answer) fieldsOf(t *testing.T) (fields []string) {
	t.Helper()
	for _, f := range a.list(t, "fields") {
		fields = append(fields, fmt.Sprint(f["name"], " ", f["reason"]))
	}
	return fields
}

func (r *harness) api(restaurantID int64, part string) string {
	return fmt.Sprintf("/api/staff/restaurants/%d/%s", restaurantID, part)
}

// quickCatalog is a server whose catalogue is read again at every request.
func quickCatalog() (s programtest.Setup) {
	s.Config.CatalogMaxAge = 1
	return s
}

// The menu is one document: what a manager writes, diners see; who writes over another version changes nothing.
func TestMenuDocument_WrittenOverItsVersion(t *testing.T) {
	t.Parallel()
	r := newHarnessWith(t, quickCatalog())
	d := document{path: r.api(r.restaurant.ID, "menu"), as: r.staffAs(t, r.restaurant.ID, identity.RoleManager)}
	var menu setup.Menu
	r.read(t, &d, &menu)
	stale := d
	three := 3
	menu.Items = append([]booking.MenuItem{{Category: "계절 음식", Name: menu.Items[1].Name, Price: 0, StaySlots: 2,
		DailyQuantity: &three, Served: &booking.Span{From: "11:30", Last: "14:00"}}},
		menu.Items[0])
	menu.Items[1].Price = 35_000
	menu.Items[0].Name.Ko = " 냉이국 "
	stored := r.write(t, d, menu).want(t, 200, "")
	if d.tag = stored.header.Get("ETag"); d.tag == "" || d.tag == stale.tag {
		t.Errorf("the version is %q, was %q", d.tag, stale.tag)
	}
	shown := r.get(t, person{}, fmt.Sprintf("/api/restaurants/%d/menu", r.restaurant.ID)).list(t, "items")
	if len(shown) != 2 || shown[0]["name"] != "냉이국" || shown[0]["stock"] != 3.0 || shown[1]["price"] != 35_000.0 {
		t.Errorf("diners see %v", shown)
	}
	if served, _ := shown[0]["served"].(map[string]any); served["last"] != "14:00" || shown[1]["served"] != nil {
		t.Errorf("diners see them served %v and %v", shown[0]["served"], shown[1]["served"])
	}
	r.page(t, person{}, "/restaurants/"+r.restaurant.Slug).is(t, 200).has(t, "계절 음식", "냉이국", "갈비찜",
		"오전 11:30–오후 2:00에만")
	r.write(t, stale, menu).want(t, 409, "changed_meanwhile")
	stale.tag = ""
	r.write(t, stale, menu).want(t, 428, "precondition_required")
	if n := r.audited(t, "setup.menu"); n != 1 {
		t.Errorf("%d entries in the audit log", n)
	}
}

func TestMenuDocument_RefusesWithFields(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	d := document{path: r.api(r.restaurant.ID, "menu"), as: r.staffAs(t, r.restaurant.ID, identity.RoleOwner)}
	var menu setup.Menu
	r.read(t, &d, &menu)
	before := d.tag
	zero := 0
	menu.Items[0].Price, menu.Items[0].Name.Ko, menu.Items[0].StaySlots = -1, "", 13
	menu.Items[1].Price, menu.Items[1].Category = setup.MaxPrice+1, "a\tb"
	menu.Items[1].DailyQuantity, menu.Items[1].Picture = &zero, "../../etc"
	menu.Items[1].Description.Ko = "\u202eabc"
	menu.Items[0].Served = &booking.Span{From: "14:00", Last: "11:00"}
	menu.Items[1].Served = &booking.Span{From: "14:00"}
	menu.Items = append(menu.Items, menu.Items[0])
	fields := strings.Join(r.write(t, d, menu).want(t, 422, "invalid").fieldsOf(t), "\n")
	for _, want := range []string{"items[0].price out_of_range", "items[0].name.ko required",
		"items[0].staySlots out_of_range", "items[1].price out_of_range", "items[1].category invalid_text",
		"items[1].dailyQuantity out_of_range", "items[1].picture unknown", "items[1].description.ko invalid_text",
		"items[0].served.last ends_before", "items[1].served.last invalid_time", "items[2].id duplicate"} {
		if !strings.Contains(fields, want) {
			t.Errorf("no %s in\n%s", want, fields)
		}
	}
	many := setup.Menu{}
	for range setup.MaxItems + 1 {
		many.Items = append(many.Items, booking.MenuItem{Category: "main", Name: r.restaurant.Name, StaySlots: 1,
			Description: r.restaurant.Description})
	}
	if got := r.write(t, d, many).want(t, 422, "invalid").fieldsOf(t); len(got) != 1 || got[0] != "items too_many" {
		t.Errorf("201 dishes: %v", got)
	}
	many.Items = many.Items[1:]
	for i := range many.Items { // 120 kB: more than other routes read
		many.Items[i].Description.Ko = strings.Repeat("밥", 200)
	}
	r.write(t, d, many).want(t, 200, "")
	if r.read(t, &d, &menu); d.tag == before || len(menu.Items) != setup.MaxItems {
		t.Errorf("%d dishes", len(menu.Items))
	}
	many.Items[0].Description.Ko = strings.Repeat("밥", respond.MaxDocument/3)
	r.do(t, call{method: http.MethodPut, path: d.path, body: many}).want(t, 401, "unauthenticated")
	r.do(t, call{method: http.MethodPut, path: d.path, as: d.as, body: many}).want(t, 413, "too_large")
}
