package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/store"
)

// searched describes a list in which a text may be looked for.
type searched[R any] struct {
	owned[R]
	id func(R) string
	// places put a text where a search looks; put is one of them that an update
	// may write.
	places map[string]func(*R, string)
	put    func(*R, string)
	// list searches a list that has all rows of a scope.
	list func(ctx context.Context, p store.Ports, scope ferry.Scope, search string, page ferry.Page) (ferry.List[R], error)
}

// test checks what holds for every search.
func (s searched[R]) test(t *testing.T, open func(*testing.T) store.Backend) {
	for place, put := range s.places {
		t.Run("a part of its "+place+" finds a row, in any letter case and with signs that mean themselves", func(t *testing.T) {
			s.testPlace(t, open(t), put)
		})
	}
	t.Run("a row is found whatever the lower case of its letters is", func(t *testing.T) { s.testLetters(t, open(t)) })
	t.Run("a scope is searched alone", func(t *testing.T) {
		b := open(t)
		for n, scope := range []ferry.Scope{home, away, live} {
			write(t, b, s.inserted(s.with(scope, n+1, s.put, "Ọlábísí")))
		}
		require.Equal(t, s.ids(home, 1), s.found(t, b, home, "ọlá", ferry.Page{}, 1))
		require.Equal(t, s.ids(away, 2), s.found(t, b, away, "ọlá", ferry.Page{}, 1))
	})
	t.Run("pages follow each other and know the exact total", func(t *testing.T) {
		b := open(t)
		for n := 1; n <= 7; n++ {
			row := s.with(home, n, s.put, []string{"Qwért", "qwert", "QWÉRTY", "Bola"}[n%4])
			write(t, b, s.inserted(row))
		}
		require.Equal(t, s.ids(home, 6, 4, 2), s.found(t, b, home, "qwér", ferry.Page{}, 3))
		require.Equal(t, s.ids(home, 4), s.found(t, b, home, "qwér", ferry.Page{Number: 2, Limit: 1}, 3))
		require.Empty(t, s.found(t, b, home, "qwér", ferry.Page{Number: 4, Limit: 1}, 3))
		require.Equal(t, s.ids(home, 2), s.found(t, b, home, "qwér", ferry.Page{Before: s.id(s.row(home, 3))}, 0))
	})
	t.Run("a row is found by what it has become", func(t *testing.T) {
		b := open(t)
		for _, become := range []string{"Qwert", "Ọlábísí", "Dayo"} {
			row := s.with(home, 1, s.put, become)
			if become == "Qwert" {
				write(t, b, s.inserted(row))
			} else {
				stored := look(t, b, s.in(home, row))
				write(t, b, s.updated(s.stored(row, *s.version(&stored))))
			}
			for _, word := range []string{"qwert", "ọlábísí", "dayo"} {
				want := 0
				if word == text.Search(become) {
					want = 1
				}
				require.Len(t, s.found(t, b, home, word, ferry.Page{}, want), want, "%s, looking for %s", become, word)
			}
		}
	})
}

func (s searched[R]) testPlace(t *testing.T, b store.Backend, put func(*R, string)) {
	for n, is := range []string{"50% QWERT_Zed", "5000 qwertyzed", "50% ỌLÁ_É\\", "5000 ọláaé", "other"} {
		write(t, b, s.inserted(s.with(home, n+1, put, is)))
	}
	for part, want := range map[string][]int{
		"qWeRt": {2, 1}, "Qwert_Z": {1}, "0% q": {1}, "t z": {},
		"ọLÁ": {4, 3}, "o\u0323la\u0301": {4, 3}, "Á_é": {3}, "0% ọ": {3}, `é\`: {3}, "ola_": {}, "ọla": {},
	} {
		got := s.found(t, b, home, part, ferry.Page{}, len(want))
		require.Equal(t, s.ids(home, want...), got, "looking for %q", part)
	}
}

// testLetters is about letters whose lower case stands in ASCII, and about such as
// have two.
func (s searched[R]) testLetters(t *testing.T, b store.Backend) {
	for n, is := range []string{"\u0130brahim", "ibrahim", "\u039f\u03b4\u03bf\u03c2", "other"} {
		write(t, b, s.inserted(s.with(home, n+1, s.put, is)))
	}
	for part, want := range map[string][]int{
		"\u0130brahim": {2, 1}, "IBRAHIM": {2, 1}, "\u0130BRAH\u0130M": {2, 1}, "\u039f\u0394\u039f\u03a3": {3},
	} {
		require.Equal(t, s.ids(home, want...), s.found(t, b, home, part, ferry.Page{}, len(want)), "looking for %q", part)
	}
}

// with is the n-th row of a scope with a text put somewhere.
func (s searched[R]) with(scope ferry.Scope, n int, put func(*R, string), is string) R {
	row := s.row(scope, n)
	put(&row, is)
	return row
}

func (s searched[R]) ids(scope ferry.Scope, rows ...int) []string {
	ids := []string{}
	for _, n := range rows {
		ids = append(ids, s.id(s.row(scope, n)))
	}
	return ids
}

// found returns the ids that a search finds, and requires its total.
func (s searched[R]) found(t *testing.T, b store.Backend, scope ferry.Scope, part string, page ferry.Page, total int) []string {
	t.Helper()
	list := look(t, b, func(ctx context.Context, p store.Ports) (ferry.List[R], error) {
		return s.list(ctx, p, scope, text.Search(part), page)
	})
	require.Equal(t, total, list.Total, "looking for %q", part)
	ids := []string{}
	for _, row := range list.Data {
		ids = append(ids, s.id(row))
	}
	return ids
}
