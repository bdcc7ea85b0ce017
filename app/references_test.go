package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"lunchgo/db/dbtest"
)

// What comments and documents name of the product exists: its files, and the exported names of its packages. A name is
// judged where its qualifier is a package of ours, or is nothing that the file or the tree knows: then the package is
// gone.
func TestReferences_NameWhatExists(t *testing.T) {
	t.Parallel()
	tree, texts := readTree(t)
	found := 0
	for _, text := range texts {
		missing, named := tree.missing(text)
		found += named
		for _, name := range missing {
			t.Errorf("%s names %s, which does not exist", text.where, name)
		}
	}
	if found < 500 {
		t.Fatalf("only %d names were found", found)
	}
}

func TestReferences_FindsWhatIsGone(t *testing.T) {
	t.Parallel()
	tree := newTree()
	for _, file := range []string{"app", "app/reserve", "app/reserve/ports.go", "locks", "locks/take.lua"} {
		tree.addFile(file)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "ports.go", `package reserve
		import "net/http"
		type Lines interface { Lengths() http.Header }
		type Service[T any] struct{}
		func (s *Service[T]) Submit() { turn := s }`, 0)
	dbtest.Must(t, err)
	tree.addSource(file)
	for text, want := range map[string]string{
		"it implements reserve.Lines":                         "",
		"it implements reserve.Availability":                  "reserve.Availability",
		"reserve.Lines.Lengths and reserve.Service.Submit":    "",
		"[reserve.Lines.Width]":                               "reserve.Lines.Width",
		"app/reserve.Lines, but app/reserve.Line":             "reserve.Line",
		"auth.Lines, which is another package's now":          "auth.Lines",
		"an http.Request, a turn.Release, example.com":        "",
		"see take.lua, locks/take.lua, ports.go and *.lua":    "",
		"see finish.lua":                                      "finish.lua",
		"app/reserve, app/reserved/, (app/waiting/finish.go)": "app/waiting/finish.go app/reserved",
		"https://example.com/app/gone.md, /etc/app/gone.conf": "",
	} {
		missing, _ := tree.missing(reference{text: text, folder: "app/reserve", source: &source{file: file}})
		if got := strings.Join(missing, " "); got != want {
			t.Errorf("%q: %q is missing, want %q", text, got, want)
		}
	}
}

// reference is a text that names things: a comment, a document.
type reference struct {
	where  string // file:line
	folder string // of the file
	text   string
	source *source // the Go file around it; nil in other texts
}

var (
	namedFile = regexp.MustCompile(`[\w./*…:-]*[\w*-]+\.(?:go|lua|sql|md|templ)\b`)
	namedPath = regexp.MustCompile("(?:^|[\\s(`])((?:app|db|docs|locks|static|views|\\.ci)/[\\w./*…-]*\\w)")
	qualified = regexp.MustCompile(`(?:^|[^\w./])((?:[\w-]+/)*)([a-z]\w*)\.([A-Z]\w*)(?:\.([A-Z]\w*))?`)
)

// missing returns what a text names that does not exist, and how many names of ours it has.
func (tree *tree) missing(in reference) (names []string, named int) {
	check := func(exists bool, name string) {
		if named++; !exists {
			names = append(names, name)
		}
	}
	for _, name := range namedFile.FindAllString(in.text, -1) {
		if !strings.ContainsAny(name, "*…:") {
			check(tree.files[path.Clean(name)] || tree.files[path.Join(in.folder, name)], name)
		}
	}
	for _, match := range namedPath.FindAllStringSubmatch(in.text, -1) {
		name := qualifiedEnd.ReplaceAllString(match[1], "")
		if !strings.ContainsAny(name, "*…") && !namedFile.MatchString(name) {
			check(tree.files[name], name)
		}
	}
	for _, match := range qualified.FindAllStringSubmatch(in.text, -1) {
		folder, pkg, name, member := match[1], match[2], match[3], match[4]
		exported, ours := tree.exported[pkg]
		switch {
		case folder != "" && !tree.files[folder+pkg], in.source.declares(pkg):
		case ours:
			check(exported[name], pkg+"."+name)
			if member != "" && exported[name] {
				check(exported[name+"."+member], pkg+"."+name+"."+member)
			}
		case !tree.foreign[pkg] && tree.anywhere[name]:
			check(false, pkg+"."+name)
		}
	}
	return names, named
}

// qualifiedEnd is what follows a package's folder in app/booking.Decide.
var qualifiedEnd = regexp.MustCompile(`\.[A-Z][\w.]*$`)

