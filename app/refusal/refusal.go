// Package refusal is why the site does not do what somebody asks. A refusal is declared once, beside its rule, with all
// that programs, pages and tickets have to know of it; its sentences are in the catalogues, as "error.<Code>".
package refusal

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
)

// Kind is what a refusal means to programs: a status of HTTP (RFC 9110, RFC 6585), by number.
type Kind int

// Kinds of refusals.
const (
	Malformed        Kind = 400
	SignedOut        Kind = 401
	TooPoor          Kind = 402
	NotAllowed       Kind = 403
	Missing          Kind = 404
	WrongMethod      Kind = 405
	Conflict         Kind = 409
	TooLarge         Kind = 413
	WrongType        Kind = 415
	WrongFields      Kind = 422
	Unconditional    Kind = 428
	TooMany          Kind = 429
	HeadersTooLarge  Kind = 431
	Broken           Kind = 500
	TemporarilyUnfit Kind = 503
)

// Refusal is an error that says why something is not done. Errors that carry values unwrap to it.
type Refusal struct {
	Code string // stable, for programs; "error.<Code>" is its sentence, and "fault.<Code>" a kinder one of forms
	Kind Kind
	Text string // for the log

	Retry time.Duration // mean of the random time after which another try may do; 0 where it will not
	// Turn says that a turn, or the waiting room, refuses so: tickets store it.
	Turn bool
	// New returns an empty error of the type that carries values, for those that have any; its exported fields are the
	// values, by the names that they have in JSON. Programs see them as members of the problem document.
	New func() error

	// What pages do with it, besides its sentence.
	Field        string // of the forms, beside which the sentence is shown; empty for none
	Headline     string // above the form, and of the ticket's page, "outcome.<Headline>"; empty for none
	Unchanged    string // what a reservation's page says if a change led to this, "flash.<Unchanged>"
	Alternatives bool   // other slots may do
	Plain        bool   // the words of the status say more to readers of pages than the sentence
}

// Error is the text for the log.
func (r *Refusal) Error() string { return r.Text }

// Because returns a refusal with the same meaning to everybody but the program itself, which can tell them apart by
// errors.Is. It unwraps to r.
func (r *Refusal) Because(text string) error { return &cause{text, r} }

type cause struct {
	text string
	of   *Refusal
}

func (c *cause) Error() string { return c.text }
func (c *cause) Unwrap() error { return c.of }

// Carries names the members that problems with this code have besides those of all, "alternatives" among them.
func (r *Refusal) Carries() (members []string) {
	if r.New != nil {
		carrier := r.New()
		if guarded, ok := carrier.(Guarded); !ok || guarded.Members() != nil {
			for field := range reflect.TypeOf(carrier).Elem().Fields() {
				if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "-" {
					members = append(members, name)
				}
			}
		}
	}
	if r.Alternatives {
		members = append(members, "alternatives")
	}
	return members
}

// Declared refusals of the program, by code. Packages declare theirs while they are initialised.
var declared = struct {
	sync.RWMutex
	byCode map[string]*Refusal
}{byCode: map[string]*Refusal{}}

// Declare adds a refusal to those of the program. It panics on a code that is taken.
func Declare(r Refusal) *Refusal {
	declared.Lock()
	defer declared.Unlock()
	if declared.byCode[r.Code] != nil || r.Code == "" || r.Kind == 0 {
		panic("refusal: declared twice, or without a code or kind: " + r.Code)
	}
	declared.byCode[r.Code] = &r
	return &r
}

// New declares a refusal that is no more than its code, kind and text.
func New(kind Kind, code, text string) *Refusal {
	return Declare(Refusal{Kind: kind, Code: code, Text: text})
}

// ByCode returns the refusal with a code; nil if the program has none.
func ByCode(code string) *Refusal {
	declared.RLock()
	defer declared.RUnlock()
	return declared.byCode[code]
}

// All returns every refusal of the program, by code.
func All() []*Refusal {
	declared.RLock()
	defer declared.RUnlock()
	all := make([]*Refusal, 0, len(declared.byCode))
	for _, r := range declared.byCode { // in any order
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b *Refusal) int { return cmp.Compare(a.Code, b.Code) })
	return all
}

// Of returns the refusal that an error is, or wraps; nil for none. It allocates nothing: a rush asks it of everybody
// who is refused.
func Of(err error) *Refusal {
	r, _ := find(err, func(err error) bool { _, ok := err.(*Refusal); return ok }).(*Refusal)
	return r
}

// Carrier returns the error that carries the values of r, which err is or wraps; nil if none does.
func (r *Refusal) Carrier(err error) error {
	if r.New == nil {
		return nil
	}
	of := reflect.TypeOf(r.New())
	return find(err, func(err error) bool { return reflect.TypeOf(err) == of })
}

// find returns the first error of a tree that fits; nil for none.
func find(err error, fits func(error) bool) error {
	for err != nil && !fits(err) {
		switch e := err.(type) {
		case interface{ Unwrap() error }:
			err = e.Unwrap()
		case interface{ Unwrap() []error }:
			for _, one := range e.Unwrap() {
				if found := find(one, fits); found != nil {
					return found
				}
			}
			return nil
		default:
			return nil
		}
	}
	return err
}

// Details returns the values that an error carries; the zero value if it carries none of that type.
func Details[T any, P interface {
	*T
	error
}](err error) T {
	if d, ok := errors.AsType[P](err); ok {
		return *d
	}
	var none T
	return none
}

// Phrased is an error whose sentence names values.
type Phrased interface {
	error
	// Phrase returns the catalogue's key, empty for that of the code, and names and values in turn.
	Phrase() (key string, values []any)
}

// Timed is an error that says when another try may do.
type Timed interface {
	error
	// RetryAfter returns how long after now that is, in whole seconds.
	RetryAfter(now time.Time) time.Duration
}

// Guarded is an error of which programs see something else than its fields.
type Guarded interface {
	error
	// Members returns what they see, as a struct; nil for nothing.
	Members() any
}
