package strictjson

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	// Hidden refuses characters that a reader cannot see: control, bidirectional,
	// zero-width and other format characters, line and paragraph separators.
	Hidden Reason = "Must not contain control, bidirectional or zero-width characters"
	// Malformed refuses a text that is not UTF-8; Decode lets none through.
	Malformed Reason = "Must be valid UTF-8"
)

// TooLong is the reason that refuses a text of more than limit characters.
func TooLong(limit int) Reason {
	return Reason(fmt.Sprintf("Must be at most %d characters", limit))
}

// Name returns text in Unicode's composed form (NFC), as identifiers, names and
// other single lines are stored, without the space around it. The reason is
// empty, or says why the text is refused: it is longer than limit code points
// or holds Hidden characters.
func Name(text string, limit int) (string, Reason) {
	name := strings.TrimSpace(norm.NFC.String(text))
	if reason := measure(name, limit); reason != "" {
		return "", reason
	}
	if strings.ContainsFunc(name, hidden) {
		return "", Hidden
	}
	return name, ""
}

// Prose returns text in NFC, as descriptions, notes, reasons and narrations are
// stored: like Name, but tab, newline, joiners and direction marks are part of
// writing and stay, and so does space.
func Prose(text string, limit int) (string, Reason) {
	prose := norm.NFC.String(text)
	if reason := measure(prose, limit); reason != "" {
		return "", reason
	}
	if !clean(prose, true) {
		return "", ControlCharacter
	}
	return prose, ""
}

// measure counts code points.
func measure(text string, limit int) Reason {
	switch {
	case !utf8.ValidString(text):
		return Malformed
	case utf8.RuneCountInString(text) > limit:
		return TooLong(limit)
	}
	return ""
}

// hidden reports whether r takes no place of its own on the screen.
func hidden(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
