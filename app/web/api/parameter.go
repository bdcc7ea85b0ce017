package api

import (
	"regexp"
	"slices"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"
)

// parameter is one of an address or of a head.
type parameter struct {
	name     string
	is       kind
	says     string
	required bool
	bound    func(*huma.Schema) // what it may be besides; nil: anything of its kind
	in       string             // query if it does not say
}

// kind is what a parameter is read as.
type kind int

const (
	text kind = iota
	number
	yesOrNo
	day
	clock
)

// What several operations have.
var (
	preview     = parameter{name: "preview", is: yesOrNo, says: "true: nothing changes; the answer is what it would be."}
	idempotency = parameter{name: "Idempotency-Key", in: "header", required: true, bound: pattern("^[!-~]{1,200}$"),
		says: "Makes a repeated request the same request. Any 1 to 200 printable ASCII characters without spaces, a new " +
			"one for every new request."}
	prefer = parameter{name: "Prefer", in: "header", says: "RFC 7240. wait=N: wait up to N seconds, at most 30, for the " +
		"turn; 2 if it is not there. respond-async: rather 202 than 429; without wait it waits for nothing but a turn " +
		"that begins with the request."}
	ifMatch = parameter{name: fiber.HeaderIfMatch, in: "header", required: true,
		says: "The ETag of the document that was read. Without it nothing is written: 428."}
	ofPage = []parameter{
		{name: "after", says: "The cursor `next` of the page before; without it the first page."},
		{name: "limit", is: number, bound: together(between(1, pageSize), otherwise(pageSize)),
			says: "How many items the page has at most."},
	}
)

// numbered are the parameters of paths that are numbers wherever they stand.
var numbered = []string{"restaurant", "coupon", "note", "item", "delivery"}

var inPath = regexp.MustCompile(`\{(\w+)\}`)

// parameters are all that an operation heeds: of its path, of its query, of its head.
func (o operation) parameters() []parameter {
	var all []parameter
	for _, found := range inPath.FindAllStringSubmatch(o.route, -1) {
		all = append(all, o.ofPath(found[1]))
	}
	all = append(all, o.query...)
	if o.paged {
		all = append(all, ofPage...)
	}
	if o.key != noKey {
		p := idempotency
		p.required = o.key == needsKey
		all = append(all, p)
	}
	if o.waits {
		all = append(all, prefer)
	}
	if o.version && !o.reads() {
		all = append(all, ifMatch)
	}
	return all
}

func (o operation) ofPath(name string) parameter {
	p := parameter{name: name}
	for _, own := range o.path {
		if own.name == name {
			p = own
		}
	}
	switch {
	case slices.Contains(numbered, name):
		p.is = number
	case name == "date":
		p.is = day
	case name == "time":
		p.is = clock
	}
	p.in, p.required = "path", true
	return p
}

// described is the parameter as the description has it.
func (p parameter) described() *huma.Param {
	s := &huma.Schema{Type: huma.TypeString}
	switch p.is {
	case number:
		s = &huma.Schema{Type: huma.TypeInteger, Format: "int64"}
	case yesOrNo:
		s = &huma.Schema{Type: huma.TypeBoolean, Default: false}
	case day:
		s.Format, s.Examples = "date", []any{"2026-11-21"}
	case clock:
		s.Pattern, s.Examples = timePattern, []any{"19:00"}
	}
	if p.bound != nil {
		p.bound(s)
	}
	in := p.in
	if in == "" {
		in = "query"
	}
	return &huma.Param{Name: p.name, In: in, Description: p.says, Required: p.required, Schema: s}
}
