package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"

	"lunchgo/app/web/api"
)

// openAPICommand prints the description of the API, as GET /api/openapi.json answers it, for people to read.
func openAPICommand(_ context.Context, _ Config, _ []string, out io.Writer) error {
	var text bytes.Buffer
	if err := json.Indent(&text, api.Description(), "", "  "); err != nil {
		return err
	}
	text.WriteByte('\n')
	_, err := text.WriteTo(out)
	return err
}
