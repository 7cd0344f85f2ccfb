package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
)

// plain is a writer on a terminal of text that others have typed. What a terminal would obey, or a
// reader cannot see, it writes as JSON escapes it; so it may stand before JSON, too. Each Write is of
// whole characters.
type plain struct{ io.Writer }

func (w plain) Write(b []byte) (int, error) {
	lines := strings.Split(string(b), "\n")
	for n, line := range lines {
		lines[n] = visible(line)
	}
	if _, err := io.WriteString(w.Writer, strings.Join(lines, "\n")); err != nil {
		return 0, err
	}
	return len(b), nil
}

// visible is a text on one line in which all but tabs can be seen.
func visible(text string) string {
	if !strings.ContainsFunc(text, unseen) {
		return text
	}
	var seen strings.Builder
	for _, r := range text {
		if !unseen(r) {
			seen.WriteRune(r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			fmt.Fprintf(&seen, `\u%04x`, unit)
		}
	}
	return seen.String()
}

func unseen(r rune) bool { return r != '\t' && !strconv.IsGraphic(r) }
