package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"lunchgo/db/dbtest"
)

// arrows is the architecture: which of our packages each part may import, besides its own sub-packages. A part that is
// not named may import nothing of ours.
var arrows = map[string][]string{
	"app/refusal":      {},
	"app/booking":      {"app/refusal"},
	"app/wallet":       {"app/keyset", "app/refusal"},
	"app/identity":     {"app/cache", "app/jobs", "app/refusal", "app/token"},
	"app/audit":        {"app/jobs"},
	"app/build":        {},
	"app/coupon":       {"app/booking", "app/cache", "app/keyset", "app/refusal"},
	"app/group":        {},
	"app/hangul":       {},
	"app/jobs":         {},
	"app/payments":     {"app/booking", "app/jobs", "app/refusal", "app/wallet"},
	"app/picture":      {},
	"app/ics":          {},
	"app/sms":          {"app/jobs", "app/mail", "views"},
	"app/push":         {"app/booking", "app/identity", "app/jobs", "app/mail", "app/refusal", "app/reserve", "app/team", "app/token", "app/webhooks", "views"},
	"app/mail":         {"app/booking", "app/door", "app/ics", "app/identity", "app/jobs", "app/keyset", "app/reserve", "app/team", "views"},
	"app/cache":        {},
	"app/estimate":     {},
	"app/keyset":       {},
	"app/rehearsal":    {"app/booking", "app/estimate", "app/jobs", "app/lineup", "app/refusal", "app/reserve", "app/team", "app/waiting"},
	"app/reserve":      {"app/booking", "app/cache", "app/coupon", "app/guests", "app/hangul", "app/identity", "app/jobs", "app/keyset", "app/lineup", "app/team", "app/token", "app/waiting", "app/wallet"},
	"app/team":         {"app/booking", "app/identity", "app/keyset", "app/refusal", "app/token"},
	"app/setup":        {"app/booking", "app/coupon", "app/identity", "app/keyset", "app/picture", "app/refusal", "app/team"},
	"app/reports":      {"app/booking", "app/sheet", "app/team"},
	"app/sheet":        {},
	"app/stack":        {},
	"app/legal":        {"app/booking", "app/identity", "app/refusal"},
	"app/favourites":   {"app/booking", "app/keyset", "app/refusal"},
	"app/reviews":      {"app/booking", "app/keyset", "app/refusal", "app/team"},
	"app/closing":      {"app/booking", "app/jobs", "app/messages", "app/refusal", "app/reserve", "app/setup", "app/team"},
	"app/messages":     {"app/booking", "app/refusal", "app/team"},
	"app/guests":       {"app/booking", "app/jobs", "app/keyset", "app/refusal", "app/sheet", "app/team"},
	"app/door":         {"app/booking", "app/identity", "app/jobs", "app/refusal", "app/reserve", "app/team", "app/token", "app/waiting", "locks"},
	"app/events":       {"app/jobs"},
	"app/evening":      {"app/audit", "app/booking", "app/door", "app/guests", "app/hangul", "app/keyset", "app/reserve", "app/team"},
	"app/telemetry":    {},
	"app/token":        {},
	"app/waiting":      {"app/cache", "app/estimate", "app/group", "app/receipt", "app/refusal", "app/stack", "app/telemetry", "app/token", "locks"},
	"app/lineup":       {"app/booking", "app/coupon", "app/refusal", "app/waiting", "locks"},
	"app/availability": {"app/booking", "app/cache"},
	"app/seed":         {"app/booking", "app/coupon", "app/identity", "app/reserve", "app/wallet"},
	"app/show":         {"app/booking", "app/identity", "app/jobs", "app/reserve", "app/team", "app/wallet"},
	"app/receipt":      {"app/refusal", "app/token"},
	"app/rush":         {},
	"app/web":          {"app/booking", "app/build", "app/cache", "app/closing", "app/coupon", "app/door", "app/estimate", "app/evening", "app/events", "app/favourites", "app/group", "app/guests", "app/ics", "app/identity", "app/keyset", "app/legal", "app/lineup", "app/mail", "app/messages", "app/payments", "app/picture", "app/push", "app/receipt", "app/refusal", "app/rehearsal", "app/reports", "app/reserve", "app/reviews", "app/setup", "app/sheet", "app/show", "app/stack", "app/team", "app/telemetry", "app/token", "app/waiting", "app/wallet", "app/webhooks", "locks", "static", "views"},
	"db":               {"app/booking", "app/coupon", "app/guests", "app/identity", "app/keyset", "app/payments", "app/refusal", "app/reserve", "app/setup", "app/wallet", "app/webhooks", "db/accounts", "db/auditlog", "db/catalog", "db/columns", "db/coupons", "db/guests", "db/pg", "db/rowlock", "db/wallet"},
	"db/accounts":      {"app/group", "app/identity", "app/mail", "db/columns", "db/pg", "db/rowlock"},
	"db/auditlog":      {"db/pg"},
	"db/audits":        {"app/audit", "db/pg"},
	"db/backlog":       {"app/mail", "db/pg"},
	"db/catalog":       {"app/booking", "db/pg"},
	"db/closing":       {"app/booking", "app/closing", "db/columns", "db/messages", "db/pg"},
	"db/columns":       {},
	"db/coupons":       {"app/booking", "app/coupon", "db/pg"},
	"db/door":          {"app/booking", "app/door", "db/auditlog", "db/pg"},
	"db/evening":       {"app/booking", "app/evening", "db/columns", "db/guests", "db/pg"},
	"db/favourites":    {"app/favourites", "app/identity", "app/keyset", "db/pg"},
	"db/guests":        {"app/booking", "app/guests", "app/hangul", "app/keyset", "db/auditlog", "db/pg", "db/reports"},
	"db/letters":       {"app/booking", "app/identity", "app/keyset", "app/mail", "app/push", "app/sms", "app/webhooks", "db/columns", "db/outbox", "db/pg"},
	"db/linelog":       {"app/receipt", "db/pg"},
	"db/messages":      {"app/booking", "app/identity", "app/messages", "db/auditlog", "db/pg"},
	"db/outbox":        {"app/booking", "app/events", "db/catalog", "db/columns", "db/pg"},
	"db/outboxtest":    {"db"},
	"db/practicebank":  {"app/payments", "db/pg"},
	"db/rehearsals":    {"app/booking", "app/rehearsal", "db", "db/auditlog", "db/catalog", "db/pg", "db/seed"},
	"db/reports":       {"app/booking", "app/reports", "db/pg"},
	"db/reviews":       {"app/booking", "app/keyset", "app/reviews", "db/auditlog", "db/pg"},
	"db/rowlock":       {"app/booking", "db/columns", "db/pg"},
	"db/seed":          {"app/booking", "app/coupon", "app/identity", "app/seed", "app/wallet", "db", "db/accounts", "db/catalog", "db/coupons", "db/pg", "db/team", "db/wallet"},
	"db/setup":         {"app/booking", "app/coupon", "app/identity", "app/keyset", "app/mail", "app/reserve", "app/setup", "db/auditlog", "db/catalog", "db/columns", "db/coupons", "db/pg", "db/rowlock", "db/team"},
	"db/team":          {"app/booking", "app/identity", "app/keyset", "app/team", "db/auditlog", "db/pg"},
	"db/testkit":       {"app/booking", "app/coupon", "app/door", "app/events", "app/guests", "app/identity", "app/jobs", "app/keyset", "app/mail", "app/messages", "app/push", "app/reserve", "app/reviews", "app/team", "app/token", "app/webhooks", "db"},
	"db/wallet":        {"app/keyset", "app/wallet", "db/pg"},
	"db/webhooks":      {"app/booking", "app/keyset", "app/webhooks", "db/auditlog", "db/pg", "db/rowlock"},
	"db/pg":            {"app/group", "app/keyset", "app/refusal", "app/telemetry"},
	"app/webhooks":     {"app/booking", "app/jobs", "app/keyset", "app/refusal", "app/team", "app/token"},
	"app/redisclient":  {"locks"},
	"locks":            {"app/group"},
	"static":           {},
	"views":            {"app/booking", "app/coupon", "app/door", "app/evening", "app/favourites", "app/guests", "app/identity", "app/legal", "app/messages", "app/receipt", "app/rehearsal", "app/reserve", "app/reviews", "app/setup", "app/team", "app/wallet", "app/webhooks", "static"},
}

