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
	options := &slog.HandlerOptions{Level: c.LogLevel, ReplaceAttr: inMilliseconds}
	if c.LogFormat == logText || c.LogFormat == "" && isTerminal {
		return slog.New(telemetry.Handler{Handler: slog.NewTextHandler(out, options)})
	}
	return slog.New(telemetry.Handler{Handler: slog.NewJSONHandler(out, options)})
}

// inMilliseconds writes durations as numbers of one unit, which the key names: took becomes took_ms.
func inMilliseconds(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() != slog.KindDuration {
		return a
	}
	return slog.Float64(a.Key+"_ms", float64(a.Value.Duration().Microseconds())/1e3)
}
