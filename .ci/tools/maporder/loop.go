package main

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// loop is one range over a map. What lives for one of its rounds differs from round to round.
type loop struct {
	*analysis.Pass
	stmt   *ast.RangeStmt
	sorted map[types.Object]bool // what is sorted afterwards
	inCall bool                  // within a function of the body, whose results go elsewhere
}

// own says whether a variable lives for one round only.
func (l *loop) own(v types.Object) bool { return l.stmt.Pos() <= v.Pos() && v.Pos() < l.stmt.End() }

// varying says whether an expression holds something that varies.
func (l *loop) varying(e ast.Node) (yes bool) {
	if e == nil {
		return false
	}
	ast.Inspect(e, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok {
			v, isVar := l.TypesInfo.ObjectOf(name).(*types.Var)
			yes = yes || isVar && l.own(v)
		}
		return !yes
	})
	return yes
}

// statements reports what under a node depends on the order; conditions are those under which it runs.
func (l *loop) statements(n ast.Node, conditions []ast.Expr) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit: // such as that of a subtest
			inner := *l
			inner.inCall = true
			inner.statements(n.Body, conditions)
			return false
		case *ast.IfStmt:
			if n.Init != nil {
				l.statements(n.Init, conditions)
			}
			inner := append(conditions[:len(conditions):len(conditions)], n.Cond)
			l.statements(n.Body, inner)
			if n.Else != nil {
				l.statements(n.Else, inner)
			}
			return false
		case *ast.AssignStmt:
			l.assignment(n, conditions)
		case *ast.SendStmt:
			if to := rootOf(l.TypesInfo, n.Chan); l.varying(n.Value) && (to == nil || !l.own(to)) {
				l.Reportf(n.Pos(), "what is sent depends on the order of the map")
			}
		case *ast.ReturnStmt:
			if !l.inCall {
				l.result(n)
			}
		case *ast.CallExpr:
			l.output(n)
		}
		return true
	})
}

// assignment reports what a variable that outlives the round takes of it, except where each key has a place of its own,
// the order of the operands makes no difference, or the best of all is kept.
func (l *loop) assignment(n *ast.AssignStmt, conditions []ast.Expr) {
	for i, left := range n.Lhs {
		right := n.Rhs[min(i, len(n.Rhs)-1)]
		root := rootOf(l.TypesInfo, left)
		if root == nil || root.Name() == "_" || l.own(root) || !l.varying(right) || l.ownPlace(left) {
			continue
		}
		switch {
		case n.Tok != token.ASSIGN && n.Tok != token.DEFINE:
			if basic, ok := l.TypesInfo.TypeOf(left).Underlying().(*types.Basic); ok && basic.Info()&types.IsString == 0 {
				continue
			}
		case l.sorted[root] && isCall(right, "append"), isCall(right, "min"), isCall(right, "max"),
			isError(l.TypesInfo.TypeOf(left)), l.compared(root, conditions), l.extends(root, right):
			continue
		}
		l.Reportf(n.Pos(), "what %s is after the loop depends on the order of the map", types.ExprString(left))
	}
}

// ownPlace says whether an element is set whose index varies.
func (l *loop) ownPlace(left ast.Expr) bool {
	switch e := ast.Unparen(left).(type) {
	case *ast.IndexExpr:
		return l.varying(e.Index) || l.ownPlace(e.X)
	case *ast.SelectorExpr:
		return l.ownPlace(e.X)
	}
	return false
}

// compared says whether a condition compares a variable: the greatest is kept, or the first of all in some order.
func (l *loop) compared(v types.Object, conditions []ast.Expr) (yes bool) {
	for _, condition := range conditions {
		ast.Inspect(condition, func(n ast.Node) bool {
			if name, ok := n.(*ast.Ident); ok && l.TypesInfo.ObjectOf(name) == v {
				yes = true
			}
			return !yes
		})
	}
	return yes
}

// extends says whether a truth is made of itself and another.
func (l *loop) extends(v types.Object, right ast.Expr) bool {
	e, ok := ast.Unparen(right).(*ast.BinaryExpr)
	for ok && (e.Op == token.LOR || e.Op == token.LAND) {
		if rootOf(l.TypesInfo, e.X) == v {
			return true
		}
		e, ok = ast.Unparen(e.X).(*ast.BinaryExpr)
	}
	return false
}

// result reports a value that is of whichever key comes first. An error may be: one is as good as another.
func (l *loop) result(n *ast.ReturnStmt) {
	for _, value := range n.Results {
		if l.varying(value) && !isError(l.TypesInfo.TypeOf(value)) {
			l.Reportf(n.Pos(), "what is returned depends on the order of the map")
			return
		}
	}
}

// output reports what is written in the order of the map.
func (l *loop) output(call *ast.CallExpr) {
	selector, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	switch name := selector.Sel.Name; {
	case calls(l.TypesInfo, call, "fmt", "Fprint", "Fprintf", "Fprintln", "Print", "Printf", "Println"):
	case (name == "Write" || name == "WriteString" || name == "WriteByte" || name == "WriteRune") &&
		l.TypesInfo.Selections[selector] != nil:
	default:
		return
	}
	if root := rootOf(l.TypesInfo, selector.X); root != nil && l.own(root) {
		return
	}
	for _, argument := range call.Args {
		if l.varying(argument) {
			l.Reportf(call.Pos(), "what is written depends on the order of the map")
			return
		}
	}
}

func isCall(e ast.Expr, builtin string) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	name, ok := call.Fun.(*ast.Ident)
	return ok && name.Name == builtin
}

func isError(t types.Type) bool {
	return t != nil && types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}