// pure are the domain packages: the standard library is all they know.
var pure = []string{"app/audit", "app/booking", "app/coupon", "app/estimate", "app/hangul", "app/keyset", "app/receipt", "app/refusal", "app/sheet",
	"app/token", "app/wallet"}

// infrastructure may be known to one part only.
var infrastructure = map[string][]string{
	"github.com/lib/pq":             {"app/rush/against", "db"},
	"github.com/jmoiron/sqlx":       {"db"},
	"database/sql":                  {"app/rush/against", "app/web/ops", "db"},
	"github.com/gofiber/fiber/v2":   {"app/web"},
	"github.com/danielgtaylor/huma": {"app/web/api"},
	"github.com/redis/go-redis":     {"app/availability", "app/group", "app/identity/passkey", "app/redisclient", "app/rush", "app/waiting", "app/web", "db/dbtest", "db/embedded", "locks"},
	"github.com/stripe/stripe-go":   {"app/payments/stripe"},
	"github.com/coreos/go-oidc":     {"app/identity/oidc"},
	"github.com/go-webauthn":        {"app/identity/passkey"},
	"golang.org/x/oauth2":           {"app/identity/oidc"},
	"github.com/twmb/franz-go":      {"app/events/kafka"},
	"github.com/a-h/templ":          {"app/web", "views"},
	"github.com/yuin/goldmark":      {"app/legal"},
	"github.com/SherClockHolmes":    {"app/push"},
	"go.opentelemetry.io":           {"app/telemetry"},
}

