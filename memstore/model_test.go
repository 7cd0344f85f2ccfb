package memstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/store"
)

// beast is a row with a column of each sort that a store in memory treats in its own way.
type beast struct {
	Scope   ferry.Scope
	ID      string
	Version int64
	Name    string
	Color   string
	Meta    map[string]any
	Raw     []byte
	At      time.Time
}

var beastName = &records.Unique{Columns: []string{"env", "name"}}

// beasts is their kind: the id alone is the key, or the id within a scope.
func beasts(key ...string) *records.Kind[string, beast] {
	return records.Define(records.Kind[string, beast]{
		Name: "beasts",
		Columns: func(x *beast) []records.Column {
			return []records.Column{
				records.Owner(&x.Scope), records.ID(&x.ID), records.Version(&x.Version), records.Optional("name", &x.Name),
				records.Text("color", &x.Color), records.Document("meta", &x.Meta), records.Bytes("raw", &x.Raw), records.CreatedAt(&x.At),
			}
		},
		Key:    key,
		Scope:  func(x *beast) ferry.Scope { return x.Scope },
		Unique: []*records.Unique{beastName},
		Lists:  [][]string{{}, {"color"}},
		Groups: []records.Group{{By: []string{"env", "business"}}, {By: []string{"env", "business", "color"}}},
		Purged: true,
	})
}

// model is a store of beasts beside the plainest thing that it could be: a map by key.
type model struct {
	kind  *records.Kind[string, beast]
	store *Store
	rows  map[string]beast
	saved map[string]beast // rows when Snapshot was called, or nil
	made  int              // how many ids were made in order
}

func TestTheStoreHasTheRowsOfAModel(t *testing.T) {
	for name, kind := range map[string]*records.Kind[string, beast]{"id": beasts(), "id in a scope": beasts("env", "business", "id")} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				m := &model{kind: kind, store: New(), rows: map[string]beast{}}
				t.Repeat(map[string]func(*rapid.T){
					"unit": m.unit, "unit 2": m.unit, "unit 3": m.unit, "unit 4": m.unit,
					"snapshot": m.snapshot, "restore": m.restore, "reset": m.reset, "": m.check,
				})
			})
		})
	}
}

var (
	someScopes = []ferry.Scope{{Env: "test", Business: "a"}, {Env: "test", Business: "b"}, {Env: "live", Business: "a"}}
	someColors = []string{"", "red", "blue", "a\x00b"}
	someNames  = []string{"", "", "n1", "n2", "n3"}
	someIDs    = rapid.OneOf(rapid.StringMatching("[a-c]{1,2}"), rapid.StringMatching("[ab][0-9a-f]{32}"), rapid.SampledFrom([]string{"é", "x\x00y", "ü\xff"}))
	noon       = time.Date(2020, 1, 1, 12, 0, 0, 0, time.UTC)
	someTimes  = []time.Time{noon, noon.Add(time.Microsecond), noon.Add(1500 * time.Nanosecond), time.Unix(-1, 5).UTC(), {}, noon.Add(time.Hour)}
)

func one[V any](t *rapid.T, of []V, label string) V { return rapid.SampledFrom(of).Draw(t, label) }

func (m *model) key(scope ferry.Scope, id string) string { return m.kind.KeyText(scope, id) }

var errBack = errors.New("back")

// unit changes rows in one unit, and a third of them turn back.
func (m *model) unit(t *rapid.T) {
	before, back := maps.Clone(m.rows), rapid.IntRange(0, 2).Draw(t, "back") == 0
	err := m.store.Write(context.Background(), func(ctx context.Context, tx store.Ports) error {
		for range rapid.IntRange(1, 8).Draw(t, "n") {
			switch op := rapid.IntRange(0, 9).Draw(t, "op"); {
			case op < 4:
				m.insert(ctx, t, tx)
			case op < 8:
				m.update(ctx, t, tx)
			default:
				m.purge(ctx, t, tx)
			}
		}
		if back {
			return errBack
		}
		return nil
	})
	if !back {
		require.NoError(t, err)
		return
	}
	require.ErrorIs(t, err, errBack)
	m.rows = before
}

func (m *model) insert(ctx context.Context, t *rapid.T, tx store.Ports) {
	x := beast{Scope: one(t, someScopes, "scope"), Name: one(t, someNames, "name"), Color: one(t, someColors, "color"), At: one(t, someTimes, "at")}
	if rapid.Bool().Draw(t, "in order") {
		m.made++
		x.ID = fmt.Sprintf("z%06d", m.made)
	} else {
		x.ID = someIDs.Draw(t, "id")
	}
	switch rapid.IntRange(0, 4).Draw(t, "meta") {
	case 1:
		x.Meta = map[string]any{}
	case 2:
		x.Meta = map[string]any{"a": "<&>", "b": []any{}}
	case 3:
		x.Raw = []byte{}
	case 4:
		x.Raw = long(t, 40_000)
	}
	key := m.key(x.Scope, x.ID)
	_, exists := m.rows[key]
	err := m.kind.Insert(ctx, tx, x)
	if exists || m.taken(x) {
		require.Error(t, err)
		return
	}
	require.NoError(t, err)
	x.Version = 1
	if !x.At.IsZero() {
		x.At = time.UnixMicro(x.At.UnixMicro()).UTC()
	}
	m.rows[key] = x
}

func long(t *rapid.T, most int) []byte {
	return []byte(strings.Repeat("q", rapid.IntRange(0, most).Draw(t, "length")))
}

// taken reports whether another row has the name of a row.
func (m *model) taken(x beast) bool {
	for key, other := range m.rows {
		if x.Name != "" && other.Name == x.Name && other.Scope.Env == x.Scope.Env && key != m.key(x.Scope, x.ID) {
			return true
		}
	}
	return false
}

