package payouts

import (
	"context"
	"errors"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// Ref names a payout, or one of its items. All names that are given must lead to the same
// payout.
type Ref struct {
	// ID is the id in either form.
	ID        string
	Reference string
	// Name is the id in either form, or the reference.
	Name string
	// Item is the id of an item in either form. The bank has it as the key of the payment.
	Item          string
	ItemReference string
	// SessionID is the bank's own id of the payment of an item.
	SessionID string
	// Type keeps payouts of a type only, unless it is empty.
	Type Type
}

// finders find the payout for each name of a Ref, or return ErrNotFound.
var finders = []struct {
	name func(Ref) string
	find func(ctx context.Context, tx records.Tx, scope ferry.Scope, name string) (Payout, error)
}{
	{func(r Ref) string { return r.ID }, byID},
	{func(r Ref) string { return r.Reference }, byReference},
	{func(r Ref) string { return r.Name }, byName},
	{func(r Ref) string { return r.Item }, byItem},
	{func(r Ref) string { return r.ItemReference }, byItemReference},
	{func(r Ref) string { return r.SessionID }, bySession},
}

// Get returns the payout that ref names with its items, or ErrNotFound.
func (s *Service) Get(ctx context.Context, scope ferry.Scope, ref Ref) (Details, error) {
	return ferry.InRead(ctx, s.units.Of(scope), func(ctx context.Context, tx Tx) (Details, error) { return GetIn(ctx, tx, scope, ref) })
}

// GetIn is Get within a unit. It does not show what the unit itself has written.
func GetIn(ctx context.Context, tx records.Tx, scope ferry.Scope, ref Ref) (Details, error) {
	p, err := find(ctx, tx, scope, ref)
	if err != nil {
		return Details{}, err
	}
	found := Details{p, make([]Item, p.Counts.Total())}
	for item, err := range ItemKind.Newest(ctx, tx, scope, records.Where(records.Is("payout", p.ID))) {
		if err != nil {
			return Details{}, err
		}
		found.Items[item.Number-1] = item
	}
	return found, nil
}

func find(ctx context.Context, tx records.Tx, scope ferry.Scope, ref Ref) (p Payout, err error) {
	for _, by := range finders {
		name := by.name(ref)
		if name == "" {
			continue
		}
		found, err := by.find(ctx, tx, scope, name)
		switch {
		case err != nil:
			return Payout{}, err
		case p.ID != "" && p.ID != found.ID:
			return Payout{}, ErrNotFound
		}
		p = found
	}
	if p.ID == "" || ref.Type != "" && p.Type != ref.Type {
		return Payout{}, ErrNotFound
	}
	return p, nil
}

func byID(ctx context.Context, tx records.Tx, scope ferry.Scope, name string) (Payout, error) {
	id, ok := ferry.CanonicalID(Prefix, name)
	if !ok {
		return Payout{}, ErrNotFound
	}
	return Kind.Get(ctx, tx, scope, ID(id))
}

func byReference(ctx context.Context, tx records.Tx, scope ferry.Scope, name string) (Payout, error) {
	return Kind.Find(ctx, tx, ByReference, Payout{Scope: scope, Reference: name})
}

// byName finds a payout by its id. A reference may look like an id.
func byName(ctx context.Context, tx records.Tx, scope ferry.Scope, name string) (Payout, error) {
	p, err := byID(ctx, tx, scope, name)
	if errors.Is(err, ErrNotFound) {
		return byReference(ctx, tx, scope, name)
	}
	return p, err
}

func byItem(ctx context.Context, tx records.Tx, scope ferry.Scope, name string) (Payout, error) {
	id, ok := ferry.CanonicalID(ItemPrefix, name)
	if !ok {
		return Payout{}, ErrNotFound
	}
	item, err := ItemKind.Get(ctx, tx, scope, ItemID(id))
	if err != nil {
		return Payout{}, err
	}
	return Kind.Get(ctx, tx, scope, item.Payout)
}

func byItemReference(ctx context.Context, tx records.Tx, scope ferry.Scope, name string) (Payout, error) {
	item, err := ItemKind.Find(ctx, tx, ItemByReference, Item{Scope: scope, Reference: name})
	if err != nil {
		return Payout{}, err
	}
	return Kind.Get(ctx, tx, scope, item.Payout)
}

// bySession returns the payout of the first item that has the session.
func bySession(ctx context.Context, tx records.Tx, scope ferry.Scope, name string) (Payout, error) {
	item, err := ofSession(ctx, tx, scope, name)
	if err != nil {
		return Payout{}, err
	}
	return Kind.Get(ctx, tx, scope, item.Payout)
}

// ofSession returns the first item that has the session.
func ofSession(ctx context.Context, tx records.Tx, scope ferry.Scope, name string) (Item, error) {
	own := records.Where(records.Is("env", scope.Env), records.Is("business", scope.Business), records.Is("bank_session", name))
	for item, err := range ItemKind.Walk(ctx, tx, own) {
		if err != nil {
			return Item{}, err
		}
		return item, nil
	}
	return Item{}, ErrNotFound
}
