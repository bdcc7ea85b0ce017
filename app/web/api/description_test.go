package api

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/gofiber/fiber/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/valyala/fasthttp"

	"lunchgo/app/booking"
	"lunchgo/app/waiting"
	"lunchgo/app/web/respond"
)

// The description is written by hand, because its sentences and examples are. These tests hold all of it that is
// also in the code to the code: fields, which of them are required, enumerations, codes. Routes: see webtest.

// schemas are the Go types of what the description calls its schemas. Requests have no required members in Go.
var schemas = struct{ answers, requests map[string]any }{
	answers: map[string]any{
		"User": user{}, "Session": session{}, "Restaurant": restaurant{}, "Opening": opening{}, "RefundRule": booking.RefundTier{},
		"Slot": slot{}, "MenuItem": menuItem{}, "Seat": seat{}, "Shortage": booking.Shortage{}, "ChangeQuote": changeQuote{},
		"PastChange": pastChange{}, "Agreed": agreed{}, "Item": item{}, "Reservation": reservation{}, "Cancellation": cancellation{},
		"Wallet": walletAnswer{}, "Entry": entry{}, "Charge": moved{}, "Withdrawal": moved{}, "Campaign": campaign{}, "Claim": claim{},
		"WaitlistEntry": waitlistEntry{}, "Ticket": ticket{}, "Problem": problem{}, "FieldProblem": fieldProblem{},
		"DepositTier": booking.DepositTier{}, "StayTier": booking.StayTier{}, "Terms": terms{},
	},
	requests: map[string]any{
		"SignUp": signUpRequest{}, "SignIn": signInRequest{}, "ReserveRequest": reserveRequest{}, "ChangeRequest": changeRequest{},
		"OrderLine": orderLine{}, "PaymentRequest": paymentRequest{}, "ChargeRequest": amountRequest{},
		"WithdrawalRequest": amountRequest{}, "WaitlistRequest": waitRequest{},
	},
}

// composed are schemas without members of their own: an enumeration, and one that is made of others.
var composed = []string{"ReservationState", "WaitingProblem"}

type schema struct {
	Properties map[string]schema `json:"properties"`
	Required   []string          `json:"required"`
	Enum       []string          `json:"enum"`
	Type       any               `json:"type"`
	Ref        string            `json:"$ref"`
	AnyOf      []schema          `json:"anyOf"`
	OneOf      []schema          `json:"oneOf"`
}

func described(t *testing.T) map[string]schema {
	t.Helper()
	var doc struct {
		Components struct {
			Schemas map[string]schema `json:"schemas"`
		} `json:"components"`
	}
	require.NoError(t, json.Unmarshal(description, &doc))
	return doc.Components.Schemas
}

// member is a field of a Go struct as JSON has it.
type member struct {
	optional bool // left out when empty
	nullable bool // null when there is none
	kind     reflect.Type
}

func membersOf(of reflect.Type) map[string]member {
	members := map[string]member{}
	for field := range of.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		kind := field.Type
		if field.Anonymous && name == "" {
			embedded := kind
			if kind.Kind() == reflect.Pointer {
				embedded = kind.Elem()
			}
			for inner, m := range membersOf(embedded) {
				m.optional = m.optional || kind.Kind() == reflect.Pointer
				members[inner] = m
			}
			continue
		}
		optional := strings.Contains(options, "omitempty")
		members[name] = member{optional: optional, nullable: kind.Kind() == reflect.Pointer && !optional, kind: kind}
	}
	return members
}

func TestDescription_HasTheFieldsOfTheTypes(t *testing.T) {
	t.Parallel()
	all := described(t)
	types := maps.Clone(schemas.answers)
	maps.Copy(types, schemas.requests)
	names := append(slices.Collect(maps.Keys(types)), composed...)
	assert.ElementsMatch(t, slices.Collect(maps.Keys(all)), names)
	for name, of := range types {
		members := membersOf(reflect.TypeOf(of))
		assert.ElementsMatch(t, slices.Collect(maps.Keys(members)), slices.Collect(maps.Keys(all[name].Properties)), name)
		for field, m := range members {
			property := all[name].Properties[field]
			if _, answer := schemas.answers[name]; answer {
				assert.Equal(t, !m.optional, slices.Contains(all[name].Required, field), "%s.%s is required", name, field)
				assert.Equal(t, m.nullable, property.mayBe("null"), "%s.%s may be null", name, field)
			}
			if want := jsonType(m.kind); want != "" && property.Ref == "" {
				assert.True(t, property.mayBe(want), "%s.%s is %v, and a %s in Go", name, field, property.Type, want)
			}
		}
	}
}

func (s schema) mayBe(kind string) bool {
	of := func(other schema) bool { return other.mayBe(kind) }
	if one, ok := s.Type.(string); ok {
		return one == kind
	}
	if s.Type == nil && len(s.Enum) > 0 {
		return kind == "string"
	}
	several, _ := s.Type.([]any)
	return slices.Contains(several, any(kind)) || slices.ContainsFunc(s.AnyOf, of) || slices.ContainsFunc(s.OneOf, of)
}

