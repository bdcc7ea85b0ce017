package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// setting is a row of the table of settings.
type setting struct {
	name   string
	preset string // what it is where the environment does not say, or says nothing
	value
	about string // what it is for, in Markdown
}

// value is where a setting is kept, and which texts it takes.
type value struct {
	accepts string                 // what a text must be
	read    func(text string) bool // keeps what a text says; false if the setting does not accept it
	// a text that is or holds a password: no message shows it, and it may come from a file
	secret bool
	empty  bool // a text without anything is one, too
}

// fault is a setting that is not right.
type fault struct {
	name string // as it is in the environment
	must string
}

// named is a setting and what it says.
type named struct{ name, value string }

// unset returns a fault for each setting that says nothing where others do.
func unset(others string, all ...named) (faults []*fault) {
	for _, s := range all {
		if s.value == "" {
			faults = append(faults, &fault{s.name, "be set with " + others})
		}
	}
	return faults
}

func (f *fault) Error() string { return f.name + ": must " + f.must }

// fileSuffix makes the name of a secret the name of the setting that says in which file it is.
const fileSuffix = "_FILE"

// load reads the setting from the environment. It returns nil if that is right.
func (s setting) load() *fault {
	text, set, f := s.lookup()
	if f != nil {
		return f
	}
	if text == "" && !(s.empty && set) {
		text = s.preset
	}
	if text == "" && !s.empty || s.read(text) {
		return nil
	}
	said := strconv.Quote(text)
	if s.secret {
		said = "what it is now"
	}
	return &fault{s.name, fmt.Sprintf("be %s, not %s", s.accepts, said)}
}

// lookup returns what the environment says, a secret also by a file.
func (s setting) lookup() (text string, set bool, f *fault) {
	text, set = os.LookupEnv(s.name)
	path := os.Getenv(s.name + fileSuffix)
	if !s.secret || path == "" {
		return text, set, nil
	}
	if text != "" {
		return "", true, &fault{s.name + fileSuffix, "not be set together with " + s.name}
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return "", true, &fault{s.name + fileSuffix, fmt.Sprintf("be a file that can be read: %v", err)}
	}
	if text = strings.TrimRight(string(content), "\r\n"); text == "" {
		return "", true, &fault{s.name + fileSuffix, "be a file that holds something"}
	}
	return text, true, nil
}

// row is the setting in the table of docs/operations.md.
func (s setting) row() string {
	name, preset := "`"+s.name+"`", ""
	if s.secret {
		name += ", `" + s.name + fileSuffix + "`"
	}
	if s.preset != "" {
		preset = "`" + s.preset + "`"
	}
	return "| " + strings.Join([]string{name, preset, strings.ReplaceAll(s.accepts, "<", "&lt;"), s.about}, " | ") + " |\n"
}

// text accepts what is says is one; all texts without is. It keeps the others too, for what is checked of several
// settings together.
func text(to *string, accepts string, is func(string) bool) value {
	return value{accepts: accepts, read: func(text string) bool {
		*to = text
		return is == nil || is(text)
	}}
}

// secret is text for what is or holds a password.
func secret(to *string, accepts string, is func(string) bool) value {
	v := text(to, accepts, is)
	v.secret = true
	return v
}

// list is text for several with commas between.
func list(to *[]string, accepts string, is func(string) bool) value {
	return value{accepts: accepts + ", several with commas", read: func(text string) bool {
		*to = strings.Split(text, ",")
		return all(is)(text)
	}}
}

// all says whether each of several texts with commas between is one.
func all(is func(string) bool) func(string) bool {
	return func(text string) bool {
		for one := range strings.SplitSeq(text, ",") {
			if !is(one) {
				return false
			}
		}
		return true
	}
}

// word accepts a few.
func word(to *string, words ...string) value {
	last := len(words) - 1
	accepts := words[last]
	if last > 0 {
		accepts = strings.Join(words[:last], ", ") + " or " + accepts
	}
	return text(to, accepts, func(text string) bool { return slices.Contains(words, text) })
}

func boolean(keep func(bool)) value {
	return value{accepts: "true or false", read: func(text string) bool {
		yes, err := strconv.ParseBool(text)
		keep(yes)
		return err == nil
	}}
}

func number(to *int, least int) value {
	return value{accepts: fmt.Sprintf("%d or more", least), read: func(text string) bool {
		n, err := strconv.ParseInt(text, 10, 32)
		*to = int(n)
		return err == nil && *to >= least
	}}
}

// period accepts times that in says so of, which accepts says in words.
func period(to *time.Duration, accepts string, in func(time.Duration) bool) value {
	return value{accepts: accepts, read: func(text string) bool {
		d, err := time.ParseDuration(text)
		*to = d
		return err == nil && in(d)
	}}
}

// days accepts numbers of days.
func days(to *time.Duration) value {
	return value{accepts: "a number of days, or 0", read: func(text string) bool {
		n, err := strconv.Atoi(text)
		*to = time.Duration(n) * 24 * time.Hour
		return err == nil && n >= 0 && n <= 36_500
	}}
}

// duration accepts times above zero.
func duration(to *time.Duration) value {
	return period(to, "a time above 0 such as 90s", func(d time.Duration) bool { return d > 0 })
}
