package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// source is a Go file of the tree.
type source struct {
	name string
	set  *token.FileSet
	file *ast.File

	local map[string]bool // what declares knows, once it was asked
}

// parseAll parses files, on all processors.
func parseAll(t *testing.T, sources []*source) {
	t.Helper()
	next := make(chan *source, len(sources))
	for _, source := range sources {
		next <- source
	}
	close(next)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for source := range next {
				if err := source.parse(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	workers.Wait()
	if t.Failed() {
		t.FailNow()
	}
}

func (s *source) parse() error {
	text, err := os.ReadFile(s.name)
	if err != nil {
		return err
	}
	s.set = token.NewFileSet()
	s.file, err = parser.ParseFile(s.set, s.name, text, parser.ParseComments|parser.SkipObjectResolution)
	return err
}

// comments returns the comments of a file, without the code that they show.
func (s *source) comments() (comments []reference) {
	for _, group := range s.file.Comments {
		at := s.set.Position(group.Pos())
		name := strings.TrimPrefix(at.Filename, "../")
		var prose []string
		for line := range strings.Lines(group.Text()) {
			if !strings.HasPrefix(line, "\t") {
				prose = append(prose, line)
			}
		}
		comments = append(comments, reference{where: fmt.Sprintf("%s:%d", name, at.Line), folder: path.Dir(name),
			text: strings.Join(prose, ""), source: s})
	}
	return comments
}

// declares returns whether a name is a variable or a field of a Go file, or a package of others.
func (s *source) declares(name string) bool {
	if s == nil {
		return false
	}
	if s.local == nil {
		s.local = map[string]bool{}
		for _, imported := range foreignImports(s.file) {
			s.local[imported] = true
		}
		ast.Inspect(s.file, s.addLocal)
	}
	return s.local[name]
}

func (s *source) addLocal(node ast.Node) bool {
	add := func(declared ...ast.Expr) {
		for _, expr := range declared {
			if name, ok := expr.(*ast.Ident); ok {
				s.local[name.Name] = true
			}
		}
	}
	switch node := node.(type) {
	case *ast.AssignStmt:
		if node.Tok == token.DEFINE {
			add(node.Lhs...)
		}
	case *ast.RangeStmt:
		add(node.Key, node.Value)
	case *ast.ValueSpec:
		for _, name := range node.Names {
			add(name)
		}
	case *ast.Field:
		for _, name := range node.Names {
			add(name)
		}
	}
	return true
}
