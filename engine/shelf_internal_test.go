package engine

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/payouts/transfers"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/biller"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/ramp/onramp"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// shelf puts rows into a store, whatever led there.
type shelf struct {
	t     *testing.T
	e     *Engine
	scope ferry.Scope
	now   time.Time
}

func newShelf(t *testing.T) shelf {
	e, err := New(Config{Store: memstore.New()})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	return shelf{t, e, tenant.Business.Scope, e.Clock(ferry.Test).Now()}
}

var (
	noFees    = fees.Fees{Platform: money.NGN(0), Processing: money.NGN(0)}
	someGoods = bills.Goods{
		Target: biller.Target{Service: biller.Airtime, Number: "08031234567"}, Amount: money.NGN(500_00), Fees: noFees,
	}
)

// id is an id that no other row has.
func (s shelf) id(prefix string) string { return s.e.ids.NewID(prefix, s.now) }

// in is the shelf for a part of a test.
func (s shelf) in(t *testing.T) shelf {
	s.t = t
	return s
}

// put inserts a row, and returns its key.
func put[K ~string, R any](s shelf, kind *records.Kind[K, R], row R) string {
	s.t.Helper()
	require.NoError(s.t, s.e.units.In(s.scope.Env).Write(s.t.Context(), func(ctx context.Context, tx store.Tx) error {
		return kind.Insert(ctx, tx, row)
	}))
	return string(kind.IDOf(row))
}

// payment is a pending payment of 15,000 naira.
func (s shelf) payment() payments.Payment {
	id := s.id(payments.Prefix)
	return payments.Payment{
		ID: payments.ID(id), Scope: s.scope, Reference: "order-" + id, Status: payments.Pending, Amount: money.NGN(15_000_00), CreatedAt: s.now,
		Expected: money.NGN(15_000_00), Received: money.NGN(0), Settled: money.NGN(0),
	}
}

// session is a pending order of 15,000 naira, with its payment.
func (s shelf) session() checkout.Session {
	p := s.payment()
	id := checkout.ID(s.id(checkout.Prefix))
	p.Session = string(id)
	put(s, payments.PaymentKind, p)
	return checkout.Session{
		ID: id, Scope: s.scope, TrxID: p.Reference, Status: checkout.Pending, Payment: p.ID, Methods: []business.PaymentMethod{business.BankTransfer, business.Crypto},
		Pricing: checkout.Pricing{
			Type: checkout.InFiat, Base: money.NGN(15_000_00), Fiat: money.NGN(15_000_00), Requested: money.USDC(0), Crypto: money.USDC(10_000_000), Price: "1500",
			RateUntil: s.now.Add(15 * time.Minute),
		},
		Credited: money.NGN(0), ExpiresAt: s.now.Add(24 * time.Hour), CreatedAt: s.now,
		Account: bank.Account{BankCode: "058", BankName: "Ferry Bank", AccountNumber: s.id("")[20:]},
	}
}

