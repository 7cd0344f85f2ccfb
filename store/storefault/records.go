package storefault

import (
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/records"
)

// Records returns the rows of all kinds with hooks around each operation, which is named
// after the table, as in "payments.Get".
func (h hooked) Records() records.Store { return &recordsPort{h.Ports.Records(), h.hooks} }

type recordsPort struct {
	rows records.Store
	hooks
}

func (p *recordsPort) Insert(ctx context.Context, kind *records.Shape, row *records.Bound) error {
	if err := p.before(kind.Name + ".Insert"); err != nil {
		return err
	}
	return p.after(p.rows.Insert(ctx, kind, row))
}

func (p *recordsPort) Update(ctx context.Context, kind *records.Shape, row *records.Bound) error {
	if err := p.before(kind.Name + ".Update"); err != nil {
		return err
	}
	return p.after(p.rows.Update(ctx, kind, row))
}

func (p *recordsPort) Get(ctx context.Context, kind *records.Shape, scope ferry.Scope, id string) (any, error) {
	if err := p.before(kind.Name + ".Get"); err != nil {
		return nil, err
	}
	return p.rows.Get(ctx, kind, scope, id)
}

func (p *recordsPort) Anyones(ctx context.Context, kind *records.Shape, like *records.Bound) (any, error) {
	if err := p.before(kind.Name + ".Anyones"); err != nil {
		return nil, err
	}
	return p.rows.Anyones(ctx, kind, like)
}

func (p *recordsPort) Find(ctx context.Context, kind *records.Shape, by *records.Unique, like *records.Bound) (any, error) {
	if err := p.before(kind.Name + ".Find"); err != nil {
		return nil, err
	}
	return p.rows.Find(ctx, kind, by, like)
}

func (p *recordsPort) After(ctx context.Context, kind *records.Shape, q records.Query, after string, limit int) ([]any, error) {
	if err := p.before(kind.Name + ".After"); err != nil {
		return nil, err
	}
	return p.rows.After(ctx, kind, q, after, limit)
}

func (p *recordsPort) Page(ctx context.Context, kind *records.Shape, scope ferry.Scope, q records.Query, page ferry.Page) (ferry.List[any], error) {
	if err := p.before(kind.Name + ".Page"); err != nil {
		return ferry.List[any]{}, err
	}
	return p.rows.Page(ctx, kind, scope, q, page)
}
