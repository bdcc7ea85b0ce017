package api

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

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
		{"UsedLink", "kind", "../../identity", "LinkKind"},
		{"Ticket", "state", "../../waiting", "State"},
		{"Slot", "state", "../../reserve", "Slot*"},
		{"EveningSlot", "state", "../../evening", "SlotState"},
		{"EveningAlert", "kind", "../../evening", "AlertKind"},
	} {
		enum := all[c.schema].Enum
		if c.field != "" {
			enum = all[c.schema].Properties[c.field].Enum
		}
		sameNames(t, c.schema+"."+c.field, constantsOf(t, c.folder, c.constants), enum)
	}
}

// constantsOf are the values of a package's string constants of a type; "Slot*" are those whose names begin so.
func constantsOf(t *testing.T, folder, of string) (values []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	prefix, byName := strings.CutSuffix(of, "*")
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			literal, ok := spec.Values[0].(*ast.BasicLit)
			kind, typed := spec.Type.(*ast.Ident)
			if fits := byName && strings.HasPrefix(spec.Names[0].Name, prefix) || typed && kind.Name == of; ok && fits {
				value, err := strconv.Unquote(literal.Value)
				if err != nil {
					t.Fatal(err)
				}
				values = append(values, value)
			}
			return true
		})
	}
	if len(values) == 0 {
		t.Fatalf("%s: no values", of)
	}
	return values
}
