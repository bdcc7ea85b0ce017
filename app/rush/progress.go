package rush

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// How often progress is told. A bar is drawn again in place; lines pile up, so those that say nothing new are left out.
const (
	barEvery  = 100 * time.Millisecond
	lineEvery = time.Second
	barWidth  = 30
)

// teller writes the progress of a rush: a bar where that is a terminal, else lines.
type teller struct {
	out  io.Writer
	bar  bool
	told string // the last line of progress, without its time
}

func newTeller(out io.Writer) *teller { return &teller{out: out, bar: IsTerminal(out)} }

// IsTerminal says whether somebody sits before what is written to out.
func IsTerminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// line writes one line.
func (t *teller) line(format string, values ...any) { fmt.Fprintf(t.out, format+"\n", values...) }

// follow tells how far the answers are until finished is closed.
func (t *teller) follow(finished <-chan struct{}, all int, counts *tally) {
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
			t.tell(time.Since(began), all, counts)
		case <-finished:
			t.tell(time.Since(began), all, counts)
			if t.bar {
				t.line("")
			}
			return
		}
	}
}

func (t *teller) tell(elapsed time.Duration, all int, counts *tally) {
	text := fmt.Sprintf("%d of %d answered: %d reserved, %d sold out; %d wait",
		counts.answered(), all, counts.reserved.Load(), counts.soldOut.Load(), counts.waiting.Load())
	if n := counts.errors.Load(); n > 0 {
		text += fmt.Sprintf("; %d errors", n)
	}
	seconds := elapsed.Seconds()
	switch {
	case t.bar:
		full := barWidth * int(counts.answered()) / all
		fmt.Fprintf(t.out, "\r[%s%s] %5.1f s  %s\x1b[K", strings.Repeat("=", full), strings.Repeat(" ", barWidth-full), seconds, text)
	case text != t.told:
		t.told = text
		t.line("%5.1f s  %s", seconds, text)
	}
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
