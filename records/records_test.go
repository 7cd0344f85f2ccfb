package records_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
)

type parcel struct {
	ID      string
	Scope   ferry.Scope
	Version int64
	Shelf   string
	Colour  string
	Weight  money.Amount
	SentAt  time.Time
	Created time.Time
}

var byShelf = &records.Unique{Columns: []string{"business", "shelf", "colour"}}

func kind() records.Kind[string, parcel] {
	return records.Kind[string, parcel]{
		Name: "parcels",
		Columns: func(p *parcel) []records.Column {
			return []records.Column{
				records.ID(&p.ID), records.Owner(&p.Scope), records.Version(&p.Version),
				records.Optional("shelf", &p.Shelf), records.Word("colour", &p.Colour, "", "red", "blue"),
				records.Money("weight", &p.Weight), records.Time("sent_at", &p.SentAt), records.CreatedAt(&p.Created),
			}
		},
		Scope:      func(p *parcel) ferry.Scope { return p.Scope },
		Unique:     []*records.Unique{byShelf},
		Fixed:      []string{"weight"},
		Lists:      [][]string{{}, {"colour"}, {"shelf", "colour"}},
		ShortLists: [][]string{{"shelf"}},
		Search:     []string{"shelf", "colour"},
	}
}

var (
	parcels = records.Define(kind())
	shop    = ferry.Scope{Business: "biz_1", Env: ferry.Test}
)

func named(p parcel) (records.Name, bool) {
	b := parcels.Borrow(p)
	defer parcels.Release(b)
	return parcels.Named(b, 0)
}

func TestNoTwoNamesHaveOneText(t *testing.T) {
	one, _ := named(parcel{Scope: shop, Shelf: "a", Colour: "bc"})
	other, _ := named(parcel{Scope: shop, Shelf: "ab", Colour: "c"})
	require.NotEqual(t, one, other)
	_, some := named(parcel{Scope: shop, Colour: "red"})
	require.False(t, some, "a row without one of the columns has no such name")
	require.ErrorContains(t, byShelf.Taken, "business, shelf, colour of parcels is taken")
}

func TestAListHasTheRowsThatHaveItsValues(t *testing.T) {
	lists := func(p parcel) []string {
		b := parcels.Borrow(p)
		defer parcels.Release(b)
		return parcels.ListNames(b)
	}
	require.Equal(t, []string{"parcels/test/biz_1"}, lists(parcel{Scope: shop}))
	require.Equal(t, []string{"parcels/test/biz_1", "parcels/test/biz_1/red"}, lists(parcel{Scope: shop, Colour: "red"}))
	require.Equal(t, []string{"parcels/test/biz_1", "parcels/test/biz_1/red", "parcels/test/biz_1/red/a"}, lists(parcel{Scope: shop, Colour: "red", Shelf: "a"}))

	red, onA := records.Is("colour", "red"), records.Is("shelf", "a")
	for _, c := range []struct {
		query records.Query
		list  string
		exact bool
	}{
		{records.Query{}, "parcels/test/biz_1", true},
		{records.Where(red), "parcels/test/biz_1/red", true},
		{records.Where(onA, red), "parcels/test/biz_1/red/a", true},
		{records.Where(onA), "", false}, // a short list, which has no counter
		{records.Where(red).Searching("a"), "parcels/test/biz_1/red", false},
		{records.Where(red).During(ferry.Range{To: time.Now()}), "parcels/test/biz_1/red", false},
		{records.Where(red).Or([]records.Match{onA}), "parcels/test/biz_1/red", false},
	} {
		list, exact := parcels.ListNameFor(shop, c.query)
		require.Equal(t, c.list, list)
		require.Equal(t, c.exact, exact, "%v", c.query)
	}
	_, exact, some := parcels.ListFor(shop, records.Where(onA))
	require.True(t, some)
	require.True(t, exact, "the short list has the rows of the shelf and no others")
}

func TestAQuerySelectsByInstantsAndByGroups(t *testing.T) {
	noon := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	selects := func(q records.Query, p parcel) bool {
		b := parcels.Borrow(p)
		defer parcels.Release(b)
		return parcels.Selector(q)(b)
	}
	sent, unsent := parcel{SentAt: noon, Colour: "red"}, parcel{Colour: "blue"}
	require.True(t, selects(records.Where(records.By("sent_at", noon)), sent))
	require.False(t, selects(records.Where(records.By("sent_at", noon.Add(-time.Microsecond))), sent))
	require.False(t, selects(records.Where(records.By("sent_at", noon)), unsent))
	require.True(t, selects(records.Where(records.NotBy("sent_at", noon)), unsent))
	require.False(t, selects(records.Where(records.NotBy("sent_at", noon)), sent))
	either := records.Query{}.Or([]records.Match{records.Is("colour", "blue")}, []records.Match{records.Is("colour", "red"), records.By("sent_at", noon)})
	require.True(t, selects(either, sent))
	require.True(t, selects(either, unsent))
	require.False(t, selects(either, parcel{Colour: "red"}))
}

