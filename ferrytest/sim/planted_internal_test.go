package sim

import (
	"context"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

// known are runs of the first seeds, at rest. They are only looked at.
var known struct {
	sync.Mutex
	runs []*run
}

const checkedSteps = 1400

// seedWith is the first seed whose run has something.
func seedWith(has func(*run) bool) uint64 {
	known.Lock()
	defer known.Unlock()
	for n := 0; ; n++ {
		if n == len(known.runs) {
			r, err := newRun(Config{Seed: uint64(n)}.withDefaults())
			if err != nil || r.live(checkedSteps) != nil {
				r = nil
			}
			known.runs = append(known.runs, r)
		}
		if r := known.runs[n]; r != nil && has(r) {
			return r.seed
		}
	}
}

// most reports whether a run has what most checks look at.
func most(r *run) bool {
	for _, k := range []*kind{payment, payout, fiatTransfer, refund, sending} {
		if r.result().Made[k.name+" "+k.done] == 0 {
			return false
		}
	}
	return true
}

// planted is something wrong that a check has to see, once a run is at rest: in a run that has most, or in
// one that has a certain thing.
type planted struct {
	check, name string
	plant       any // func(*testing.T, *run, *owner) or plantedAt
}

// plantedAt is something wrong with a thing.
type plantedAt struct {
	find  func(*run) *thing
	plant func(r *run, found *thing)
}

// needing is a plant that needs a thing of a run.
func needing(find func(*run) *thing, plant func(r *run, found *thing)) plantedAt {
	return plantedAt{find, plant}
}

// run is a run in which it was planted.
func (p planted) run(t *testing.T) *run {
	at, needs := p.plant.(plantedAt)
	has := most
	if needs {
		has = func(r *run) bool { return at.find(r) != nil }
	}
	r, err := newRun(Config{Seed: seedWith(has)}.withDefaults())
	require.NoError(t, err)
	require.NoError(t, r.live(checkedSteps))
	if needs {
		at.plant(r, at.find(r))
	} else {
		p.plant.(func(*testing.T, *run, *owner))(t, r, r.businesses[0]) //nolint:forcetypeassert // it is nothing else
	}
	return r
}

// the returns a thing of the run that came to a success.
func the(t *testing.T, o *owner, k *kind) *thing {
	for _, other := range o.run.businesses {
		for _, found := range other.things {
			if found.kind == k && found.status == k.done && found.into == nil {
				return found
			}
		}
	}
	t.Fatalf("no %s came to a success in this run", k.name)
	return nil
}

// paidInUSDC returns an order that USDC have paid, or nil.
func paidInUSDC(r *run) *thing {
	for _, other := range r.businesses {
		for _, found := range other.things {
			if !found.isOrder() || found.status != found.done {
				continue
			}
			if receipts := other.receiptsOf(found); len(receipts) > 0 && receipts[0].status == "settled" {
				return found
			}
		}
	}
	return nil
}

// approved finds a payout that was approved and paid, or nil.
func approved(r *run) *thing {
	for _, found := range r.businesses[1].things {
		if found.kind == payout && found.approved && found.status == found.done {
			return found
		}
	}
	return nil
}

// recallable finds a virtual account with a credit that the bank can still take back, or nil.
func recallable(r *run) *thing {
	for _, o := range r.businesses {
		for _, found := range o.things {
			if c := o.keptCredit(found); found.kind == till && c != nil && c.recalled == 0 {
				return found
			}
		}
	}
	return nil
}

// made finds a thing of a kind that has a status, or any, or nil.
func made(k *kind, status string) func(*run) *thing {
	return func(r *run) *thing {
		for _, other := range r.businesses {
			for _, found := range other.things {
				if found.kind == k && found.made && (found.status == status || status == "") {
					return found
				}
			}
		}
		return nil
	}
}

// tested sends a webhook that tells of nothing.
func (o *owner) tested() {
	o.now(http.MethodPost, "/v1/webhook/test", object{})
	o.run.rest() //nolint:errcheck // noted
}

// spend takes all naira of the business.
func (o *owner) spend() {
	r := o.run
	r.must(r.store.Write(context.Background(), func(ctx context.Context, tx store.Ports) error {
		account := ledger.BusinessAccount(o.scope, money.AssetNGN)
		has, err := tx.Ledger().Account(ctx, account)
		if err != nil {
			return err
		}
		return ledger.Post(ctx, tx.Ledger(), ledger.Move("planted", ferry.Test, "planted", "",
			account, ledger.SystemAccount(ferry.Test, ledger.PlatformFees, money.AssetNGN), has.Posted, r.clock.now))
	}))
}

func reads(found *thing, body string) {
	a := answer{status: http.StatusOK, raw: []byte(body)}
	a.parse()
	found.by.run.witness.hear(&call{by: found.by, reads: found, began: found.heard + 1}, a)
}
