// Package loops ranges over maps, rightly and wrongly.
package loops

import (
	"fmt"
	"io"
	"maps"
	"slices"
)

type letter struct{ language, text string }

func lastWins(texts map[string]string) letter {
	var l letter
	for language, text := range texts {
		l.language = language // want `what l.language is after the loop depends`
		got := text + "."
		l.text = got // want `what l.text is after the loop depends`
	}
	return l
}

func ownCopy(texts map[string]string) (n int) {
	var l letter
	for language := range texts {
		l := l
		l.language = language
		n += len(l.language)
	}
	return n
}

func declared(texts map[string]string) (l letter, all []letter) {
	for language, text := range texts {
		var made = letter{language, text}
		l = made // want `what l is after the loop depends`
		var read letter
		fmt.Sscan(text, &read.text)
		all = append(all, read) // want `what all is after the loop depends`
	}
	return l, all
}

var inVariable = func(texts map[string]string) (last string) {
	for language := range texts {
		last = language // want `what last is after the loop depends`
	}
	return last
}

func subtests(texts map[string]string, run func(name string, test func() string)) (last string) {
	for language, text := range texts {
		run(language, func() string {
			last = language // want `what last is after the loop depends`
			return text
		})
	}
	return last
}

func firstWins(counts map[string]int) string {
	for name, n := range counts {
		if n > 0 {
			return name // want `what is returned depends`
		}
	}
	return ""
}

func anyError(checks map[string]func() error) error {
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func names(counts map[string]int) (unsorted, sorted []string) {
	for name := range maps.Keys(counts) {
		unsorted = append(unsorted, name) // want `what unsorted is after the loop depends`
		sorted = append(sorted, name)
	}
	slices.Sort(sorted)
	return unsorted, sorted
}

func excused(counts map[string]int) (set []string) {
	for name := range counts { // in any order
		set = append(set, name)
	}
	return set
}

func written(w io.Writer, counts map[string]int, out chan<- string) {
	for name, n := range counts {
		fmt.Fprintln(w, name, n) // want `what is written depends`
		out <- name              // want `what is sent depends`
		own := make(chan string, 1)
		own <- name
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintln(w, name, counts[name])
	}
}

func reduced(counts map[string]int) (sum, most int, best string, some bool, doubled map[string]int) {
	doubled = map[string]int{}
	for name, n := range counts {
		sum += n
		most = max(most, n)
		some = some || n > 0
		doubled[name] = 2 * n
		if best == "" || name < best {
			best = name
		}
	}
	return sum, most, best, some, doubled
}
