package main

import (
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// enumerated are the fields of the configuration that have one of a few words,
// each with a wrong one and the words that a refusal must list.
var enumerated = map[string]struct {
	wrong string
	words []string
}{
	"log_level":    {`"log_level":"loud"`, []string{"debug", "info", "warn", "error"}},
	"log_format":   {`"log_format":"xml"`, []string{"json", "text"}},
	"log_requests": {`"log_requests":"yes"`, []string{"true", "false"}},
	"fees":         {`"fees":{"cash":{}}`, []string{"checkout", "payment_link", "api"}},
	"store":        {`"store":"mysql://db"`, []string{"sqlite:FILE", "postgres://"}},
}

func TestARefusalOfAnEnumeratedFieldNamesItAndTheWordsAllowed(t *testing.T) {
	for name, c := range enumerated {
		text := strings.Replace(smallest, "{", "{"+c.wrong+",", 1)
		if name == "store" {
			text = strings.Replace(smallest, `"store":"sqlite:ferry.db"`, c.wrong, 1)
		}
		_, err := readConfig(written(t, text))
		require.ErrorContains(t, err, name)
		for _, word := range c.words {
			require.ErrorContains(t, err, word, name)
		}
	}
	_, err := readConfig(written(t, strings.Replace(smallest, "{", `{"log_format":7,`, 1)))
	require.ErrorContains(t, err, `field "log_format" has a wrong value: it must be json or text`)
}

func TestEveryFieldOfAnEnumeratedTypeIsInTheTable(t *testing.T) {
	var names []string
	for _, s := range []reflect.Type{reflect.TypeFor[config](), reflect.TypeFor[edgeConfig]()} {
		for field := range s.Fields() {
			if allowed(field.Type) != "" {
				name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	require.Equal(t, []string{"log_format", "log_level", "log_requests"}, names)
	for _, name := range names {
		require.Contains(t, enumerated, name)
	}
}

func TestARefusalOfAnEnumeratedFlagNamesItAndTheWordsAllowed(t *testing.T) {
	for flag, words := range map[string][]string{
		"--log":   {"requests"},
		"--chain": {"sim", "solana:URL"},
		"--store": {"memory", "sqlite:FILE", "postgres://"},
	} {
		parser, err := newParser(t.Context(), io.Discard)
		require.NoError(t, err)
		_, err = parser.Parse([]string{"dev", flag + "=wrong"})
		require.ErrorContains(t, err, flag)
		for _, word := range words {
			require.ErrorContains(t, err, word)
		}
	}
}
