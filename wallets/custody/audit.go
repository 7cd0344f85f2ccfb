package custody

import (
	"context"
	"errors"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/deposits"
	"github.com/ferrypay/ferry/wallets/internal/books"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// Audit compares the custody of one environment with the books:
//
//   - what managed addresses hold on the chain is what the books say the chain
//     holds for us (check "custody");
//   - of every address 0 <= Committed <= OnChain, and Committed is what live
//     attempts take from it (check "committed");
//   - the rows of every address agree on its wallet and on what it is on the chain:
//     address, key, custody, and the wallet that it is primary of (check
//     "deposit_address"). It compares rows and opens no key;
//   - every movement of money is explained or was adopted (check "unexplained").
//
// It reads within one unit, so that it sees one state.
func Audit(ctx context.Context, tx wallets.Tx, env ferry.Env) ([]ledger.Finding, error) {
	a := audit{ctx: ctx, tx: tx, env: env, committed: map[wallets.AddressID]int64{}}
	for _, count := range []func() error{a.countCommitted, a.countCustody, a.countOutflows, a.compareChain} {
		if err := count(); err != nil {
			return nil, err
		}
	}
	return a.findings, nil
}

type audit struct {
	ctx       context.Context
	tx        wallets.Tx
	env       ferry.Env
	committed map[wallets.AddressID]int64 // by live attempts, in minor units
	onChain   int64                       // over all addresses, in minor units
	findings  []ledger.Finding
}

func (a *audit) find(check, subject, text string, args ...any) {
	a.findings = append(a.findings, ledger.Finding{Check: check, Subject: subject, Text: fmt.Sprintf(text, args...)})
}

// countCommitted sums what live attempts take.
func (a *audit) countCommitted() error {
	for live, err := range outgoing.LiveAttempts(a.ctx, a.tx, a.env) {
		if err != nil {
			return err
		}
		for _, source := range live.Sources {
			a.committed[source.ID] += source.Amount.Minor()
		}
	}
	return nil
}

func (a *audit) countCustody() error {
	for c, err := range wallets.CustodyKind.Walk(a.ctx, a.tx, wallets.CustodiesIn(a.env)) {
		if err == nil {
			err = a.checkCustody(c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *audit) checkCustody(c wallets.Custody) error {
	if err := a.checkAddress(c); err != nil {
		return err
	}
	a.onChain += c.OnChain.Minor()
	if c.Committed.Sign() < 0 || c.Surplus().Sign() < 0 {
		a.find("committed", string(c.ID), "on chain %s, committed %s", c.OnChain, c.Committed)
	}
	if committed := a.committed[c.ID]; committed != c.Committed.Minor() {
		a.find("committed", string(c.ID), "live attempts take %s, committed is %s", money.Of(wallets.Asset, committed), c.Committed)
	}
	for found, err := range deposits.AnomalyKind.Walk(a.ctx, a.tx, deposits.AnomaliesOf(c.ID)) {
		if err == nil && found.Reason == deposits.Unexplained {
			err = a.checkAnomaly(found)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkAnomaly finds a movement that was not adopted.
func (a *audit) checkAnomaly(found deposits.Anomaly) error {
	o, err := outflowOf(a.ctx, a.tx, a.env, found.Signature)
	if err != nil && !errors.Is(err, ErrOutflowNotFound) {
		return err
	}
	if err != nil || o.AdoptedAt.IsZero() {
		a.find("unexplained", string(found.Address), "%s by %s", found.Delta, found.Signature)
	}
	return nil
}

// countOutflows finds payments of ours that show on no address that is managed
// here; the others are found as anomalies.
func (a *audit) countOutflows() error {
	for o, err := range OutflowKind.Walk(a.ctx, a.tx, OpenIn(a.env)) {
		if err != nil {
			return err
		}
		if len(o.Parts) == 0 {
			a.find("unexplained", string(o.From), "%s to %s by %s", o.Amount, o.To, o.Signature)
		}
	}
	return nil
}

// compareChain sums what the books say the chain holds for us: its account is
// the opposite of it.
func (a *audit) compareChain() error {
	account := books.Outside(a.env)
	sum, err := ledger.Sum(a.ctx, a.tx.Ledger(), account)
	if err != nil {
		return err
	}
	held := money.Of(wallets.Asset, -sum.Minor())
	if held.Minor() != a.onChain {
		a.find("custody", string(account), "addresses hold %s, the books say %s", money.Of(wallets.Asset, a.onChain), held)
	}
	return nil
}
