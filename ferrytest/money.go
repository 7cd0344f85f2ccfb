package ferrytest

import (
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/deposits"
)

const (
	// finality is longer than the simulated chain takes to finalize.
	finality = 5 * time.Second
	// arrivalTries is how often finality is waited for while the chain has faults.
	arrivalTries = 12
)

// Deposit sends USDC, in full units, from outside to an address of the fake and
// returns when it is credited. It moves the clock by the time the chain needs.
func (f *Fake) Deposit(address, amount string) chain.Signature {
	f.t.Helper()
	usdc, err := money.ParseMajor(money.AssetUSDC, amount)
	f.check(err)
	to := chain.Address(address)
	if errors.Is(f.arrived(to, ""), wallets.ErrAddressNotFound) {
		f.t.Fatalf("ferrytest: %s is no deposit address of this fake", address)
	}
	signature, err := f.Engine.World.Deposit(f.t.Context(), sandbox.DepositParams{To: to, Amount: usdc})
	f.check(err)
	for range arrivalTries {
		f.Advance(finality)
		if err = f.arrived(to, signature); !errors.Is(err, errPending) {
			break
		}
	}
	f.check(err)
	return signature
}

var errPending = errors.New("the deposit was not credited")

// arrived returns nil for a deposit that is credited.
func (f *Fake) arrived(to chain.Address, signature chain.Signature) error {
	arrival, err := f.Engine.Deposits.ArrivalOf(f.t.Context(), ferry.Test, to, signature)
	if err == nil && arrival != deposits.ArrivalCredited {
		err = errPending
	}
	return err
}

// Credit sends naira, in full units, to a bank account of the fake: that of a
// checkout session, a collection account, or the business's own. It returns the
// bank's session when the credit is booked and its webhooks were sent. What the
// account does not take is on its way back then.
func (f *Fake) Credit(account, naira string) string {
	f.t.Helper()
	amount, err := money.ParseMajor(money.AssetNGN, naira)
	f.check(err)
	notice, err := f.Engine.World.Credit(f.t.Context(), sandbox.CreditParams{AccountNumber: account, Amount: amount})
	if errors.Is(err, sandbox.ErrNoAccount) {
		f.t.Fatalf("ferrytest: %s is no bank account of this fake", account)
	}
	f.check(err)
	booked, err := f.Engine.AwaitCredit(f.t.Context(), ferry.Test, notice.SessionID)
	f.check(err)
	if !booked {
		f.t.Fatalf("ferrytest: the credit %s was not booked", notice.SessionID)
	}
	f.Drain()
	return notice.SessionID
}
