package rush

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// How often progress is told: a bar is drawn again in place, lines pile up.
const (
	barEvery  = 100 * time.Millisecond
	lineEvery = time.Second
	barWidth  = 30
)

// teller writes the progress of a rush: a bar where that is a terminal, else lines.
type teller struct {
	out io.Writer
	bar bool
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
	text := fmt.Sprintf("%5.1f s  %d of %d answered: %d reserved, %d sold out; %d wait", elapsed.Seconds(),
		counts.answered(), all, counts.reserved.Load(), counts.soldOut.Load(), counts.waiting.Load())
	if n := counts.errors.Load(); n > 0 {
		text += fmt.Sprintf("; %d errors", n)
	}
	if !t.bar {
		t.line("%s", text)
		return
	}
	full := barWidth * int(counts.answered()) / all
	fmt.Fprintf(t.out, "\r[%s%s] %s\x1b[K", strings.Repeat("=", full), strings.Repeat(" ", barWidth-full), text)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