// shelved puts a row in one state of a lifecycle on the shelf, and returns a name that leads to it.
// It has every lifecycle by its title.
var shelved = map[string]func(s shelf, state string) string{
	"Approvals": func(s shelf, state string) string {
		return put(s, outflow.ApprovalKind, outflow.Approval{
			ID: outflow.ApprovalID(s.id(outflow.ApprovalPrefix)), Scope: s.scope, Kind: outflow.Payout, Subject: s.id(payouts.Prefix), Amount: money.NGN(100),
			Status: outflow.ApprovalStatus(state), DecidedBy: "Ada", ExpiresAt: s.now.Add(time.Hour),
		})
	},
	"Customers": func(s shelf, state string) string {
		return put(s, customers.CustomerKind, customers.Customer{
			ID: customers.ID(s.id("cus_")), Scope: s.scope, Type: customers.Individual, FirstName: "Ada", LastName: "Obi", Status: customers.Status(state),
			Email: s.id("") + "@example.com", Phone: s.id("+"),
		})
	},
	"Identities": func(s shelf, state string) string {
		return put(s, customers.IdentityKind, customers.Identity{
			ID: customers.IdentityID(s.id("idn_")), Scope: s.scope, Type: "bvn", Status: customers.IdentityStatus(state), ExpiresAt: s.now.Add(time.Minute),
		})
	},
	"Wallets": func(s shelf, state string) string {
		made, err := s.e.Wallets.Create(s.t.Context(), s.scope, wallets.CreateParams{})
		require.NoError(s.t, err)
		require.NoError(s.t, s.e.units.In(s.scope.Env).Write(s.t.Context(), func(ctx context.Context, tx store.Tx) error {
			w, err := wallets.WalletKind.Get(ctx, tx, s.scope, made.ID)
			require.NoError(s.t, err)
			w.Status, w.SuspendedBy = wallets.Status(state), wallets.ByBoth
			return wallets.WalletKind.Update(ctx, tx, w)
		}))
		return string(made.ID)
	},
	"Addresses": func(s shelf, state string) string {
		return put(s, wallets.AddressKind, wallets.Address{
			ID: wallets.AddressID(s.id("addr_")), Scope: s.scope, Address: chain.Address(s.id("")), Status: wallets.AddressStatus(state), TotalReceived: money.USDC(0),
		})
	},
	"Wallet transfers": func(s shelf, state string) string {
		return put(s, outgoing.TransferKind, outgoing.Transfer{
			ID: wallets.TransferID(s.id("trx_")), Scope: s.scope, Reference: s.id(""), Kind: outgoing.External, Amount: money.USDC(1_000_000), Fee: money.USDC(0),
			Status: wallets.TransferStatus(state), Waiting: wallets.ForFeePayer,
		})
	},
	"Attempts of a transfer": func(s shelf, state string) string {
		return put(s, outgoing.AttemptKind, outgoing.Attempt{
			Transfer: wallets.TransferID(s.id("trx_")), Scope: s.scope, Number: 1, Signed: chain.Signed{Signature: chain.Signature(s.id("sig"))},
			State: outgoing.AttemptState(state),
		})
	},
	"Payments": func(s shelf, state string) string {
		p := s.payment()
		p.Status = payments.Status(state)
		return put(s, payments.PaymentKind, p)
	},
	"Receipts": func(s shelf, state string) string {
		return put(s, payments.ReceiptKind, payments.Receipt{
			ID: payments.ReceiptID(s.id(payments.ReceiptPrefix)), Scope: s.scope, Payment: "pay_1", Amount: money.USDC(3), Held: money.USDC(3), Decided: money.USDC(0),
			State: payments.ReceiptState(state),
		})
	},
	"Returns": func(s shelf, state string) string {
		return put(s, payments.ReturnKind, payments.Return{
			ID: payments.ReturnID(s.id("ret_")), Scope: s.scope, Session: s.id("bank-"), Amount: money.NGN(5), State: payments.ReturnState(state),
			Progress: disburse.Progress{Answer: disburse.TooMuch, Attempts: 2},
		})
	},
	"Payment links of policy A": func(s shelf, state string) string { return s.link(business.DialectA, state) },
	"Payment links of policy B": func(s shelf, state string) string { return s.link(business.DialectB, state) },
	"Virtual accounts":          func(s shelf, state string) string { return s.account(accounts.Virtual, "vacc_", state) },
	"Reserved accounts":         func(s shelf, state string) string { return s.account(accounts.Reserved, "racc_", state) },
	"Checkout sessions": func(s shelf, state string) string {
		found := s.session()
		found.Status, found.EndedAt = checkout.Status(state), s.now
		return put(s, checkout.SessionKind, found)
	},
	"Crypto instructions": func(s shelf, state string) string {
		of := s.session()
		put(s, checkout.SessionKind, of)
		at := chain.Address(s.id(""))
		id := wallets.AddressID(put(s, wallets.AddressKind, wallets.Address{
			ID: wallets.AddressID(s.id("addr_")), Scope: s.scope, Address: at, Status: wallets.AddressActive, TotalReceived: money.USDC(0),
		}))
		put(s, checkout.InstructionKind, checkout.Instruction{
			Address: id, Scope: s.scope, Session: of.ID, Deposit: at, Amount: money.USDC(10_000_000), Received: money.USDC(0), Price: "1500",
			Status: checkout.InstructionStatus(state), ExpiresAt: s.now.Add(time.Minute),
		})
		return string(at)
	},
	"Payout items": func(s shelf, state string) string {
		of := put(s, payouts.Kind, payouts.Payout{
			ID: payouts.ID(s.id(payouts.Prefix)), Scope: s.scope, Reference: s.id(""), Type: payouts.Bulk, Status: payouts.Pending, Total: money.NGN(5),
			Fee: money.NGN(0), Reserved: money.NGN(5), Counts: payouts.Counts{Pending: 1},
		})
		return put(s, payouts.ItemKind, payouts.Item{
			ID: payouts.ItemID(s.id(payouts.ItemPrefix)), Scope: s.scope, Payout: payouts.ID(of), Number: 1, Reference: s.id(""),
			Status: payouts.ItemStatus(state), Amount: money.NGN(5), Fees: noFees,
		})
	},
	"Fiat transfers": func(s shelf, state string) string {
		return put(s, transfers.Kind, transfers.Transfer{
			ID: transfers.ID(s.id(transfers.Prefix)), Scope: s.scope, Reference: s.id(""), Status: transfers.Status(state), Amount: money.NGN(5), Fees: noFees,
			Channel: transfers.FromWallet, BalanceBefore: money.NGN(0), BalanceAfter: money.NGN(0),
		})
	},
	"Refunds": func(s shelf, state string) string {
		return put(s, refunds.Kind, refunds.Refund{
			ID: refunds.ID(s.id(refunds.Prefix)), Scope: s.scope, Reference: s.id(""), TrxID: "order-1", Status: refunds.Status(state), Mode: refunds.Manual,
			Amount: money.NGN(5), Fees: noFees,
		})
	},
	"Bills": func(s shelf, state string) string {
		return put(s, bills.Kind, bills.Bill{
			ID: bills.ID(s.id(bills.Prefix)), Scope: s.scope, Reference: s.id(""), Status: bills.Status(state), Goods: someGoods,
		})
	},
	"Offramps":     func(s shelf, state string) string { return s.offramp(offramp.ToAccount, state) },
	"Crypto bills": func(s shelf, state string) string { return s.offramp(offramp.ToBill, state) },
	"Deposits of offramps": func(s shelf, state string) string {
		return put(s, offramp.DepositKind, offramp.Deposit{
			ID: offramp.DepositID(s.id("odp_")), Scope: s.scope, Order: "ofr_1", Amount: money.USDC(5), Returned: money.USDC(0),
			State: offramp.DepositState(state), Reason: offramp.Excess,
		})
	},
	"Onramps": func(s shelf, state string) string {
		return put(s, onramp.Kind, onramp.Order{
			ID: onramp.ID(s.id(onramp.Prefix)), Scope: s.scope, Reference: s.id(""), Status: ramp.Pending, Stage: ramp.Stage(state), Amount: money.NGN(15_000_00),
			Crypto: money.USDC(10_000_000), Received: money.NGN(0), ExpiresAt: s.now.Add(time.Hour), Bank: bank.Account{AccountNumber: s.id("")},
		})
	},
}