// jsonType is how a Go type is written; empty for types that a schema of their own describes, or that write themselves.
func jsonType(of reflect.Type) string {
	switch of.Kind() {
	case reflect.Pointer:
		return jsonType(of.Elem())
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Int, reflect.Int64:
		return "integer"
	case reflect.Slice:
		return "array"
	}
	return ""
}

// The enumerations are the constants of their Go types.
func TestDescription_EnumeratesTheConstants(t *testing.T) {
	t.Parallel()
	all := described(t)
	for _, c := range []struct {
		schema, field     string
		folder, constants string
	}{
		{"ReservationState", "", "../../booking", "State"},
		{"Reservation", "discountUse", "../../booking", "DiscountUse"},
		{"Campaign", "use", "../../booking", "DiscountUse"},
		{"Campaign", "state", "../../coupon", "State"},
		{"Seat", "kind", "../../booking", "SeatKind"},
		{"Seat", "state", "../../booking", "SeatState"},
		{"DepositTier", "kind", "../../booking", "DepositKind"},
		{"PaymentRequest", "kind", "../../booking", "PaymentKind"},
		{"WaitlistEntry", "state", "../../booking", "EntryState"},
		{"Entry", "kind", "../../wallet", "Kind"},
		{"Ticket", "state", "../../waiting", "State"},
		{"Slot", "state", "../../reserve", "Slot*"},
	} {
		enum := all[c.schema].Enum
		if c.field != "" {
			enum = all[c.schema].Properties[c.field].Enum
		}
		assert.ElementsMatch(t, constantsOf(t, c.folder, c.constants), enum, "%s.%s", c.schema, c.field)
	}
}

// constantsOf are the values of a package's string constants of a type; "Slot*" are those whose names begin so.
func constantsOf(t *testing.T, folder, of string) (values []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	require.NoError(t, err)
	prefix, byName := strings.CutSuffix(of, "*")
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			literal, ok := spec.Values[0].(*ast.BasicLit)
			kind, typed := spec.Type.(*ast.Ident)
			if fits := byName && strings.HasPrefix(spec.Names[0].Name, prefix) || typed && kind.Name == of; ok && fits {
				value, err := strconv.Unquote(literal.Value)
				require.NoError(t, err)
				values = append(values, value)
			}
			return true
		})
	}
	require.NotEmpty(t, values, of)
	return values
}

// The table of outcomes, the description's codes and the catalogues name the same.
func TestOutcomes_AreDescribedAndHaveSentences(t *testing.T) {
	t.Parallel()
	all := described(t)
	var codes []string
	for _, outcome := range respond.Outcomes() {
		codes = append(codes, outcome.Code)
	}
	slices.Sort(codes)
	assert.Equal(t, codes, slices.Compact(slices.Clone(codes)), "a code has one row")
	assert.Equal(t, codes, all["Problem"].Properties["code"].Enum)
	results := slices.Compact(slices.Sorted(slices.Values(waiting.Codes())))
	assert.Equal(t, results, all["Ticket"].Properties["code"].Enum)
	assert.Subset(t, codes, results)

	for _, lang := range []string{"ko", "en"} {
		var catalogue struct {
			Error map[string]any `toml:"error"`
		}
		_, err := toml.DecodeFile("../../../views/i18n/errors."+lang+".toml", &catalogue)
		require.NoError(t, err)
		reasons, _ := catalogue.Error["field"].(map[string]any)
		delete(catalogue.Error, "field")
		delete(catalogue.Error, "coupons_gone") // sold_out, in words for coupons
		assert.ElementsMatch(t, codes, slices.Collect(maps.Keys(catalogue.Error)), lang)
		assert.ElementsMatch(t, all["FieldProblem"].Properties["reason"].Enum, slices.Collect(maps.Keys(reasons)), lang)
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
			document.waitingTicket = &waitingTicket{}
		}
		var carried []string
		for _, name := range membersIn(t, document) {
			if !slices.Contains(common, name) {
				carried = append(carried, name)
			}
		}
		want := slices.DeleteFunc(slices.Clone(outcome.Carries), func(name string) bool { return name == "alternatives" }) // asked for
		assert.ElementsMatch(t, want, carried, outcome.Code)
		if slices.Contains(waiting.Codes(), outcome.Code) {
			assert.ElementsMatch(t, want, membersIn(t, newDetails(p)), outcome.Code)
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
	case waiting.CodeDuplicate:
		p.ReservationID = "R"
	case waiting.CodeAlreadyClaimed:
		p.ClaimID = "C"
	}
	return p
}

func membersIn(t *testing.T, of any) []string {
	t.Helper()
	raw, err := json.Marshal(of)
	require.NoError(t, err)
	var members map[string]any
	require.NoError(t, json.Unmarshal(raw, &members))
	return slices.Collect(maps.Keys(members))
}
