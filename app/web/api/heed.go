package api

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/web/respond"
)

// requiredKey is where a request stores the check of its members.
type requiredKey struct{}

// heed refuses what an operation does not have in its query: a name that is misspelt would be passed over in silence.
// What the body of a PUT has to have is checked by decode, after the sender's rights; others leave alone what they
// lack, or say themselves what is missing.
func heed(o operation) fiber.Handler {
	query := map[string]kind{}
	for _, p := range o.parameters() {
		if p.in == "" {
			query[p.name] = p.is
		}
	}
	replaces := o.method() == fiber.MethodPut && o.run.takes != nil
	return func(c *fiber.Ctx) error {
		if c.Context().QueryArgs().Len() > 0 {
			if err := checkQuery(c, query); err != nil {
				return err
			}
		}
		if replaces {
			c.Locals(requiredKey{}, o.run.takes)
		}
		return c.Next()
	}
}

func checkQuery(c *fiber.Ctx, known map[string]kind) error {
	var faults []respond.Field
	for raw, value := range c.Context().QueryArgs().All() {
		name := string(raw)
		switch is, ok := known[name]; {
		case !ok:
			faults = append(faults, respond.Field{Name: name, Reason: "unknown_parameter"})
		case is == yesOrNo && string(value) != "true" && string(value) != "false":
			faults = append(faults, respond.Field{Name: name, Reason: "wrong_type"})
		}
	}
	if len(faults) > 0 {
		return respond.Invalid(faults...)
	}
	return nil
}

// checkRequired refuses the body of a request that lacks a member which its operation requires. What is missing would
// be taken for its zero.
func checkRequired(c *fiber.Ctx, body []byte) error {
	takes := c.Locals(requiredKey{})
	if takes == nil {
		return nil
	}
	var value any
	if err := json.Unmarshal(body, &value); err != nil {
		return respond.BadRequest
	}
	known := described().schemas
	if missing := known.missing("", known.schemaOf(takes), value, nil); len(missing) > 0 {
		return respond.Invalid(missing...)
	}
	return nil
}

// missing adds the names of required members that a value does not have, until there are as many as an answer names.
func (s *schemas) missing(at string, of *huma.Schema, value any, faults []respond.Field) []respond.Field {
	of = s.resolve(of)
	switch value := value.(type) {
	case map[string]any:
		for _, name := range of.Required {
			if member, ok := value[name]; !ok || member == nil && !mayBeNull(of.Properties[name]) {
				faults = append(faults, respond.Field{Name: at + name, Reason: "required"})
			}
		}
		for _, name := range slices.Sorted(maps.Keys(value)) {
			if property := of.Properties[name]; property != nil && len(faults) < respond.MostFields {
				faults = s.missing(at+name+".", property, value[name], faults)
			}
		}
	case []any:
		for i, item := range value {
			if of.Items == nil || len(faults) >= respond.MostFields {
				break
			}
			faults = s.missing(fmt.Sprintf("%s[%d].", strings.TrimSuffix(at, "."), i), of.Items, item, faults)
		}
	}
	return faults
}

// resolve returns the schema that a reference names, or the first of several that is no null.
func (s *schemas) resolve(of *huma.Schema) *huma.Schema {
	for _, one := range of.AnyOf {
		if one.Type != "null" {
			return s.resolve(one)
		}
	}
	if of.Ref != "" {
		return s.SchemaFromRef(of.Ref)
	}
	return of
}

func mayBeNull(of *huma.Schema) bool {
	return of.Nullable || slices.ContainsFunc(of.AnyOf, func(one *huma.Schema) bool { return one.Type == "null" })
}
