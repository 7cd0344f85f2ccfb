package memstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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

func define(key []string) *records.Kind[string, beast] {
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

var plainBeast = define(nil)
var keyedBeast = define([]string{"env", "business", "id"})

type model struct {
	rows map[string]beast
}

func (m model) clone() model {
	n := model{map[string]beast{}}
	for k, v := range m.rows {
		n.rows[k] = v
	}
	return n
}

var errBack = errors.New("back")

func TestTheStoreHasTheRowsOfAModel(t *testing.T) {
	for name, kind := range map[string]*records.Kind[string, beast]{"plain": plainBeast, "keyed": keyedBeast} {
		t.Run(name, func(t *testing.T) { rapid.Check(t, func(t *rapid.T) { attack(t, kind) }) })
	}
}

func attack(t *rapid.T, kind *records.Kind[string, beast]) {
	ctx := context.Background()
	s := New()
	keyed := len(kind.Key) == 3
	keyOf := func(sc ferry.Scope, id string) string {
		if keyed {
			return string(sc.Env) + "/" + string(sc.Business) + "/" + id
		}
		return id
	}
	m := model{map[string]beast{}}
	var snap *model
	scopes := []ferry.Scope{{Env: "test", Business: "a"}, {Env: "test", Business: "b"}, {Env: "live", Business: "a"}}
	ids := rapid.OneOf(rapid.StringMatching("[a-c]{1,2}"), rapid.StringMatching("[ab][0-9a-f]{32}"), rapid.SampledFrom([]string{"é", "x\x00y", "ü\xff"}))
	next := 0
	color := rapid.SampledFrom([]string{"", "red", "blue", "a\x00b"})
	nameG := rapid.SampledFrom([]string{"", "", "n1", "n2", "n3"})
	base := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	times := rapid.SampledFrom([]time.Time{base, base.Add(time.Microsecond), base.Add(1500 * time.Nanosecond), time.Unix(-1, 5).UTC(), {}, base.Add(time.Hour)})
	norm := func(x beast) beast {
		if x.At.IsZero() {
			x.At = time.Time{}
		} else {
			x.At = time.UnixMicro(x.At.UnixMicro()).UTC()
		}
		return x
	}
	check := func() {
		require.NoError(t, s.Read(ctx, func(ctx context.Context, tx store.Ports) error {
			for _, sc := range scopes {
				var mine []beast
				for _, r := range m.rows {
					if r.Scope == sc {
						mine = append(mine, r)
					}
				}
				slices.SortFunc(mine, func(a, b beast) int {
					return cmp.Or(cmp.Compare(b.At.UnixMicro(), a.At.UnixMicro()), strings.Compare(b.ID, a.ID))
				})
				for _, c := range []string{"", "red", "blue"} {
					want := []beast{}
					for _, r := range mine {
						if c == "" || r.Color == c {
							want = append(want, r)
						}
					}
					q := records.Where(records.Is("color", c))
					got, err := kind.Page(ctx, tx, sc, q, ferry.Page{Number: 1, Limit: 100})
					require.NoError(t, err)
					require.Equal(t, want, got.Data)
					require.Equal(t, len(want), got.Total)
					if !keyed && len(want) > 2 {
						at := len(want) / 2
						got, err := kind.Page(ctx, tx, sc, q, ferry.Page{Before: want[at].ID, Limit: 100})
						require.NoError(t, err)
						require.Equal(t, want[at+1:], got.Data)
					}
					// walk
					slices.SortFunc(want, func(a, b beast) int { return strings.Compare(a.ID, b.ID) })
					q = records.Where(records.Is("env", string(sc.Env)), records.Is("business", string(sc.Business)), records.Is("color", c))
					walked := []beast{}
					for r, err := range kind.Walk(ctx, tx, q) {
						require.NoError(t, err)
						walked = append(walked, r)
					}
					require.Equal(t, want, walked)
					if len(want) > 0 {
						got, err := tx.Records().After(ctx, kind.Shape, q, want[len(want)/2].ID, 2)
						require.NoError(t, err)
						w := want[len(want)/2+1:]
						w = w[:min(2, len(w))]
						require.Equal(t, append([]beast{}, w...), kind.OwnAll(got))
					}
				}
				for _, r := range mine {
					got, err := kind.Get(ctx, tx, sc, r.ID)
					require.NoError(t, err)
					require.Equal(t, r, got)
					if r.Name != "" {
						got, err := kind.Find(ctx, tx, beastName, beast{Scope: sc, Name: r.Name})
						require.NoError(t, err)
						require.Equal(t, r, got)
					}
				}
			}
			for _, n := range []string{"n1", "n2", "n3"} {
				for _, e := range []ferry.Env{"test", "live"} {
					got, err := kind.Find(ctx, tx, beastName, beast{Scope: ferry.Scope{Env: e}, Name: n})
					if err == nil {
						require.Equal(t, got, m.rows[keyOf(got.Scope, got.ID)])
					}
				}
			}
			return nil
		}))
	}
	unit := func(t *rapid.T) {
		n := m.clone()
		back := rapid.IntRange(0, 2).Draw(t, "back") == 0
		err := s.Write(ctx, func(ctx context.Context, tx store.Ports) error {
			for range rapid.IntRange(1, 8).Draw(t, "n") {
				sc := rapid.SampledFrom(scopes).Draw(t, "sc")
				switch op := rapid.IntRange(0, 9).Draw(t, "op"); {
				case op < 4:
					x := beast{Scope: sc, Name: nameG.Draw(t, "name"), Color: color.Draw(t, "color"), At: times.Draw(t, "at")}
					if rapid.Bool().Draw(t, "asc") {
						next++
						x.ID = fmt.Sprintf("z%06d", next)
					} else {
						x.ID = ids.Draw(t, "id")
					}
					switch rapid.IntRange(0, 4).Draw(t, "meta") {
					case 1:
						x.Meta = map[string]any{}
					case 2:
						x.Meta = map[string]any{"a": "<&>", "b": []any{}}
					case 3:
						x.Raw = []byte{}
					case 4:
						x.Raw = []byte(strings.Repeat("q", rapid.IntRange(0, 40000).Draw(t, "raw")))
					}
					taken := false
					for _, r := range n.rows {
						if x.Name != "" && r.Name == x.Name && r.Scope.Env == sc.Env {
							taken = true
						}
					}
					_, exists := n.rows[keyOf(sc, x.ID)]
					err := kind.Insert(ctx, tx, x)
					if taken || exists {
						require.Error(t, err)
						continue
					}
					require.NoError(t, err)
					x.Version = 1
					n.rows[keyOf(sc, x.ID)] = norm(x)
				case op < 8:
					var keys []string
					for k := range n.rows {
						keys = append(keys, k)
					}
					if len(keys) == 0 {
						continue
					}
					slices.Sort(keys)
					k := rapid.SampledFrom(keys).Draw(t, "k")
					old := n.rows[k]
					x := old
					x.Name, x.Color = nameG.Draw(t, "name"), color.Draw(t, "color")
					if rapid.Bool().Draw(t, "big") {
						x.Raw = []byte(strings.Repeat("w", rapid.IntRange(0, 20000).Draw(t, "raw")))
					}
					taken := false
					for kk, r := range n.rows {
						if kk != k && x.Name != "" && r.Name == x.Name && r.Scope.Env == x.Scope.Env {
							taken = true
						}
					}
					err := kind.Update(ctx, tx, x)
					if taken {
						require.Error(t, err)
						continue
					}
					require.NoError(t, err)
					x.Version++
					n.rows[k] = x
				default:
					before := times.Draw(t, "before")
					limit := rapid.IntRange(0, 3).Draw(t, "limit")
					var old []beast
					for _, r := range n.rows {
						if r.Scope.Env == sc.Env && r.At.UnixMicro() < before.UnixMicro() {
							old = append(old, r)
						}
					}
					slices.SortFunc(old, func(a, b beast) int {
						return cmp.Or(cmp.Compare(a.At.UnixMicro(), b.At.UnixMicro()), strings.Compare(keyOf(a.Scope, a.ID), keyOf(b.Scope, b.ID)))
					})
					got, err := tx.Records().Purge(ctx, kind.Shape, sc.Env, before, limit)
					require.NoError(t, err)
					require.Equal(t, min(limit, len(old)), got)
					for _, r := range old[:got] {
						delete(n.rows, keyOf(r.Scope, r.ID))
					}
				}
			}
			if back {
				return errBack
			}
			return nil
		})
		if back {
			require.ErrorIs(t, err, errBack)
		} else {
			require.NoError(t, err)
			m = n
		}
	}
	t.Repeat(map[string]func(*rapid.T){
		"unit": unit, "unit2": unit, "unit3": unit, "unit4": unit,
		"snapshot": func(*rapid.T) {
			require.NoError(t, s.Snapshot(ctx))
			c := m.clone()
			snap = &c
		},
		"restore": func(*rapid.T) {
			if snap != nil {
				require.NoError(t, s.Restore(ctx))
				m = snap.clone()
			}
		},
		"reset": func(t *rapid.T) {
			if rapid.IntRange(0, 3).Draw(t, "r") == 0 {
				require.NoError(t, s.Reset(ctx))
				m = model{map[string]beast{}}
			}
		},
		"": func(*rapid.T) { check() },
	})
}
