package memory

import (
	"slices"
	"strings"
)

// commands are those that the scripts call. Each gets a key and its further arguments, and returns nil, an int64, a
// string or a []any of them.
var commands = map[string]func(*Server, string, []string) any{
	"GET":     func(s *Server, key string, _ []string) any { return s.text(key) },
	"SET":     (*Server).set,
	"DEL":     func(s *Server, key string, more []string) any { return s.remove(append(more, key)) },
	"EXISTS":  func(s *Server, key string, _ []string) any { return truth(s.entries[key] != nil) },
	"PEXPIRE": (*Server).expire,
	"PUBLISH": (*Server).publish,

	"HGET":   func(s *Server, key string, fields []string) any { return s.fields(key, fields)[0] },
	"HMGET":  func(s *Server, key string, fields []string) any { return s.fields(key, fields) },
	"HSET":   (*Server).setFields,
	"HSETNX": (*Server).setNewField,
	"HDEL":   (*Server).removeFields,

	"RPUSH":  (*Server).push,
	"LRANGE": func(s *Server, key string, _ []string) any { return listed(s.read(key).list) },

	"ZADD":    (*Server).addMembers,
	"ZREM":    (*Server).removeMembers,
	"ZPOPMIN": (*Server).popLowest,
	"ZCARD":   func(s *Server, key string, _ []string) any { return int64(len(s.read(key).set.members)) },
	"ZSCORE":  func(s *Server, key string, names []string) any { return s.scores(key, names)[0] },
	"ZMSCORE": func(s *Server, key string, names []string) any { return s.scores(key, names) },
	"ZRANK":   (*Server).rankOf,
	"ZRANGE":  (*Server).ranks,
}

func truth(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

func (s *Server) text(key string) any {
	if e := s.entries[key]; e != nil {
		return e.text
	}
	return nil
}

// set is SET key value PX life, with GET or without.
func (s *Server) set(key string, args []string) any {
	before := s.text(key)
	s.write(key).text = args[0]
	s.expire(key, args[2:])
	return before
}

func (s *Server) remove(keys []string) any {
	for _, key := range keys {
		delete(s.entries, key)
	}
	return int64(len(keys))
}

func (s *Server) expire(key string, args []string) any {
	if e := s.entries[key]; e != nil {
		e.expires = s.clock() + 1000*int64(number(args[0]))
	}
	return int64(1)
}

func (s *Server) publish(_ string, args []string) any {
	s.Published = append(s.Published, args[0])
	return int64(1)
}

func (s *Server) fields(key string, fields []string) []any {
	values, hash := make([]any, len(fields)), s.read(key).hash
	for i, field := range fields {
		if value, known := hash[field]; known {
			values[i] = value
		}
	}
	return values
}

func (s *Server) setFields(key string, pairs []string) any {
	e := s.write(key)
	if e.hash == nil {
		e.hash = map[string]string{}
	}
	for ; len(pairs) > 1; pairs = pairs[2:] {
		e.hash[pairs[0]] = pairs[1]
	}
	return int64(0)
}

func (s *Server) setNewField(key string, pair []string) any {
	if _, known := s.read(key).hash[pair[0]]; known {
		return int64(0)
	}
	s.setFields(key, pair)
	return int64(1)
}

func (s *Server) removeFields(key string, fields []string) any {
	for _, field := range fields {
		delete(s.read(key).hash, field)
	}
	return s.tidy(key, int64(len(fields)))
}

func (s *Server) push(key string, texts []string) any {
	e := s.write(key)
	e.list = append(e.list, texts...)
	return int64(len(e.list))
}

func listed(texts []string) []any {
	values := make([]any, len(texts))
	for i, text := range texts {
		values[i] = text
	}
	return values
}

func (s *Server) addMembers(key string, args []string) any {
	members, added := &s.write(key).set, int64(0)
	for ; len(args) > 1; args = args[2:] {
		added += truth(members.add(args[1], number(args[0])))
	}
	return added
}

func (s *Server) popLowest(key string, args []string) any {
	lowest := slices.Clone(s.read(key).set.rank(0, int(number(args[0]))-1))
	for _, m := range lowest {
		s.read(key).set.remove(m.name)
	}
	s.tidy(key, 0)
	return list(lowest, true)
}

func (s *Server) removeMembers(key string, names []string) any {
	members, removed := &s.read(key).set, int64(0)
	for _, name := range names {
		removed += truth(members.remove(name))
	}
	return s.tidy(key, removed)
}

func (s *Server) scores(key string, names []string) []any {
	found, scores := make([]any, len(names)), s.read(key).set.scores
	for i, name := range names {
		if score, known := scores[name]; known {
			found[i] = digits(score)
		}
	}
	return found
}

func (s *Server) rankOf(key string, args []string) any {
	members := &s.read(key).set
	if score, known := members.scores[args[0]]; known {
		return int64(members.find(member{score, args[0]}))
	}
	return nil
}

func (s *Server) ranks(key string, args []string) any {
	members := s.read(key).set
	return list(members.rank(int(number(args[0])), int(number(args[1]))), strings.Join(args[2:], "") == "WITHSCORES")
}

func list(members []member, withScores bool) []any {
	listed := make([]any, 0, 2*len(members))
	for _, m := range members {
		listed = append(listed, m.name)
		if withScores {
			listed = append(listed, digits(m.score))
		}
	}
	return listed
}
