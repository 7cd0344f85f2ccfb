package storetest

import (
	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// transfer is the n-th transfer of scope home, with no field empty.
func transfer(n int) outgoing.Transfer {
	return outgoing.Transfer{
		ID: wallets.TransferID(idOf("trx_", n)), Scope: home, Reference: idOf("ref-", n), Kind: outgoing.External,
		Origin: outgoing.Origin{Kind: outgoing.FromReceipt, ID: "rcpt_1"},
		Wallet: custodyWallet(1).ID, WalletReference: custodyWallet(1).Reference, FromID: address(1).ID, From: address(1).Address,
		To: address(2).Address, ToID: address(2).ID, Amount: money.USDC(25), Fee: money.USDC(5), Memo: "rent €",
		Metadata: ferry.Metadata{"order": "1"}, Status: wallets.Pending, Stage: outflow.PendingApproval, Waiting: wallets.ForFeePayer, Failure: "none", Attempts: 2, Signature: "s",
		WaitsFor: "trx_w", CreatedAt: after(n), UpdatedAt: after(n), ConfirmedAt: after(n),
	}
}

var _ = caseOf(kindCase[wallets.TransferID, outgoing.Transfer]{
	kind: outgoing.TransferKind,
	row:  inScope(transfer, func(t *outgoing.Transfer, scope ferry.Scope) { t.Scope = scope }),
	change: func(t *outgoing.Transfer) {
		t.Status, t.Stage, t.Kind, t.Waiting = wallets.Success, outflow.Free, outgoing.Internal, wallets.NotWaiting
	},
	vary: func(t *outgoing.Transfer, n int) {
		if n%2 == 0 {
			t.Status, t.WaitsFor = wallets.Failed, ""
		}
	},
})
