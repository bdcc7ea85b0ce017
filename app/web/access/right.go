// Package access says who may use each route of the site, as part of the route's registration. A right is checked twice:
// here, as far as the request alone says, and by the use case, which knows whose thing it is.
package access

import (
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/team"
	"lunchgo/app/web/respond"
)

// Right is who may use a route. Rights are comparable; the zero value admits nobody.
type Right struct {
	who    who
	action team.Action // of staff
}

type who string

const staff who = "staff"

// Rights of routes that are not of one restaurant's staff.
var (
	Anyone   = Right{who: "anyone"}
	SignedIn = Right{who: "signed in"}
	// Own is for the diner whose thing it is. Others do not learn that there is one.
	Own = Right{who: "own"}
	// OwnStream is Own for a page's event stream: whoever is not signed in gets a stream that says that it is over, so
	// that the page asks to sign in.
	OwnStream = Right{who: "own, or a stream that is over"}
	Operator  = Right{who: "operator"}
)

// Staff is for those members of the restaurant's staff whose role allows an action.
func Staff(action team.Action) Right { return Right{staff, action} }

// String names the right for people, such as "signed in" or "staff: see_evening".
func (r Right) String() string {
	if r.who == staff {
		return string(r.who) + ": " + string(r.action)
	}
	return string(r.who)
}

// NeedsSession says whether only a request with a session may pass.
func (r Right) NeedsSession() bool { return r != Anyone && r != OwnStream }

// Action is the one that a member of the restaurant's staff needs; empty for a route that is not of staff.
func (r Right) Action() team.Action { return r.action }

type rightKey struct{}

// Check refuses a request that cannot have the right, whatever it is about, and remembers a right of staff for Action.
// Returns respond.Unauthenticated, and respond.Forbidden for the zero value.
func (r Right) Check(c *fiber.Ctx) error {
	if r == (Right{}) {
		return respond.Forbidden
	}
	if r.who == staff {
		c.Locals(rightKey{}, r.action)
	}
	if !r.NeedsSession() {
		return nil
	}
	_, err := respond.Session(c)
	return err
}

// Admit is Check as a handler of the route.
func (r Right) Admit(c *fiber.Ctx) error {
	if err := r.Check(c); err != nil {
		return err
	}
	return c.Next()
}

// Action is the action that the route of a request needs of staff. Returns respond.Forbidden where the route has no right
// of staff: nobody's role allows what nobody named.
func Action(c *fiber.Ctx) (team.Action, error) {
	if action, ok := c.Locals(rightKey{}).(team.Action); ok {
		return action, nil
	}
	return "", respond.Forbidden
}
