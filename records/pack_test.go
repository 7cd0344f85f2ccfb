package records_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
)

// packet is a row with a column of each kind.
type packet struct {
	ID       string
	Scope    ferry.Scope
	Version  int64
	Colour   string
	Note     string
	Count    int
	Cursor   uint64
	Sealed   []byte
	Asset    money.Asset
	Price    money.Amount
	Weight   money.Amount
	Number   string
	Marked   bool
	Metadata ferry.Metadata
	Parts    []string
	SentAt   time.Time
	Created  time.Time
}

var packets = records.Define(records.Kind[string, packet]{
	Name: "packets",
	Columns: func(p *packet) []records.Column {
		return []records.Column{
			records.ID(&p.ID), records.Owner(&p.Scope), records.Version(&p.Version),
			records.Word("colour", &p.Colour, "", "red", "blue"), records.Optional("note", &p.Note),
			records.Int("count", &p.Count), records.Uint("cursor", &p.Cursor), records.Bytes("sealed", &p.Sealed),
			records.Asset("asset", &p.Asset), records.Amount("price", &p.Price, money.AssetNGN), records.Money("weight", &p.Weight),
			records.Marked("number", &p.Number, &p.Marked, "!"), records.Document("metadata", &p.Metadata),
			records.Document("parts", &p.Parts), records.Time("sent_at", &p.SentAt), records.CreatedAt(&p.Created),
			records.Made("made", func() string { return "made of " + p.Note }),
		}
	},
	Scope: func(p packet) ferry.Scope { return p.Scope },
})

func TestAPackedRowComesBack(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 1000, time.UTC)
	for name, p := range map[string]packet{
		"empty": {Price: money.NGN(0)},
		"full": {
			ID: "pkt_1", Scope: shop, Version: 7, Colour: "blue", Note: "größer", Count: -3, Cursor: 1 << 62, Sealed: []byte{0, 1},
			Asset: money.AssetUSDC, Price: money.NGN(-5), Weight: money.USDC(1 << 60), Number: "n", Marked: true,
			Metadata: ferry.Metadata{"a": "b", "n": json.Number("1.50"), "yes": true, "": ""}, Parts: []string{"x", ""},
			SentAt: noon.Add(-time.Hour), Created: noon,
		},
		"empty and not nil": {Price: money.NGN(0), Sealed: []byte{}, Metadata: ferry.Metadata{}, Parts: []string{}, Created: noon, SentAt: noon},
		"a word of none":    {Price: money.NGN(0), Colour: "green"},
	} {
		b := packets.Borrow(p)
		packed, err := packets.Pack(nil, b)
		packets.Release(b)
		require.NoError(t, err, name)
		require.Equal(t, p.Created.UnixMicro(), records.PackedAt(packed), name)
		again := packets.Unpacked(string(packed))
		require.Equal(t, p, packets.Row(again), name)
		packets.Release(again)
	}
}

func TestANumberThatNoColumnHasRoomForIsNotPacked(t *testing.T) {
	b := packets.Borrow(packet{Cursor: 1 << 63})
	defer packets.Release(b)
	_, err := packets.Pack(nil, b)
	require.Error(t, err)
}
