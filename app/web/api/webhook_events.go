package api

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"lunchgo/app/webhooks"
)

// webhookHead are the parameters of the Standard Webhooks specification.
var webhookHead = []parameter{
	{name: "webhook-id", in: "header", required: true, says: "Names the event; the same at every try."},
	{name: "webhook-timestamp", in: "header", required: true, is: number, says: "When this try was sent, in seconds."},
	{name: "webhook-signature", in: "header", required: true, says: "One signature, or two with a space between while " +
		"an old secret is still good: `v1,` and the HMAC-SHA256 of id, timestamp and body, joined by dots, in base64."},
}

// events describes what webhooks are sent, by type of event.
func (d *description) events() {
	d.schemas.schemaOf(webhooks.TestData{})
	for name, text := range eventData { // in any order
		schema := &huma.Schema{}
		if err := json.Unmarshal([]byte(text), &schema.Extensions); err != nil {
			panic(fmt.Errorf("api: the data of events: %w", err))
		}
		d.schemas.byName[name] = schema
	}
	d.Webhooks = map[string]*huma.PathItem{}
	for _, name := range append(webhooks.Types(), webhooks.TypeTest) {
		kind := strings.Split(name, ".")[1]
		data := &huma.Schema{Ref: toSchemas + strings.ToUpper(kind[:1]) + kind[1:] + "Event"}
		body := &huma.Schema{Type: huma.TypeObject, Required: []string{"type", "timestamp", "data"},
			Properties: map[string]*huma.Schema{"type": {Type: huma.TypeString, Enum: []any{name}}, "data": data,
				"timestamp": {Type: huma.TypeString, Format: "date-time", Description: "When it happened."}}}
		call := &huma.Operation{OperationID: name, Tags: []string{"webhooks"}, Summary: "The " + kind + " after " + name,
			RequestBody: &huma.RequestBody{Required: true, Content: contents(jsonOnly, body)},
			Responses:   map[string]*huma.Response{"2XX": {Description: "Taken. Else it is sent again later."}}}
		for _, p := range webhookHead {
			call.Parameters = append(call.Parameters, p.described())
		}
		d.Webhooks[name] = &huma.PathItem{Post: call}
	}
}
