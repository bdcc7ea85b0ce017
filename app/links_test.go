package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link       = regexp.MustCompile(`\]\(([^)#\s]*)(?:#([^)\s]*))?\)`)
	heading    = regexp.MustCompile(`(?m)^#+ +(.+?) *$`)
	notInLinks = regexp.MustCompile(`[^\p{L}\p{N}\s_-]`)
)

// A link of a document leads to a file, and its anchor to a heading there.
func TestDocuments_LinkToWhatExists(t *testing.T) {
	t.Parallel()
	texts, followed := readDocuments(t), 0
	for name, text := range texts {
		for _, match := range link.FindAllStringSubmatch(text, -1) {
			target, anchor := match[1], match[2]
			if strings.Contains(target, "://") {
				continue
			}
			followed++
			file := filepath.Join(filepath.Dir(name), target)
			if target == "" {
				file = name
			}
			if _, err := os.Stat(file); err != nil {
				t.Errorf("%s links to %s: %v", name, target, err)
			} else if anchor != "" && !anchorsOf(texts[file])[anchor] {
				t.Errorf("%s links to %s#%s, which is no heading there", name, target, anchor)
			}
		}
	}
	if followed < 50 {
		t.Errorf("only %d links were found", followed)
	}
}

// anchorsOf returns what the headings of a document are called in links.
func anchorsOf(text string) map[string]bool {
	anchors := map[string]bool{}
	for _, match := range heading.FindAllStringSubmatch(text, -1) {
		title := notInLinks.ReplaceAllString(strings.ToLower(match[1]), "")
		anchors[strings.ReplaceAll(title, " ", "-")] = true
	}
	return anchors
}
