package api

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
)

// schemas are those of the types that the API encodes and decodes; a huma.Registry. Members, which of them are there
// always, and their types come from the struct; what they mean from its comments, and enumerations from the constants
// of their types (generated.go); bounds from the constants that the checks use (bounds.go).
type schemas struct {
	byName map[string]*huma.Schema
	types  map[string]reflect.Type
}

const toSchemas = "#/components/schemas/"

// Schema implements huma.Registry.
func (s *schemas) Schema(of reflect.Type, allowRef bool, hint string) *huma.Schema {
	base, nullable := of, false
	for base.Kind() == reflect.Pointer {
		base, nullable = base.Elem(), true
	}
	made := scalarSchema(base)
	if made == nil && (base.Kind() != reflect.Struct || base == reflect.TypeFor[time.Time]()) {
		made = huma.SchemaFromType(s, base)
	}
	if made != nil {
		made.Nullable = nullable || made.Nullable && made.Type != huma.TypeArray // huma's arrays may be null
		if nullable && made.Enum != nil {
			made.Enum = append(made.Enum, nil)
		}
		return made
	}
	name := schemaName(base)
	if known := s.types[name]; known != nil && known != base {
		panic(fmt.Errorf("api: %s and %s have the same name", known, base))
	}
	if s.byName[name] == nil {
		s.byName[name] = &huma.Schema{} // for what is made of itself
		s.types[name] = base
		*s.byName[name] = *s.object(name, membersOf(base))
	}
	switch {
	case !allowRef:
		return s.byName[name]
	case nullable:
		return &huma.Schema{AnyOf: []*huma.Schema{{Ref: toSchemas + name}, {Type: "null"}}}
	}
	return &huma.Schema{Ref: toSchemas + name}
}

// SchemaFromRef implements huma.Registry.
func (s *schemas) SchemaFromRef(ref string) *huma.Schema {
	return s.byName[strings.TrimPrefix(ref, toSchemas)]
}

// TypeFromRef implements huma.Registry.
func (s *schemas) TypeFromRef(ref string) reflect.Type {
	return s.types[strings.TrimPrefix(ref, toSchemas)]
}

// Map implements huma.Registry.
func (s *schemas) Map() map[string]*huma.Schema { return s.byName }

// RegisterTypeAlias implements huma.Registry.
func (s *schemas) RegisterTypeAlias(reflect.Type, reflect.Type) {
	panic("api: schemas have no aliases")
}

// MarshalJSON implements json.Marshaler.
func (s *schemas) MarshalJSON() ([]byte, error) { return json.Marshal(s.byName) }

// object is the schema of an object with members.
func (s *schemas) object(name string, members []member) *huma.Schema {
	object := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{}}
	for _, m := range members {
		field := m.field
		if m.optional && field.Type.Kind() == reflect.Pointer && field.Tag.Get("required") == "" {
			field.Type = field.Type.Elem() // left out, and never null
		}
		property := huma.SchemaFromField(s, field, name)
		property.Description = cmp.Or(property.Description, sentence(comments[m.owner.String()+"."+field.Name]))
		bound(property, m.name, name, schemaName(m.owner))
		object.Properties[m.name] = property
		if !m.optional {
			object.Required = append(object.Required, m.name)
		}
	}
	return object
}

// member is a field of a struct as JSON has it.
type member struct {
	name     string
	field    reflect.StructField
	owner    reflect.Type // the struct that declares it
	optional bool         // may be missing
}

// membersOf lists what a struct is encoded as, embedded structs' fields among it, as encoding/json sees it.
func membersOf(of reflect.Type) []member {
	var own, embedded []member
	for field := range of.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-" || !field.IsExported() && !field.Anonymous:
		case field.Anonymous && name == "":
			inner, maybe := field.Type, field.Type.Kind() == reflect.Pointer
			if maybe {
				inner = inner.Elem()
			}
			for _, m := range membersOf(inner) {
				m.optional = m.optional || maybe
				embedded = append(embedded, m)
			}
		default:
			optional := strings.Contains(options, "omit") || field.Tag.Get("required") == "false"
			own = append(own, member{cmp.Or(name, field.Name), field, of, optional})
		}
	}
	for _, m := range embedded {
		if !slices.ContainsFunc(own, func(known member) bool { return known.name == m.name }) {
			own = append(own, m)
		}
	}
	return own
}

// schemaName is a type's name in the description.
func schemaName(of reflect.Type) string {
	if name, ok := names[of]; ok {
		return name
	}
	first, size := utf8.DecodeRuneInString(of.Name())
	return string(unicode.ToUpper(first)) + of.Name()[size:]
}

// sentence makes a sentence of a comment.
func sentence(comment string) string {
	if comment == "" {
		return ""
	}
	first, size := utf8.DecodeRuneInString(comment)
	text := string(unicode.ToUpper(first)) + comment[size:]
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}

// schemaOf returns what an answer or a body is described by.
func (s *schemas) schemaOf(value any) *huma.Schema {
	list, isPage := value.(page)
	if !isPage {
		return s.Schema(reflect.TypeOf(value), true, "")
	}
	most := pageSize
	return &huma.Schema{Type: huma.TypeObject, Required: []string{list.name, "next"},
		Properties: map[string]*huma.Schema{
			list.name: {Type: huma.TypeArray, Items: s.schemaOf(list.item), MaxItems: &most},
			"next": {Type: huma.TypeString, Nullable: true,
				Description: "Cursor of the next page; null on the last one."},
		}}
}
