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
// or this one, runs on the data in dir and that answer now.
func Running(ctx context.Context, dir string) URLs {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	return URLs{
		Postgres: answering(ctx, urlFile(dir, "postgres"), func(ctx context.Context, url string) error {
			return pingPostgres(ctx, url, postgresDatabase)
		}),
		Redis: answering(ctx, urlFile(dir, "redis"), pingRedis),
	}
}

// answering returns the URL in the file, or "" unless the server there answers.
func answering(ctx context.Context, file string, ping func(context.Context, string) error) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	url := strings.TrimSpace(string(text))
	if err := ping(ctx, url); err != nil {
		return ""
	}
	return url
}

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
