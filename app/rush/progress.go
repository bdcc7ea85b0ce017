package rush

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// How often the reporter writes progress. It draws a bar again in place. Lines pile up, so it leaves out those that say
// nothing new.
const (
	barEvery  = 100 * time.Millisecond
	lineEvery = time.Second
	barWidth  = 30
)

// reporter writes the progress of a rush: a bar where that is a terminal, else lines.
type reporter struct {
	out  io.Writer
	bar  bool
	last string // the last line of progress, without its time
}

func newReporter(out io.Writer) *reporter { return &reporter{out: out, bar: IsTerminal(out)} }

// IsTerminal says whether somebody sits before what is written to out.
func IsTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// line writes one line.
func (t *reporter) line(format string, values ...any) { fmt.Fprintf(t.out, format+"\n", values...) }

// follow reports how many diners have an answer, until finished is closed.
func (t *reporter) follow(finished <-chan struct{}, all int, count func() tally) {
	began := time.Now()
	every := lineEvery
	if t.bar {
		every = barEvery
	}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			t.report(time.Since(began), all, count())
		case <-finished:
			t.report(time.Since(began), all, count())
			if t.bar {
				t.line("")
			}
			return
		}
	}
}

func (t *reporter) report(elapsed time.Duration, all int, now tally) {
	text := fmt.Sprintf("%d of %d answered: %d reserved, %d sold out; %d wait",
		now.answered(), all, now.Reserved, now.SoldOut, now.Waiting)
	if now.Errors > 0 {
		text += fmt.Sprintf("; %d errors", now.Errors)
	}
	seconds := elapsed.Seconds()
	switch {
	case t.bar:
		full := barWidth * int(now.answered()) / all
		fmt.Fprintf(t.out, "\r[%s%s] %5.1f s  %s\x1b[K", strings.Repeat("=", full), strings.Repeat(" ", barWidth-full),
			seconds, text)
	case text != t.last:
		t.last = text
		t.line("%5.1f s  %s", seconds, text)
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
