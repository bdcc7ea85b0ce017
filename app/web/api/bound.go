package api

import (
	"slices"

	"github.com/danielgtaylor/huma/v2"
)

// What bounds are made of: each adds to a schema what a value may be.

func atLeast(least float64) func(*huma.Schema) {
	return func(s *huma.Schema) { s.Minimum = &least }
}

func between(least, most float64) func(*huma.Schema) {
	return func(s *huma.Schema) { s.Minimum, s.Maximum = &least, &most }
}

// length bounds a text, in runes.
func length(least, most int, form ...string) func(*huma.Schema) {
	return func(s *huma.Schema) {
		s.MinLength, s.MaxLength = orNil(least), orNil(most)
		if len(form) > 0 {
			s.Format = form[0]
		}
	}
}

// items bounds a list.
func items(least, most int) func(*huma.Schema) {
	return func(s *huma.Schema) { s.MinItems, s.MaxItems = orNil(least), orNil(most) }
}

// each bounds a list and its items.
func each(list, item func(*huma.Schema)) func(*huma.Schema) {
	return func(s *huma.Schema) {
		list(s)
		item(s.Items)
	}
}

func formatted(name string) func(*huma.Schema) {
	return func(s *huma.Schema) { s.Format = name }
}

func pattern(expression string) func(*huma.Schema) {
	return func(s *huma.Schema) { s.Pattern = expression }
}

func oneOf(values ...string) func(*huma.Schema) {
	return func(s *huma.Schema) {
		s.Enum = anyOf(values)
		if s.Nullable {
			s.Enum = append(s.Enum, nil)
		}
	}
}

// otherwise is what a value is if it is missing.
func otherwise(value any) func(*huma.Schema) {
	return func(s *huma.Schema) { s.Default = value }
}

// together adds all of several bounds.
func together(all ...func(*huma.Schema)) func(*huma.Schema) {
	return func(s *huma.Schema) {
		for _, add := range all {
			add(s)
		}
	}
}

func orNil(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

// anyOf are values as a schema takes them.
func anyOf[T any](values []T) []any {
	all := make([]any, 0, len(values)+1)
	for _, value := range values {
		all = append(all, value)
	}
	return all
}

// texts are the values of constants.
func texts[T ~string](values []T) []string {
	all := make([]string, 0, len(values))
	for _, value := range values {
		all = append(all, string(value))
	}
	return all
}

// distinct are values, each once, in order.
func distinct(values []string) []string { return slices.Compact(slices.Sorted(slices.Values(values))) }
