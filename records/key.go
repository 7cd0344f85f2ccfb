package records

import (
	"fmt"

	"github.com/ferrypay/ferry"
)

// within is the columns of the key before that of the id.
func (k *Shape) within() []string { return k.Key[:len(k.Key)-1] }

func (k *Shape) defineKey() {
	if k.Key == nil {
		k.Key = []string{"id"}
	}
	k.id = k.at(k.IDColumn())
	for _, c := range k.within() {
		if c != "env" && c != "business" {
			panic(fmt.Sprintf("records: the key of %s begins with %s", k.Name, c))
		}
	}
}

// IDColumn returns the name of the column of the id.
func (k *Shape) IDColumn() string { return k.Key[len(k.Key)-1] }

// ID returns the id of a row.
func (k *Shape) ID(b *Bound) string {
	id, _ := b.Cells[k.id].Value.Key()
	return id
}

// KeyValues returns the values of the key of a row of a scope.
func (k *Shape) KeyValues(scope ferry.Scope, id string) []any {
	values := make([]any, 0, len(k.Key))
	for _, c := range k.within() {
		values = append(values, part(scope, c))
	}
	return append(values, id)
}

// KeyText returns the key of a row of a scope as one text. No two keys have the same
// one, and keys that differ by the id alone are in the order of the ids.
func (k *Shape) KeyText(scope ferry.Scope, id string) string {
	if len(k.Key) == 1 {
		return id
	}
	var room [128]byte
	return string(k.appendKey(room[:0], scope, id))
}

// KeyOf is KeyText of a row.
func (k *Shape) KeyOf(b *Bound) string { return k.KeyText(k.Owner(b.Row), k.ID(b)) }

// appendKey appends what KeyText returns.
func (k *Shape) appendKey(to []byte, scope ferry.Scope, id string) []byte {
	for _, c := range k.within() {
		to = append(append(to, part(scope, c)...), '/')
	}
	return append(to, id...)
}

// Walked returns the scope whose rows a query walks, as far as the key names it. It
// refuses a query of more rows than those that an id names one of.
func (k *Shape) Walked(q Query) (ferry.Scope, error) {
	for _, c := range k.within() {
		if q.value(c) == "" {
			return ferry.Scope{}, fmt.Errorf("records: a walk of %s must say the %s", k.Name, c)
		}
	}
	return ferry.Scope{Env: ferry.Env(q.value("env")), Business: ferry.BusinessID(q.value("business"))}, nil
}

// part is a part of a scope by the name of its column.
func part(scope ferry.Scope, column string) string {
	if column == "env" {
		return string(scope.Env)
	}
	return string(scope.Business)
}
