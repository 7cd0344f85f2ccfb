package onramp_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/onramp"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/wallets"
)

func TestNairaBecomeUSDCAtTheAddress(t *testing.T) {
	s := open(t)
	o := s.create(order("order-1"))
	require.Equal(t, ramp.Pending, o.Status)
	require.Equal(t, money.USDC(10_000_000), o.Crypto)
	session := s.pay(o, 15_000_00)
	s.advance(10 * time.Second)
	o = s.is(o, ramp.Done)
	require.Equal(t, ramp.Successful, o.Status)
	require.NotEmpty(t, o.Signature)
	require.False(t, o.EndedAt.IsZero())
	s.holds(stranger, 10_000_000)
	require.Zero(t, s.back(session))
}

func TestWithoutAnAddressTheDefaultOneOfTheBusinessGetsTheUSDC(t *testing.T) {
	s := open(t)
	p := order("order-1")
	p.Address = ""
	first := s.create(p)
	p.Reference = "order-2"
	require.Equal(t, first.Address, s.create(p).Address)
	s.pay(first, 15_000_00)
	s.advance(10 * time.Second)
	done := s.is(first, ramp.Done)
	require.Empty(t, done.Signature, "it stays inside")
	w, err := s.Wallets.Get(t.Context(), s.scope, wallets.WalletRef{Reference: "default"})
	require.NoError(t, err)
	require.Equal(t, first.Address, w.PrimaryAddress)
	require.Equal(t, money.USDC(10_000_000), w.Balance)
}

func TestSeveralCreditsPayAnOrder(t *testing.T) {
	s := open(t)
	o := s.create(order("order-1"))
	s.pay(o, 5_000_00)
	now := s.is(o, ramp.AwaitingFunds)
	require.Equal(t, money.NGN(5_000_00), now.Received)
	require.True(t, now.UpdatedAt.After(o.UpdatedAt))
	s.pay(o, 10_000_00)
	s.advance(10 * time.Second)
	s.is(o, ramp.Done)
}

func TestWhatComesBeyondTheAmountGoesBack(t *testing.T) {
	s := open(t)
	o := s.create(order("order-1"))
	session := s.pay(o, 17_500_00)
	s.advance(10 * time.Second)
	s.is(o, ramp.Done)
	require.EqualValues(t, 2_500_00, s.back(session))
	s.holds(stranger, 10_000_000)
	again := s.pay(o, 1_00)
	require.EqualValues(t, 1_00, s.back(again), "a later credit goes back whole")
	s.is(o, ramp.Done)
}

func TestAnOrderThatIsShortWhenItsTimeIsOverFails(t *testing.T) {
	s := open(t)
	o := s.create(order("order-1"))
	first, second := s.pay(o, 5_000_00), s.pay(o, 4_000_00)
	s.advance(15 * time.Minute)
	o = s.is(o, ramp.Expired)
	require.Equal(t, ramp.Failed, o.Status)
	require.EqualValues(t, 9_000_00, s.back(first, second))
	late := s.pay(o, 15_000_00)
	require.EqualValues(t, 15_000_00, s.back(late))
	s.is(o, ramp.Expired)
	s.holds(stranger, 0)
}

func TestWhatTheBankTellsLateCountsWhenItCameInTime(t *testing.T) {
	s := open(t)
	o := s.create(order("order-1"))
	require.NoError(t, s.World.Inject(t.Context(), sandbox.TargetBank, sandbox.Withheld, 1_000))
	s.pay(o, 15_000_00)
	s.advance(15*time.Minute + time.Second)
	require.NoError(t, s.World.Calm(t.Context()))
	s.drain()
	s.clean()
}

func TestUSDCThatCannotBeDeliveredFailTheOrder(t *testing.T) {
	s := open(t)
	o := s.create(order("order-1"))
	require.NoError(t, s.World.Inject(t.Context(), sandbox.TargetChain, sandbox.ProgramError, 1))
	session := s.pay(o, 17_000_00)
	s.advance(10 * time.Second)
	o = s.is(o, ramp.Refunded)
	require.Equal(t, ramp.Failed, o.Status)
	require.EqualValues(t, 17_000_00, s.back(session), "with the excess")
	require.Empty(t, o.Signature, "it has delivered nothing")
	s.holds(stranger, 0)
}

func TestAnOrderWaitsForTheInventory(t *testing.T) {
	s := open(t)
	p := order("order-1")
	p.Amount = money.NGN(3_000_000_000_00) // 2 million USDC, of 1 million
	o := s.create(p)
	s.pay(o, p.Amount.Minor())
	s.advance(time.Hour)
	waits := s.is(o, ramp.FundsReceived)
	require.Equal(t, ramp.Processing, waits.Status)
	require.True(t, waits.EndedAt.IsZero())

	from, err := s.Onramps.Inventory(t.Context(), ferry.Test)
	require.NoError(t, err)
	_, err = s.World.Deposit(t.Context(), sandbox.DepositParams{To: from, Amount: money.USDC(2_000_000_000_000)})
	require.NoError(t, err)
	s.advance(2 * time.Minute)
	s.is(o, ramp.Done)
	s.holds(stranger, 2_000_000_000_000)
}

