package main

import (
	"context"
	"fmt"
	"io"

	"lunchgo/app/build"
)

// versionCommand says which build this is.
func versionCommand(_ context.Context, _ Config, _ []string, out io.Writer) error {
	_, err := fmt.Fprintln(out, build.Read())
	return err
}
