package sqlstore

import (
	"context"
	"fmt"
	"slices"

	"github.com/ferrypay/ferry"
)

// insert adds a row with its first version. A key that the unit itself has taken is
// refused at once, one that others have taken when the unit commits.
func (t *table[R]) insert(u *unit, row R) error {
	if err := u.writable(); err != nil {
		return err
	}
	b := t.borrow(row)
	defer t.release(b)
	if err := t.checked(b); err != nil {
		return err
	}
	version := t.firstVersion(row)
	*b.version = version
	key, err := b.values(t.sql.key)
	if err != nil {
		return err
	}
	name := rowKey{t.name, keyText(key)}
	if c := u.cells[name]; c != nil && c.found {
		return t.existsError(key)
	}
	if err := t.enter(u, name, b); err != nil {
		return err
	}
	args, err := b.insertArgs()
	if err != nil {
		return err
	}
	u.cover(name)
	stored := t.taken(b)
	u.do(t.whyTaken(stored, key), t.sql.insert, args...)
	u.see(name, &cell{stored, true, version})
	t.count(u, b, 1)
	return nil
}

// checked refuses a row that its table does not take.
func (t *table[R]) checked(b *bound[R]) error {
	if t.shape == nil {
		return nil
	}
	return t.shape.Check(b.of)
}

func (t *table[R]) firstVersion(row R) int64 {
	if t.first == nil {
		return 1
	}
	return t.first(row)
}

func (t *table[R]) existsError(key []any) error {
	if t.exists != nil {
		return t.exists
	}
	return fmt.Errorf("sqlstore: %s has a row %v", t.name, key)
}

// insertArgs returns the parameters of an insert.
func (b *bound[R]) insertArgs() ([]any, error) {
	args := make([]any, 0, len(b.fields)+1)
	for _, f := range b.fields {
		if f.given != "" {
			args = append(args, f.args...)
		} else {
			args = append(args, f.at)
		}
	}
	return plainAll(append(args, *b.version))
}

// whyTaken finds the key that kept a row from being written and returns its error.
func (t *table[R]) whyTaken(row R, key []any) func(context.Context, asker) error {
	return func(ctx context.Context, a asker) error {
		b := t.borrow(row)
		defer t.release(b)
		for n, x := range t.unique {
			_, in, err := t.indexed(b, n)
			if err != nil || !in {
				continue
			}
			values, err := b.values(x.at)
			if err != nil {
				return err
			}
			var ignored int64
			found, err := one(ctx, a, "SELECT 1 FROM "+t.name+" WHERE "+x.where(), values, &ignored)
			if err != nil {
				return err
			}
			if found {
				return x.taken
			}
		}
		return t.existsError(key)
	}
}

// update replaces a row of its scope whose version is still the stored one: the
// table's missing error, ferry.ErrStale.
func (t *table[R]) update(ctx context.Context, u *unit, row R) error {
	if err := u.writable(); err != nil {
		return err
	}
	b := t.borrow(row)
	defer t.release(b)
	key, err := b.values(t.sql.key)
	if err != nil {
		return err
	}
	c, err := t.cell(ctx, u, key)
	switch {
	case err != nil:
		return err
	case !c.found || t.foreign(c.row.(R), row):
		return t.missing
	case c.version != *b.version:
		return ferry.ErrStale
	}
	old := t.borrow(c.row.(R))
	defer t.release(old)
	t.keepFixed(old, b)
	if err := t.checked(b); err != nil {
		return err
	}
	return t.replace(u, rowKey{t.name, keyText(key)}, key, old, b)
}

// keepFixed gives a row what an update never changes.
func (t *table[R]) keepFixed(old, row *bound[R]) {
	if t.shape != nil {
		t.shape.Keep(old.of, row.of)
	}
}

// replace writes a new row in the place of the stored one.
func (t *table[R]) replace(u *unit, name rowKey, key []any, old, row *bound[R]) error {
	version := *old.version
	*row.version = version + 1
	t.leave(u, old)
	if err := t.enter(u, name, row); err != nil {
		_ = t.enter(u, name, old)
		return err
	}
	args := make([]any, 0, len(row.fields)+len(key)+2)
	for _, f := range row.fields {
		if t.updated(f) {
			args = append(args, f.at)
		}
	}
	args, err := plainAll(append(args, version+1))
	if err != nil {
		return err
	}
	t.guardUnique(u, old, row)
	u.cover(name)
	u.do(refusal(errRerun), t.sql.update, append(append(args, key...), version)...)
	u.see(name, &cell{t.taken(row), true, version + 1})
	t.count(u, old, -1)
	t.count(u, row, 1)
	return nil
}

// guardUnique refuses a row whose unique columns have become those of another
// row. (An update has no ON CONFLICT, and the text of a broken constraint is
// nothing to rely on.)
func (t *table[R]) guardUnique(u *unit, stored, row *bound[R]) {
	for n, x := range t.unique {
		before, was, _ := t.indexed(stored, n)
		after, is, _ := t.indexed(row, n)
		if !is || was && before == after {
			continue
		}
		values, _ := row.values(x.at)
		u.ask(refusal(x.taken), "SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM "+t.name+" WHERE "+x.where()+")", values...)
	}
}

// remove deletes a row that the unit has read.
func (t *table[R]) remove(u *unit, row R) error {
	b := t.borrow(row)
	defer t.release(b)
	key, err := b.values(t.sql.key)
	if err != nil {
		return err
	}
	name := rowKey{t.name, keyText(key)}
	t.leave(u, b)
	u.cover(name)
	u.do(refusal(errRerun), t.sql.delete, append(slices.Clone(key), *b.version)...)
	u.see(name, &cell{})
	t.count(u, b, -1)
	return nil
}

// enter makes a row known by its unique columns, by all of them or by none; the
// error of those that another row of this unit has.
func (t *table[R]) enter(u *unit, name rowKey, row *bound[R]) error {
	var claims []rowKey
	for n, x := range t.unique {
		columns, in, err := t.indexed(row, n)
		if err != nil {
			return err
		}
		if !in {
			continue
		}
		if other, taken := u.unique[columns]; taken && other != name {
			return x.taken
		}
		claims = append(claims, columns)
	}
	for _, columns := range claims {
		u.claim(columns, name)
	}
	return nil
}

// leave makes a row unknown by its unique columns.
func (t *table[R]) leave(u *unit, row *bound[R]) {
	for n := range t.unique {
		if columns, in, err := t.indexed(row, n); err == nil && in {
			delete(u.unique, columns)
		}
	}
}

func (t *table[R]) count(u *unit, b *bound[R], by int64) {
	if t.shape != nil {
		u.count(t.shape.ListNames(b.of), by)
	}
}
