package main

import (
	"io"
	"log/slog"
	"os"

	"golang.org/x/term"

	"lunchgo/app/telemetry"
)

// The formats of the log.
const (
	logText = "text"
	logJSON = "json"
)

// newLog returns the log of a process, on the standard error: text for people at a terminal, else a JSON object a line,
// for what collects logs. LOG_FORMAT says otherwise.
func newLog(c Config) *slog.Logger {
	return logTo(os.Stderr, c, term.IsTerminal(int(os.Stderr.Fd())))
}

func logTo(out io.Writer, c Config, isTerminal bool) *slog.Logger {
	options := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogFormat == logText || c.LogFormat == "" && isTerminal {
		return slog.New(telemetry.Handler{Handler: slog.NewTextHandler(out, options)})
	}
	return slog.New(telemetry.Handler{Handler: slog.NewJSONHandler(out, options)})
}
