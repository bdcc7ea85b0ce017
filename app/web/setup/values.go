package setup

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/booking"
	"lunchgo/app/web/respond"
	"lunchgo/views"
	"lunchgo/views/i18n"
)

// values are the fields of a form by name, as they were typed. Lists have an index: "tiers[0].amount".
type values map[string]string

// valuesOf are the fields of the form that was sent.
func valuesOf(c *fiber.Ctx) values {
	v := values{}
	for name, value := range c.Request().PostArgs().All() {
		v[string(name)] = string(value)
	}
	return v
}

// rows is how many rows a list of the form has.
func (v values) rows(list string) int {
	n := 0
	for name := range v {
		if rest, ok := strings.CutPrefix(name, list+"["); ok {
			index, _, _ := strings.Cut(rest, "]")
			if i, err := strconv.Atoi(index); err == nil && i >= n && i < maxRows {
				n = i + 1
			}
		}
	}
	return n
}

// maxRows bounds what a form may name.
const maxRows = 200

// compact removes the rows of a list whose members are all empty, so that the others have the places of their document.
func (v values) compact(list string, members ...string) {
	n, next := v.rows(list), 0
	for i := range n {
		var row []string
		for _, member := range members {
			row = append(row, strings.TrimSpace(v[at(list, i, member)]))
		}
		blank := !slices.ContainsFunc(row, func(s string) bool { return s != "" })
		if blank || next != i {
			v.move(fmt.Sprintf("%s[%d].", list, i), fmt.Sprintf("%s[%d].", list, next), !blank)
		}
		if !blank {
			next++
		}
	}
}

// move renames the fields of a row, or removes them.
func (v values) move(from, to string, keep bool) {
	for _, name := range slices.Collect(maps.Keys(v)) {
		rest, ok := strings.CutPrefix(name, from)
		if !ok {
			continue
		}
		value := v[name]
		delete(v, name)
		if keep {
			v[to+rest] = value
		}
	}
}

// at is the name of a member of a row.
func at(list string, i int, member string) string { return fmt.Sprintf("%s[%d].%s", list, i, member) }

// reader reads typed numbers and notes which are none.
type reader struct {
	values
	wrong []booking.FieldError
}

// number reads a whole number; the marks that people put between thousands do not count.
func (r *reader) number(name string) int {
	text := strings.NewReplacer(",", "", " ", "").Replace(r.values[name])
	n, err := strconv.Atoi(text)
	if err != nil {
		r.wrong = append(r.wrong, booking.FieldError{Field: name, Reason: "invalid_number"})
	}
	return n
}

// faultsOf are the invalid fields that an error names.
func faultsOf(err error) ([]booking.FieldError, bool) {
	var invalid *booking.InvalidError
	if errors.As(err, &invalid) {
		return invalid.Fields, true
	}
	return nil, false
}

// showFaults puts what is wrong beside the fields, and returns the list above the form: there a field is named with the
// group that it is in, such as a weekday, and what belongs to no field stands alone.
func showFaults(lang string, found []booking.FieldError, groups []views.SetupGroup) (list []views.SetupError) {
	for _, f := range found {
		text := respond.FieldSentence(lang, respond.Field{Name: f.Field, Reason: f.Reason, Min: f.Min, Max: f.Max})
		shown := views.SetupError{Text: text}
		eachField(groups, func(in views.SetupGroup, field *views.SetupField) {
			if field.Name != f.Field {
				return
			}
			field.Error = text
			shown = views.SetupError{Field: f.Field, Text: field.Label + ": " + text}
			if in.Legend != "" {
				shown.Text = in.Legend + " · " + shown.Text
			}
		})
		list = append(list, shown)
	}
	return list
}

// builder makes the fields of a form from its values.
type builder struct {
	lang string
	values
}

// field is a field with the label of its last name: "setup.field_<name>", and its hint where the catalogue has one.
func (b builder) field(name, kind string) views.SetupField {
	key := name[strings.LastIndexByte(name, ']')+1:]
	key = strings.ReplaceAll(strings.TrimPrefix(key, "."), ".", "_")
	f := views.SetupField{Name: name, Label: i18n.T(b.lang, "setup.field_"+key), Value: b.values[name], Type: kind}
	if i18n.Has(b.lang, "setup.hint_"+key) {
		f.Hint = i18n.T(b.lang, "setup.hint_"+key)
	}
	return f
}

func (b builder) text(name string) views.SetupField  { return b.field(name, "text") }
func (b builder) count(name string) views.SetupField { return b.field(name, "number") }

func (b builder) choice(name string, options []views.Choice) views.SetupField {
	f := b.field(name, "select")
	f.Options = options
	return f
}

// keys are choices whose names the catalogue has.
func (b builder) keys(section, current string, keys []string) []views.Choice {
	var choices []views.Choice
	if current != "" && !slices.Contains(keys, current) {
		keys = append(keys, current)
	}
	for _, key := range keys {
		label := key
		if i18n.Has(b.lang, section+"."+key) {
			label = i18n.T(b.lang, section+"."+key)
		}
		choices = append(choices, views.Choice{Value: key, Label: label})
	}
	return choices
}

func row(fields ...views.SetupField) views.SetupRow { return views.SetupRow{Fields: fields} }
