package api

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"lunchgo/app/refusal"
	"lunchgo/app/web/respond"
	"lunchgo/views/i18n"
)

// description is what the API says of itself.
type description struct {
	*huma.OpenAPI
	schemas *schemas
	text    []byte
}

var made struct {
	once sync.Once
	*description
}

// described is the description; it is made once, by the first who asks.
func described() *description {
	made.once.Do(func() { made.description = describe() })
	return made.description
}

func describe() *description {
	known := &schemas{byName: map[string]*huma.Schema{}, types: map[string]reflect.Type{}}
	d := &description{schemas: known, OpenAPI: &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{Title: "LunchGo", Version: "1.0.0",
			Description: "Restaurant reservations when everybody wants the same table at the same minute. Money is " +
				"integer won. Instants are RFC 3339; dates and times of slots are local to the restaurant. Members " +
				"that are not described may be added; ignore them. Unknown members of requests are ignored."},
		Servers: []*huma.Server{{URL: "/"}},
		Components: &huma.Components{Schemas: known, Responses: map[string]*huma.Response{},
			SecuritySchemes: map[string]*huma.SecurityScheme{
				"bearer": {Type: "http", Scheme: "bearer", Description: "The token of POST /api/sessions."},
				"cookie": {Type: "apiKey", In: "cookie", Name: respond.CookieName,
					Description: "A browser's session; named session where there is no TLS."},
			}},
	}}
	d.problems()
	for _, g := range new(API).groups() {
		d.Tags = append(d.Tags, &huma.Tag{Name: g.name, Description: g.about})
		for _, o := range g.operations {
			d.AddOperation(d.operation(g.name, o))
		}
	}
	d.events()
	known.addExamples()
	text, err := json.Marshal(d.OpenAPI)
	if err != nil {
		panic(fmt.Errorf("api: the description: %w", err))
	}
	d.text = text
	return d
}

// Description is the OpenAPI document of the API, as JSON.
func Description() []byte { return described().text }

// serveDescription answers GET /api/openapi.json.
func serveDescription(c *fiber.Ctx) error {
	c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
	c.Set(fiber.HeaderCacheControl, "public, max-age=300")
	return c.Send(Description())
}

func (d *description) operation(tag string, o operation) *huma.Operation {
	operation := &huma.Operation{Method: o.method(), Path: o.address(), OperationID: o.id, Tags: []string{tag},
		Summary: o.summary, Description: strings.TrimSpace(who(o.right) + " " + o.text),
		Responses: map[string]*huma.Response{}, Security: o.security()}
	for _, p := range o.parameters() {
		operation.Parameters = append(operation.Parameters, p.described())
	}
	switch {
	case o.files != nil:
		operation.RequestBody = &huma.RequestBody{Required: true, Content: contents(o.files, &huma.Schema{})}
	case o.run.takes != nil:
		operation.RequestBody = &huma.RequestBody{Required: !o.lacks,
			Content: contents(jsonOnly, d.schemas.schemaOf(o.run.takes))}
	}
	if operation.RequestBody != nil {
		operation.RequestBody.Description = fmt.Sprintf("At most %d KiB.", cmp.Or(o.most, maxBody)>>10)
	}
	last := answer{o.status, o.gives, o.says}
	if o.or != nil {
		operation.Responses[strconv.Itoa(o.status)] = &huma.Response{Description: o.says,
			Content: contents(jsonOnly, d.schemas.schemaOf(o.gives))}
		last = *o.or
	}
	operation.Responses[strconv.Itoa(last.status)] = d.success(o, last)
	if o.waits {
		operation.Responses["202"] = &huma.Response{Headers: located, Content: contents(jsonOnly,
			d.schemas.schemaOf(ticket{})), Description: "The ticket, for Prefer: respond-async: in line, or with what " +
			"came true at once where nobody waited."}
	}
	byStatus := map[int][]string{}
	for _, code := range o.codes() {
		known := refusal.ByCode(code)
		if known == nil {
			panic(fmt.Errorf("api: %s refuses with %s, which is no refusal", o.route, code))
		}
		byStatus[int(known.Kind)] = append(byStatus[int(known.Kind)], code)
	}
	for status, codes := range byStatus { // in any order
		operation.Responses[strconv.Itoa(status)] = d.refusal(status, distinct(codes))
	}
	return operation
}

var (
	jsonOnly = []string{fiber.MIMEApplicationJSON}
	located  = map[string]*huma.Param{"Location": {Schema: &huma.Schema{Type: huma.TypeString, Format: "uri-reference"}}}
)

func contents(media []string, schema *huma.Schema) map[string]*huma.MediaType {
	all := map[string]*huma.MediaType{}
	for _, name := range media {
		shown := schema
		switch name {
		case mimeCSV:
			shown = &huma.Schema{Type: huma.TypeString}
		case mimeEvents:
			shown = eventOf(schema)
		}
		all[name] = &huma.MediaType{Schema: shown}
	}
	return all
}

