package main

import (
	"log/slog"
	"net/url"
	"testing"

	"lunchgo/db/dbtest"
)

func TestServe_StartsWithoutRedis(t *testing.T) {
	t.Parallel()
	away := dbtest.PrivateRedis(t)
	away.Kill()
	c := Config{DatabaseURL: dbtest.PostgresURL(t), RedisURL: away.URL, DatabaseConns: 1}
	b, err := openBackends(t.Context(), c, slog.New(slog.DiscardHandler))
	dbtest.Must(t, err)
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	address, err := url.Parse(dbtest.RedisURL(t))
	dbtest.Must(t, err)
	address.User = url.UserPassword("default", "wrong")
	c.RedisURL = address.String()
	if _, err := openBackends(t.Context(), c, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("a wrong password is taken for a Redis that is away")
	}
}
