package embedded

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// URLs are the addresses of the private servers that run on one data
// directory; the address of one that does not run is empty.
type URLs struct {
	Postgres string
	Redis    string
}

// Running returns the addresses of the private servers that another process,
// or this one, runs on the data in dir and that answer now. Servers whose
// process was killed are about to end and do not count.
func Running(ctx context.Context, dir string) URLs {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	return URLs{
		Postgres: answering(ctx, dir, "postgres", func(ctx context.Context, url string) error {
			return pingPostgres(ctx, url, postgresDatabase)
		}),
		Redis: answering(ctx, dir, "redis", pingRedis),
	}
}

// answering returns the recorded URL of a server, or "" unless a living process
// runs it and it answers.
func answering(ctx context.Context, dir, name string, ping func(context.Context, string) error) string {
	text, err := os.ReadFile(urlFile(dir, name))
	if err != nil || !isLocked(lockPath(dir, name)) {
		return ""
	}
	url := strings.TrimSpace(string(text))
	if err := ping(ctx, url); err != nil {
		return ""
	}
	return url
}

func lockPath(dir, name string) string { return filepath.Join(dir, name+".lock") }

func urlFile(dir, name string) string { return filepath.Join(dir, name+".url") }

// recordURL writes down where the server answers, for Running. The file is as
// secret as the password in it.
func (h *home) recordURL(url string) error {
	file := urlFile(h.dir, h.service.name)
	if err := os.WriteFile(file+".new", []byte(url+"\n"), 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

// forgetURL removes what recordURL wrote.
func (h *home) forgetURL() error {
	err := os.Remove(urlFile(h.dir, h.service.name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
