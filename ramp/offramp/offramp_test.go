package offramp_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

func TestUSDCBecomesNairaAtTheBank(t *testing.T) {
	s := setup(t)
	p := cashout("rent", paysOut)
	p.AccountName = "Somebody Else"
	made := s.create(p)
	require.Equal(t, money.USDC(10_000_000), made.Crypto)
	require.Equal(t, "1500", made.Rate)
	require.NotEmpty(t, made.Deposit)
	require.Equal(t, made.CreatedAt, made.UpdatedAt)
	require.NotEqual(t, "Somebody Else", made.To.AccountName, "the bank tells whose account it is")
	require.NotEmpty(t, made.To.AccountName)
	require.Equal(t, s.Clock(ferry.Test).Now().Add(15*time.Minute), made.ExpiresAt)

	s.deposit(made, money.USDC(4_000_000))
	found := s.is(made, ramp.AwaitingDeposit, ramp.Pending)
	require.Equal(t, money.USDC(6_000_000), found.Due())
	require.True(t, found.UpdatedAt.After(made.UpdatedAt))
	require.Equal(t, []string{"held 4 "}, ends(found))
	s.deposit(made, money.USDC(6_000_000))
	found = s.is(made, ramp.Done, ramp.Successful)
	require.NotEmpty(t, found.SessionID)
	require.Equal(t, []string{"taken 4 ", "taken 6 "}, ends(found))
	require.Equal(t, []string{offramp.EventProcessing, offramp.EventSuccess}, s.events())
	require.Equal(t, s.start, s.naira().Posted, "what came in went out")
	require.True(t, s.naira().Reserved.IsZero())
	require.True(t, s.back().IsZero())

	lines, err := s.Statement.List(t.Context(), s.scope, statement.Filter{Channel: "offramp"}, ferry.Page{})
	require.NoError(t, err)
	require.Len(t, lines.Data, 2)
	require.Equal(t, statement.Out, lines.Data[0].Direction, "the newest is what went out")
	for _, line := range lines.Data {
		require.Equal(t, money.NGN(15_000_00), line.Amount)
		require.False(t, line.CanGoBack())
	}
	s.pass(2 * day)
	s.is(made, ramp.Done, ramp.Successful)
}

func TestWhatCountsIsTheBanksWordAndTheRestGoesBack(t *testing.T) {
	for name, c := range map[string]struct {
		account string
		sent    []int64
		stage   ramp.Stage
		status  ramp.Status
		back    int64
		ends    []string
		events  []string
	}{
		"more than was needed": {
			paysOut, []int64{12_500_000}, ramp.Done, ramp.Successful, 2_500_000 - fee,
			[]string{"taken 10 ", "returned 2.5 excess"}, []string{offramp.EventProcessing, offramp.EventSuccess},
		},
		"a second time": {
			paysOut, []int64{10_000_000, 10_000_000}, ramp.Done, ramp.Successful, 10_000_000 - fee,
			[]string{"taken 10 ", "returned 10 late"}, []string{offramp.EventProcessing, offramp.EventSuccess},
		},
		"the bank refuses": {
			refuses, []int64{3_000_000, 7_000_000}, ramp.Refunded, ramp.Failed, 10_000_000 - 2*fee,
			[]string{"returned 3 payout_failed", "returned 7 payout_failed"}, []string{offramp.EventProcessing, offramp.EventFailed},
		},
		"not all came": {
			paysOut, []int64{9_999_999}, ramp.Expired, ramp.Failed, 9_999_999 - fee,
			[]string{"returned 9.999999 underpaid"}, []string{offramp.EventFailed},
		},
		"nothing came": {paysOut, nil, ramp.Expired, ramp.Failed, 0, nil, []string{offramp.EventFailed}},
		"more by less than can be sent": {
			paysOut, []int64{10_010_000}, ramp.Done, ramp.Successful, 0,
			[]string{"taken 10 ", "kept 0.01 excess"}, []string{offramp.EventProcessing, offramp.EventSuccess},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := setup(t)
			made := s.create(cashout("rent", c.account))
			for _, micro := range c.sent {
				s.deposit(made, money.USDC(micro))
			}
			s.pass(time.Hour)
			found := s.is(made, c.stage, c.status)
			require.Equal(t, c.ends, ends(found))
			require.Equal(t, c.back, s.back().Minor())
			require.Equal(t, c.events, s.events())
			require.Equal(t, s.start, s.naira().Posted)
			require.True(t, s.naira().Reserved.IsZero())
		})
	}
}

