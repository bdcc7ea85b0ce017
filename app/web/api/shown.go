package api

import (
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/keyset"
)

// What shows what use cases return: show is of one thing, such as newClaim.

// as shows what a use case returned, unless it failed.
func as[T, A any](show func(T) A) func(T, error) (A, error) {
	return func(found T, err error) (shown A, _ error) {
		if err == nil {
			shown = show(found)
		}
		return shown, err
	}
}

// spoken shows something in the language of a request, and has the answer say so.
func spoken[T, A any](c *fiber.Ctx, show func(string, T) A) func(T) A {
	lang := speak(c)
	return func(found T) A { return show(lang, found) }
}

// list shows each of several; it is never nil.
func list[T, A any](items []T, show func(T) A) []A {
	all := make([]A, 0, len(items))
	for _, item := range items {
		all = append(all, show(item))
	}
	return all
}

// paged shows each on a page.
func paged[T, A any](show func(T) A) func(keyset.Page[T]) keyset.Page[A] {
	return func(found keyset.Page[T]) keyset.Page[A] {
		return keyset.Page[A]{Items: list(found.Items, show), Next: found.Next}
	}
}

// orEmpty is a list that is encoded as [] where it is nil.
func orEmpty[T any](items []T) []T {
	if items == nil {
		return []T{}
	}
	return items
}

// orNull is a value that is encoded as null where it is the zero one.
func orNull[T comparable](value T) *T {
	if value == *new(T) {
		return nil
	}
	return &value
}

// timeOrNull is orNull for instants.
func timeOrNull(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at
}
