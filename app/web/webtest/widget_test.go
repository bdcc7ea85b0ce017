package webtest

import (
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/views"
)

// Other sites may show the times of a restaurant in a frame, whose links open outside of it. They may frame nothing
// else.
func TestWidget_AloneMayBeFramed(t *testing.T) {
	t.Parallel()
	r := newHarness(t)
	framed := func(path string) bool {
		a := r.page(t, person{}, path)
		policy := a.header.Get(fiber.HeaderContentSecurityPolicy)
		open := strings.Contains(policy, "frame-ancestors *")
		if open == strings.Contains(policy, "frame-ancestors 'none'") ||
			open == (a.header.Get(fiber.HeaderXFrameOptions) == "DENY") {
			t.Errorf("%s: %v", path, a.header)
		}
		return open
	}
	widget := views.WidgetURL(r.restaurant.Slug)
	r.page(t, person{}, widget).has(t, `<base target="_blank">`, `target="_self"`, "/restaurants/damdam/book?",
		"메뉴와 취소 규정 보기")
	if !framed(widget) {
		t.Error("a widget may not be framed")
	}
	for _, path := range []string{"/", views.RestaurantURL(r.restaurant.Slug), views.SignInURL(""), "/widgets"} {
		if framed(path) {
			t.Errorf("%s may be framed", path)
		}
	}
	r.page(t, person{}, views.WidgetURL("nowhere")).want(t, 404, "")
	owner := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	r.page(t, owner, views.SetupPageURL(r.restaurant.ID, views.SetupOwnSite)).has(t, r.URL+widget, "iframe", "예약하기")
}
