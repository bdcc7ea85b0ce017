// Gosec holds the product's code against the rules of github.com/securego/gosec. It loads all packages at once, which
// takes seconds where the program of that project, which loads one after the other, takes more than a minute.
//
//	go run ./gosec FOLDER
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/securego/gosec/v2"
	"github.com/securego/gosec/v2/analyzers"
	"github.com/securego/gosec/v2/issue"
	"github.com/securego/gosec/v2/rules"
	"golang.org/x/tools/go/packages"
)

// exceptions are what the rules find and is right nevertheless, by rule and by the beginning of the files' names. One
// that excuses nothing is a fault: it would hide the next finding.
var exceptions = []struct{ rule, files, why string }{
	{"G101", "app/settings.go", "an example of an address, in the message that asks for one"},
	{"G101", "app/identity/oidc/oidctest/", "a provider in tests, with its client and the people it knows"},
	{"G101", "app/web/api/examples.go", "examples in the description of the API"},
	{"G101", "app/web/ops/metrics.go", "names of figures, which hold no credentials"},
	{"G118", "app/web/respond/feed.go", "the feed keeps the function, and calls it when nobody watches any more"},
	{"G204", "db/dbtest/", "tests start the servers that this machine has"},
	{"G204", "db/embedded/",
		"starts the PostgreSQL and Redis that this machine has; nothing of a request is in the command"},
	{"G204", "app/rush_against.go", "starts this program again, with arguments of its operator's"},
	{"G301", "app/config.go", "private servers may run as another user, who passes through; the secret in it is 0600"},
	{"G301", "db/embedded/home.go", "private servers may run as another user, who passes through"},
	{"G302", "db/dbtest/", "the servers of tests may run as another user, who passes through"},
	{"G304", "app/break_command.go", "the file is an argument of the operator's"},
	{"G304", "app/config.go", "the file is named by DATA_DIR, which is the operator's"},
	{"G304", "app/setting.go", "the file is named by a setting, which is the operator's"},
	{"G304", "app/seed_command.go", "the file is an argument of the operator's"},
	{"G304", "db/embedded/", "the files are in DATA_DIR, which is the operator's"},
	{"G404", "app/break_front.go", "spreads what simulated diners ask over the instances; it keeps no secret"},
	{"G404", "app/rehearsal/guest.go", "chooses the dishes of simulated guests; it keeps no secret"},
	{"G404", "app/rush/instance.go", "chooses a port; it keeps no secret"},
	{"G404", "app/rush/retry.go", "spreads simulated diners who press again; it keeps no secret"},
	{"G404", "app/show/crowd.go", "chooses who of a simulated crowd leaves; it keeps no secret"},
	{"G404", "app/web/respond/pause.go", "spreads those who ask again; it keeps no secret"},
	{"G404", "app/webhooks/delivery.go", "spreads those that are tried again; it keeps no secret"},
	{"G404", "db/pg/tx.go", "spreads those who try again; it keeps no secret"},
	{"G404", "locks/beat.go", "spreads beats; it keeps no secret"},
	{"G407", "app/webhooks/secret.go", "the cipher draws the nonce itself"},
	{"G602", "app/reserve/search.go", "the index comes from a range over the same slice"},
	{"G602", "app/rush_meter.go", "the indexes are of a list of two, behind two others"},
	{"G702", "app/rush_against.go", "starts this program again, with arguments of its operator's"},
	{"G702", "app/rush_command.go", "starts this program again, with arguments of its operator's"},
	{"G702", "db/dbtest/", "copies the folder that .ci/with_postgres has made"},
	{"G703", "app/break_site.go", "the folder is the command's own, which it has made"},
	{"G703", "app/setting.go", "the file is named by a setting, which is the operator's"},
	{"G703", "db/embedded/pgbouncer.go", "the file is in the folder of the private server"},
	{"G704", "app/rush/connection.go",
		"the address is the installation that the operator loads; nothing is sent to it here"},
	{"G705", "app/payments/stripe/stripetest/", "a fake in tests gives JSON to a client, and no page to a browser"},
}

// excluded are rules that are not asked at all, with the reason.
var excluded = map[string]string{
	"G104": "staticcheck and the tests see lost errors; what closes on the way out of a failure has no use for one more",
	"G115": "counts, ports and won fit their types: the limits of forms, of the API and of the tables hold them there",
}

// loaded is what the rules look at. Dependencies come compiled, out of the build cache.
const loaded = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedTypes |
	packages.NeedTypesSizes | packages.NeedTypesInfo | packages.NeedSyntax | packages.NeedModule | packages.NeedExportFile

func main() {
	findings, err := check(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "gosec:", err)
		os.Exit(2)
	}
	findings, idle := excuse(findings)
	for _, f := range findings {
		fmt.Printf("%s:%s: %s: %s (%s)\n", f.File, f.Line, f.RuleID, f.What, strings.TrimSpace(f.Code))
	}
	if len(findings) > 0 {
		fmt.Printf("%d findings: mend them, or say in .ci/tools/gosec/main.go why they are right\n", len(findings))
	}
	for _, exception := range idle {
		fmt.Println("an exception excuses nothing:", exception)
	}
	if len(findings)+len(idle) > 0 {
		os.Exit(1)
	}
}

// excuse returns the findings that no exception excuses, and the exceptions that excuse none.
func excuse(findings []*issue.Issue) (left []*issue.Issue, idle []string) {
	used := make([]bool, len(exceptions))
	for _, f := range findings {
		excused := false
		for i, e := range exceptions {
			if f.RuleID == e.rule && strings.HasPrefix(f.File, e.files) {
				used[i], excused = true, true
			}
		}
		if !excused {
			left = append(left, f)
		}
	}
	for i, e := range exceptions {
		if !used[i] {
			idle = append(idle, e.rule+" "+e.files)
		}
	}
	return left, idle
}

// check returns what the rules find in the packages of a module.
func check(folder string) ([]*issue.Issue, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	all, err := packages.Load(&packages.Config{Mode: loaded, Dir: folder}, "./...")
	if err != nil {
		return nil, err
	}
	analyzer := newAnalyzer()
	for _, p := range all {
		if len(p.Errors) > 0 {
			return nil, p.Errors[0]
		}
		analyzer.CheckRules(p)
		analyzer.CheckAnalyzers(p)
	}
	findings, metrics, faults := analyzer.Report()
	if len(faults) > 0 {
		return nil, fmt.Errorf("%v", faults)
	}
	if metrics.NumFiles < len(all) {
		return nil, fmt.Errorf("%d files were looked at in %d packages", metrics.NumFiles, len(all))
	}
	for _, f := range findings {
		f.File = strings.TrimPrefix(f.File, folder+string(filepath.Separator))
	}
	return findings, nil
}

func newAnalyzer() *gosec.Analyzer {
	analyzer := gosec.NewAnalyzer(gosec.NewConfig(), false, true, false, 1, log.New(io.Discard, "", 0))
	var ids []string
	for id := range excluded {
		ids = append(ids, id)
	}
	chosen := rules.Generate(false, rules.NewRuleFilter(true, ids...))
	analyzer.LoadRules(chosen.RulesInfo())
	more := analyzers.Generate(false, analyzers.NewAnalyzerFilter(true, ids...))
	analyzer.LoadAnalyzers(more.AnalyzersInfo())
	return analyzer
}