const module = "lunchgo/"

func TestImports_FollowTheArrows(t *testing.T) {
	t.Parallel()
	checked := 0
	eachImport(t, func(file, pkg, path string) {
		checked++
		if within(pkg, []string{"app/program"}) || pkg == "app" {
			return // the composition root, and the program that it and the tests start, know everything
		}
		if path == "lunchgo/app" || path == "lunchgo/app/program" {
			t.Errorf("%s imports the composition root", file)
		}
		part := partOf(pkg)
		if ours, ok := strings.CutPrefix(path, module); ok && partOf(ours) != part && !within(ours, arrows[part]) {
			t.Errorf("%s: %s must not import %s", file, part, ours)
		}
		if within(pkg, pure) && strings.Contains(path, ".") {
			t.Errorf("%s: the domain imports %s", file, path)
		}
		for library, users := range infrastructure {
			if (path == library || strings.HasPrefix(path, library+"/")) && !within(pkg, users) {
				t.Errorf("%s: only %v may import %s", file, users, library)
			}
		}
	})
	if checked == 0 {
		t.Fatal("no imports were found")
	}
}

// eachImport calls f for every import of every file of ours that is not a test.
func eachImport(t *testing.T, f func(file, pkg, path string)) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != ".." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules" ||
			d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() && path != ".." && isModule(path) {
			return filepath.SkipDir // no part of the product
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		pkg := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../")
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			f(path, pkg, imported)
		}
		return nil
	})
	dbtest.Must(t, err)
}

func isModule(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, "go.mod"))
	return err == nil
}

// partOf is the part of the architecture that a package belongs to: the first folder, the first two under app, and
// those under db that have arrows of their own.
func partOf(pkg string) string {
	folders := strings.Split(pkg, "/")
	if len(folders) > 1 {
		part := folders[0] + "/" + folders[1]
		if _, named := arrows[part]; named || folders[0] == "app" {
			return part
		}
	}
	return folders[0]
}

func within(pkg string, parts []string) bool {
	for _, part := range parts {
		if pkg == part || strings.HasPrefix(pkg, part+"/") {
			return true
		}
	}
	return false
}
