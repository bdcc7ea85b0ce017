package api

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lunchgo/app/booking"
	"lunchgo/app/setup"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
)

// sameNames reports names that are not the wanted ones, in any order.
func sameNames(t *testing.T, of string, want, got []string) {
	t.Helper()
	if want, got = slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(got)); !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", of, got, want)
	}
}

// enumOf are the values that a member may have.
func enumOf(t *testing.T, schema, member string) (values []string) {
	t.Helper()
	for _, value := range described().schemas.byName[schema].Properties[member].Enum {
		values = append(values, value.(string))
	}
	return values
}

// The schema of a type is what encoding/json makes of it: the members of an empty value are those that are always
// there.
func TestSchemas_AreWhatIsEncoded(t *testing.T) {
	t.Parallel()
	known := described().schemas
	if len(known.types) < 100 {
		t.Errorf("only %d types", len(known.types))
	}
	for name, of := range known.types {
		schema := known.byName[name]
		encoded := membersIn(t, reflect.New(of).Interface())
		for _, member := range encoded {
			if schema.Properties[member] == nil {
				t.Errorf("%s.%s is not described", name, member)
			}
		}
		for _, member := range schema.Required {
			if !slices.Contains(encoded, member) {
				t.Errorf("%s.%s may be missing", name, member)
			}
		}
		if isAnswer(of) && len(encoded) != len(schema.Required) {
			t.Errorf("%s: %q are always there, and %q are required", name, encoded, schema.Required)
		}
	}
}

// isAnswer says whether a type is no request: of those, members are missing that Go would encode.
func isAnswer(of reflect.Type) bool {
	return !slices.ContainsFunc(membersOf(of), func(m member) bool { return m.field.Tag.Get("required") != "" })
}

// What is said of members is said of ones that there are.
func TestBoundsAndSamples_AreOfMembers(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for schema, of := range described().schemas.byName {
		for member := range of.Properties {
			names[member], names[schema+"."+member] = true, true
		}
	}
	for _, all := range [][]string{slices.Collect(maps.Keys(bounds)), slices.Collect(maps.Keys(samples)), counts} {
		for _, name := range all {
			if !names[name] {
				t.Errorf("%s is no member", name)
			}
		}
	}
}

// Whoever may use an operation reads it in the description.
func TestDescription_SaysWhoMay(t *testing.T) {
	t.Parallel()
	d := described()
	for path, want := range map[string]string{
		"/api/staff/restaurants/{restaurant}/evening":  "For hosts, managers and owners of the restaurant.",
		"/api/staff/restaurants/{restaurant}/webhooks": "For owners of the restaurant.",
		"/api/operator/restaurants":                    "For operators.",
		"/api/account":                                 "Needs a session.",
	} {
		if got := d.Paths[path].Get.Description; !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if d.Paths["/api/restaurants"].Get.Description != "" || len(d.Paths["/api/restaurants"].Get.Security) != 0 {
		t.Error("a search needs a session")
	}
}

// The table of outcomes, the description's codes and the catalogues name the same.
func TestOutcomes_AreDescribedAndHaveSentences(t *testing.T) {
	t.Parallel()
	var codes []string
	for _, outcome := range respond.Outcomes() {
		codes = append(codes, outcome.Code)
	}
	slices.Sort(codes)
	if len(slices.Compact(slices.Clone(codes))) != len(codes) {
		t.Errorf("a code has several rows: %q", codes)
	}
	sameNames(t, "Problem.code", codes, enumOf(t, "Problem", "code"))
	results := distinct(waiting.Codes())
	sameNames(t, "Ticket.code", results, enumOf(t, "Ticket", "code"))
	for _, code := range results {
		if !slices.Contains(codes, code) {
			t.Errorf("a result has the code %s, and no outcome", code)
		}
	}

	for _, lang := range []string{"ko", "en"} {
		var catalogue struct {
			Error map[string]any `toml:"error"`
		}
		_, err := toml.DecodeFile("../../../views/i18n/errors."+lang+".toml", &catalogue)
		if err != nil {
			t.Fatal(err)
		}
		reasons, _ := catalogue.Error["field"].(map[string]any)
		delete(catalogue.Error, "field")
		delete(catalogue.Error, "coupons_gone") // sold_out, in words for coupons
		sameNames(t, lang, codes, slices.Collect(maps.Keys(catalogue.Error)))
		sameNames(t, lang, enumOf(t, "FieldProblem", "reason"), slices.Collect(maps.Keys(reasons)))
	}
}

// A problem has the members that its row says it carries, and so has the ticket that ended with it.
func TestOutcomes_CarryWhatTheTableSays(t *testing.T) {
	t.Parallel()
	c := fiber.New().AcquireCtx(&fasthttp.RequestCtx{})
	common := membersIn(t, newProblem(c, respond.Problem{}))
	for _, outcome := range respond.Outcomes() {
		p := filled(respond.NewProblem(outcome.Code))
		document := newProblem(c, p)
		document.RetryAfter = 0
		if outcome.Code == codeWaiting {
			document.waitingTicket = &waitingTicket{place: newPlace(waiting.Status{RangeKnown: true})}
		}
		var carried []string
		for _, name := range membersIn(t, document) {
			if !slices.Contains(common, name) {
				carried = append(carried, name)
			}
		}
		// asked for
		want := slices.DeleteFunc(slices.Clone(outcome.Carries), func(name string) bool {
			return name == "alternatives"
		})
		sameNames(t, outcome.Code, want, carried)
		if slices.Contains(waiting.Codes(), outcome.Code) {
			sameNames(t, outcome.Code, want, membersIn(t, newDetails(p)))
		}
	}
}

// filled has what the domain's error of its code would have given it.
func filled(p respond.Problem) respond.Problem {
	switch p.Code {
	case waiting.CodeOutOfStock:
		p.Short = []booking.Shortage{{MenuItemID: 1}}
	case waiting.CodeSeatTaken:
		p.Seats = booking.SeatTakenError{Taken: []int64{1}, Instead: []int64{2}}
	case respond.CodeSeatsHeld:
		p.HeldSeats = []setup.HeldSeat{{SeatID: 1}}
	case waiting.CodeTooManyHolds:
		p.Limit, p.Reason = 3, booking.TooManyHolds
	case waiting.CodeClosed:
		p.ClosedReason = "a party"
	case respond.CodePaused:
		p.PausedReason = "the kitchen is behind"
	case waiting.CodeRemoved:
		p.RemovedReason = "a private evening"
	case respond.CodeBelowSold, respond.CodeSeatsInUse:
		p.Parties = []booking.Party{{}}
	case waiting.CodeDuplicate, waiting.CodeOverlapping:
		p.ReservationID = "R"
	case "not_ready":
		p.Checks = []booking.Contradiction{{Code: "no_hours"}}
	case waiting.CodeAlreadyClaimed:
		p.ClaimID = "C"
	}
	return p
}

func membersIn(t *testing.T, of any) []string {
	t.Helper()
	raw, err := json.Marshal(of)
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]any
	if err := json.Unmarshal(raw, &members); err != nil {
		t.Fatal(err)
	}
	return slices.Collect(maps.Keys(members))
}