// eventOf is what a stream sends, over and over: before OpenAPI 3.2 the schema of a stream is that of each event.
func eventOf(data *huma.Schema) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, Required: []string{"event", "id", "data"},
		Properties: map[string]*huma.Schema{
			"event": {Type: huma.TypeString, Enum: []any{eventWaiting, eventDone}},
			"id":    {Type: huma.TypeString},
			"data": {Type: huma.TypeString, Extensions: map[string]any{
				"contentMediaType": fiber.MIMEApplicationJSON, "contentSchema": data}},
		}}
}

// success is the answer of an operation that came true.
func (d *description) success(o operation, gives answer) *huma.Response {
	r := &huma.Response{Description: gives.says, Headers: map[string]*huma.Param{}}
	media := o.media
	if media == nil {
		media = jsonOnly
	}
	if gives.of != nil {
		r.Content = contents(media, d.schemas.schemaOf(gives.of))
	}
	if o.located {
		r.Headers["Location"] = located["Location"]
	}
	if o.version {
		r.Headers["ETag"] = &huma.Param{Description: "Of the document, for If-Match.",
			Schema: &huma.Schema{Type: huma.TypeString}}
	}
	if o.waits {
		r.Headers["Idempotent-Replayed"] = &huma.Param{Description: "true when it was there before.",
			Schema: &huma.Schema{Type: huma.TypeString, Enum: []any{"true"}}}
	}
	return r
}

// refusal is the answer with a problem of one of the codes. Those that many operations have are components.
func (d *description) refusal(status int, codes []string) *huma.Response {
	says := make([]string, len(codes))
	for i, code := range codes {
		says[i] = explained(code)
	}
	r := &huma.Response{Description: strings.Join(says, " "), Headers: map[string]*huma.Param{},
		Content: contents([]string{ContentTypeProblem}, d.schemas.schemaOf(problem{}))}
	seconds := 1.0
	switch {
	case status == http.StatusUnauthorized:
		r.Headers[fiber.HeaderWWWAuthenticate] = &huma.Param{Schema: &huma.Schema{Type: huma.TypeString}}
	case status == http.StatusTooManyRequests || slices.ContainsFunc(codes, isRetried):
		r.Headers[fiber.HeaderRetryAfter] = &huma.Param{Description: "Seconds.",
			Schema: &huma.Schema{Type: huma.TypeInteger, Minimum: &seconds}}
	}
	if slices.Contains(codes, respond.Waiting.Code) {
		r.Headers["Location"] = located["Location"]
	}
	if len(codes) > 2 {
		return r
	}
	name := componentName(codes)
	d.Components.Responses[name] = r
	return &huma.Response{Ref: "#/components/responses/" + name}
}

// isRetried says whether another try may do.
func isRetried(code string) bool {
	return refusal.ByCode(code).Retry > 0
}

// explained says what a code means, and which members the problem has with it.
func explained(code string) string {
	text, carried := "`"+code+"`", refusal.ByCode(code).Carries()
	if code == respond.Waiting.Code {
		carried = placeMembers
	}
	if len(carried) > 0 {
		text += " with " + listed(carried)
	}
	if sentence := i18n.T(i18n.English, "error."+code); !strings.Contains(sentence, "<no value>") {
		return text + ": " + sentence
	}
	return text + "."
}

// componentName makes a name of codes: TooLarge, CrossSiteOrForbidden.
func componentName(codes []string) string {
	names := make([]string, len(codes))
	for i, code := range codes {
		for word := range strings.SplitSeq(code, "_") {
			names[i] += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(names, "Or")
}

// security is what signs a request; empty for what anybody may ask.
func (o operation) security() []map[string][]string {
	needs := []map[string][]string{{"bearer": {}}, {"cookie": {}}}
	switch {
	case o.greets:
		return append(needs, map[string][]string{})
	case !o.right.NeedsSession():
		return []map[string][]string{}
	}
	return needs
}

func codesOf(refusals []*refusal.Refusal) []string {
	codes := make([]string, len(refusals))
	for i, r := range refusals {
		codes[i] = r.Code
	}
	return codes
}

// codesOfTurns are those that a ticket ends with.
func codesOfTurns() []string {
	return codesOf(slices.DeleteFunc(refusal.All(), func(r *refusal.Refusal) bool { return !r.Turn }))
}

// placeMembers are those that the problem of somebody who waits has besides those of all.
var placeMembers = []string{"ticket", "position", "waitingCount", "estimatedSeconds", "estimatedSecondsLow",
	"estimatedSecondsHigh"}

// problems adds the problem of somebody who waits, which carries a place, beside the problem of all.
func (d *description) problems() {
	d.schemas.schemaOf(problem{})
	required := []string{"retryAfter"}
	for _, member := range placeMembers {
		if !strings.HasPrefix(member, "estimatedSeconds") || member == "estimatedSeconds" {
			required = append(required, member)
		}
	}
	d.schemas.byName["WaitingProblem"] = &huma.Schema{AllOf: []*huma.Schema{{Ref: toSchemas + "Problem"},
		{Type: huma.TypeObject, Required: required, Properties: map[string]*huma.Schema{
			"code":   {Type: huma.TypeString, Enum: []any{respond.Waiting.Code}},
			"status": {Type: huma.TypeInteger, Enum: []any{int(respond.Waiting.Kind)}}}}}}
}
