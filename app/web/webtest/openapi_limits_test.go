package webtest

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"lunchgo/app/identity"
	"lunchgo/app/web/ratelimit"
	"lunchgo/app/web/respond"
)

var pathParam = regexp.MustCompile(`\{\w+\}`)

// Every operation stands behind a limit of what an address without an account may ask for, and says so: the answers are
// held against the description.
func TestOpenAPI_EveryOperationIsLimitedAndSaysSo(t *testing.T) {
	t.Parallel()
	r := limitedTo(t, ratelimit.Limits{Reads: 1}, 0)
	operations := 0
	theContract(t).eachOperation(func(path, method string, operation map[string]any) {
		operations++
		if operation["responses"].(map[string]any)["429"] == nil {
			t.Errorf("%s %s does not say that it is limited", method, path)
			return
		}
		c := call{method: strings.ToUpper(method), path: pathParam.ReplaceAllString(path, "1")}
		answered := r.do(t, c)
		for tries := 0; answered.status != http.StatusTooManyRequests && tries < 10; tries++ { // one a second passes
			r.readUntilRefused(t)
			answered = r.do(t, c)
		}
		answered.want(t, http.StatusTooManyRequests, respond.TooManyRequests.Code)
	})
	if operations < 100 {
		t.Errorf("only %d operations", operations)
	}
}

// readUntilRefused takes what the address has left, with answers that come faster than it comes back.
func (r *harness) readUntilRefused(t *testing.T) {
	t.Helper()
	for r.get(t, person{}, "/api/wallet").status != http.StatusTooManyRequests {
	}
}

// What staff and operators may change stands behind a limit of their own.
func TestOpenAPI_StaffAreLimitedAndItSaysSo(t *testing.T) {
	t.Parallel()
	r := limitedTo(t, ratelimit.Limits{Staff: 1}, 0)
	owner := r.staffAs(t, r.restaurant.ID, identity.RoleOwner)
	r.delete(t, owner, "/api/staff/restaurants/1/invitations/unknown")
	limited := 0
	theContract(t).eachOperation(func(path, method string, _ map[string]any) {
		if method == "get" || !strings.HasPrefix(path, "/api/staff/") && !strings.HasPrefix(path, "/api/operator/") {
			return
		}
		limited++
		c := call{method: strings.ToUpper(method), path: pathParam.ReplaceAllString(path, "1"), as: owner}
		r.do(t, c).want(t, http.StatusTooManyRequests, respond.TooManyRequests.Code)
	})
	if limited < 30 {
		t.Errorf("only %d operations", limited)
	}
}

// Nothing of the description is null but values, of examples and enumerations: programs that read descriptions refuse
// it.
func TestOpenAPI_NothingIsNull(t *testing.T) {
	t.Parallel()
	var walk func(at string, node any)
	walk = func(at string, node any) {
		switch node := node.(type) {
		case nil:
			t.Errorf("%s is null", at)
		case map[string]any:
			for name, child := range node {
				if name != "examples" && name != "enum" {
					walk(at+"/"+name, child)
				}
			}
		case []any:
			for _, child := range node {
				walk(at+"/…", child)
			}
		}
	}
	walk("", theContract(t).doc)
}
