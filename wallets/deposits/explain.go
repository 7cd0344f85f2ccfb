package deposits

import (
	"context"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// Resource names a deposit in explanations.
const Resource = "deposit"

// Explain says what became of USDC that somebody sent, by the signature of the transaction on the
// chain, or by the id of the deposit in either form. Of a signature that brought something to several
// addresses it tells one, and Also has the others. Errors: wallets.ErrTransactionNotFound.
func Explain(ctx context.Context, tx wallets.Tx, scope ferry.Scope, name string) (*explain.Explanation, error) {
	if id, ok := ferry.CanonicalID("trx_", name); ok {
		t, err := wallets.TransactionKind.Get(ctx, tx, scope, wallets.TransactionID(id))
		if err != nil {
			return nil, err
		}
		if t.Transfer != "" {
			return nil, wallets.ErrTransactionNotFound // a line of a transfer, which explains itself
		}
		return explainDeposit(ctx, tx, t)
	}
	found, err := explainSignature(ctx, tx, scope, chain.Signature(name))
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, wallets.ErrTransactionNotFound
	}
	for _, other := range found[1:] {
		found[0].Also = append(found[0].Also, explain.Named{Resource: other.Resource, ID: other.ID})
	}
	return found[0], nil
}

// explainSignature explains all that a transaction on the chain did to addresses of a business.
func explainSignature(ctx context.Context, tx wallets.Tx, scope ferry.Scope, signature chain.Signature) (found []*explain.Explanation, err error) {
	for t, err := range wallets.TransactionKind.Walk(ctx, tx, wallets.DepositsOf(signature)) {
		if err != nil {
			return nil, err
		}
		if t.Scope != scope {
			continue
		}
		x, err := explainDeposit(ctx, tx, t)
		if err != nil {
			return nil, err
		}
		found = append(found, x)
	}
	for a, err := range AnomalyKind.Walk(ctx, tx, anomaliesBy(signature)) {
		if err != nil {
			return nil, err
		}
		if a.Scope == scope {
			found = append(found, a.explain(tx.Now()))
		}
	}
	return found, nil
}

func explainDeposit(ctx context.Context, tx wallets.Tx, t wallets.Transaction) (*explain.Explanation, error) {
	a, err := wallets.AddressKind.Get(ctx, tx, t.Scope, t.Address)
	if err != nil {
		return nil, err
	}
	x := explain.New(Resource, t.ID, string(t.Signature), t.Status, tx.Now())
	x.Ended, x.Events = true, string(t.Address)
	x.Say("%s arrived at %s and belong to the wallet %s, since %s.", t.Amount, t.To, t.Wallet, t.ConfirmedAt)
	if a.Status == wallets.AddressInactive {
		x.Say("The address is inactive: no deposit on it is an event.")
		x.Do(explain.Caller, "activate", "PATCH /v1/wallets/addresses/%s with status active, for those that come.", a.ID)
	}
	return x, nil
}

// explain says why a movement was not credited.
func (a Anomaly) explain(now time.Time) *explain.Explanation {
	x := explain.New("movement on the chain", a.ID, string(a.Signature), a.Reason, now)
	x.Ended, x.Events = true, string(a.Address)
	switch a.Reason {
	case Unsupported:
		x.Refuse(explain.Engine, string(a.Reason), a.CreatedAt, "Another token than USDC moved on the address %s, and is not credited. Its mint is %s.", a.Address, a.Mint)
	case Unexplained:
		x.Refuse(explain.Engine, string(a.Reason), a.CreatedAt, "%s moved on the address %s without a transfer. The wallet %s got an alarm.", a.Delta, a.Address, a.Wallet)
		x.Do(explain.Caller, "wallet", "Explain %s: it says who can end the alarm.", a.Wallet)
	}
	return x
}
