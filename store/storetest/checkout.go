package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	provider "github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

func testCheckout(t *testing.T, open func(*testing.T) store.Backend) {
	t.Run("standings", func(t *testing.T) { testSessionStandings(t, open) })
}

// session is the n-th session of a scope, with no field empty.
func session(scope ferry.Scope, n int) checkout.Session {
	return checkout.Session{
		ID: checkout.ID(idOf(checkout.Prefix, n)), Scope: scope, TrxID: fmt.Sprintf("order-%d", n),
		Variant: business.DialectA, Status: checkout.Pending, Payment: payments.ID(idOf(payments.Prefix, n)),
		Customer: payments.Customer{ID: "cus_1", Email: "ada@example.com", Phone: "08012345678", Name: "Ada"},
		Pricing: checkout.Pricing{
			Type: checkout.InCrypto, Pair: checkout.SolanaUSDC, Base: money.NGN(15_000_00),
			Fees: fees.Fees{Platform: money.NGN(100), Processing: money.NGN(10)}, CustomerPays: true,
			Fiat: money.NGN(15_001_10), Requested: money.USDC(10_000_000), Crypto: money.USDC(10_000_733),
			Price: "1500.25", RateUntil: after(n + 900),
		},
		Methods:     []business.PaymentMethod{business.BankTransfer, business.Crypto},
		CryptoError: "none", Settlement: business.Convert, Mismatch: business.Accept,
		Redirects: checkout.Redirects{
			Redirect: "https://a.example.com", Success: "https://b.example.com",
			Cancel: "https://c.example.com", Timeout: "https://d.example.com",
		},
		Customizations: checkout.Customizations{Title: "T", Description: "D", Logo: "https://e.example.com"},
		Metadata:       ferry.Metadata{"cart": json.Number("1.50")}, Link: "plink_1",
		Account:     provider.Account{BankCode: "999", BankName: "Bank", AccountNumber: fmt.Sprintf("%s%09d", scope.Env[:1], n), AccountName: "Shop"},
		Instruction: wallets.AddressID("addr_1"), Credited: money.USDC(3),
		Renewed:   []checkout.NairaOffer{{Kobo: 15_002_20, Price: "1500.35", From: after(n + 1000), Until: after(n + 1900)}},
		ExpiresAt: after(n + 86400), EndedAt: after(n + 5), CreatedAt: after(n), UpdatedAt: after(n),
	}
}

var sessionCase = caseOf(kindCase[checkout.ID, checkout.Session]{
	kind: checkout.SessionKind, row: session,
	before: func(ctx context.Context, p store.Ports, row checkout.Session) error {
		paid := payment(row.Scope, 1)
		paid.ID, paid.Reference = row.Payment, string(row.Payment)
		if _, err := payments.PaymentKind.Get(ctx, p, row.Scope, paid.ID); errors.Is(err, payments.ErrNotFound) {
			return payments.PaymentKind.Insert(ctx, p, paid)
		}
		return nil
	},
	needed: []string{"variant", "expires_at"},
	change: func(s *checkout.Session) {
		s.Status, s.Account, s.Credited = checkout.Completed, provider.Account{}, money.NGN(4)
		s.Variant, s.Pricing.Type = business.DialectB, checkout.InFiat
		s.Renewed = append(s.Renewed, checkout.NairaOffer{Kobo: 1, Price: "0.01", From: after(2000), Until: after(2900)})
	},
	vary: func(s *checkout.Session, n int) {
		if n%2 == 0 {
			s.Status, s.Pricing.Type, s.Customer.Email = checkout.Completed, checkout.InFiat, "bola@example.com"
		}
		if n == 5 {
			s.Public, s.Account.AccountNumber = true, ""
		}
	},
})

var _ = caseOf(kindCase[wallets.AddressID, checkout.Instruction]{
	kind: checkout.InstructionKind,
	row: func(scope ferry.Scope, n int) checkout.Instruction {
		return checkout.Instruction{
			Address: address(n).ID, Scope: scope, Holder: scope.Business, Session: session(scope, 1).ID, Pair: checkout.SolanaUSDC,
			Deposit: address(n).Address, Amount: money.USDC(10), Price: "1500", Received: money.USDC(3), Status: checkout.Detected,
			ExpiresAt: after(900), CreatedAt: after(n), UpdatedAt: after(1),
		}
	},
	before: func(ctx context.Context, p store.Ports, row checkout.Instruction) error {
		for n := 1; n <= 2; n++ {
			if _, err := checkout.SessionKind.Anyones(ctx, p, session(home, n)); err == nil {
				continue
			}
			if err := sessionCase.insert(ctx, p, session(home, n)); err != nil {
				return err
			}
		}
		for n := 1; n <= 9; n++ {
			if a := address(n); a.ID == row.Address {
				return insertAddress(a)(ctx, p)
			}
		}
		return nil
	},
	needed: []string{"session", "status", "expires_at"},
	change: func(i *checkout.Instruction) { i.Status, i.Received = checkout.Confirmed, money.USDC(10) },
	vary: func(i *checkout.Instruction, n int) {
		if n%3 == 0 {
			i.Session = session(home, 2).ID
		}
	},
})

var _ = caseOf(kindCase[string, checkout.ReuseSlot]{
	kind: checkout.ReuseSlotKind,
	row: func(scope ferry.Scope, n int) checkout.ReuseSlot {
		return checkout.ReuseSlot{Scope: scope, Key: fmt.Sprintf("key-%d", n), Session: "sess_1", At: after(n)}
	},
	needed: []string{"at"},
	change: func(w *checkout.ReuseSlot) { w.Session = "sess_2" },
})
