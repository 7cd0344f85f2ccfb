package main

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatOthersTypedIsNoCommandOfATerminal(t *testing.T) {
	for text, want := range map[string]string{
		"Ada 🚢\tO\n":           "Ada 🚢\tO\n",
		"a\x1b]52;c;aWQ=\x07b": `a\u001b]52;c;aWQ=\u0007b`,
		"a\rb\x7f\u009b2J":     `a\u000db\u007f\u009b2J`,
		"a\u202eb\u2028":       `a\u202eb\u2028`,
		"\U000e0041":           `\udb40\udc41`,
	} {
		var out strings.Builder
		n, err := plain{&out}.Write([]byte(text))
		require.NoError(t, err)
		require.Equal(t, len(text), n)
		require.Equal(t, want, out.String())
	}
	var out strings.Builder
	require.NoError(t, printJSON(&out, map[string]string{"a": "\u009b\U000e0041"}))
	var back map[string]string
	require.NoError(t, json.Unmarshal([]byte(out.String()), &back))
	require.Equal(t, "\u009b\U000e0041", back["a"])
}

func TestLogsTailShowsAStrangersPathOnOneLine(t *testing.T) {
	p := startDev(t)
	printed, _ := p.lines(t, "logs", "tail", "--kind", "api")
	response, err := http.Get(p.BaseURL + "/v1/x%1b%5b2J%0a12:00:00.000%20api%20forged")
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.True(t, printed.Scan())
	require.Contains(t, printed.Text(), `GET /v1/x\u001b[2J\u000a12:00:00.000 api forged 404`)
}
