package api

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/pages"
)

// docs answers GET /api/docs: the description as a page for people.
func (a *API) docs(c *fiber.Ctx) error {
	page := docsPage()
	page.Layout = a.Places.Layout(c)
	return respond.Render(c, fiber.StatusOK, pages.APIDocs(page))
}

// docsPage is the page without what is of its reader; it is made once.
var docsPage = sync.OnceValue(func() views.APIDocs {
	d := described()
	page := views.APIDocs{About: d.Info.Description}
	for _, g := range new(API).groups() {
		shown := views.APIGroup{Name: g.name, About: g.about}
		for _, o := range g.operations {
			shown.Operations = append(shown.Operations, d.shown(o, d.operationAt(o)))
		}
		page.Groups = append(page.Groups, shown)
	}
	for _, name := range slices.Sorted(maps.Keys(d.schemas.byName)) {
		if of := d.schemas.byName[name]; of.Properties != nil {
			page.Types = append(page.Types, views.APIType{Name: name, Members: d.members(of)})
		}
	}
	return page
})

// operationAt finds what is described of an operation.
func (d *description) operationAt(o operation) *huma.Operation {
	at := d.Paths[o.address()]
	return map[string]*huma.Operation{fiber.MethodGet: at.Get, fiber.MethodPost: at.Post, fiber.MethodPut: at.Put,
		fiber.MethodPatch: at.Patch, fiber.MethodDelete: at.Delete}[o.method()]
}

func (d *description) shown(o operation, as *huma.Operation) views.APIOperation {
	call := views.APIOperation{ID: o.id, Method: o.method(), Path: o.address(), Summary: o.summary, Text: as.Description,
		Command: d.command(o)}
	if o.run.takes != nil {
		call.Takes = schemaName(reflect.TypeOf(o.run.takes))
	}
	for _, p := range as.Parameters {
		call.Parameters = append(call.Parameters, views.APIMember{Name: p.Name, Kind: p.In + ", " + kindOf(p.Schema),
			About: p.Description, Optional: !p.Required})
	}
	for _, status := range slices.Sorted(maps.Keys(as.Responses)) {
		call.Answers = append(call.Answers, d.answer(status, as.Responses[status]))
	}
	return call
}

func (d *description) answer(status string, r *huma.Response) views.APIAnswer {
	if r.Ref != "" {
		r = d.Components.Responses[r.Ref[strings.LastIndexByte(r.Ref, '/')+1:]]
	}
	shown := views.APIAnswer{Status: status, Text: r.Description, Refused: status >= "4"}
	content := r.Content[fiber.MIMEApplicationJSON]
	if content == nil || content.Schema == nil {
		return shown
	}
	shown.Type = typeName(content.Schema)
	shown.Example = indented(d.schemas.sample("", content.Schema))
	return shown
}

// command sends an example of an operation.
func (d *description) command(o operation) string {
	words := []string{"curl"}
	if !o.reads() {
		words = append(words, "-X "+o.method())
	}
	words = append(words, `"$URL`+d.exampleAddress(o)+`"`)
	if o.right.NeedsSession() {
		words = append(words, `-H "Authorization: Bearer $TOKEN"`)
	}
	if o.key == needsKey {
		words = append(words, `-H "Idempotency-Key: $(uuidgen)"`)
	}
	if o.version && !o.reads() {
		words = append(words, `-H "If-Match: $ETAG"`)
	}
	switch {
	case o.files != nil:
		words = append(words, `-H "Content-Type: `+o.files[0]+`"`, "--data-binary @picture.jpg")
	case o.run.takes != nil:
		words = append(words, `-H "Content-Type: application/json"`,
			"-d '"+indented(d.schemas.sample("", d.schemas.schemaOf(o.run.takes)))+"'")
	}
	return strings.Join(words, " \\\n  ")
}

// exampleAddress is an operation's address with examples for its parameters, those of its query that have to be there.
func (d *description) exampleAddress(o operation) string {
	address, query := o.address(), []string{}
	for _, p := range d.operationAt(o).Parameters {
		value := fmt.Sprint(d.schemas.sample(p.Name, p.Schema))
		switch {
		case p.In == "path":
			address = strings.Replace(address, "{"+p.Name+"}", cmp.Or(value, "ID"), 1)
		case p.In == "query" && p.Required:
			query = append(query, p.Name+"="+value)
		}
	}
	if len(query) > 0 {
		address += "?" + strings.Join(query, "&")
	}
	return address
}

// members lists those of an object, those that are always there first.
func (d *description) members(of *huma.Schema) (members []views.APIMember) {
	for name, property := range of.Properties { // in any order
		members = append(members, views.APIMember{Name: name, Kind: kindOf(property), Type: typeName(property),
			About: property.Description, Optional: !slices.Contains(of.Required, name)})
	}
	slices.SortFunc(members, func(a, b views.APIMember) int {
		if a.Optional != b.Optional {
			return map[bool]int{true: 1, false: -1}[a.Optional]
		}
		return strings.Compare(a.Name, b.Name)
	})
	return members
}

// typeName is the object that a schema is, or is a list of; empty for neither.
func typeName(of *huma.Schema) string {
	switch {
	case of.Items != nil:
		return typeName(of.Items)
	case len(of.AnyOf) > 0:
		return typeName(of.AnyOf[0])
	}
	return strings.TrimPrefix(of.Ref, toSchemas)
}

// kindOf says in words what a value may be.
func kindOf(of *huma.Schema) string {
	kind := of.Type
	switch {
	case of.Items != nil:
		kind = strings.TrimSpace("list of " + kindOf(of.Items))
	case of.Enum != nil:
		var values []string
		for _, value := range of.Enum {
			if value != nil {
				values = append(values, fmt.Sprint(value))
			}
		}
		kind = strings.Join(values, " | ")
	case of.Format != "" && of.Type == huma.TypeString:
		kind = of.Format
	}
	return kind + boundsOf(of) + map[bool]string{true: " or null"}[mayBeNull(of)]
}

// boundsOf says in words between what a value is.
func boundsOf(of *huma.Schema) string {
	switch {
	case of.Minimum != nil && of.Maximum != nil:
		return fmt.Sprintf(", %.0f to %.0f", *of.Minimum, *of.Maximum)
	case of.MaxLength != nil:
		return fmt.Sprintf(", up to %d characters", *of.MaxLength)
	case of.MaxItems != nil:
		return fmt.Sprintf(", up to %d", *of.MaxItems)
	}
	return ""
}

func indented(value any) string {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		panic(fmt.Errorf("api: an example: %w", err))
	}
	return string(text)
}
