// Package memory carries scripts for Redis out in one process: the commands that package locks uses, and the Lua they
// are called from. While Redis is away the operations on a line are therefore the same scripts as ever.
package memory

import (
	"fmt"
	"strconv"
)

// Server stands in for Redis. The zero value is not usable, see New. It is not safe for concurrent use.
type Server struct {
	Published []string // messages that scripts published, oldest first; the caller takes them away

	clock   func() int64 // µs
	entries map[string]*entry
}

// entry is a key's value, of one of the types.
type entry struct {
	text    string
	hash    map[string]string
	list    []string
	set     set
	expires int64 // µs
}

// New returns an empty server whose TIME is clock (µs).
func New(clock func() int64) *Server {
	return &Server{clock: clock, entries: map[string]*entry{}}
}

// Call carries a command out that a script could call, and returns nil, an int64, a string or a []any.
func (s *Server) Call(name, key string, args ...any) any {
	return s.call(name, key, texts(args))
}

func (s *Server) call(name, key string, args []string) any {
	if name == "TIME" {
		now := s.clock()
		return []any{strconv.FormatInt(now/1_000_000, 10), strconv.FormatInt(now%1_000_000, 10)}
	}
	command := commands[name]
	if command == nil {
		panic("locks/internal/memory: no command " + name) // a fault of the scripts, which tests find
	}
	return command(s, key, args)
}

// Expire removes keys whose life has ended. Until then they stay readable: who reads them may keep them.
func (s *Server) Expire() {
	now := s.clock()
	for key, e := range s.entries {
		if e.expires > 0 && e.expires <= now {
			delete(s.entries, key)
		}
	}
}

var nothing entry

// read returns a key's value to look at, write one to change.
func (s *Server) read(key string) *entry {
	if e := s.entries[key]; e != nil {
		return e
	}
	return &nothing
}

func (s *Server) write(key string) *entry {
	e := s.entries[key]
	if e == nil {
		e = &entry{}
		s.entries[key] = e
	}
	return e
}

// tidy removes a key that holds nothing any more, and returns the answer of the command that emptied it.
func (s *Server) tidy(key string, answer int64) any {
	if e := s.entries[key]; e != nil && len(e.hash) == 0 && len(e.list) == 0 && len(e.set.members) == 0 {
		delete(s.entries, key)
	}
	return answer
}

// texts writes arguments as they go to Redis.
func texts(args []any) []string {
	written := make([]string, len(args))
	for i, arg := range args {
		written[i] = fmt.Sprint(arg)
	}
	return written
}
