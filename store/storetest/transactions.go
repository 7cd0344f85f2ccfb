package storetest

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	onchain "github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// transaction is the n-th line of scope home, with no field empty.
func transaction(n int) wallets.Transaction {
	return wallets.Transaction{
		ID: wallets.TransactionID(idOf("trx_", n)), Scope: home, Reference: idOf("ref-", n), Direction: wallets.Out,
		Wallet: custodyWallet(1).ID, WalletReference: custodyWallet(1).Reference, Address: address(1).ID, Transfer: transfer(n).ID,
		From: address(1).Address, To: address(2).Address, Amount: money.USDC(25), Fee: money.USDC(5),
		Status: wallets.Pending, Waiting: wallets.ForFeePayer, Signature: onchain.Signature(idOf("sig", n)), Entry: ledger.EntryID{Posting: "p", Leg: 1},
		CreatedAt: after(n), ConfirmedAt: after(n),
	}
}

var walletLineCase = caseOf(kindCase[wallets.TransactionID, wallets.Transaction]{
	kind: wallets.TransactionKind,
	row:  inScope(transaction, func(t *wallets.Transaction, scope ferry.Scope) { t.Scope = scope }),
	change: func(t *wallets.Transaction) {
		t.Status, t.Direction, t.Waiting = wallets.Success, wallets.In, wallets.NotWaiting
	},
	vary: func(t *wallets.Transaction, n int) {
		if n%2 == 0 {
			t.Wallet, t.Status, t.Direction = custodyWallet(2).ID, wallets.Failed, wallets.In
		}
		if n%3 == 0 {
			t.Transfer, t.ConfirmedAt, t.Entry = "", time.Time{}, ledger.EntryID{}
		}
	},
})

// Transactions of no transfer are known by their signature.
var _ = func() kindCase[wallets.TransactionID, wallets.Transaction] {
	deposits := walletLineCase
	deposits.row = func(scope ferry.Scope, n int) wallets.Transaction {
		t := walletLineCase.row(scope, n)
		t.Transfer = ""
		return t
	}
	return caseOf(deposits)
}()
