package respond

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/url"
	"runtime/debug"
	"time"

	"github.com/gofiber/fiber/v2"

	"lunchgo/app/identity"
	"lunchgo/app/telemetry"
	"lunchgo/app/waiting"
)

// Bounds of documents that are too long for memory.
const (
	MaxDownloads  = 2               // that are sent at once
	downloadTime  = 2 * time.Minute // for one
	downloadPause = 10 * time.Second
)

// Downloads sends documents while they are read, a few at a time.
type Downloads struct {
	until context.Context
	log   *slog.Logger
	slots chan struct{}
}

// NewDownloads returns a sender of up to atOnce documents at a time, which gives up when until ends.
func NewDownloads(until context.Context, log *slog.Logger, atOnce int) *Downloads {
	return &Downloads{until: until, log: log, slots: make(chan struct{}, atOnce)}
}

// File is what a download is called, and what is in it.
type File struct {
	Type  string // media type
	Plain string // its name in ASCII
	Name  string // its name for programs that know others; empty: Plain
}

// CSV is a file for spreadsheets, as package sheet writes it.
func CSV(plain, name string) File { return File{"text/csv; charset=utf-8", plain, name} }

// Attach has the answer stored as the file. Nobody else stores it.
func (f File) Attach(c *fiber.Ctx) {
	disposition := `attachment; filename="` + f.Plain + `"`
	if f.Name != "" {
		disposition += `; filename*=UTF-8''` + url.PathEscape(f.Name)
	}
	c.Set(fiber.HeaderContentType, f.Type)
	c.Set(fiber.HeaderCacheControl, "no-store, no-transform")
	c.Set(fiber.HeaderContentDisposition, disposition)
}

// Write writes a document. Nothing of the request may be used inside.
type Write func(ctx context.Context, w io.Writer) error

// Export answers with a copy of all that is stored of a person. Returns identity.ErrNotFound if there is none, and the
// problem overloaded.
func (d *Downloads) Export(c *fiber.Ctx, store identity.AccountStore, userID string) error {
	file := File{Type: fiber.MIMEApplicationJSONCharsetUTF8, Plain: "lunchgo.json"}
	return d.Serve(c, file, func() (Write, error) {
		_, err := store.FindUser(c.UserContext(), userID)
		return func(ctx context.Context, w io.Writer) error { return store.Export(ctx, userID, w) }, err
	})
}

// Serve answers with a file that is written while it is sent, once open has returned without an error. A document that
// breaks off ends with its connection, so that nobody takes it for whole. Returns the problem overloaded when too many
// are being sent.
func (d *Downloads) Serve(c *fiber.Ctx, file File, open func() (Write, error)) error {
	select {
	case d.slots <- struct{}{}:
	default:
		return waiting.ErrCrowded
	}
	release := func() { <-d.slots }
	streams := false
	defer func() {
		if !streams { // also when open panics
			release()
		}
	}()
	write, err := open()
	if err != nil {
		return err
	}
	file.Attach(c)
	request := c.Context()
	request.SetConnectionClose()
	conn, until := request.Conn(), telemetry.WithIDs(d.until, c.UserContext())
	streams = true
	request.SetBodyStreamWriter(func(w *bufio.Writer) {
		defer release()
		defer func() { // a panic here would end the process: the router's recover is not on this goroutine's stack
			if r := recover(); r != nil {
				d.log.ErrorContext(until, "download panicked", "panic", r, "stack", string(debug.Stack()))
				_ = conn.Close()
			}
		}()
		ctx, cancel := context.WithTimeout(until, downloadTime)
		defer cancel()
		if err := write(ctx, patientWriter{w, conn}); err != nil {
			d.log.WarnContext(ctx, "download broke off", "error", err)
			_ = conn.Close()
		}
	})
	return nil
}

// patientWriter gives each write its own time: the server's is for a whole answer.
type patientWriter struct {
	w    io.Writer
	conn net.Conn
}

func (p patientWriter) Write(b []byte) (int, error) {
	if err := p.conn.SetWriteDeadline(time.Now().Add(downloadPause)); err != nil {
		return 0, err
	}
	return p.w.Write(b)
}
