package operation_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/operation"
	"github.com/ferrypay/ferry/store"
)

var (
	home  = ferry.Scope{Business: "biz_1", Env: ferry.Test}
	vault = ledger.BusinessAccount(home, money.AssetNGN)
	bank  = ledger.SystemAccount(home.Env, ledger.Bank, money.AssetNGN)

	errRefused = ferry.NewError(ferry.Invalid, "toy_refused", "The bank refuses")
	errDown    = ferry.NewError(ferry.Unavailable, "toy_down", "The bank does not answer")
)

// toy is a domain whose only operation pays out from a vault of 1000 kobo: the money is
// reserved, the bank is asked, the reservation is settled.
type toy struct {
	t     *testing.T
	units ferry.EnvUnits[store.Tx]

	mu      sync.Mutex
	now     time.Time
	paid    map[string]int // how often the bank was asked, by payout
	resumed string         // the payout with which the newest run goes on
	at      map[string]func() error
}

// payout is what the operation returns.
type payout struct {
	ID     ledger.ReservationID
	Amount money.Amount
	State  ledger.ReservationState
}

func newToy(t *testing.T) *toy { return newToyOn(t, memstore.New()) }

func newToyOn(t *testing.T, backend store.Backend) *toy {
	t.Helper()
	d := &toy{t: t, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), paid: map[string]int{}, at: map[string]func() error{}}
	d.units = store.Open(backend, ferry.OneClock(d), ferry.NewIDs(rand.Reader))
	require.NoError(t, d.write(func(ctx context.Context, tx store.Tx) error {
		for _, a := range append(ledger.SystemAccounts(home.Env), ledger.Account{ID: vault, Scope: home, Asset: money.AssetNGN}) {
			if err := tx.Ledger().OpenAccount(ctx, a); err != nil {
				return err
			}
		}
		return ledger.Post(ctx, tx.Ledger(), ledger.Move("seed", home.Env, "seed", "", bank, vault, money.NGN(1000), tx.Now()))
	}))
	return d
}

// Now is the time of the store and of the machine.
func (d *toy) Now() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

func (d *toy) pass(wait time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = d.now.Add(wait)
}

func (d *toy) write(body func(context.Context, store.Tx) error) error {
	return d.units.In(home.Env).Write(d.t.Context(), body)
}

// once has something happen at the next visit of a place.
func (d *toy) once(place string, happens func() error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.at[place] = happens
}

func (d *toy) visit(place string) error {
	d.mu.Lock()
	happens := d.at[place]
	delete(d.at, place)
	d.mu.Unlock()
	if happens == nil {
		return nil
	}
	return happens()
}

// payOp is the operation. Its places are "prepare", "record", "recorded", "act", "acted",
// "conclude", "concluded" and "abandon"; an error at "act" is the answer of the bank.
func (d *toy) payOp(kobo int64) ferry.Operation[store.Tx, payout] {
	return ferry.Operation[store.Tx, payout]{
		Name: "toy.Pay", Scope: home, Params: kobo, Units: d.units.Of(home), Refusals: []*ferry.Error{errRefused},
		Begin: func() ferry.Steps[store.Tx, payout] { return (&paying{toy: d, amount: money.NGN(kobo)}).steps() },
	}
}

type paying struct {
	*toy
	amount money.Amount
	id     string
	answer error
}

func (p *paying) steps() ferry.Steps[store.Tx, payout] {
	return ferry.Steps[store.Tx, payout]{
		Prepare: p.prepare, Record: p.record, Act: p.act, Conclude: p.conclude, Abandon: p.abandon, Recall: recall,
	}
}

func (p *paying) prepare(_ context.Context, resource string) error {
	p.mu.Lock()
	p.resumed = resource
	p.mu.Unlock()
	return p.visit("prepare")
}

func (p *paying) record(ctx context.Context, tx store.Tx, resource string) (step ferry.Step[payout], err error) {
	if err := p.visit("record"); err != nil {
		return step, err
	}
	if p.id = resource; resource == "" {
		p.id = tx.NewID("pay_")
		err = ledger.Reserve(ctx, tx.Ledger(), ledger.Reservation{ID: ledger.ReservationID(p.id), Account: vault, Amount: p.amount, At: tx.Now()})
	}
	if err == nil {
		err = p.visit("recorded")
	}
	return ferry.Step[payout]{Resource: p.id, Open: true}, err
}

func (p *paying) act(context.Context) {
	if p.answer = p.visit("act"); p.answer == nil {
		p.mu.Lock()
		p.paid[p.id]++
		p.mu.Unlock()
	}
	_ = p.visit("acted")
}

func (p *paying) conclude(ctx context.Context, tx store.Tx) (step ferry.Step[payout], err error) {
	if err := cmp.Or(p.visit("conclude"), ctx.Err()); err != nil {
		return step, err
	}
	step.Resource = p.id
	if p.answer != nil {
		step.Refused = p.answer
		return step, nil
	}
	err = ledger.Settle(ctx, tx.Ledger(), ledger.ReservationID(p.id),
		ledger.Move(ledger.PostingID(p.id), home.Env, "payout", p.id, vault, bank, p.amount, tx.Now()))
	if err != nil && !isEnded(err) {
		return step, err
	}
	if step.Out, err = recall(ctx, tx, p.id); err == nil {
		err = p.visit("concluded")
	}
	return step, err
}

func (p *paying) abandon(ctx context.Context, tx store.Tx) error {
	if err := p.visit("abandon"); err != nil {
		return err
	}
	return ledger.Release(ctx, tx.Ledger(), ledger.ReservationID(p.id))
}

func recall(ctx context.Context, tx store.Tx, resource string) (payout, error) {
	r, err := tx.Ledger().Reservation(ctx, ledger.ReservationID(resource))
	return payout{r.ID, r.Amount, r.State}, err
}

// pay runs the operation under a key, without one when it is empty.
func (d *toy) pay(ctx context.Context, key string, kobo int64) (payout, error) {
	if key == "" {
		return operation.Run(ctx, d.payOp(kobo))
	}
	return operation.Once(ctx, d.payOp(kobo), d.claim(key, kobo))
}

func (d *toy) claim(key string, kobo int64) operation.Claim {
	digest, err := json.Marshal(kobo)
	require.NoError(d.t, err)
	return operation.Claim{
		Key:         idempotency.Key{Scope: home, Operation: "toy.Pay", Client: key},
		Fingerprint: string(digest), Clock: d,
	}
}

// left is what can be paid out.
func (d *toy) left() int64 {
	d.t.Helper()
	account, err := ferry.InRead(d.t.Context(), d.units.In(home.Env), func(ctx context.Context, tx store.Tx) (ledger.Account, error) {
		return tx.Ledger().Account(ctx, vault)
	})
	require.NoError(d.t, err)
	return account.Available().Minor()
}

// asked is for how many payouts the bank was asked.
func (d *toy) asked() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.paid)
}