func TestUSDCThatComesAfterTheEndGoesBackForLife(t *testing.T) {
	s := setup(t)
	made := s.create(cashout("rent", paysOut))
	s.pass(20 * time.Minute)
	require.NotEmpty(t, s.is(made, ramp.Expired, ramp.Failed).Failure)
	s.deposit(made, money.USDC(10_000_000))
	s.pass(30 * day)
	s.deposit(made, money.USDC(1_000_000))
	require.Equal(t, []string{"returned 10 late", "returned 1 late"}, ends(s.is(made, ramp.Expired, ramp.Failed)))
	require.Equal(t, int64(11_000_000-2*fee), s.back().Minor())
	require.Equal(t, []string{offramp.EventFailed}, s.events(), "it failed once")
}

func TestUSDCInABlockBeforeTheEndIsInTime(t *testing.T) {
	s := setup(t)
	made := s.create(cashout("rent", paysOut))
	s.pass(15*time.Minute - time.Second)
	s.deposit(made, money.USDC(10_000_000)) // it is final after the end
	s.is(made, ramp.Done, ramp.Successful)
}

func TestAnOrderDoesNotEndWhileTheChainDoesNotAnswer(t *testing.T) {
	s := setup(t)
	made := s.create(cashout("rent", paysOut))
	s.pass(14 * time.Minute)
	s.send(made, money.USDC(10_000_000))
	require.NoError(t, s.World.Inject(t.Context(), sandbox.TargetChain, sandbox.Unavailable, 50))
	_, _ = s.Advance(t.Context(), 2*time.Minute)
	require.Equal(t, ramp.AwaitingDeposit, s.get(made).Stage)
	require.NoError(t, s.World.Calm(t.Context()))
	s.pass(5 * time.Minute)
	s.is(made, ramp.Done, ramp.Successful)
}

func TestAnUnknownOutcomeStaysProcessingForEver(t *testing.T) {
	s := setup(t)
	made := s.create(cashout("rent", isSilent))
	s.deposit(made, money.USDC(10_000_000))
	s.pass(3 * day)
	found := s.is(made, ramp.PaymentSubmitted, ramp.Processing)
	require.Equal(t, []string{"held 10 "}, ends(found))
	require.Equal(t, money.NGN(15_000_00), s.naira().Reserved, "its naira stay set aside")
	_, err := s.World.SetBankOutcome(t.Context(), "rent", sandbox.Pays)
	require.NoError(t, err)
	found, err = s.Offramps.Refresh(t.Context(), s.scope, offramp.Ref{Reference: "rent"})
	require.NoError(t, err)
	require.Equal(t, ramp.Done, found.Stage)
	s.pass(time.Hour)
	s.is(made, ramp.Done, ramp.Successful)
}

func TestNairaThatTheBankSendsBackAreTheBusinesss(t *testing.T) {
	s := setup(t)
	made := s.create(cashout("rent", sendsBack))
	s.deposit(made, money.USDC(10_000_000))
	s.is(made, ramp.Done, ramp.Successful)
	s.pass(25 * time.Hour)
	found := s.is(made, ramp.Done, ramp.Successful)
	require.False(t, found.ReturnedAt.IsZero())
	require.Equal(t, s.start.Minor()+15_000_00, s.naira().Posted.Minor())
	require.Equal(t, []string{offramp.EventProcessing, offramp.EventSuccess, offramp.EventReturned}, s.events())
	require.Equal(t, []string{"taken 10 "}, ends(found))
}