func (m *model) update(ctx context.Context, t *rapid.T, tx store.Ports) {
	if len(m.rows) == 0 {
		return
	}
	key := one(t, slices.Sorted(maps.Keys(m.rows)), "key")
	x := m.rows[key]
	x.Name, x.Color = one(t, someNames, "name"), one(t, someColors, "color")
	if rapid.Bool().Draw(t, "long") {
		x.Raw = long(t, 20_000)
	}
	err := m.kind.Update(ctx, tx, x)
	if m.taken(x) {
		require.Error(t, err)
		return
	}
	require.NoError(t, err)
	x.Version++
	m.rows[key] = x
}

func (m *model) purge(ctx context.Context, t *rapid.T, tx store.Ports) {
	env, before, limit := one(t, someScopes, "scope").Env, one(t, someTimes, "before"), rapid.IntRange(0, 3).Draw(t, "limit")
	old := m.some(func(x beast) bool { return x.Scope.Env == env && x.At.UnixMicro() < before.UnixMicro() })
	slices.SortFunc(old, func(a, b beast) int {
		return cmp.Or(cmp.Compare(a.At.UnixMicro(), b.At.UnixMicro()), strings.Compare(m.key(a.Scope, a.ID), m.key(b.Scope, b.ID)))
	})
	got, err := tx.Records().Purge(ctx, m.kind.Shape, env, before, limit)
	require.NoError(t, err)
	require.Equal(t, min(limit, len(old)), got)
	for _, x := range old[:got] {
		delete(m.rows, m.key(x.Scope, x.ID))
	}
}

// some returns the rows for which keep holds, in no order.
func (m *model) some(keep func(beast) bool) []beast {
	rows := []beast{}
	for _, x := range m.rows {
		if keep(x) {
			rows = append(rows, x)
		}
	}
	return rows
}

func (m *model) snapshot(t *rapid.T) {
	require.NoError(t, m.store.Snapshot(context.Background()))
	m.saved = maps.Clone(m.rows)
}

func (m *model) restore(t *rapid.T) {
	if m.saved != nil {
		require.NoError(t, m.store.Restore(context.Background()))
		m.rows = maps.Clone(m.saved)
	}
}

func (m *model) reset(t *rapid.T) {
	if rapid.IntRange(0, 3).Draw(t, "reset") == 0 {
		require.NoError(t, m.store.Reset(context.Background()))
		m.rows = map[string]beast{}
	}
}

// check holds all that the store answers against the map.
func (m *model) check(t *rapid.T) {
	require.NoError(t, m.store.Read(context.Background(), func(ctx context.Context, tx store.Ports) error {
		for _, scope := range someScopes {
			for _, color := range []string{"", "red", "blue"} {
				rows := m.some(func(x beast) bool { return x.Scope == scope && (color == "" || x.Color == color) })
				m.checkPages(ctx, t, tx, scope, color, rows)
				m.checkWalks(ctx, t, tx, scope, color, rows)
			}
		}
		for _, x := range m.rows {
			got, err := m.kind.Get(ctx, tx, x.Scope, x.ID)
			require.NoError(t, err)
			require.Equal(t, x, got)
		}
		for _, env := range []ferry.Env{"test", "live"} {
			for _, name := range []string{"n1", "n2", "n3"} {
				m.checkName(ctx, t, tx, env, name)
			}
		}
		return nil
	}))
}

func (m *model) checkPages(ctx context.Context, t *rapid.T, tx store.Ports, scope ferry.Scope, color string, rows []beast) {
	slices.SortFunc(rows, func(a, b beast) int {
		return cmp.Or(cmp.Compare(b.At.UnixMicro(), a.At.UnixMicro()), strings.Compare(b.ID, a.ID))
	})
	q := records.Where(records.Is("color", color))
	got, err := m.kind.Page(ctx, tx, scope, q, ferry.Page{Number: 1, Limit: 100})
	require.NoError(t, err)
	require.Equal(t, rows, got.Data)
	require.Equal(t, len(rows), got.Total)
	if at := len(rows) / 2; len(m.kind.Key) == 1 && len(rows) > 2 {
		got, err := m.kind.Page(ctx, tx, scope, q, ferry.Page{Before: rows[at].ID, Limit: 100})
		require.NoError(t, err)
		require.Equal(t, rows[at+1:], got.Data)
	}
}

func (m *model) checkWalks(ctx context.Context, t *rapid.T, tx store.Ports, scope ferry.Scope, color string, rows []beast) {
	slices.SortFunc(rows, func(a, b beast) int { return strings.Compare(a.ID, b.ID) })
	q := records.Where(records.Is("env", string(scope.Env)), records.Is("business", string(scope.Business)), records.Is("color", color))
	walked := []beast{}
	for x, err := range m.kind.Walk(ctx, tx, q) {
		require.NoError(t, err)
		walked = append(walked, x)
	}
	require.Equal(t, rows, walked)
	if at := len(rows) / 2; len(rows) > 0 {
		got, err := tx.Records().After(ctx, m.kind.Shape, q, rows[at].ID, 2)
		require.NoError(t, err)
		require.Equal(t, rows[at+1:min(at+3, len(rows))], m.kind.OwnAll(got))
	}
}

func (m *model) checkName(ctx context.Context, t *rapid.T, tx store.Ports, env ferry.Env, name string) {
	rows := m.some(func(x beast) bool { return x.Scope.Env == env && x.Name == name })
	got, err := m.kind.Find(ctx, tx, beastName, beast{Scope: ferry.Scope{Env: env}, Name: name})
	if len(rows) == 0 {
		require.ErrorIs(t, err, m.kind.Missing)
		return
	}
	require.NoError(t, err)
	require.Equal(t, rows, []beast{got})
}