func TestAnOrderThatWaitsForTheInventoryForADayGoesBack(t *testing.T) {
	s := open(t)
	p := order("order-1")
	p.Amount = money.NGN(3_000_000_000_00)
	o := s.create(p)
	session := s.pay(o, p.Amount.Minor())
	s.advance(24*time.Hour + time.Minute)
	s.is(o, ramp.Refunded)
	require.Equal(t, p.Amount.Minor(), s.back(session))
}

func TestACreditThatTheBankTakesBackDoesNotCount(t *testing.T) {
	s := open(t)
	o := s.create(order("order-1"))
	session := s.pay(o, 5_000_00)
	_, err := s.World.Recall(t.Context(), session)
	require.NoError(t, err)
	s.drain()
	require.Equal(t, money.NGN(0), s.is(o, ramp.AwaitingFunds).Received)
	s.pay(o, 15_000_00)
	s.advance(10 * time.Second)
	s.is(o, ramp.Done)
}

func TestAReferenceIsUsedOnce(t *testing.T) {
	s := open(t)
	s.create(order("order-1"))
	_, err := s.Onramps.Create(t.Context(), s.scope, order("order-1"))
	require.ErrorIs(t, err, ramp.ErrDuplicateReference)
}

func TestARepeatedRequestMakesOneOrder(t *testing.T) {
	s := open(t)
	require.NoError(t, s.World.Inject(t.Context(), sandbox.TargetBank, sandbox.AnswerLost, 1))
	const key = "key-1"
	_, err := engine.Do(t.Context(), s.Engine, key, s.Onramps.CreateOp(s.scope, order("order-1")))
	require.ErrorIs(t, err, onramp.ErrUnavailable)
	made, err := engine.Do(t.Context(), s.Engine, key, s.Onramps.CreateOp(s.scope, order("order-1")))
	require.NoError(t, err)
	again, err := engine.Do(t.Context(), s.Engine, key, s.Onramps.CreateOp(s.scope, order("order-1")))
	require.NoError(t, err)
	require.Equal(t, made.ID, again.ID)
	all, err := s.Onramps.List(t.Context(), s.scope, onramp.Filter{}, ferry.Page{})
	require.NoError(t, err)
	require.Equal(t, 1, all.Total)
}

func TestAnOrderMayUseAQuoteUntilThatHasRunOut(t *testing.T) {
	s := open(t)
	quote, err := s.Quotes.Quote(t.Context(), s.scope, ramp.Onramp, money.NGN(15_000_00))
	require.NoError(t, err)
	require.NoError(t, s.World.SetPrice(t.Context(), "2000"))
	p := order("order-1")
	p.Quote, p.Amount = string(quote.ID), money.NGN(16_000_00)
	_, err = s.Onramps.Create(t.Context(), s.scope, p)
	require.ErrorIs(t, err, ferry.ErrValidation)
	p.Amount = money.NGN(15_000_00)
	require.Equal(t, "1500", s.create(p).Rate)
	p.Reference = "order-2"
	_, err = s.Onramps.Create(t.Context(), s.scope, p)
	require.ErrorIs(t, err, ramp.ErrQuoteUsed)
	unused, err := s.Quotes.Quote(t.Context(), s.scope, ramp.Onramp, money.NGN(15_000_00))
	require.NoError(t, err)
	s.advance(15 * time.Minute)
	p.Quote = string(unused.ID)
	_, err = s.Onramps.Create(t.Context(), s.scope, p)
	require.ErrorIs(t, err, ramp.ErrQuoteExpired)
}

func TestWhatCannotBeExchangedIsRefused(t *testing.T) {
	s := open(t)
	for name, c := range map[string]struct {
		change func(*onramp.Params)
		want   error
	}{
		"nothing":         {func(p *onramp.Params) { *p = onramp.Params{} }, ferry.ErrValidation},
		"no reference":    {func(p *onramp.Params) { p.Reference = "" }, ferry.ErrValidation},
		"dollars":         {func(p *onramp.Params) { p.Currency = "USD" }, ramp.ErrInvalidCurrency},
		"another asset":   {func(p *onramp.Params) { p.Asset = "USDT" }, wallets.ErrInvalidAsset},
		"another chain":   {func(p *onramp.Params) { p.Chain = "ETHEREUM" }, wallets.ErrInvalidNetwork},
		"too little":      {func(p *onramp.Params) { p.Amount = money.NGN(1_499_99) }, ramp.ErrBelowMinimum},
		"a wrong address": {func(p *onramp.Params) { p.Address = "nowhere" }, onramp.ErrInvalidAddress},
		"no such quote":   {func(p *onramp.Params) { p.Quote = "qte_00000000000000000000000000000000" }, ramp.ErrQuoteNotFound},
	} {
		p := order("order-1")
		c.change(&p)
		_, err := s.Onramps.Create(t.Context(), s.scope, p)
		require.ErrorIs(t, err, c.want, name)
	}
	require.NoError(t, s.World.Inject(t.Context(), sandbox.TargetRates, sandbox.Unavailable, 1))
	_, err := s.Onramps.Create(t.Context(), s.scope, order("order-1"))
	require.ErrorIs(t, err, ramp.ErrUnavailable)
}
