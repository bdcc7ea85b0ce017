// Package sheet writes files for spreadsheets.
package sheet

import (
	"encoding/csv"
	"io"
	"strings"
)

// byteOrderMark lets Excel read the file as UTF-8.
const byteOrderMark = "\ufeff"

// Writer writes a file: UTF-8 with a byte order mark, quoted as RFC 4180 has it. Cells are written as they are: what
// somebody has typed goes through Text first.
type Writer struct{ rows *csv.Writer }

// New returns a writer that has begun a file with its headings, which heading names by their keys.
func New(w io.Writer, keys []string, heading func(key string) string) (Writer, error) {
	if _, err := io.WriteString(w, byteOrderMark); err != nil {
		return Writer{}, err
	}
	headings := make([]string, 0, len(keys))
	for _, key := range keys {
		headings = append(headings, Text(heading(key)))
	}
	file := Writer{csv.NewWriter(w)}
	file.rows.UseCRLF = true
	return file, file.Write([][]string{headings})
}

// Write adds rows.
func (w Writer) Write(rows [][]string) error { return w.rows.WriteAll(rows) }

// Text is a cell with words that somebody has typed. Spreadsheets run what begins like a formula: such a text gets an
// apostrophe in front.
func Text(typed string) string {
	if typed != "" && strings.ContainsRune("=+-@\t\r\n＝＋－＠", []rune(typed)[0]) {
		return "'" + typed
	}
	return typed
}

// FileName is the name of a file, without what file systems and headers give a meaning to.
func FileName(words ...string) string {
	name := strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f || strings.ContainsRune(`/\:*?"<>|;%`, c) {
			return -1
		}
		return c
	}, strings.Join(words, " "))
	return strings.Trim(name, ". ") + ".csv"
}
