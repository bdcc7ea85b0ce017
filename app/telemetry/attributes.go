package telemetry

import "go.opentelemetry.io/otel/attribute"

// Attribute is what a span says besides its name.
type Attribute = attribute.KeyValue

// Ticket is the id of a ticket in its line. It gives nobody a right: a diner's ticket is signed.
func Ticket(id string) Attribute { return attribute.String("lunchgo.ticket", id) }

// Text is an attribute of the product or of OpenTelemetry's conventions.
func Text(key, value string) Attribute { return attribute.String(key, value) }

// Number is Text for numbers.
func Number(key string, value int64) Attribute { return attribute.Int64(key, value) }

// Flag is Text for what is so or not.
func Flag(key string, value bool) Attribute { return attribute.Bool(key, value) }
