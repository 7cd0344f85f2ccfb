package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAPasswordOfAURLIsNeverPrinted(t *testing.T) {
	for _, url := range []string{
		"postgres://ferry:hunter2@db/ferry",
		"postgresql://ferry:hunter2@db:5432/ferry?sslmode=require",
		"postgres://:hunter2@db/ferry",
		"POSTGRES://ferry:hunter2@db/ferry",
		"postgres://ferry:x@hunter2@db/ferry",
		"postgres://ferry:x:hunter2@db/ferry",
		"postgres://ferry:12/hunter2@db/ferry",
		"postgres://ferry:12?hunter2@db/ferry",
		"postgres://ferry:1#hunter2@db/ferry",
		"postgres://ferry:%zz%hunter2@db/ferry",
		"postgres://ferry:a hunter2@db/ferry",
		"postgres://db/ferry?password=hunter2",
		"postgres://db/ferry?user=ferry&password=hunter2&sslmode=require",
		"postgres://db/ferry?sslpassword=hunter2",
		"mysql://ferry:%zz%hunter2@db/ferry",
	} {
		t.Run(url, func(t *testing.T) {
			a := storeAddress(url)
			structured, err := json.Marshal(config{Store: a})
			require.NoError(t, err)
			var log strings.Builder
			slog.New(slog.NewTextHandler(&log, nil)).Info("x", "store", a, "config", config{Store: a})
			slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "store", a, "config", config{Store: a})
			for _, text := range []string{
				a.String(), a.place(), fmt.Sprint(a), fmt.Sprintf("%q %v %+v %#v", a, a, config{Store: a}, config{Store: a}),
				string(structured), log.String(), fmt.Sprint(a.Validate()), fmt.Sprint(a.blame(errNoBooks)),
			} {
				require.NotContains(t, text, "hunter2")
			}
			require.True(t, a.hasPassword())
		})
	}
}

func TestAnAddressWithoutAPasswordIsPrintedAsItIs(t *testing.T) {
	for _, text := range []string{
		"memory", "sqlite:ferry.db", "sqlite:/var/lib/a@b:c.db", "postgres://db/ferry", "postgres://ferry@db:5432/ferry?sslmode=require",
		"postgresql://", "postgres:///ferry?host=/run/postgresql",
	} {
		require.NoError(t, storeAddress(text).Validate(), text)
		require.Equal(t, text, storeAddress(text).String())
		require.False(t, storeAddress(text).hasPassword(), text)
	}
}

func TestWhateverThePasswordItDoesNotReachTheLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		password := "q7" + rapid.StringMatching(`[!-~]{0,12}`).Draw(t, "password") + "7q"
		var out strings.Builder
		line := "cannot connect to postgres://ferry:" + password + "@db:5432/ferry: refused\n"
		n, err := redacting{&out}.Write([]byte(line))
		require.NoError(t, err)
		require.Equal(t, len(line), n)
		require.NotContains(t, out.String(), password)
		require.Contains(t, out.String(), "@db:5432/ferry: refused")
	})
}
