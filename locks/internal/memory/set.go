package memory

import (
	"cmp"
	"slices"
	"strconv"
)

// set is a sorted set of Redis: members by score, then by name.
type set struct {
	members []member
	scores  map[string]float64
}

type member struct {
	score float64
	name  string
}

func (m member) compare(other member) int {
	return cmp.Or(cmp.Compare(m.score, other.score), cmp.Compare(m.name, other.name))
}

func (s *set) find(m member) int {
	i, _ := slices.BinarySearchFunc(s.members, m, member.compare)
	return i
}

// add puts a member at its score and reports whether it is new.
func (s *set) add(name string, score float64) bool {
	known := s.remove(name)
	if s.scores == nil {
		s.scores = map[string]float64{}
	}
	s.scores[name] = score
	m := member{score, name}
	s.members = slices.Insert(s.members, s.find(m), m)
	return !known
}

func (s *set) remove(name string) bool {
	score, known := s.scores[name]
	if !known {
		return false
	}
	delete(s.scores, name)
	if i := s.find(member{score, name}); i == 0 {
		s.members = s.members[1:] // the usual case: nothing is moved
	} else {
		s.members = slices.Delete(s.members, i, i+1)
	}
	return true
}

// rank returns the members from one rank to another; -1 is the last.
func (s *set) rank(from, to int) []member {
	if to < 0 {
		to += len(s.members)
	}
	if from < 0 {
		from += len(s.members)
	}
	to = min(to+1, len(s.members))
	return s.members[min(max(from, 0), max(to, 0)):max(to, 0)]
}

// number reads a score; scripts write none that cannot be read.
func number(text string) float64 {
	f, _ := strconv.ParseFloat(text, 64)
	return f
}

// digits writes a number as Redis does.
func digits(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
