// Package text holds the one rule of short texts that businesses send: names,
// labels, memos (docs/api.md, "Conventions"). A text is kept in Unicode's
// composed form, without space around it, and measured in code points.
package text

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Invisible is the problem of a text with characters that a reader cannot see:
// control, bidirectional, zero-width and other format characters, line and
// paragraph separators, or bytes that are not UTF-8.
const Invisible = "Must not contain control or invisible characters"

// Clean returns text in composed form (NFC) without the space around it.
func Clean(text string) string { return norm.NFC.String(strings.TrimSpace(text)) }

// Line returns text as it is kept. The problem is empty, or says why the text is
// refused: it has not shortest to longest code points, or Invisible ones.
func Line(text string, shortest, longest int) (line, problem string) {
	line = Clean(text)
	if n := utf8.RuneCountInString(line); n < shortest || n > longest {
		return line, length(shortest, longest)
	}
	if !utf8.ValidString(line) || strings.ContainsFunc(line, invisible) {
		return line, Invisible
	}
	return line, ""
}

var lineBreaks = strings.NewReplacer("\r\n", " ", "\n", " ", "\t", " ")

// Paragraph is Line for a text of at most longest code points that may have tabs and
// several lines.
func Paragraph(text string, longest int) (paragraph, problem string) {
	_, problem = Line(lineBreaks.Replace(text), 0, longest)
	return Clean(text), problem
}

func length(shortest, longest int) string {
	if shortest == 0 {
		return fmt.Sprintf("Must be at most %d characters", longest)
	}
	return fmt.Sprintf("Must be %d to %d characters", shortest, longest)
}

// invisible reports whether r takes no place of its own on the screen.
func invisible(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