// link is a link of a policy in a state.
func (s shelf) link(policy business.Dialect, state string) string {
	return put(s, links.LinkKind, links.Link{
		ID: links.ID(s.id(links.Prefix)), Scope: s.scope, Policy: policy, Type: links.Fixed, Status: links.Status(state), Slug: s.id("s"), Amount: money.NGN(5),
	})
}

// account is a collection account in a state.
func (s shelf) account(kind accounts.Kind, prefix, state string) string {
	return put(s, accounts.AccountKind, accounts.Account{
		ID: accounts.ID(s.id(prefix)), Scope: s.scope, Kind: kind, Reference: s.id(""), Status: accounts.Status(state), Amount: money.NGN(5),
		Received: money.NGN(0), Bank: bank.Account{AccountNumber: s.id("")},
	})
}

// offramp is an order of USDC for 15,000 naira in a stage.
func (s shelf) offramp(pays offramp.Payee, stage string) string {
	return put(s, offramp.Kind, offramp.Order{
		ID: offramp.ID(s.id(offramp.Prefix)), Scope: s.scope, Reference: s.id(""), Status: ramp.Pending, Stage: ramp.Stage(stage), Pays: pays,
		Amount: money.NGN(15_000_00), Crypto: money.USDC(10_000_000), Received: money.USDC(4_000_000), Asked: money.USDC(10_000_000),
		Credited: money.NGN(6_000_00), Address: wallets.AddressID(s.id("")), ExpiresAt: s.now.Add(time.Hour), RateUntil: s.now.Add(time.Minute),
		Purchase: offramp.Purchase{Goods: bills.Goods{Amount: money.NGN(0), Fees: noFees}},
	})
}