// tree is what there is to name.
type tree struct {
	files    map[string]bool            // paths and base names, of folders too
	exported map[string]map[string]bool // by the package's name; members as Type.Member
	anywhere map[string]bool            // names that some package of ours exports
	foreign  map[string]bool            // packages of others that ours import
}

func newTree() *tree {
	return &tree{map[string]bool{}, map[string]map[string]bool{}, map[string]bool{}, map[string]bool{}}
}

// readTree returns what there is in the tree, and the texts that name it.
func readTree(t *testing.T) (*tree, []reference) {
	t.Helper()
	found := newTree()
	var sources []*source
	var texts []reference
	for name, text := range readDocuments(t) { // in any order
		name = strings.TrimPrefix(name, "../")
		texts = append(texts, reference{where: name, folder: path.Dir(name), text: codeBlock.ReplaceAllString(text, "")})
	}
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || name == "..":
			return err
		case entry.IsDir() && isForeign(entry.Name()):
			return filepath.SkipDir
		}
		found.addFile(strings.TrimPrefix(filepath.ToSlash(name), "../"))
		switch path.Ext(name) {
		case ".go":
			sources = append(sources, &source{name: name})
		case ".lua", ".sql", ".yml", ".yaml", ".css", ".toml", ".service", ".cfg":
			text, err := os.ReadFile(name)
			name = strings.TrimPrefix(name, "../")
			texts = append(texts, reference{where: name, folder: path.Dir(name), text: string(text)})
			return err
		}
		return nil
	})
	dbtest.Must(t, err)
	parseAll(t, sources)
	for _, source := range sources {
		found.addSource(source.file)
		texts = append(texts, source.comments()...)
	}
	return found, texts
}

// codeBlock is what a document shows of programs, ours or others'.
var codeBlock = regexp.MustCompile("(?ms)^ *```[a-z]+\n.*?^ *```")

func (tree *tree) addFile(name string) { tree.files[name], tree.files[path.Base(name)] = true, true }

// addSource adds what a Go file declares and imports.
func (tree *tree) addSource(file *ast.File) {
	for _, imported := range foreignImports(file) {
		tree.foreign[imported] = true
	}
	pkg := strings.TrimSuffix(file.Name.Name, "_test")
	if tree.exported[pkg] == nil {
		tree.exported[pkg] = map[string]bool{}
	}
	add := func(names ...string) {
		name := strings.Join(names, ".")
		tree.exported[pkg][name], tree.anywhere[name] = true, true
	}
	for _, declared := range file.Decls {
		switch declared := declared.(type) {
		case *ast.FuncDecl:
			if declared.Recv == nil {
				add(declared.Name.Name)
			} else {
				add(typeName(declared.Recv.List[0].Type), declared.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range declared.Specs {
				addSpec(spec, add)
			}
		}
	}
}

// addSpec calls add for what a declaration names: types with their members, constants, variables.
func addSpec(spec ast.Spec, add func(...string)) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			add(name.Name)
		}
	case *ast.TypeSpec:
		add(spec.Name.Name)
		members := &ast.FieldList{}
		switch declared := spec.Type.(type) {
		case *ast.StructType:
			members = declared.Fields
		case *ast.InterfaceType:
			members = declared.Methods
		}
		for _, member := range members.List {
			for _, name := range member.Names {
				add(spec.Name.Name, name.Name)
			}
			if len(member.Names) == 0 {
				add(spec.Name.Name, typeName(member.Type))
			}
		}
	}
}

// typeName is the name of a type without its package, pointer and parameters.
func typeName(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return typeName(of.X)
	case *ast.IndexExpr:
		return typeName(of.X)
	case *ast.IndexListExpr:
		return typeName(of.X)
	case *ast.SelectorExpr:
		return of.Sel.Name
	case *ast.Ident:
		return of.Name
	}
	return ""
}

// foreignImports returns the names of the packages of others that a file imports: redis of …/go-redis/v9.
func foreignImports(file *ast.File) (names []string) {
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		switch {
		case err != nil || strings.HasPrefix(imported, module):
		case spec.Name != nil:
			names = append(names, spec.Name.Name)
		default:
			base := path.Base(majorVersion.ReplaceAllString(imported, ""))
			names = append(names, strings.TrimPrefix(base, "go-"))
		}
	}
	return names
}

var majorVersion = regexp.MustCompile(`/v[0-9]+$`)
