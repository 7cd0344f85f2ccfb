package records_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
)

// packable is a row with a column of each sort.
type packable struct {
	ID       string
	Scope    ferry.Scope
	Version  int64
	Created  time.Time
	Word     string
	Optional string
	Blob     string
	Number   uint64
	Flag     bool
	Bytes    []byte
	Metadata ferry.Metadata
	List     []string
	Asset    money.Asset
	Amount   money.Amount
	Price    money.Amount
	Text     string
	Marked   bool
}

var packableKind = records.Define(records.Kind[string, packable]{
	Name: "packables",
	Columns: func(p *packable) []records.Column {
		return []records.Column{
			records.ID(&p.ID), records.Owner(&p.Scope), records.Version(&p.Version), records.CreatedAt(&p.Created),
			records.Word("word", &p.Word, "", "open", "closed"), records.Optional("optional", &p.Optional),
			records.Blob("blob", &p.Blob), records.Uint("number", &p.Number), records.Bool("flag", &p.Flag),
			records.Bytes("bytes", &p.Bytes), records.Document("metadata", &p.Metadata), records.Document("list", &p.List),
			records.Asset("asset", &p.Asset), records.Amount("amount", &p.Amount, money.AssetNGN), records.Money("price", &p.Price),
			records.Marked("text", &p.Text, &p.Marked, "*"), records.Made("made", func() string { return p.ID + p.Text }),
			records.Folded("folded", &p.Text, func(s string) string { return s }),
		}
	},
	Scope: func(p *packable) ferry.Scope { return p.Scope },
})

// packed returns the bytes of a row.
func packed(t testing.TB, p packable) []byte {
	b := packableKind.Borrow(p)
	defer packableKind.Release(b)
	row, err := packableKind.Pack(nil, b)
	require.NoError(t, err)
	return row
}

func fullRow() packable {
	return packable{
		ID: "row_1", Scope: ferry.Scope{Business: "biz_1", Env: ferry.Live}, Version: -3,
		Created: time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC), Word: "closed", Optional: "some", Blob: "b\x00b",
		Number: 1 << 63, Flag: true, Bytes: []byte{}, Metadata: ferry.Metadata{"a": "b"}, List: []string{"x", ""},
		Asset: money.AssetUSDC, Amount: money.NGN(-5), Price: money.USDC(1 << 60), Text: "text", Marked: true,
	}
}

func TestARowIsUnpackedAsItWasPacked(t *testing.T) {
	empty := packable{Amount: money.NGN(0)}
	nothing := packable{Amount: money.NGN(0), Metadata: ferry.Metadata{}, List: []string{}}
	for _, row := range []packable{fullRow(), empty, nothing} {
		b, err := packableKind.Unpack(string(packed(t, row)))
		require.NoError(t, err)
		require.Equal(t, row, *packableKind.Kept(b).(*packable))
		packableKind.Release(b)
	}
}

func TestAWordThatAColumnDoesNotTakeIsNotPacked(t *testing.T) {
	b := packableKind.Borrow(packable{Word: "ajar"})
	defer packableKind.Release(b)
	_, err := packableKind.Pack(nil, b)
	require.ErrorIs(t, err, records.ErrWord)
}

func TestARowThatIsCutOrLongerIsNoRow(t *testing.T) {
	row := packed(t, fullRow())
	for n := range row {
		_, err := packableKind.Unpack(string(row[:n]))
		require.Error(t, err, n)
	}
	_, err := packableKind.Unpack(string(row) + "x")
	require.Error(t, err)
}

func TestARowIsSkimmedWithoutDocumentsThatAQueryDoesNotNeed(t *testing.T) {
	row := string(packed(t, fullRow()))
	for _, c := range []struct {
		name  string
		query records.Query
		whole bool
	}{
		{"all", records.Query{}, false},
		{"a word", records.Where(records.Is("word", "closed")), false},
		{"a document", records.Where(records.Is("list", "[]")), true},
		{"one of several", records.Query{Either: [][]records.Match{{records.Is("word", "open")}, {records.Is("list", "[]")}}}, true},
		{"a text that the row makes", records.Where(records.Is("made", "x")), true},
	} {
		b, err := packableKind.Skimmer(c.query)(row)
		require.NoError(t, err, c.name)
		want := fullRow()
		if !c.whole {
			want.Metadata, want.List = nil, nil
		}
		require.Equal(t, want, *packableKind.Kept(b).(*packable), c.name)
		packableKind.Release(b)
	}
}

// What Unpack takes, Pack makes again in a form that Unpack takes.
func FuzzUnpack(f *testing.F) {
	f.Add(packed(f, fullRow()))
	f.Add(packed(f, packable{}))
	f.Fuzz(func(t *testing.T, row []byte) {
		b, err := packableKind.Unpack(string(row))
		if err != nil {
			return
		}
		defer packableKind.Release(b)
		again, err := packableKind.Pack(nil, b)
		require.NoError(t, err)
		c, err := packableKind.Unpack(string(again))
		require.NoError(t, err)
		require.Equal(t, packableKind.Kept(b), packableKind.Kept(c))
		packableKind.Release(c)
	})
}
