package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/seal"
	"github.com/ferrypay/ferry/store"
)

// RewrapReport is what a pass of Rewrap did, in rows.
type RewrapReport struct {
	// Resealed were sealed under an older key.
	Resealed int
	// Current were sealed under the present one already.
	Current int
	// Failed do not open and were left as they are.
	Failed []Unopened
}

// Unopened is a row with a sealed text that does not open: it is damaged, in the
// place of another one, or under a key that the Sealer does not have.
type Unopened struct {
	// Kind is "address_key", "customer", "identity" or "webhook_endpoint".
	Kind  string
	Scope ferry.Scope
	// ID is the row's; that of the business for a webhook endpoint.
	ID  string
	Err error
}

// Rewrap seals anew every row that is not sealed under the present key of a
// seal.Rotating: after it, the older keys have nothing left to open. It works in
// small units beside engines that serve, and may be stopped anywhere: another
// pass does the rest. Call it again until it reseals nothing. A row that does not
// open is reported, and the pass goes on; any other error ends it, with what was
// done so far.
func (e *Engine) Rewrap(ctx context.Context) (RewrapReport, error) {
	var report RewrapReport
	err := e.eachSealed(ctx, func(v vault, page []sealedRow) error {
		stale := e.stale(page)
		report.Current += len(page) - len(stale)
		if len(stale) == 0 {
			return nil
		}
		failed, err := e.reseal(ctx, v, stale)
		if err != nil {
			return fmt.Errorf("engine: rewrap %s: %w", v.kind, err)
		}
		report.Failed = append(report.Failed, failed...)
		report.Resealed += len(stale) - len(failed)
		return nil
	})
	return report, err
}

// SealedUnder counts the texts that say to be sealed under a key of a
// seal.Rotating. While there is one, the key must not be dropped.
func (e *Engine) SealedUnder(ctx context.Context, key string) (int, error) {
	count := 0
	err := e.eachSealed(ctx, func(_ vault, page []sealedRow) error {
		for _, row := range page {
			for _, text := range row.texts {
				if seal.KeyOf(e.sealer, text) == key {
					count++
				}
			}
		}
		return nil
	})
	return count, err
}

// rewrapPage is how many rows a unit seals anew.
const rewrapPage = 32

// eachSealed yields all rows with sealed texts, a page at a time.
func (e *Engine) eachSealed(ctx context.Context, yield func(vault, []sealedRow) error) error {
	for _, env := range ferry.Envs() {
		for _, v := range e.vaults() {
			for after, more := "", true; more; {
				page, err := ferry.InRead(ctx, e.units.In(env), func(ctx context.Context, tx store.Tx) ([]sealedRow, error) {
					return v.page(ctx, tx, env, after)
				})
				if err != nil {
					return err
				}
				if more = len(page) == rewrapPage; more {
					after = page[len(page)-1].id
				}
				if err := yield(v, slices.DeleteFunc(page, sealedRow.empty)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// stale returns the rows that have a text under an older key.
func (e *Engine) stale(page []sealedRow) []sealedRow {
	var stale []sealedRow
	for _, row := range page {
		for _, text := range row.texts {
			if !seal.Current(e.sealer, text) {
				stale = append(stale, row)
				break
			}
		}
	}
	return stale
}

// reseal seals rows anew in one unit, and returns those that it left.
func (e *Engine) reseal(ctx context.Context, v vault, rows []sealedRow) ([]Unopened, error) {
	return ferry.InUnit(ctx, e.units.In(ferry.Live), func(ctx context.Context, tx store.Tx) ([]Unopened, error) {
		var failed []Unopened
		for _, row := range rows {
			err := v.reseal(ctx, e, tx, row)
			if errors.Is(err, seal.ErrTampered) {
				failed = append(failed, Unopened{v.kind, row.scope, row.id, err})
			} else if err != nil {
				return nil, err
			}
		}
		return failed, nil
	})
}
