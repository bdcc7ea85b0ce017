package main

import (
	"bytes"
	"context"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lunchgo/app/telemetry"
	"lunchgo/db/dbtest"
)

// The log of a process at a terminal is text, else JSON; both carry the ids of the request.
func TestLog_Formats(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		format     string
		isTerminal bool
		isJSON     bool
	}{{"", true, false}, {"", false, true}, {logText, false, false}, {logJSON, true, true}} {
		var out bytes.Buffer
		ctx := telemetry.WithTicket(context.Background(), "REQ", "TICKET")
		logTo(&out, Config{LogFormat: test.format}, test.isTerminal).With("a", 1).InfoContext(ctx, "hello")
		var line map[string]any
		isJSON := json.Unmarshal(out.Bytes(), &line) == nil
		if isJSON != test.isJSON || isJSON && (line["request_id"] != "REQ" || line["ticket"] != "TICKET") ||
			!isJSON && !strings.Contains(out.String(), "a=1 request_id=REQ ticket=TICKET") {
			t.Errorf("%+v: %s", test, out.String())
		}
	}
}

// A duration is a number of milliseconds under a key that says so, wherever it stands in a line.
func TestLog_DurationsAreMilliseconds(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{
		logText: "with_ms=0.25 took_ms=1500.5 group.for_ms=-60000 count=7 text=3s",
		logJSON: `"with_ms":0.25,"took_ms":1500.5,"group":{"for_ms":-60000},"count":7,"text":"3s"`,
	} {
		var out bytes.Buffer
		logTo(&out, Config{LogFormat: format}, false).With("with", 250*time.Microsecond).Info("hello",
			"took", 1500*time.Millisecond+500*time.Microsecond, slog.Group("group", slog.Duration("for", -time.Minute)),
			"count", 7, "text", "3s")
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s: %s, want %s", format, out.String(), want)
		}
	}
}

// Within a request or a turn every line of the log carries their ids: where a context is at hand, it goes along.
func TestLog_LinesTakeTheirContext(t *testing.T) {
	t.Parallel()
	lines := 0
	for _, root := range []string{"."} {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files := token.NewFileSet()
			parsed, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				return err
			}
			for _, declaration := range parsed.Decls {
				f, ok := declaration.(*ast.FuncDecl)
				if !ok || f.Body == nil {
					continue
				}
				for _, call := range linesWithoutContext(f.Body, hasContext(f.Type), &lines) {
					t.Errorf("%s: a line of the log leaves its context out", files.Position(call.Pos()))
				}
			}
			return nil
		})
		dbtest.Must(t, err)
	}
	if lines < 50 {
		t.Fatalf("only %d lines were found", lines)
	}
}

// hasContext says whether a function takes a context, or a request that has one.
func hasContext(f *ast.FuncType) bool {
	return slices.ContainsFunc(f.Params.List, func(field *ast.Field) bool {
		if star, ok := field.Type.(*ast.StarExpr); ok {
			field = &ast.Field{Type: star.X}
		}
		of, ok := field.Type.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		pkg, _ := of.X.(*ast.Ident)
		return pkg != nil && (pkg.Name == "context" && of.Sel.Name == "Context" || pkg.Name == "fiber" &&
			of.Sel.Name == "Ctx")
	})
}

// linesWithoutContext returns the calls of a body that log without a context although one is in scope, and counts all
// that log.
func linesWithoutContext(body ast.Node, inScope bool, all *int) (found []*ast.CallExpr) {
	ast.Inspect(body, func(n ast.Node) bool {
		if literal, ok := n.(*ast.FuncLit); ok {
			found = append(found, linesWithoutContext(literal.Body, inScope || hasContext(literal.Type), all)...)
			return false
		}
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		of, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || !isLog(of.X) {
			return true
		}
		switch of.Sel.Name {
		case "Debug", "Info", "Warn", "Error":
			if *all++; inScope {
				found = append(found, call)
			}
		case "DebugContext", "InfoContext", "WarnContext", "ErrorContext", "LogAttrs":
			*all++
		}
		return true
	})
	return found
}

// isLog says whether an expression is a log by its name.
func isLog(of ast.Expr) bool {
	switch of := of.(type) {
	case *ast.Ident:
		return strings.EqualFold(of.Name, "log")
	case *ast.SelectorExpr:
		return strings.EqualFold(of.Sel.Name, "log") || of.Sel.Name == "Logger"
	}
	return false
}
