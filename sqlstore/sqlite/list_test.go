package sqlite

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAListHasTheTextsAsTheyAre(t *testing.T) {
	_, f := openInside(t)
	for _, rows := range [][][]string{nil, {{"", "a"}}, {{"naïve \" ' , ]", "a\x00b"}, {"\xff\xfe", "%x"}, {"7", "-7.50"}}} {
		sql, args := f.List(2, rows)
		var got [][]string
		require.NoError(t, f.Ask(t.Context(), sql, args, func(scan func(...any) error) error {
			row := make([]string, 2)
			got = append(got, row)
			return scan(&row[0], &row[1])
		}))
		require.Equal(t, rows, got)
	}
}
