package respond

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
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

// Export answers with a copy of all that is stored of a person. Returns identity.ErrNotFound if there is none, and the
// problem overloaded.
func (d *Downloads) Export(c *fiber.Ctx, store identity.AccountStore, userID string) error {
	if _, err := store.FindUser(c.UserContext(), userID); err != nil {
		return err
	}
	return d.Serve(c, "lunchgo.json", func(ctx context.Context, w io.Writer) error {
		return store.Export(ctx, userID, w)
	})
}

// Serve answers with a JSON file that write writes. A document that breaks off ends with its connection, so that nobody
// takes it for whole. Nothing of c may be used inside write. Returns the problem overloaded when too many are being
// sent.
func (d *Downloads) Serve(c *fiber.Ctx, name string, write func(ctx context.Context, w io.Writer) error) error {
	select {
	case d.slots <- struct{}{}:
	default:
		return waiting.ErrCrowded
	}
	c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSONCharsetUTF8)
	c.Set(fiber.HeaderCacheControl, "no-store, no-transform")
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="`+name+`"`)
	request := c.Context()
	request.SetConnectionClose()
	conn, until := request.Conn(), telemetry.WithIDs(d.until, c.UserContext())
	request.SetBodyStreamWriter(func(w *bufio.Writer) {
		defer func() { <-d.slots }()
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