func TestAStopKeepsTheNairaUntilTheOperatorEndsIt(t *testing.T) {
	s := setup(t)
	made := s.create(cashout("rent", paysOut))
	require.NoError(t, s.Custody.StopOutflows(t.Context(), ferry.Test, "a key was stolen"))
	s.deposit(made, money.USDC(11_000_000))
	s.pass(time.Hour)
	found := s.is(made, ramp.FundsReceived, ramp.Processing)
	require.Zero(t, found.Submissions)
	require.True(t, s.back().IsZero(), "nothing leaves on the chain either")
	require.NoError(t, s.Custody.ResumeOutflows(t.Context(), ferry.Test))
	s.pass(time.Hour)
	s.is(made, ramp.Done, ramp.Successful)
	require.Equal(t, int64(1_000_000-fee), s.back().Minor())
}

// The quote was given ten minutes before the order, so the rate ends ten minutes before the order
// does.
func TestADepositAfterTheEndOfTheRateCountsAtTheRateOfItsMoment(t *testing.T) {
	for name, c := range map[string]struct {
		price string
		sent  int64
		due   int64
	}{
		"a better one is not waited for in vain": {"3000", 5_000_000, 0},
		"a worse one asks for more":              {"1000", 10_000_000, 3_333_334},
	} {
		t.Run(name, func(t *testing.T) {
			s := setup(t)
			quote, err := s.Quotes.Quote(t.Context(), s.scope, ramp.Offramp, money.NGN(15_000_00))
			require.NoError(t, err)
			s.pass(10 * time.Minute)
			p := cashout("rent", paysOut)
			p.Quote = string(quote.ID)
			made := s.create(p)
			s.pass(6 * time.Minute)
			s.price(c.price)
			s.deposit(made, money.USDC(c.sent))
			found := s.get(made)
			require.Equal(t, c.due, found.Due().Minor())
			s.clean()
			if c.due == 0 {
				s.is(made, ramp.Done, ramp.Successful)
				return
			}
			require.Equal(t, money.NGN(10_000_00), found.Credited)
			s.deposit(made, money.USDC(5_000_000))
			s.is(made, ramp.Done, ramp.Successful)
			require.True(t, s.back().IsZero())
		})
	}
}

func TestADepositThatNeedsARateWaitsForIt(t *testing.T) {
	s := setup(t)
	quote, err := s.Quotes.Quote(t.Context(), s.scope, ramp.Offramp, money.NGN(15_000_00))
	require.NoError(t, err)
	s.pass(10 * time.Minute)
	p := cashout("rent", paysOut)
	p.Quote = string(quote.ID)
	made := s.create(p)
	s.pass(6 * time.Minute)
	require.NoError(t, s.World.Inject(t.Context(), sandbox.TargetRates, sandbox.Unavailable, 10))
	s.send(made, money.USDC(10_000_000))
	_, _ = s.Advance(t.Context(), 5*time.Second)
	require.Empty(t, s.get(made).Deposits)
	require.NoError(t, s.World.Calm(t.Context()))
	s.pass(time.Minute)
	s.is(made, ramp.Done, ramp.Successful)
}

func TestUSDCFromAWalletHereGoesBackWhole(t *testing.T) {
	s := setup(t)
	w := s.wallet(money.USDC(50_000_000))
	made := s.create(cashout("rent", refuses))
	_, err := s.Outgoing.Transfer(t.Context(), s.scope, outgoing.TransferParams{
		From: string(w.PrimaryAddress), To: string(made.Deposit), Amount: money.USDC(12_000_000),
	})
	require.NoError(t, err)
	s.pass(time.Minute)
	found := s.is(made, ramp.Refunded, ramp.Failed)
	require.Equal(t, []string{"returned 10 payout_failed", "returned 2 excess"}, ends(found))
	totals, err := s.Balances(t.Context(), s.scope)
	require.NoError(t, err)
	for _, total := range totals {
		if total.Asset == money.AssetUSDC {
			require.Equal(t, money.USDC(50_000_000), total.Posted)
		}
	}
}

