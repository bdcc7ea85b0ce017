package api

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write generated.go anew")

// What members mean and which values constants have is read from the source of their types: generated.go has both as the
// source says them.
func TestGenerated_IsCurrent(t *testing.T) {
	t.Parallel()
	read := source{comments: map[string]string{}, constants: map[string][]string{}, events: map[string]string{}}
	read.addEvents(t)
	for folder, of := range packagesOf(described().schemas.types) {
		read.add(t, folder, of)
	}
	want, err := format.Source([]byte(read.written()))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("generated.go", want, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("generated.go")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("generated.go is not what the source says: go tool task generate")
	}
}

// packagesOf returns the types that the API writes and reads, by the folder of their package.
func packagesOf(types map[string]reflect.Type) map[string]map[reflect.Type]bool {
	all := map[string]map[reflect.Type]bool{}
	var add func(of reflect.Type)
	add = func(of reflect.Type) {
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice || of.Kind() == reflect.Map {
			of = of.Elem()
		}
		rest, ours := strings.CutPrefix(of.PkgPath(), "lunchgo/")
		if !ours || all[rest][of] {
			return
		}
		if all[rest] == nil {
			all[rest] = map[reflect.Type]bool{}
		}
		all[rest][of] = true
		if of.Kind() == reflect.Struct {
			for _, m := range membersOf(of) {
				add(m.owner)
				add(m.field.Type)
			}
		}
	}
	for _, of := range types { // in any order
		add(of)
	}
	return all
}

// source is what is read of it.
type source struct {
	comments  map[string]string   // of fields, by type and field
	constants map[string][]string // by their type
	events    map[string]string   // schemas of their data
}

// addEvents reads the schemas of those events that webhooks are sent. Members may be added to their data.
func (s source) addEvents(t *testing.T) {
	t.Helper()
	text, err := os.ReadFile("../../../docs/events.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Defs map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	for of, name := range map[string]string{"ReservationEvent": "reservation", "SlotEvent": "slot"} {
		written, err := json.Marshal(inlined(schema.Defs, schema.Defs[name]))
		if err != nil {
			t.Fatal(err)
		}
		s.events[of] = string(written)
	}
}

// inlined is a schema with the others that it names in it.
func inlined(defs map[string]any, of any) any {
	switch of := of.(type) {
	case map[string]any:
		if ref, ok := of["$ref"].(string); ok {
			return inlined(defs, defs[strings.TrimPrefix(ref, "#/$defs/")])
		}
		whole := map[string]any{}
		for name, value := range of {
			if name != "additionalProperties" {
				whole[name] = inlined(defs, value)
			}
		}
		return whole
	case []any:
		whole := make([]any, len(of))
		for i, value := range of {
			whole[i] = inlined(defs, value)
		}
		return whole
	}
	return of
}

// add reads a package.
func (s source) add(t *testing.T, folder string, of map[reflect.Type]bool) {
	t.Helper()
	named := map[string]bool{}
	for known := range of {
		named[known.Name()] = true
	}
	files, err := filepath.Glob(filepath.Join("../../..", folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range parsed.Decls {
			if general, ok := declared.(*ast.GenDecl); ok {
				for _, spec := range general.Specs {
					s.addSpec(parsed.Name.Name, spec, named)
				}
			}
		}
	}
}

func (s source) addSpec(pkg string, spec ast.Spec, named map[string]bool) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if fields, ok := spec.Type.(*ast.StructType); ok && named[spec.Name.Name] {
			s.addFields(pkg+"."+spec.Name.Name, fields.Fields.List)
		}
	case *ast.ValueSpec:
		kind, typed := spec.Type.(*ast.Ident)
		if !typed || !named[kind.Name] || len(spec.Values) != 1 {
			return
		}
		if literal, ok := spec.Values[0].(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if value, err := strconv.Unquote(literal.Value); err == nil && value != "" {
				name := pkg + "." + kind.Name
				s.constants[name] = append(s.constants[name], value)
			}
		}
	}
}

func (s source) addFields(owner string, fields []*ast.Field) {
	for _, field := range fields {
		text := strings.TrimSpace(field.Doc.Text() + field.Comment.Text())
		for _, name := range field.Names {
			if text != "" && name.IsExported() {
				s.comments[owner+"."+name.Name] = strings.Join(strings.Fields(text), " ")
			}
		}
	}
}

// written is the file that has it.
func (s source) written() string {
	var b strings.Builder
	b.WriteString("// Code generated by go tool task generate. DO NOT EDIT.\n\npackage api\n\n")
	b.WriteString("// comments are those of members, by type and field.\nvar comments = map[string]string{\n")
	for _, name := range slices.Sorted(maps.Keys(s.comments)) {
		fmt.Fprintf(&b, "\t%q: %q,\n", name, s.comments[name])
	}
	b.WriteString("}\n\n// constants are the values of types.\nvar constants = map[string][]string{\n")
	for _, name := range slices.Sorted(maps.Keys(s.constants)) {
		fmt.Fprintf(&b, "\t%q: {", name)
		for i, value := range s.constants[name] {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(strconv.Quote(value))
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n\n// eventData are the schemas of the data of events, by their names in the description.\n" +
		"var eventData = map[string]string{\n")
	for _, kind := range slices.Sorted(maps.Keys(s.events)) {
		fmt.Fprintf(&b, "\t%q: `%s`,\n", kind, s.events[kind])
	}
	b.WriteString("}\n")
	return b.String()
}
