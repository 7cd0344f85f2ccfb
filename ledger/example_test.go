package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

var (
	shop    = ferry.Scope{Business: "biz_shop", Env: ferry.Test}
	balance = ledger.BusinessAccount(shop, money.AssetNGN)
	bank    = ledger.SystemAccount(ferry.Test, ledger.Bank, money.AssetNGN)
	noon    = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
)

// shopWith returns the books of a shop that has been paid an amount.
func shopWith(amount money.Amount) *memstore.Store {
	s := memstore.New()
	must(s.Write(context.Background(), func(ctx context.Context, p store.Ports) error {
		for _, a := range append(ledger.SystemAccounts(ferry.Test), ledger.Account{ID: balance, Scope: shop, Asset: money.AssetNGN}) {
			if err := p.Ledger().OpenAccount(ctx, a); err != nil {
				return err
			}
		}
		return ledger.Post(ctx, p.Ledger(), ledger.Move("deposit:1", ferry.Test, "deposit", "dep_1", bank, balance, amount, noon))
	}))
	return s
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func printBalance(ctx context.Context, l ledger.Store, when string) error {
	a, err := l.Account(ctx, balance)
	if err != nil {
		return err
	}
	fmt.Printf("%s: posted %s, reserved %s, available %s\n", when, a.Posted, a.Reserved, a.Available())
	return nil
}

// A payout sets money aside, asks the bank, and posts what the bank has paid.
func Example() {
	books := shopWith(money.NGN(100_000))
	must(books.Write(context.Background(), func(ctx context.Context, p store.Ports) error {
		hold := ledger.Reservation{ID: "pay_1", Account: balance, Amount: money.NGN(60_000), At: noon}
		if err := ledger.Reserve(ctx, p.Ledger(), hold); err != nil {
			return err
		}
		return printBalance(ctx, p.Ledger(), "asked")
	}))
	must(books.Write(context.Background(), func(ctx context.Context, p store.Ports) error {
		paid := ledger.Move("payout:pay_1", ferry.Test, "payout", "pay_1", balance, bank, money.NGN(55_000), noon)
		if err := ledger.Settle(ctx, p.Ledger(), "pay_1", paid); err != nil {
			return err
		}
		return printBalance(ctx, p.Ledger(), "paid")
	}))
	// Output:
	// asked: posted 1000 NGN, reserved 600 NGN, available 400 NGN
	// paid: posted 450 NGN, reserved 0 NGN, available 450 NGN
}

// A shortage says what there is and what is needed.
func ExampleShortage() {
	books := shopWith(money.NGN(5_000))
	err := books.Write(context.Background(), func(ctx context.Context, p store.Ports) error {
		return ledger.Reserve(ctx, p.Ledger(), ledger.Reservation{ID: "pay_1", Account: balance, Amount: money.NGN(5_001)})
	})
	fmt.Println(errors.Is(err, ledger.ErrInsufficientBalance))
	if shortage, ok := errors.AsType[*ledger.Shortage](err); ok {
		fmt.Printf("%s of %s\n", shortage.Available, shortage.Required)
	}
	// Output:
	// true
	// 50 NGN of 50.01 NGN
}

// The id of a posting names its cause, so that a cause told twice is posted once.
func ExamplePost() {
	books := shopWith(money.NGN(5_000))
	err := books.Write(context.Background(), func(ctx context.Context, p store.Ports) error {
		return ledger.Post(ctx, p.Ledger(), ledger.Move("deposit:1", ferry.Test, "deposit", "dep_1", bank, balance, money.NGN(5_000), noon))
	})
	fmt.Println(errors.Is(err, ledger.ErrPosted))
	// Output:
	// true
}

// An audit recounts the books from their entries.
func ExampleAudit() {
	books := shopWith(money.NGN(5_000))
	must(books.Read(context.Background(), func(ctx context.Context, p store.Ports) error {
		findings, err := ledger.Audit(ctx, p.Ledger(), ferry.Test)
		fmt.Println(len(findings), "findings")
		return err
	}))
	// Output:
	// 0 findings
}