func TestAnUpdateKeepsOwnerIDCreationAndWhatIsFixed(t *testing.T) {
	stored := parcels.Borrow(parcel{ID: "1", Scope: shop, Weight: money.NGN(5), Created: time.Unix(1, 0), Shelf: "a"})
	row := parcels.Borrow(parcel{ID: "2", Weight: money.USDC(7), Created: time.Unix(2, 0), Shelf: "b", Version: 3})
	defer parcels.Release(stored, row)
	parcels.Keep(stored, row)
	require.Equal(t, parcel{ID: "1", Scope: shop, Weight: money.NGN(5), Created: time.Unix(1, 0), Shelf: "b", Version: 3}, parcels.Row(row))
}

func TestTextThatARowMakesOfItselfFollowsTheRow(t *testing.T) {
	made := kind()
	made.Columns = func(p *parcel) []records.Column {
		return append(kind().Columns(p), records.Made("told", func() string { return p.Shelf + " " + p.Colour }))
	}
	made.Search = []string{"told"}
	k := records.Define(made)
	b := k.Borrow(parcel{Shelf: "a", Colour: "Red"})
	defer k.Release(b)
	found := k.Selector(records.Query{}.Searching("a red"))
	require.True(t, found(b))
	b.Row.(*parcel).Colour = "Blue"
	require.False(t, found(b))
	told := b.Cells[len(b.Cells)-1].Value
	require.NoError(t, told.Place().(interface{ Scan(any) error }).Scan("read"))
	plain, err := told.Plain()
	require.NoError(t, err)
	require.Equal(t, "a Blue", plain, "what is stored is not read")
}

func TestADeclarationThatNamesNoColumnIsRefused(t *testing.T) {
	for _, spoil := range []func(*records.Kind[string, parcel]){
		func(k *records.Kind[string, parcel]) { k.Fixed = []string{"wieght"} },
		func(k *records.Kind[string, parcel]) { k.Lists = [][]string{{"color"}} },
		func(k *records.Kind[string, parcel]) { k.Search = []string{"name"} },
		func(k *records.Kind[string, parcel]) { k.Key = []string{"number"} },
		func(k *records.Kind[string, parcel]) { k.Key = []string{"shelf", "id"} },
		func(k *records.Kind[string, parcel]) { k.Unique = []*records.Unique{{Columns: []string{"slug"}}} },
	} {
		k := kind()
		spoil(&k)
		require.Panics(t, func() { records.Define(k) })
	}
	require.Panics(t, func() { parcels.Selector(records.Where(records.Is("color", "red"))) })
}

func TestAKeyNamesARowWithinWhatItBeginsWith(t *testing.T) {
	for _, c := range []struct {
		key       []string
		text      string
		mustSay   string
		hasValues []any
	}{
		{nil, "a", "", []any{"a"}},
		{[]string{"env", "shelf"}, "test/a", "env", []any{"test", "a"}},
		{[]string{"env", "business", "shelf"}, "test/biz_1/a", "env", []any{"test", "biz_1", "a"}},
		{[]string{"env", "business"}, "test/a", "env", []any{"test", "a"}},
	} {
		k := kind()
		k.Key = c.key
		parcels := records.Define(k)
		require.Equal(t, c.text, parcels.KeyText(shop, "a"))
		require.Equal(t, c.hasValues, parcels.KeyValues(shop, "a"))
		if _, err := parcels.Walked(records.Query{}); c.mustSay != "" {
			require.EqualError(t, err, "records: a walk of parcels must say the "+c.mustSay)
		}
		whole, err := parcels.Walked(records.Where(records.Is("env", shop.Env), records.Is("business", shop.Business)))
		require.NoError(t, err)
		require.Equal(t, shop, whole)
	}
}

func TestARowMayLackAnOwner(t *testing.T) {
	k := kind()
	k.Scope, k.Unique, k.Lists, k.Missing = nil, nil, nil, nil
	k.Columns = func(p *parcel) []records.Column {
		return []records.Column{
			records.Env(&p.Scope.Env), records.Version(&p.Version), records.Text("shelf", &p.Shelf),
			records.Text("colour", &p.Colour), records.Money("weight", &p.Weight),
		}
	}
	k.Key = []string{"env"}
	parcels := records.Define(k)
	require.Zero(t, parcels.Scope(&parcel{Scope: shop}))
	require.EqualError(t, parcels.Missing, "records: parcels has no such row")
	require.True(t, parcels.IsFixed("env"))
}

func TestACopyOfARowSharesNothingWithIt(t *testing.T) {
	type tag struct{ Text string }
	type crate struct {
		ID      string
		Version int64
		Tags    map[string]any
		Last    *tag
	}
	crates := records.Define(records.Kind[string, crate]{
		Name: "crates",
		Columns: func(c *crate) []records.Column {
			return []records.Column{
				records.ID(&c.ID), records.Version(&c.Version),
				records.Document("tags", &c.Tags), records.Document("last", &c.Last),
			}
		},
	})
	full := func() crate {
		return crate{ID: "1", Tags: map[string]any{"a": []any{"b", &tag{"c"}}, "d": nil, "e": 1}, Last: &tag{"f"}}
	}
	stored := full()
	read := crates.Own(&stored)
	require.Equal(t, full(), read)
	read.Tags["a"].([]any)[1].(*tag).Text, read.Last.Text = "", ""
	delete(read.Tags, "e")
	require.Equal(t, full(), stored)
	require.Equal(t, crate{ID: "2"}, crates.Own(&crate{ID: "2"}))
}
