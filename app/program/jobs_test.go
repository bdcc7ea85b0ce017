package program

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"lunchgo/app/identity"
	"lunchgo/app/jobs"
	"lunchgo/app/mail"
	"lunchgo/app/payments"
	"lunchgo/app/payments/practice"
	"lunchgo/app/rehearsal"
	"lunchgo/app/reserve"
	"lunchgo/app/show"
	"lunchgo/app/sms"
	"lunchgo/app/web/usecases"
	"lunchgo/db/rehearsals"
)

var update = flag.Bool("update", false, "write the table of jobs into docs/operations.md")

// The document shows all jobs at the product's paces. -update has it do so.
func TestJobs_AreDocumented(t *testing.T) {
	t.Parallel()
	const document, head = "../../docs/operations.md", "| job | every | at |\n|---|---|---|\n"
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), head)
	shown, after, ends := strings.Cut(rest, "\n\n")
	if !found || !ends {
		t.Fatal("there is no table")
	}
	table := jobsTable(allJobs(t))
	if shown+"\n" == table {
		return
	}
	if !*update {
		t.Fatalf("the table of jobs is not the code's: run go tool task generate\n%s", table)
	}
	if err := os.WriteFile(document, []byte(before+head+table+"\n"+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// allJobs are those of a program that has everything, at the product's paces. None of them runs.
func allJobs(t *testing.T) []jobs.Job {
	t.Helper()
	p := &Program{config: Config{AuditEvery: 5 * time.Minute, UnusedKeep: time.Hour, LettersKeep: time.Hour,
		ShowEvery: 3 * time.Minute},
		offerer: reserve.NewOfferer(nil, nil, nil), post: &mail.Post{}, texter: &sms.Sender{},
		All: usecases.All{Show: &show.Service{}, Identity: &identity.Service{Sessions: &identity.Sessions{}},
			Rehearsals: &rehearsal.Service{Store: (*rehearsals.Store)(nil)}},
		Payments: payments.New(payments.Service{Provider: practice.Bank{}})}
	p.config.Options = p.config.withDefaults(Stores{})
	return p.jobs()
}

func jobsTable(list []jobs.Job) string {
	var table strings.Builder
	for _, job := range list {
		every := job.Every.String()
		if job.Wake != nil {
			every += ", and when there is work"
		}
		if job.Idle > 0 {
			every += fmt.Sprintf(", up to %s while there is nothing to do", job.Idle)
		}
		at := "all instances"
		if job.Alone != "" {
			at = "one instance at a time: " + job.Alone
		}
		fmt.Fprintf(&table, "| %s | %s | %s |\n", job.Name, every, at)
	}
	return table.String()
}

func TestJobs_HaveNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, job := range allJobs(t) {
		if job.Name == "" || seen[job.Name] || job.Every <= 0 {
			t.Errorf("%q every %v", job.Name, job.Every)
		}
		seen[job.Name] = true
	}
}
