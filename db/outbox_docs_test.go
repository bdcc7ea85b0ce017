package db_test

import (
	"bytes"
	"os"
	"regexp"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"lunchgo/app/events"
	"lunchgo/db/dbtest"
)

// types are all that the documents promise.
var types = []string{
	"lunchgo.reservation.held", "lunchgo.reservation.confirmed", "lunchgo.reservation.changed", "lunchgo.reservation.expired",
	"lunchgo.reservation.cancelled", "lunchgo.reservation.refunded", "lunchgo.reservation.arrived", "lunchgo.reservation.seated",
	"lunchgo.reservation.completed", "lunchgo.reservation.no_show",
	"lunchgo.slot.sold_out", "lunchgo.slot.reopened", "lunchgo.slot.closed", "lunchgo.slot.paused", "lunchgo.slot.capacity_changed",
	"lunchgo.wallet.charged", "lunchgo.wallet.paid", "lunchgo.wallet.refunded", "lunchgo.wallet.withdrawn",
	"lunchgo.payment.authorised", "lunchgo.payment.capturing", "lunchgo.payment.paid", "lunchgo.payment.refused", "lunchgo.payment.cancelled",
	"lunchgo.payment.refunding", "lunchgo.payment.refunded", "lunchgo.payment.partly_refunded",
}

// example finds an example in docs/events.md: the first block after a heading.
var example = regexp.MustCompile("(?m)^#+ `(lunchgo\\.[a-z_.]+)`\n(?:[^#]*?)```json\n((?s:.*?))```")

// checkDescribed fails unless each type was written and has an example, and all are what docs/events.schema.json says.
func checkDescribed(t *testing.T, list []events.Event) {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("../docs/events.schema.json")
	dbtest.Must(t, err)
	validate := func(what string, text []byte) {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err == nil {
			err = schema.Validate(value)
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", what, err, text)
		}
	}
	written := map[string]bool{}
	for _, e := range list {
		text, err := e.CloudEvent("https://lunch.example")
		dbtest.Must(t, err)
		written[e.Type] = true
		validate("written "+e.Type, text)
	}
	document, err := os.ReadFile("../docs/events.md")
	dbtest.Must(t, err)
	examples := map[string][]byte{}
	for _, found := range example.FindAllSubmatch(document, -1) {
		examples[string(found[1])] = found[2]
	}
	for _, name := range types {
		if !written[name] || !bytes.Contains(examples[name], []byte(`"`+name+`"`)) {
			t.Errorf("%s: written: %v, example: %s", name, written[name], examples[name])
		}
		validate("the example of "+name, examples[name])
		delete(written, name)
		delete(examples, name)
	}
	if len(written)+len(examples) > 0 {
		t.Errorf("types that are not known: %v, %v", written, examples)
	}
}
