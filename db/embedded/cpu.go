package embedded

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// errNotPostgres says that a process is no server process of PostgreSQL on this machine.
var errNotPostgres = errors.New("no server process of PostgreSQL")

// tick is the unit of processor time in /proc, which is the same on every Linux.
const tick = time.Second / 100

// stat is what /proc/<pid>/stat says of a process.
type stat struct {
	name   string
	parent int
	own    time.Duration // processor time of the process
	reaped time.Duration // of its children that have ended
}

// parseStat reads /proc/<pid>/stat (proc(5)). The name is in parentheses and may hold any character.
func parseStat(text []byte) (stat, error) {
	open, end := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	if open < 0 || end < open {
		return stat{}, fmt.Errorf("a process without a name: %q", text)
	}
	fields := strings.Fields(string(text[end+1:])) // the first is field 3
	const parent, userTime, last = 4 - 3, 14 - 3, 17 - 3
	if len(fields) <= last {
		return stat{}, fmt.Errorf("a process without times: %q", text)
	}
	s := stat{name: string(text[open+1 : end])}
	var err error
	if s.parent, err = strconv.Atoi(fields[parent]); err != nil {
		return stat{}, err
	}
	var ticks [4]time.Duration // user, system, then those of ended children
	for i := range ticks {
		n, err := strconv.ParseInt(fields[userTime+i], 10, 64)
		if err != nil {
			return stat{}, err
		}
		ticks[i] = time.Duration(n) * tick
	}
	s.own, s.reaped = ticks[0]+ticks[1], ticks[2]+ticks[3]
	return s, nil
}
