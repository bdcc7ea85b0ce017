package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// healthTimeout is how long a server that lives may take to say so.
const healthTimeout = 3 * time.Second

// healthCommand asks the server of this configuration whether it is alive.
func healthCommand(ctx context.Context, c Config, _ []string, _ io.Writer) error {
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, localURL(c.Addr)+"/healthz", nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the server answers %s", response.Status)
	}
	return nil
}
