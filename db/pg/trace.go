package pg

import (
	"context"
	"database/sql"
	"errors"
	"regexp"
	"runtime"
	"strings"

	"lunchgo/app/telemetry"
)

// Every call is a part of the trace of its context, if that is recorded: transactions by the method that they belong
// to, statements by their verb and table. Arguments are in no trace.

// traceCall begins the part of a trace that the calling method is: skip is how many calls below it this one stands.
func traceCall(ctx context.Context, skip int) (context.Context, telemetry.Span) {
	if !telemetry.IsRecorded(ctx) {
		return ctx, telemetry.Span{}
	}
	ctx, span := telemetry.Start(ctx, methodAt(skip+1))
	span.Set(telemetry.Text("db.system.name", "postgresql"))
	return ctx, span
}

// traceStatement begins the part of a trace that a statement is.
func traceStatement(ctx context.Context, query string) (context.Context, telemetry.Span) {
	if !telemetry.IsRecorded(ctx) {
		return ctx, telemetry.Span{}
	}
	ctx, span := telemetry.Start(ctx, statementName(query))
	span.Set(telemetry.Text("db.system.name", "postgresql"))
	return ctx, span
}

// methodAt returns the name of the method so many calls up, such as "reviews.Store.Write".
func methodAt(skip int) string {
	counter, _, _, ok := runtime.Caller(skip + 1)
	if !ok {
		return "db"
	}
	name := runtime.FuncForPC(counter).Name()
	name = name[strings.LastIndex(name, "/")+1:]
	name, _, _ = strings.Cut(name, ".func")
	return strings.NewReplacer("(*", "", ")", "").Replace(name)
}

// A statement is named by what it changes, or else by the first table that it reads.
var (
	changes = regexp.MustCompile(`\b(INSERT INTO|UPDATE|DELETE FROM)\s+(?:ONLY\s+)?([a-z_]+)`)
	reads   = regexp.MustCompile(`\b(?:FROM|JOIN)\s+([a-z_]+)\b[^(]`)
)

// statementName returns a name such as "INSERT users". It depends on the statement's text only.
func statementName(query string) string {
	if found := changes.FindStringSubmatch(query); found != nil {
		verb, _, _ := strings.Cut(found[1], " ")
		return verb + " " + found[2]
	}
	if found := reads.FindStringSubmatch(query); found != nil {
		return "SELECT " + found[1]
	}
	return "SELECT"
}

// unlessNoRows returns an error that is one: that a row is not there is an answer.
func unlessNoRows(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}
