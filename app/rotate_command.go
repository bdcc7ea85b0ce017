package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"lunchgo/app/webhooks"
	dbwebhooks "lunchgo/db/webhooks"
)

// rotateCommand seals what is stored under SECRET_OLD under SECRET instead, so that the old one can go. Servers may run
// meanwhile, and it may run again. Returns an error if something can be read with neither.
func rotateCommand(ctx context.Context, c Config, args []string, out io.Writer) (err error) {
	if len(args) > 0 {
		fmt.Fprintln(out, "lunchgo rotate takes no arguments; it seals what is stored under SECRET_OLD under SECRET")
		return errUsage
	}
	b, err := openDatabase(ctx, c, newLog(c))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Close()) }()
	secrets, err := c.secrets()
	if err != nil {
		return err
	}
	vault, err := webhooks.NewVault(secrets)
	if err != nil {
		return err
	}
	changed, unreadable, err := dbwebhooks.NewStore(b.DB).RenewKeys(ctx,
		func(endpoint string, k webhooks.Keys) (webhooks.Keys, error) {
			return vault.Renew(endpoint, k, time.Now())
		})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "sealed the secrets of %d webhooks anew\n", changed)
	if len(unreadable) > 0 {
		return fmt.Errorf("secrets of %d webhooks can be read with neither SECRET nor SECRET_OLD: %s", len(unreadable),
			strings.Join(unreadable, ", "))
	}
	return nil
}
