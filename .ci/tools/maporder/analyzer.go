package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

var analyzer = &analysis.Analyzer{
	Name: "maporder",
	Doc: "report ranges over maps that set, append, send, write or return what depends on the order of the map\n\n" +
		"Range over slices.Sorted(maps.Keys(m)), over a slice, or set a variable of the loop's own. Where any order\n" +
		"will do, say so behind the loop's head: // in any order",
	Run: run,
}

func run(pass *analysis.Pass) (any, error) {
	excused := excusedLines(pass)
	for _, file := range pass.Files {
		for _, declared := range file.Decls {
			inDeclaration(pass, declared, excused)
		}
	}
	return nil, nil
}

// line is one of a file.
type line struct {
	file string
	line int
}

func lineOf(pass *analysis.Pass, at token.Pos) line {
	position := pass.Fset.Position(at)
	return line{position.Filename, position.Line}
}

// excusedLines are those that say that any order will do.
func excusedLines(pass *analysis.Pass) map[line]bool {
	excused := map[line]bool{}
	for _, file := range pass.Files {
		for _, group := range file.Comments {
			if strings.Contains(group.Text(), "any order") {
				excused[lineOf(pass, group.Pos())] = true
			}
		}
	}
	return excused
}

// inDeclaration checks the loops of a function, or of those that variables hold.
func inDeclaration(pass *analysis.Pass, declared ast.Decl, excused map[line]bool) {
	ast.Inspect(declared, func(n ast.Node) bool {
		stmt, ok := n.(*ast.RangeStmt)
		if ok && overMap(pass.TypesInfo, stmt) && !excused[lineOf(pass, stmt.Body.Lbrace)] {
			l := loop{Pass: pass, stmt: stmt, sorted: sortedAfter(pass.TypesInfo, declared, stmt)}
			l.statements(stmt.Body, nil)
		}
		return true
	})
}

// overMap says whether the order in which a loop goes is a map's: of the map itself, or of its iterators.
func overMap(info *types.Info, loop *ast.RangeStmt) bool {
	if _, ok := info.TypeOf(loop.X).Underlying().(*types.Map); ok {
		return true
	}
	call, ok := loop.X.(*ast.CallExpr)
	return ok && calls(info, call, "maps", "All", "Keys", "Values")
}

// sortedAfter returns the variables that a declaration sorts after a loop: their order is made there.
func sortedAfter(info *types.Info, declared ast.Decl, loop *ast.RangeStmt) map[types.Object]bool {
	sorted := map[types.Object]bool{}
	ast.Inspect(declared, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Pos() < loop.End() || len(call.Args) == 0 {
			return true
		}
		if calls(info, call, "slices", "Sort", "SortFunc", "SortStableFunc", "Sorted", "SortedFunc") ||
			calls(info, call, "sort", "Strings", "Ints", "Slice", "SliceStable", "Sort") {
			sorted[rootOf(info, call.Args[0])] = true
		}
		return true
	})
	return sorted
}

// calls says whether a call is of one of a package's functions.
func calls(info *types.Info, call *ast.CallExpr, pkg string, names ...string) bool {
	selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := info.Uses[selector.Sel].(*types.Func)
	if !ok || f.Pkg() == nil || f.Pkg().Path() != pkg {
		return false
	}
	for _, name := range names {
		if f.Name() == name {
			return true
		}
	}
	return false
}

// rootOf is the variable that an expression begins with: x of x, x.f, x[i], *x and &x; nil if it begins otherwise.
func rootOf(info *types.Info, e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return info.ObjectOf(e)
	case *ast.SelectorExpr:
		return rootOf(info, e.X)
	case *ast.IndexExpr:
		return rootOf(info, e.X)
	case *ast.StarExpr:
		return rootOf(info, e.X)
	case *ast.UnaryExpr:
		if e.Op == token.AND {
			return rootOf(info, e.X)
		}
	}
	return nil
}
