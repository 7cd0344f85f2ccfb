package storetest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/store"
)

// testSearch checks what holds for every search in a list.
func (k tested) testSearch(t *testing.T, open func(*testing.T) store.Backend) {
	columns := k.made
	if columns == nil {
		columns = slices.DeleteFunc(slices.Clone(k.kind.Search), func(column string) bool { return column == k.kind.IDColumn() }) // which nobody chooses
	}
	put := "" // the last of them that an update may write
	for _, column := range columns {
		t.Run("a part of its "+column+" finds a row, in any letter case and with signs that mean themselves", func(t *testing.T) {
			k.testPlace(t, open(t), column)
		})
		if !k.kind.IsFixed(column) {
			put = column
		}
	}
	t.Run("a row is found whatever the lower case of its letters is", func(t *testing.T) { k.testLetters(t, open(t), put) })
	t.Run("a scope is searched alone", func(t *testing.T) {
		b := open(t)
		for n, scope := range []ferry.Scope{home, away, live} {
			write(t, b, k.inserted(k.with(k.row(scope, n+1), put, "Ọlábísí")))
		}
		require.Equal(t, k.nth(home, 1), k.found(t, b, home, "ọlá", ferry.Page{}, 1))
		require.Equal(t, k.nth(away, 2), k.found(t, b, away, "ọlá", ferry.Page{}, 1))
	})
	t.Run("pages follow each other and know the exact total", func(t *testing.T) {
		b := open(t)
		for n := 1; n <= 7; n++ {
			write(t, b, k.inserted(k.with(k.row(home, n), put, []string{"Qwért", "qwert", "QWÉRTY", "Bola"}[n%4])))
		}
		require.Equal(t, k.nth(home, 6, 4, 2), k.found(t, b, home, "qwér", ferry.Page{}, 3))
		require.Equal(t, k.nth(home, 4), k.found(t, b, home, "qwér", ferry.Page{Number: 2, Limit: 1}, 3))
		require.Empty(t, k.found(t, b, home, "qwér", ferry.Page{Number: 4, Limit: 1}, 3))
		require.Equal(t, k.nth(home, 2), k.found(t, b, home, "qwér", ferry.Page{Before: string(k.id(k.row(home, 3)))}, 0))
	})
	t.Run("a row is found by what it has become", func(t *testing.T) {
		b := open(t)
		for version, become := range []string{"Qwert", "Ọlábísí", "Dayo"} {
			row := k.stored(k.with(k.row(home, 1), put, become), int64(version))
			if version == 0 {
				write(t, b, k.inserted(row))
			} else {
				write(t, b, k.updated(row))
			}
			for _, word := range []string{"qwert", "ọlábísí", "dayo"} {
				want := 0
				if word == text.Search(become) {
					want = 1
				}
				require.Len(t, k.found(t, b, home, word, ferry.Page{}, want), want, "%s, looking for %s", become, word)
			}
		}
	})
}

func (k tested) testPlace(t *testing.T, b store.Backend, column string) {
	for n, is := range []string{"50% QWERT_Zed", "5000 qwertyzed", "50% ỌLÁ_É\\", "5000 ọláaé", "other"} {
		write(t, b, k.inserted(k.with(k.row(home, n+1), column, is)))
	}
	for part, want := range map[string][]int{
		"qWeRt": {2, 1}, "Qwert_Z": {1}, "0% q": {1}, "t z": {},
		"ọLÁ": {4, 3}, "o\u0323la\u0301": {4, 3}, "Á_é": {3}, "0% ọ": {3}, `é\`: {3}, "ola_": {}, "ọla": {},
	} {
		require.Equal(t, k.nth(home, want...), k.found(t, b, home, part, ferry.Page{}, len(want)), "looking for %q", part)
	}
}

// testLetters is about letters whose lower case stands in ASCII, and about such as
// have two.
func (k tested) testLetters(t *testing.T, b store.Backend, column string) {
	for n, is := range []string{"\u0130brahim", "ibrahim", "\u039f\u03b4\u03bf\u03c2", "other"} {
		write(t, b, k.inserted(k.with(k.row(home, n+1), column, is)))
	}
	for part, want := range map[string][]int{
		"\u0130brahim": {2, 1}, "IBRAHIM": {2, 1}, "\u0130BRAH\u0130M": {2, 1}, "\u039f\u0394\u039f\u03a3": {3},
	} {
		require.Equal(t, k.nth(home, want...), k.found(t, b, home, part, ferry.Page{}, len(want)), "looking for %q", part)
	}
}

// nth returns the ids of rows of a scope by their numbers.
func (k tested) nth(scope ferry.Scope, rows ...int) []string {
	ids := []string{}
	for _, n := range rows {
		ids = append(ids, k.id(k.row(scope, n)))
	}
	return ids
}

// found returns the ids that a search finds, and requires its total.
func (k tested) found(t *testing.T, b store.Backend, scope ferry.Scope, part string, page ferry.Page, total int) []string {
	t.Helper()
	list := k.page(t, b, scope, k.broadest().Searching(text.Search(part)), page)
	require.Equal(t, total, list.Total, "looking for %q", part)
	return k.ids(list.Data)
}
