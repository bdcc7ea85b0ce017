package main

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/redis/go-redis/v9"

	"lunchgo/app/redisclient"
	"lunchgo/db"
	"lunchgo/db/embedded"
	"lunchgo/db/pg"
	"lunchgo/locks"
)

// backends are PostgreSQL and Redis: the configured ones, those of a running private installation, or private ones that
// were started here and end with Close.
type backends struct {
	DB          *pg.Pool
	Redis       redis.UniversalClient
	databaseURL string
	redisURL    string
	private     []*embedded.Server
}

// openBackends connects to what the configuration names and starts what it does not. A Redis that is away may come
// later: a process that starts meanwhile goes on as those do that were running. One that denies access is an error.
func openBackends(ctx context.Context, c Config, log *slog.Logger) (_ *backends, err error) {
	b, err := openDatabase(ctx, c, log)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.Close())
		}
	}()
	running := embedded.Running(ctx, c.DataDir)
	if b.redisURL, err = b.orPrivate(ctx, b.redisURL, running.Redis, c.DataDir, log, embedded.StartRedis); err != nil {
		return nil, err
	}
	redisclient.LogTo(log)
	b.Redis, err = redisclient.Connect(ctx, b.redisURL)
	if locks.IsAway(err) && !locks.IsDenied(err) {
		log.WarnContext(ctx, "Redis does not answer; until it does, this process keeps the lines of its own diners",
			"error", err)
		err = nil
	}
	return b, err
}

// longStatements is the time of a statement of commands that read or free much at once, and keep nobody waiting.
const longStatements = 10 * time.Minute

// openDatabase is openBackends without Redis, for commands that need none.
func openDatabase(ctx context.Context, c Config, log *slog.Logger) (_ *backends, err error) {
	b := &backends{databaseURL: c.DatabaseURL, redisURL: c.RedisURL}
	if b.redisURL == privateRedis {
		b.redisURL = ""
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.Close())
		}
	}()
	running := embedded.Running(ctx, c.DataDir)
	if b.databaseURL, err = b.orPrivate(ctx, b.databaseURL, running.Postgres, c.DataDir, log,
		embedded.StartPostgres); err != nil {
		return nil, err
	}
	b.DB, err = db.Open(ctx, pg.Config{URL: b.databaseURL, MaxConns: c.DatabaseConns, QueryTimeout: c.statementTime,
		ReplicaURL: c.ReplicaURL, ReplicaChanged: func(err error) { logReplica(log, err) },
		ServerFull: func(conns int) {
			log.WarnContext(ctx,
				"PostgreSQL has no more connections: DATABASE_CONNS of all instances together are too many", "has",
				conns)
		},
		MigrationWaits: func(err error) {
			log.WarnContext(ctx, "migration waits for a lock; others go first", "error", err)
		}})
	if err == nil && b.DB.IsPooled() {
		log.InfoContext(ctx, "pooler gives connections to PostgreSQL by the transaction")
	}
	return b, err
}

func logReplica(log *slog.Logger, err error) {
	if err != nil {
		log.Warn("replica not used", "error", err)
		return
	}
	log.Info("replica used again")
}

type starter func(ctx context.Context, dir string, log *slog.Logger) (*embedded.Server, error)

// orPrivate returns the first address that is known, or that of a private server started for this process.
func (b *backends) orPrivate(ctx context.Context, configured, running, dir string, log *slog.Logger,
	start starter) (string, error) {
	if configured != "" {
		return configured, nil
	}
	if running != "" {
		return running, nil
	}
	server, err := start(ctx, dir, log)
	if err != nil {
		return "", err
	}
	b.private = append(b.private, server)
	return server.URL, nil
}

// privateStop bounds the end of the private servers.
const privateStop = 4 * time.Second

// Close gives up the connections and ends the private servers that were started here.
func (b *backends) Close() error {
	var faults []error
	if b.Redis != nil {
		faults = append(faults, b.Redis.Close())
	}
	if b.DB != nil {
		faults = append(faults, b.DB.Close())
	}
	ctx, cancel := context.WithTimeout(context.Background(), privateStop)
	defer cancel()
	for _, server := range b.private {
		faults = append(faults, server.Stop(ctx))
	}
	return errors.Join(faults...)
}
