package sqlstore

import (
	"cmp"
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// add inserts a row with version 1. A key that the unit itself has taken is
// refused at once, one that others have taken when the unit commits.
func (t *table) add(u *unit, b *records.Bound) error {
	if err := u.writable(); err != nil {
		return err
	}
	if err := t.kind.Check(b); err != nil {
		return err
	}
	*t.kind.VersionOf(b) = 1
	c, err := t.cellOf(b)
	if err != nil {
		return err
	}
	name := t.named(t.keyOf(c.same))
	if old := u.cells[name]; old != nil && old.row != nil {
		return b.Refusal(t.kind.Exists)
	}
	claims, err := t.enter(u, name, b)
	if err != nil {
		return b.Refusal(err)
	}
	args, err := t.written(b, func(column) bool { return true })
	if err != nil {
		return err
	}
	u.cover(name)
	u.batch.Steps = append(u.batch.Steps, sqldb.Step{
		SQL: t.insert, Args: args, Refuse: t.whyTaken(c.row, b.Refused), Keyed: claims == 0, Row: t.row,
	})
	c.written = !t.numbered
	u.see(name, &c)
	u.count(t.kind.ListNames(b), 1)
	return nil
}

// written returns the parameters of those columns of a row that are written.
func (t *table) written(b *records.Bound, writes func(column) bool) ([]any, error) {
	args := make([]any, 0, len(t.columns)+len(t.same))
	for _, c := range t.columns {
		switch {
		case !writes(c):
		case c.folded:
			args = append(args, t.folded(b))
		default:
			values, err := plain(b, c.from)
			if err != nil {
				return nil, err
			}
			args = append(args, values...)
		}
	}
	return args, nil
}

// folded is the column search: what a search looks in, when the columns have other letters
// than those of ASCII, of which lower() makes something else, and else NULL.
func (t *table) folded(b *records.Bound) any {
	if text, some := t.kind.Folded(b.Cells); some {
		return text
	}
	return nil
}

// whyTaken finds the key that kept a row from being written and returns its error, as refused
// makes it.
func (t *table) whyTaken(row any, refused func(error) error) func(context.Context, sqldb.Asker) error {
	return func(ctx context.Context, a sqldb.Asker) error {
		taken, err := t.taken(ctx, a, row)
		if err == nil && refused != nil {
			taken = refused(taken)
		}
		return cmp.Or(err, taken)
	}
}

// taken returns the error of the key that kept a row from being written.
func (t *table) taken(ctx context.Context, a sqldb.Asker, row any) (taken, err error) {
	b := t.kind.Bind(row)
	defer t.kind.Release(b)
	for n, x := range t.unique {
		_, in, err := t.indexed(b, n)
		if err != nil || !in {
			continue
		}
		values, err := plain(b, x.at)
		if err != nil {
			return nil, err
		}
		var ignored int64
		found, err := sqldb.One(ctx, a, "SELECT 1 FROM "+t.kind.Name+" WHERE "+x.where, values, &ignored)
		if err != nil {
			return nil, err
		}
		if found {
			return x.taken, nil
		}
	}
	return t.kind.Exists, nil
}

// replace updates a row of its scope whose version is still the stored one: the error of a
// missing row, ferry.ErrStale.
func (t *table) replace(ctx context.Context, u *unit, b *records.Bound) error {
	if err := u.writable(); err != nil {
		return err
	}
	key, err := plain(b, t.same[:len(t.kind.Key)])
	if err != nil {
		return err
	}
	stored, err := t.cell(ctx, u, key)
	if err != nil {
		return err
	}
	u.unsure = u.unsure || u.cached && len(t.kind.Summed) > 0
	if stored.row == nil || t.kind.Owner(stored.row) != t.kind.Owner(b.Row) {
		return t.kind.Missing
	}
	old := t.kind.Bind(stored.row)
	defer t.kind.Release(old)
	if *t.kind.VersionOf(old) != *t.kind.VersionOf(b) {
		return ferry.ErrStale
	}
	t.kind.Keep(old, b)
	if err := t.kind.Check(b); err != nil {
		return err
	}
	*t.kind.VersionOf(b)++
	name := t.named(key)
	t.leave(u, old)
	if _, err := t.enter(u, name, b); err != nil {
		_, _ = t.enter(u, name, old)
		return err
	}
	args, err := t.written(b, func(c column) bool { return !c.apart })
	if err != nil {
		return err
	}
	c, err := t.cellOf(b)
	if err != nil {
		return err
	}
	of := name.text()
	if t.guardUnique(u, old, b) {
		of = "" // another row may take or have taken its names
	}
	u.cover(name)
	u.doOf(of, sqldb.Refusal(sqldb.ErrRerun), t.update, append(args, stored.same...)...)
	c.written = !t.numbered
	u.see(name, &c)
	u.count(t.kind.ListNames(old), -1)
	u.count(t.kind.ListNames(b), 1)
	return nil
}

// guardUnique refuses a row whose unique columns have become those of another
// row. (An update has no ON CONFLICT, and the text of a broken constraint is
// nothing to rely on.) It reports whether the row has other unique columns than before.
func (t *table) guardUnique(u *unit, stored, row *records.Bound) (other bool) {
	for n, x := range t.unique {
		before, was, _ := t.indexed(stored, n)
		after, is, _ := t.indexed(row, n)
		other = other || was != is || before != after
		if !is || was && before == after {
			continue
		}
		values, _ := plain(row, x.at)
		u.ask(sqldb.Refusal(x.taken), t.absent(x.where), values...)
	}
	return other
}

// remove deletes a row that a list of the snapshot has, unless the unit has removed it.
func (t *table) remove(ctx context.Context, u *unit, row any) error {
	b := t.kind.Bind(row)
	defer t.kind.Release(b)
	key, err := plain(b, t.same[:len(t.kind.Key)])
	if err != nil {
		return err
	}
	c, err := t.cell(ctx, u, key)
	if err != nil || c.row == nil {
		return err
	}
	t.kind.Load(b, c.row)
	name := t.named(key)
	t.leave(u, b)
	u.cover(name)
	u.doOf(name.text(), sqldb.Refusal(sqldb.ErrRerun), t.delete, c.same...)
	u.see(name, &cell{written: !t.numbered})
	u.count(t.kind.ListNames(b), -1)
	return nil
}

// enter makes a row known by its unique columns, by all of them or by none, and returns how
// many unique indexes it is in; the error of those that another row of this unit has.
func (t *table) enter(u *unit, name rowKey, row *records.Bound) (indexes int, err error) {
	var claims []rowKey
	for n, x := range t.unique {
		columns, in, err := t.indexed(row, n)
		if err != nil {
			return 0, err
		}
		if !in {
			continue
		}
		if other, taken := u.unique[columns]; taken && other != name {
			return 0, x.taken
		}
		claims = append(claims, columns)
	}
	for _, columns := range claims {
		u.claim(columns, name)
	}
	return len(claims), nil
}

// leave makes a row unknown by its unique columns.
func (t *table) leave(u *unit, row *records.Bound) {
	for n := range t.unique {
		if columns, in, err := t.indexed(row, n); err == nil && in {
			delete(u.unique, columns)
		}
	}
}
