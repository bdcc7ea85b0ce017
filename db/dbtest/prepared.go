package dbtest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"

	"lunchgo/db/embedded"
)

const (
	// preparedData is the environment's name for the folder of a prepared server. The PostgreSQL that tests share begins
	// as a copy of it: to make one and to migrate it takes longer than the tests of most packages.
	preparedData = "POSTGRES_TEST_DATA"
	// preparedPrefix begins the names of its databases, each that of a Template.
	preparedPrefix = "prepared_"
)

// PrepareServer makes a PostgreSQL in a folder, with the database of a Template, and stops it.
func PrepareServer(ctx context.Context, dir, name string, prepare func(url string) error) (err error) {
	server, err := embedded.StartScratchPostgres(ctx, dir, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop(ctx)) }()
	admin, err := sql.Open("postgres", server.URL)
	if err != nil {
		return err
	}
	defer admin.Close()
	if err := create(admin, preparedPrefix+name, "template0"); err != nil {
		return err
	}
	return prepare(withDatabase(server.URL, preparedPrefix+name))
}

// startShared starts a server in a folder, from a prepared one if there is one.
func startShared(ctx context.Context, dir string, log *slog.Logger) (*embedded.Server, error) {
	if from := os.Getenv(preparedData); from != "" {
		out, err := exec.CommandContext(ctx, "cp", "-RLp", filepath.Join(from, "postgres"), dir).CombinedOutput()
		if err != nil {
			return nil, fmt.Errorf("copy %s: %w: %s", preparedData, err, out)
		}
	}
	return embedded.StartScratchPostgres(ctx, dir, log)
}
