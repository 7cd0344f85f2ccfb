package main

import (
	"io"
	"regexp"
)

// secretsInURLs are the places in which the URL of a database holds a password:
// before the host, which ends at the last @, and among the parameters.
var secretsInURLs = []struct {
	place *regexp.Regexp
	with  string
}{
	{regexp.MustCompile(`(?i)(postgres(?:ql)?:/*[^\s:/?#@]*):\S*@`), `${1}:***@`},
	{regexp.MustCompile(`(?i)([?&](?:ssl)?password=)[^&\s"'\x60]*`), `${1}***`},
}

// redact returns a text in which URLs of databases have lost their passwords.
func redact(text string) string {
	for _, s := range secretsInURLs {
		text = s.place.ReplaceAllString(text, s.with)
	}
	return text
}

// redacting is a writer that passes on no password of a URL. Each Write is a
// whole message, as loggers and the command line write them.
type redacting struct{ io.Writer }

func (w redacting) Write(b []byte) (int, error) {
	if _, err := io.WriteString(w.Writer, redact(string(b))); err != nil {
		return 0, err
	}
	return len(b), nil
}