func TestAWayBackThatMovedNothingIsTriedAgain(t *testing.T) {
	s := setup(t)
	made := s.create(cashout("rent", paysOut))
	s.pass(20 * time.Minute)
	require.NoError(t, s.World.Inject(t.Context(), sandbox.TargetChain, sandbox.ProgramError, 1))
	s.deposit(made, money.USDC(2_000_000))
	s.pass(time.Minute)
	found := s.is(made, ramp.Expired, ramp.Failed)
	require.Equal(t, []string{"due 2 late"}, ends(found))
	require.Equal(t, 1, found.Deposits[0].Attempts)
	s.pass(2 * time.Hour)
	require.Equal(t, []string{"returned 2 late"}, ends(s.is(made, ramp.Expired, ramp.Failed)))
	require.Equal(t, int64(2_000_000-fee), s.back().Minor())
}

func TestAnOrderIsRefusedBeforeAnythingIsMade(t *testing.T) {
	s := setup(t)
	for name, c := range map[string]struct {
		change func(*offramp.Params)
		want   error
	}{
		"less than 1 USDC":      {func(p *offramp.Params) { p.Amount = money.NGN(1_499_99) }, ramp.ErrBelowMinimum},
		"an unknown account":    {func(p *offramp.Params) { p.AccountNumber = "0000000000" }, payouts.ErrUnknownAccount},
		"no bank":               {func(p *offramp.Params) { p.BankCode = "" }, ferry.ErrValidation},
		"another currency":      {func(p *offramp.Params) { p.Currency = "USD" }, ramp.ErrInvalidCurrency},
		"an unknown quote":      {func(p *offramp.Params) { p.Quote = "qte_00000000000000000000000000000000" }, ramp.ErrQuoteNotFound},
		"a reference of spaces": {func(p *offramp.Params) { p.Reference = "a b" }, ferry.ErrValidation},
	} {
		t.Run(name, func(t *testing.T) {
			p := cashout("rent", paysOut)
			c.change(&p)
			_, err := s.Offramps.Create(t.Context(), s.scope, p)
			require.ErrorIs(t, err, c.want)
		})
	}
	require.NoError(t, s.World.Inject(t.Context(), sandbox.TargetRates, sandbox.Unavailable, 1))
	_, err := s.Offramps.Create(t.Context(), s.scope, cashout("rent", paysOut))
	require.ErrorIs(t, err, ramp.ErrUnavailable)
	s.create(cashout("rent", paysOut))
	_, err = s.Offramps.Create(t.Context(), s.scope, cashout("rent", paysOut))
	require.ErrorIs(t, err, ramp.ErrDuplicateReference)
	all, err := s.Offramps.List(t.Context(), s.scope, offramp.Filter{}, ferry.Page{})
	require.NoError(t, err)
	require.Equal(t, 1, all.Total)
}

func TestAnOrderNamesAQuoteOfItsAmountThatStands(t *testing.T) {
	s := setup(t)
	quote, err := s.Quotes.Quote(t.Context(), s.scope, ramp.Offramp, money.NGN(20_000_00))
	require.NoError(t, err)
	p := cashout("rent", paysOut)
	p.Quote = string(quote.ID)
	_, err = s.Offramps.Create(t.Context(), s.scope, p)
	require.ErrorIs(t, err, ferry.ErrValidation)
	s.price("1000")
	p.Amount = money.NGN(20_000_00)
	require.Equal(t, quote.Crypto, s.create(p).Crypto)
	s.pass(15 * time.Minute)
	p.Reference = "again"
	_, err = s.Offramps.Create(t.Context(), s.scope, p)
	require.ErrorIs(t, err, ramp.ErrQuoteExpired)
}

