package api

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
)

// operation is what the description says of a call: what may stand in its query, and what its body has to have.
type operation struct {
	path       []string // its parts, with {name} for any
	parameters map[string]parameter
	body       *shape // nil where nothing is required
}

// parameter is one of a query.
type parameter struct {
	Name   string `json:"name"`
	In     string `json:"in"`
	Ref    string `json:"$ref"`
	Schema struct {
		Type any `json:"type"`
	} `json:"schema"`
}

// shape is a schema as far as it says which members are there.
type shape struct {
	Ref        string           `json:"$ref"`
	Type       any              `json:"type"`
	Required   []string         `json:"required"`
	Properties map[string]shape `json:"properties"`
	Items      *shape           `json:"items"`
	AnyOf      []shape          `json:"anyOf"`
	OneOf      []shape          `json:"oneOf"`
}

// operations are those of the description, by method.
type operations struct {
	byMethod map[string][]operation
	schemas  map[string]shape
}

// readOperations reads the description that the binary holds. It panics on what is no description.
func readOperations(description []byte) operations {
	var doc struct {
		Paths      map[string]map[string]json.RawMessage `json:"paths"`
		Components struct {
			Schemas    map[string]shape     `json:"schemas"`
			Parameters map[string]parameter `json:"parameters"`
		} `json:"components"`
	}
	if err := json.Unmarshal(description, &doc); err != nil {
		panic(fmt.Errorf("api: the description: %w", err))
	}
	all := operations{byMethod: map[string][]operation{}, schemas: doc.Components.Schemas}
	for path, methods := range doc.Paths { // in any order
		for method, raw := range methods { // in any order
			if method == "parameters" {
				continue
			}
			one := operation{path: strings.Split(path, "/"), parameters: map[string]parameter{}}
			var said struct {
				Parameters  []parameter `json:"parameters"`
				RequestBody struct {
					Content map[string]struct {
						Schema *shape `json:"schema"`
					} `json:"content"`
				} `json:"requestBody"`
			}
			if err := json.Unmarshal(raw, &said); err != nil {
				panic(fmt.Errorf("api: the description of %s %s: %w", method, path, err))
			}
			for _, p := range said.Parameters {
				if p.Ref != "" {
					p = doc.Components.Parameters[nameOf(p.Ref)]
				}
				if p.In == "query" {
					one.parameters[p.Name] = p
				}
			}
			if method == "put" { // others leave alone what they lack, or say themselves what is missing
				one.body = said.RequestBody.Content[fiber.MIMEApplicationJSON].Schema
			}
			method = strings.ToUpper(method)
			all.byMethod[method] = append(all.byMethod[method], one)
		}
	}
	return all
}

func nameOf(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

// find returns the operation of a request; false if the description has none.
func (o operations) find(method, path string) (found operation, ok bool) {
	if method == fiber.MethodHead {
		method = fiber.MethodGet
	}
	parts, most := strings.Split(strings.TrimSuffix(path, "/"), "/"), -1
	for _, one := range o.byMethod[method] {
		if literal := literalParts(one.path, parts); literal > most {
			found, most = one, literal
		}
	}
	return found, most >= 0
}

// literalParts counts the parts of a path that a pattern has as they are; -1 if it does not fit.
func literalParts(pattern, path []string) (n int) {
	if len(pattern) != len(path) {
		return -1
	}
	for i, part := range pattern {
		switch {
		case part == path[i]:
			n++
		case !strings.HasPrefix(part, "{"):
			return -1
		}
	}
	return n
}

// operationKey is where a request stores its operation.
type operationKey struct{}

// heedDescription is middleware that refuses what the description does not have in a query: a name that is misspelt
// would be passed over in silence. What a body has to have is checked by decode, after the sender's rights.
func (a *API) heedDescription(c *fiber.Ctx) error {
	if c.Context().QueryArgs().Len() == 0 && c.Method() != fiber.MethodPut {
		return c.Next() // as nearly all do
	}
	one, ok := a.operations.find(c.Method(), c.Path())
	if !ok {
		return c.Next()
	}
	var faults []respond.Field
	for raw, value := range c.Context().QueryArgs().All() {
		name := string(raw)
		switch known, ok := one.parameters[name]; {
		case !ok:
			faults = append(faults, respond.Field{Name: name, Reason: "unknown_parameter"})
		case known.Schema.Type == "boolean" && string(value) != "true" && string(value) != "false":
			faults = append(faults, respond.Field{Name: name, Reason: "wrong_type"})
		}
	}
	if len(faults) > 0 {
		return respond.Invalid(faults...)
	}
	if one.body != nil {
		c.Locals(operationKey{}, func(body []byte) error { return a.operations.checkMembers(*one.body, body) })
	}
	return c.Next()
}

// checkRequired refuses the body of a request that lacks a member which its operation requires. What is missing would be
// taken for its zero.
func checkRequired(c *fiber.Ctx, body []byte) error {
	if check, ok := c.Locals(operationKey{}).(func([]byte) error); ok {
		return check(body)
	}
	return nil
}

// checkMembers returns the problem of the members that a document lacks, or has as null where the schema has no null.
func (o operations) checkMembers(of shape, document []byte) error {
	var value any
	if err := json.Unmarshal(document, &value); err != nil {
		return respond.BadRequest
	}
	if missing := o.missing("", of, value); len(missing) > 0 {
		return respond.Invalid(missing...)
	}
	return nil
}

// missing lists required members that a value does not have, by their names.
func (o operations) missing(at string, of shape, value any) (faults []respond.Field) {
	of = o.resolve(of)
	switch value := value.(type) {
	case map[string]any:
		for _, name := range of.Required {
			if member, ok := value[name]; !ok || member == nil && !o.mayBeNull(of.Properties[name]) {
				faults = append(faults, respond.Field{Name: at + name, Reason: "required"})
			}
		}
		for name, member := range value { // in any order
			faults = append(faults, o.missing(at+name+".", of.Properties[name], member)...)
		}
	case []any:
		if of.Items == nil {
			return nil
		}
		for i, item := range value {
			faults = append(faults, o.missing(fmt.Sprintf("%s[%d].", strings.TrimSuffix(at, "."), i), *of.Items, item)...)
		}
	}
	slices.SortFunc(faults, func(a, b respond.Field) int { return strings.Compare(a.Name, b.Name) })
	return faults
}

// resolve returns the schema that a reference names, or the first of several that is no null.
func (o operations) resolve(of shape) shape {
	for _, one := range append(of.AnyOf, of.OneOf...) {
		if one.Type != "null" {
			return o.resolve(one)
		}
	}
	if of.Ref != "" {
		return o.schemas[nameOf(of.Ref)]
	}
	return of
}

func (o operations) mayBeNull(of shape) bool {
	isNull := func(one shape) bool { return one.Type == "null" }
	several, _ := of.Type.([]any)
	return slices.Contains(several, any("null")) || slices.ContainsFunc(of.AnyOf, isNull) ||
		slices.ContainsFunc(of.OneOf, isNull)
}
