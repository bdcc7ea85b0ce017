package api

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"lunchgo/app/booking"
	_ "lunchgo/app/payments/practice" // declares a refusal
	"lunchgo/app/refusal"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
	"lunchgo/views/pages"
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

// The declared refusals, the description's codes and the catalogues name the same.
func TestRefusals_AreDescribedAndHaveSentences(t *testing.T) {
	t.Parallel()
	codes := codesOf(refusal.All())
	sameNames(t, "Problem.code", codes, enumOf(t, "Problem", "code"))
	sameNames(t, "Ticket.code", codesOfTurns(), enumOf(t, "Ticket", "code"))
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

// What pages show of a refusal is in the catalogues too.
func TestRefusals_HaveHeadlines(t *testing.T) {
	t.Parallel()
	ofCoupons := []string{"already_claimed", "not_open", "over"}
	for _, r := range refusal.All() {
		for _, lang := range []string{"ko", "en"} {
			if r.Unchanged != "" && !i18n.Has(lang, "flash."+r.Unchanged) {
				t.Errorf("%s: %s has no flash.%s", r.Code, lang, r.Unchanged)
			}
			ofCoupon := slices.Contains(ofCoupons, r.Code)
			failed := pages.OutcomeTitle(lang, views.OutcomeFailed, ofCoupon)
			if r.Headline != "" && pages.OutcomeTitle(lang, views.OutcomeKind(r.Headline), ofCoupon) == failed {
				t.Errorf("%s: %s has no headline %q", r.Code, lang, r.Headline)
			}
		}
	}
}

// A problem has the members that its refusal carries, beside those of all, and so has the ticket that ended with it.
func TestRefusals_CarryTheirValues(t *testing.T) {
	t.Parallel()
	c := fiber.New().AcquireCtx(&fasthttp.RequestCtx{})
	common := membersIn(t, newProblem(c, respond.Problem{}))
	for _, r := range refusal.All() {
		p := respond.NewProblem(r)
		if r.New != nil {
			p.Cause = filled(r.New())
		}
		document := newProblem(c, p)
		carried := slices.DeleteFunc(membersIn(t, document), func(name string) bool {
			return slices.Contains(common, name)
		})
		want := slices.DeleteFunc(r.Carries(), func(name string) bool { return name == "alternatives" }) // looked up
		sameNames(t, r.Code, want, carried)
		if r.Turn && r != booking.ErrNotOpenYet { // of which a ticket has the time with its place
			sameNames(t, r.Code, want, membersIn(t, newDetails(p)))
		}
	}
}

// filled returns an error with something in each of its fields.
func filled(carrier error) error {
	of := reflect.ValueOf(carrier).Elem()
	for _, field := range of.Fields() {
		switch field.Kind() {
		case reflect.Slice:
			field.Set(reflect.MakeSlice(field.Type(), 1, 1))
		case reflect.String:
			field.SetString("a")
		case reflect.Int:
			field.SetInt(1)
		}
		if at, ok := field.Addr().Interface().(*time.Time); ok {
			*at = time.Unix(1, 0)
		}
	}
	return carrier
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