func TestAGivenNameStandsInWhileTheBankDoesNotAnswer(t *testing.T) {
	s := setup(t)
	down := func() { require.NoError(t, s.World.Inject(t.Context(), sandbox.TargetBank, sandbox.Unavailable, 1)) }
	down()
	_, err := s.Offramps.Create(t.Context(), s.scope, cashout("rent", paysOut))
	require.ErrorIs(t, err, payouts.ErrUnavailable)
	p := cashout("rent", paysOut)
	p.AccountName = "Ada Obi"
	down()
	made := s.create(p)
	require.Equal(t, "Ada Obi", made.To.AccountName)
	s.deposit(made, money.USDC(10_000_000))
	s.is(made, ramp.Done, ramp.Successful)
}

func TestARepeatedOrderUnderOneKeyIsOneOrder(t *testing.T) {
	s := setup(t)
	run := func() offramp.Details {
		made, err := engine.Do(t.Context(), s.Engine, "key-1", s.Offramps.CreateOp(s.scope, cashout("rent", paysOut)))
		require.NoError(t, err)
		return made
	}
	first := run()
	require.Equal(t, first.ID, run().ID)
	require.Equal(t, first.Deposit, run().Deposit)
	_, err := engine.Do(context.Background(), s.Engine, "key-1", s.Offramps.CreateOp(s.scope, cashout("other", paysOut)))
	require.ErrorIs(t, err, ferry.Conflict)
}

func TestAPersonSaysWhereUSDCGoesThatCannotGoBack(t *testing.T) {
	s := setup(t)
	made := s.create(cashout("rent", paysOut))
	_, err := s.World.Deposit(t.Context(), sandbox.DepositParams{To: made.Deposit, Amount: money.USDC(12_500_000), Sender: sandbox.USDCMint})
	require.NoError(t, err)
	s.pass(time.Minute)
	require.Equal(t, []string{"taken 10 ", "kept 2.5 excess"}, ends(s.is(made, ramp.Done, ramp.Successful)))
	kept, err := s.Offramps.Kept(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.Len(t, kept, 1)

	to := offramp.Return{To: payer, By: "Ada", Why: "Ticket 7"}
	for _, wrong := range []offramp.Return{{}, {To: "nowhere", By: "Ada", Why: "Ticket 7"}, {To: payer, By: "Ada"}, {To: payer, Why: "Ticket 7"}} {
		_, err := s.Offramps.ReturnKept(t.Context(), ferry.Test, kept[0].ID, wrong)
		require.ErrorIs(t, err, ferry.ErrValidation)
	}
	_, err = s.Offramps.ReturnKept(t.Context(), ferry.Test, kept[0].ID, offramp.Return{To: made.Deposit, By: "Ada", Why: "Ticket 7"})
	require.ErrorIs(t, err, outgoing.ErrInvalidAddress)
	_, err = s.Offramps.ReturnKept(t.Context(), ferry.Live, kept[0].ID, to)
	require.ErrorIs(t, err, offramp.ErrDepositNotFound)
	for range 2 {
		_, err = s.Offramps.ReturnKept(t.Context(), ferry.Test, kept[0].ID, to)
		require.NoError(t, err)
		s.pass(time.Minute)
		require.Equal(t, []string{"taken 10 ", "returned 2.5 excess"}, ends(s.is(made, ramp.Done, ramp.Successful)))
		require.Equal(t, int64(2_500_000-fee), s.back().Minor())
	}
	to.To = "FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T"
	_, err = s.Offramps.ReturnKept(t.Context(), ferry.Test, kept[0].ID, to)
	require.ErrorIs(t, err, offramp.ErrNotKept)
}
