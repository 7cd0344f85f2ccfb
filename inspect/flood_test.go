package inspect_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/inspect"
)

// follow reads a stream of an inspector, as a page or a program does.
func follow(t testing.TB, window http.Handler, path string) *bufio.Scanner {
	web := httptest.NewServer(window)
	t.Cleanup(web.Close)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, web.URL+path, nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	t.Cleanup(func() { _ = response.Body.Close() })
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 4<<20)
	return lines
}

// streamed is an update of a stream.
type streamed struct {
	Lines []inspect.Line `json:"lines"`
	Rows  []struct {
		Seq int64 `json:"seq"`
	} `json:"rows"`
}

// next is the next update that brings something. It is empty when the stream has ended.
func next(t testing.TB, lines *bufio.Scanner) (u streamed) {
	for lines.Scan() {
		if data, found := strings.CutPrefix(lines.Text(), "data: "); found {
			require.NoError(t, json.Unmarshal([]byte(data), &u))
			if len(u.Lines)+len(u.Rows) > 0 {
				return u
			}
		}
	}
	return u
}

func TestAProgramGetsEachLineOfAFloodOnce(t *testing.T) {
	const waves, wave = 2, 6_000 // together more than are kept, and one is less: the reader may be late for a wave
	window := bare(t)
	lines := follow(t, window, "/live?after=0&kind=api&as=lines")
	expected := int64(1)
	for n := range int64(waves) {
		go flood(window, wave)
		for expected <= (n+1)*wave {
			for _, l := range next(t, lines).Lines {
				require.Equal(t, expected, l.Seq)
				expected++
			}
		}
	}
}

func TestAPageGetsTheNewestLinesOfAFlood(t *testing.T) {
	const all, shown = 3_000, 500
	window := bare(t)
	flood(window, all)
	rows := next(t, follow(t, window, "/live?after=0&kind=api")).Rows
	require.Len(t, rows, shown)
	require.EqualValues(t, all-shown+1, rows[0].Seq)
	require.EqualValues(t, all, rows[shown-1].Seq)
}
