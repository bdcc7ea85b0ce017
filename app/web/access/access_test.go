package access_test

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/team"
	"lunchgo/app/web/access"
	"lunchgo/app/web/respond"
)

// Without a session nobody gets past a right that needs one, and a right that was forgotten admits nobody.
func TestRight_RefusesWhoIsNotSignedIn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		right access.Right
		want  error
	}{
		{access.Anyone, nil},
		{access.OwnStream, nil},
		{access.SignedIn, respond.Unauthenticated},
		{access.Own, respond.Unauthenticated},
		{access.Operator, respond.Unauthenticated},
		{access.Staff(team.SeeEvening), respond.Unauthenticated},
		{access.Right{}, respond.Forbidden},
	} {
		t.Run(c.right.String(), func(t *testing.T) {
			t.Parallel()
			passed := false
			if got := answered(t, c.right, &passed); fmt.Sprint(got) != fmt.Sprint(c.want) || passed != (c.want == nil) {
				t.Errorf("%v, passed: %v, want %v", got, passed, c.want)
			}
		})
	}
}

// answered is the error of a request to a route with a right.
func answered(t *testing.T, right access.Right, passed *bool) (answer error) {
	t.Helper()
	app := fiber.New(fiber.Config{ErrorHandler: func(c *fiber.Ctx, err error) error {
		answer = err
		return c.SendStatus(fiber.StatusTeapot)
	}})
	routes := access.NewRoutes(app)
	routes.Get("/thing", right, func(c *fiber.Ctx) error {
		*passed = true
		return c.SendStatus(fiber.StatusOK)
	})
	if list := routes.List(); len(list) != 1 || list[0] != (access.Route{Method: "GET", Path: "/thing", Right: right}) {
		t.Errorf("listed: %v", list)
	}
	if _, err := app.Test(httptest.NewRequest(fiber.MethodGet, "/thing", nil)); err != nil {
		t.Fatal(err)
	}
	return answer
}

// A handler asks for the action of its route; where the route has none, nobody's role allows it.
func TestAction_IsTheRoutesOwn(t *testing.T) {
	t.Parallel()
	for right, want := range map[access.Right]error{
		access.Staff(team.SeeReports): nil, access.SignedIn: respond.Forbidden} {
		app := fiber.New()
		app.Get("/", func(c *fiber.Ctx) error {
			_ = right.Check(c)
			if action, err := access.Action(c); action != right.Action() || fmt.Sprint(err) != fmt.Sprint(want) {
				t.Errorf("%s: %q, %v", right, action, err)
			}
			return nil
		})
		if _, err := app.Test(httptest.NewRequest(fiber.MethodGet, "/", nil)); err != nil {
			t.Fatal(err)
		}
	}
}
