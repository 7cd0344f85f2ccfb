package wallets_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// recorded makes a transfer of which no step on the chain was taken yet.
func (b *bench) recorded(from wallets.Wallet, to chain.Address, amount string) outgoing.Transfer {
	b.t.Helper()
	t, err := b.record(b.prepare(from, to, amount))
	require.NoError(b.t, err)
	return t
}

// advance takes a step of a transfer, as the request does that made it.
func (b *bench) advance(t outgoing.Transfer) {
	b.t.Helper()
	require.NoError(b.t, b.Advance(b.t.Context(), t.Scope, t.ID))
}

// whileSigning does something once, between the plan of an attempt and its signature. The chain
// then answers with an error, or signs.
func (b *bench) whileSigning(answer error, do func()) {
	b.chain.sign = func() error {
		b.chain.sign = nil
		do()
		b.chain.sign = nil
		return answer
	}
}

// fewSources leaves room for few sources in an attempt.
func (b *bench) fewSources() {
	b.chain.maxMemo = func(sources int) int { return b.chain.Chain.MaxMemo(sources) - 350*(sources-1) }
}

// gathering is the one treasury transfer that is pending.
func (b *bench) gathering() outgoing.Transfer {
	b.t.Helper()
	var found []outgoing.Transfer
	for _, t := range b.pending() {
		if t.Kind == outgoing.Treasury {
			found = append(found, t)
		}
	}
	require.Len(b.t, found, 1)
	return found[0]
}

// approvedFrom has transfers of a business wait for an approval from an amount on.
func (b *bench) approvedFrom(scope ferry.Scope, amount string) {
	b.t.Helper()
	require.NoError(b.t, b.units.In(ferry.Test).Write(b.t.Context(), func(ctx context.Context, tx store.Tx) error {
		return outflow.RulesKind.Put(ctx, tx, outflow.Rules{
			Scope: scope, Limits: outflow.Limits{USDC: outflow.Limit{Approval: usdc(amount)}},
		})
	}))
}

func (b *bench) approve(t outgoing.Transfer) {
	b.t.Helper()
	require.NoError(b.t, b.units.In(ferry.Test).Write(b.t.Context(), func(ctx context.Context, tx store.Tx) error {
		return b.ApproveIn(ctx, tx, t.Scope, t.ID)
	}))
}

func TestATransferThatWaitsForItsApprovalIsNeitherDueNorSigned(t *testing.T) {
	b := setup(t)
	w, to := b.funded("w", "10"), b.stranger()
	b.approvedFrom(home, "3")
	sent := b.send(w, to, "3")
	require.Equal(t, outflow.PendingApproval, sent.Stage)
	require.Equal(t, usdc("6.995"), b.balance(w))
	b.clock.pass(time.Minute)
	require.Zero(t, b.runDue())
	b.advance(sent)
	require.Empty(t, b.attempts(sent), "whoever has it in hand")
	b.approve(sent)
	b.settle()
	require.Equal(t, wallets.Success, b.transfer(sent).Status)
	require.Equal(t, usdc("3"), b.holds(to))
	b.clean()
}

func TestAnInternalTransferArrivesWhenItIsApproved(t *testing.T) {
	b := setup(t)
	from, to := b.funded("from", "10"), b.walletOf(away, "to")
	b.approvedFrom(home, "3")
	sent := b.send(from, to.PrimaryAddress, "4")
	require.Equal(t, wallets.Pending, sent.Status)
	require.Equal(t, usdc("0"), b.balance(to))
	b.clock.pass(time.Hour)
	b.approve(sent)
	b.runDue()
	now := b.clock.Now()
	require.Equal(t, wallets.Success, b.transfer(sent).Status)
	require.Equal(t, now, b.transfer(sent).ConfirmedAt)
	require.Equal(t, now, b.line(sent).ConfirmedAt)
	told := b.events(home, wallets.EventSent)
	require.Len(t, told, 1)
	require.Equal(t, now.Format("2006-01-02T15:04:05.000Z"), b.data(told[0])["confirmed_at"])
	require.Equal(t, usdc("6"), b.balance(from))
	require.Equal(t, usdc("4"), b.balance(to))
	require.Equal(t, usdc("4"), b.addressOf(to.PrimaryAddress, away).TotalReceived)
	require.Len(t, b.lines(away, wallets.TransactionQuery{Direction: wallets.In}), 1)
	require.Len(t, b.events(away, wallets.EventReceived), 1)
	b.clean()
}

func TestWhatIsWrongWithATransferIsSaidWhileTheChainIsAway(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	b.chain.inspect = func(chain.Address) (chain.Destination, error) { return chain.Destination{}, chain.ErrUnavailable }
	p := order(w, b.stranger(), "1")
	prepare := func(scope ferry.Scope, p outgoing.TransferParams) error {
		return b.TransferOp(scope, p).Begin().Prepare(t.Context(), "")
	}
	require.ErrorIs(t, prepare(home, p), wallets.ErrUnavailable)
	require.ErrorIs(t, prepare(ferry.Scope{}, p), ferry.ErrZeroScope)
	require.ErrorIs(t, prepare(home, order(w, "0OIl", "1")), outgoing.ErrInvalidAddress)
	p.Network = "tron"
	require.ErrorIs(t, prepare(home, p), wallets.ErrInvalidNetwork)
}

func TestTheFieldsOfATransferAreRefusedInTheirOrder(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	b.chain.maxMemo = func(int) int { return 43 } // ten bytes of the caller's
	keys := func(n int) ferry.Metadata {
		m := ferry.Metadata{}
		for i := range n {
			m[strconv.Itoa(i)] = "v"
		}
		return m
	}
	p := order(w, b.stranger(), "1")
	p.Metadata = keys(10)
	_, err := b.Transfer(t.Context(), home, p)
	require.NoError(t, err, "ten keys are allowed")
	p.Metadata, p.Memo = keys(11), "\x00"
	_, err = b.Transfer(t.Context(), home, p)
	require.Equal(t, []string{"memo", "metadata"}, fieldsOf(t, err))
	p = order(w, b.stranger(), "1")
	p.From, p.Memo = "", strings.Repeat("m", 11)
	_, err = b.Transfer(t.Context(), home, p)
	require.Equal(t, []string{"from_address", "memo"}, fieldsOf(t, err))
	p = order(w, b.stranger(), "1")
	p.Amount = money.NGN(100_000)
	_, err = b.Transfer(t.Context(), home, p)
	var refused *ferry.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, "Must be an amount of USDC", refused.Fields[0].Message)
}

func TestWhoReceivesAtAManagedAddressIsKnownWithoutTheChain(t *testing.T) {
	b := setup(t)
	w := b.wallet("w")
	b.chain.inspect = func(chain.Address) (chain.Destination, error) { return chain.Destination{}, chain.ErrUnavailable }
	receiver, err := b.Receiver(t.Context(), ferry.Test, w.PrimaryAddress)
	require.NoError(t, err)
	require.Equal(t, w.PrimaryAddress, receiver)
	_, err = b.Receiver(t.Context(), ferry.Test, b.stranger())
	require.ErrorIs(t, err, wallets.ErrUnavailable)
}

// paid ends the transfer that a payment has paid, and returns its kind.
func (b *bench) paid(p outgoing.Paid) outgoing.Kind {
	b.t.Helper()
	kind, err := ferry.InUnit(b.t.Context(), b.walletUnits().In(ferry.Test), func(ctx context.Context, tx wallets.Tx) (outgoing.Kind, error) {
		return b.PaidIn(ctx, tx, p)
	})
	require.NoError(b.t, err)
	return kind
}

func TestAPaymentEndsOnlyAPendingTransferOverItsAmount(t *testing.T) {
	b := setup(t)
	w, foreign, to := b.funded("w", "100"), b.walletOf(away, "foreign"), b.stranger()
	done := b.send(w, to, "3")
	b.settle()
	b.approvedFrom(home, "20")
	inside := b.send(w, foreign.PrimaryAddress, "20")
	require.Equal(t, wallets.Pending, inside.Status)
	open := b.recorded(w, to, "3")
	payment := func(of outgoing.Transfer) outgoing.Paid {
		return outgoing.Paid{Env: ferry.Test, Transfer: of.ID, Attempt: 1, Signature: "landed", Amount: of.Amount, Left: of.Amount, At: b.clock.Now()}
	}
	less, elsewhere, nobodys := payment(open), payment(open), payment(open)
	less.Amount, less.Left = usdc("2"), usdc("2")
	elsewhere.Env = ferry.Live
	nobodys.Transfer = ""
	for name, p := range map[string]outgoing.Paid{
		"over less": less, "in another environment": elsewhere, "without a mark": nobodys,
		"of one that has ended": payment(done), "of an internal one": payment(inside),
	} {
		require.Empty(t, b.paid(p), name)
	}
	require.Equal(t, wallets.Pending, b.transfer(inside).Status)
	require.Equal(t, wallets.Pending, b.transfer(open).Status)

	require.Equal(t, outgoing.External, b.paid(payment(open)))
	require.Equal(t, wallets.Success, b.transfer(open).Status)
	require.Equal(t, chain.Signature("landed"), b.transfer(open).Signature)
	require.Equal(t, 1, b.transfer(open).Attempts)
	require.Len(t, b.events(home, wallets.EventSent), 2)
}

func TestAPaymentThatGatheredFundsEndsItsTransferWithItsAmount(t *testing.T) {
	b := setup(t)
	b.fewSources()
	w := fragmented(b, 6)
	b.send(w, b.stranger(), "5.5")
	gathers := b.gathering()
	require.Equal(t, outgoing.Treasury, b.paid(outgoing.Paid{
		Env: ferry.Test, Transfer: gathers.ID, Attempt: 1, Signature: "landed", Amount: usdc("3"), Left: usdc("0"), At: b.clock.Now(),
	}))
	ended := b.transfer(gathers)
	require.Equal(t, wallets.Success, ended.Status)
	require.Equal(t, usdc("3"), ended.Amount)
	require.Equal(t, chain.Signature("landed"), ended.Signature)
}

func TestATransferThatGathersHasTheAmountThatWasSigned(t *testing.T) {
	b := setup(t)
	b.fewSources()
	w := fragmented(b, 6)
	b.send(w, b.stranger(), "5.5")
	require.Equal(t, usdc("0"), b.gathering().Amount)
	b.try()
	gathers := b.gathering()
	attempts := b.attempts(gathers)
	require.Len(t, attempts, 1)
	total, err := attempts[0].Total()
	require.NoError(t, err)
	require.Positive(t, total.Minor())
	require.Equal(t, total, gathers.Amount)
	require.Equal(t, 1, gathers.Attempts)
	require.Equal(t, attempts[0].Signature, gathers.Signature)
	require.Equal(t, b.clock.Now(), attempts[0].CreatedAt)
	require.Equal(t, b.clock.Now(), attempts[0].UpdatedAt)
}

// justThree leaves just enough room for three sources beside a mark alone.
func (b *bench) justThree() {
	b.chain.maxMemo = func(sources int) int {
		switch {
		case sources == 1:
			return 100
		case sources <= 3:
			return 32
		}
		return 0
	}
}

func TestAMemoThatJustFitsLeavesRoomForAllSources(t *testing.T) {
	b := setup(t)
	b.justThree()
	w := fragmented(b, 4)
	sent := b.send(w, b.stranger(), "2.5")
	require.Len(t, b.attempts(sent), 1)
	require.Len(t, b.attempts(sent)[0].Sources, 3)
}

func TestNoAttemptHasMoreThanSixteenSources(t *testing.T) {
	b := setup(t)
	b.chain.maxMemo = func(int) int { return 1000 }
	w := fragmented(b, 17)
	sent := b.send(w, b.stranger(), "16.5")
	require.Empty(t, sent.Signature)
	require.Equal(t, b.gathering().ID, b.transfer(sent).WaitsFor)
}

func TestWhatASweepSawMeanwhileKeepsAnAttemptFromBeingGivenUp(t *testing.T) {
	b := setup(t)
	w, to := b.funded("w", "10"), b.stranger()
	sent := b.send(w, to, "3")
	b.finalize()
	b.chain.look = func(_ context.Context, s []chain.Signature) (chain.StatusReport, error) {
		return chain.StatusReport{Statuses: make([]chain.Status, len(s)), FinalizedHeight: 1 << 40}, nil
	}
	other := b.another()
	b.chain.history = func(ctx context.Context, _ chain.Address, _ chain.Cursor, _ int) ([]chain.Movement, error) {
		b.chain.history = nil
		_, err := other.Sweep(ctx, 100)
		require.NoError(t, err)
		return nil, nil // of a node that is behind
	}
	b.advance(sent)
	attempts := b.attempts(sent)
	require.Len(t, attempts, 1)
	require.True(t, attempts[0].Seen)
	require.Equal(t, outgoing.AttemptLive, attempts[0].State)
	b.chain.look = nil
	b.settle()
	require.Equal(t, usdc("3"), b.holds(to))
	b.clean()
}

func TestATransferThatEndedMeanwhileWaitsForNothing(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	sent := b.recorded(w, b.stranger(), "3")
	b.whileSigning(chain.ErrFeePayer, func() {
		b.chain.sign = func() error { return chain.ErrUnusable }
		require.NoError(t, b.another().Advance(t.Context(), home, sent.ID))
	})
	b.advance(sent)
	require.Equal(t, wallets.Failed, b.transfer(sent).Status)
	require.Equal(t, wallets.NotWaiting, b.transfer(sent).Waiting)
	require.Equal(t, wallets.NotWaiting, b.line(sent).Waiting)
	require.Equal(t, usdc("10"), b.balance(w))
}

func TestATransferThatWasSignedMeanwhileWaitsForNothing(t *testing.T) {
	b := setup(t)
	w, to := b.funded("w", "10"), b.stranger()
	sent := b.recorded(w, to, "3")
	b.whileSigning(chain.ErrFeePayer, func() {
		require.NoError(t, b.another().Advance(t.Context(), home, sent.ID))
	})
	b.advance(sent)
	require.Len(t, b.attempts(sent), 1)
	require.Equal(t, b.attempts(sent)[0].Signature, b.transfer(sent).Signature)
	require.Equal(t, wallets.NotWaiting, b.transfer(sent).Waiting)
	b.settle()
	require.Equal(t, usdc("3"), b.holds(to))
	b.clean()
}

func TestATransferThatMovedOnWhileItWasSignedIsNotCommitted(t *testing.T) {
	b := setup(t)
	w, to := b.funded("w", "10"), b.stranger()
	sent := b.recorded(w, to, "3")
	b.whileSigning(nil, func() {
		b.chain.sign = func() error { return chain.ErrFeePayer }
		require.NoError(t, b.another().Advance(t.Context(), home, sent.ID))
	})
	b.advance(sent)
	require.Empty(t, b.attempts(sent))
	require.Zero(t, b.chain.sends)
	require.Equal(t, wallets.ForFeePayer, b.transfer(sent).Waiting)
	b.settle()
	require.Equal(t, usdc("3"), b.holds(to))
	b.clean()
}

func TestAFinishedTransferIsNotSignedAgain(t *testing.T) {
	b := setup(t)
	sent := b.send(b.funded("w", "10"), b.stranger(), "3")
	b.settle()
	signs := b.chain.signs
	b.advance(sent)
	require.Equal(t, signs, b.chain.signs)
}

func TestAStopThatBeginsWhileAnAttemptIsSignedKeepsItFromLeaving(t *testing.T) {
	b := setup(t)
	w, to := b.funded("w", "10"), b.stranger()
	sent := b.recorded(w, to, "3")
	b.whileSigning(nil, func() { require.NoError(t, b.StopOutflows(t.Context(), ferry.Test, "a look")) })
	b.advance(sent)
	b.steps()
	require.Empty(t, b.attempts(sent))
	require.Zero(t, b.chain.sends)
	require.NoError(t, b.ResumeOutflows(t.Context(), ferry.Test))
	b.settle()
	require.Equal(t, usdc("3"), b.holds(to))
	b.clean()
}

func TestASenderThatIsSuspendedWhileOthersPayForItSendsNothing(t *testing.T) {
	b := setup(t)
	w, lender := b.wallet("w"), b.funded("lender", "10")
	b.send(lender, w.PrimaryAddress, "5") // in the books; on the chain it stays where it is
	b.whileSigning(nil, func() { require.NoError(t, b.setStatus(w, wallets.Suspended)) })
	sent := b.send(w, b.stranger(), "3")
	require.Equal(t, 1, b.chain.signs)
	b.steps()
	require.Empty(t, b.attempts(sent))
	require.Equal(t, usdc("10"), b.holds(lender.PrimaryAddress))
	b.clean()
}

func TestFundsThatSuspendedWalletsHoldInFragmentsAreNotGathered(t *testing.T) {
	b := setup(t)
	b.fewSources()
	lender, w := fragmented(b, 4), b.wallet("a")
	b.send(lender, w.PrimaryAddress, "4")
	require.NoError(t, b.setStatus(lender, wallets.Suspended))
	sent := b.send(w, b.stranger(), "3.5")
	require.Len(t, b.pending(), 1, "nothing gathers for it")
	require.Empty(t, b.transfer(sent).WaitsFor)
	require.NoError(t, b.setStatus(lender, wallets.Active))
	b.settle()
	require.Equal(t, wallets.Success, b.transfer(sent).Status)
	b.clean()
}

func TestOthersPayInsteadOfASuspendedWalletThatComesBeforeThem(t *testing.T) {
	b := setup(t)
	w, lender, third, _ := b.funded("a", "2"), b.funded("lender", "5"), b.funded("third", "4"), b.funded("fourth", "3")
	b.send(lender, w.PrimaryAddress, "5")
	b.send(third, w.PrimaryAddress, "4")
	require.NoError(t, b.setStatus(lender, wallets.Suspended))
	to := b.stranger()
	sent := b.send(w, to, "8")
	require.Len(t, b.attempts(sent), 1)
	b.settle()
	require.Equal(t, usdc("8"), b.holds(to))
	require.Equal(t, usdc("5"), b.holds(lender.PrimaryAddress))
	b.clean()
}

func TestMoreTransfersThanTheChainTellsInOneCallEndInOnePass(t *testing.T) {
	b := setupOn(t, memstore.New())
	w, to := b.funded("w", "1000"), b.stranger()
	for range chain.MaxStatuses + 1 {
		b.send(w, to, "1")
	}
	b.finalize()
	done, err := b.RunDue(t.Context(), 2*chain.MaxStatuses)
	require.NoError(t, err)
	require.Equal(t, chain.MaxStatuses+1, done)
	require.Empty(t, b.pending())
}

func TestATransferThatWaitsForTheSameAgainIsNotChanged(t *testing.T) {
	b := setup(t)
	sent := b.recorded(b.funded("w", "10"), b.stranger(), "3")
	b.chain.sign = func() error { return errors.New("what nobody foresaw") }
	b.clock.pass(time.Second)
	b.advance(sent)
	changed := b.transfer(sent).UpdatedAt
	require.Equal(t, b.clock.Now(), changed)
	require.Equal(t, wallets.ForOperator, b.transfer(sent).Waiting)
	b.try()
	require.Equal(t, changed, b.transfer(sent).UpdatedAt, "the same reason again changes nothing")
}

func TestNothingIsSignedWhileNothingMayLeave(t *testing.T) {
	for name, when := range map[string]func(*bench, wallets.Wallet){
		"of a stopped environment": func(b *bench, _ wallets.Wallet) {
			require.NoError(t, b.StopOutflows(t.Context(), ferry.Test, "a look"))
		},
		"of a suspended wallet": func(b *bench, w wallets.Wallet) { require.NoError(t, b.setStatus(w, wallets.Suspended)) },
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			w := b.wallet("w")
			b.send(b.funded("lender", "10"), w.PrimaryAddress, "5") // who pays for it on the chain
			sent := b.recorded(w, b.stranger(), "3")
			when(b, w)
			b.advance(sent)
			b.steps()
			require.Zero(t, b.chain.signs)
			require.Equal(t, wallets.Pending, b.transfer(sent).Status)
		})
	}
}

func TestNothingIsSignedUntilWhatWasSentBeforeIsVerified(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	unseen := errors.New("a payment was not seen")
	s := outgoing.New(b.walletUnits(), outgoing.Config{
		Wallets: b.walletService, Chains: b.config.chains, Sealer: b.config.Sealer,
		MayLeave: func(context.Context, wallets.Tx, ferry.Env) error { return nil },
		Verify:   func(context.Context, ferry.Env) error { return unseen },
	}, outgoing.Hooks[wallets.Tx]{})
	sent, err := s.Transfer(t.Context(), home, order(w, b.stranger(), "3"))
	require.NoError(t, err)
	require.Equal(t, wallets.ForOperator, sent.Waiting)
	require.Zero(t, b.chain.signs)
	unseen = nil
	b.clock.pass(3 * time.Second)
	_, err = s.RunDue(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, 1, b.transfer(sent).Attempts)
}

func TestWhatWaitsForNoApprovalIsNeitherApprovedNorRejected(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	sent := b.recorded(w, b.stranger(), "3")
	for _, decide := range []func(context.Context, store.Tx) error{
		func(ctx context.Context, tx store.Tx) error { return b.ApproveIn(ctx, tx, home, sent.ID) },
		func(ctx context.Context, tx store.Tx) error { return b.RejectIn(ctx, tx, home, sent.ID, "no") },
	} {
		require.ErrorIs(t, b.units.In(ferry.Test).Write(t.Context(), decide), ferry.ErrInvalidTransition)
	}
	require.Equal(t, wallets.Pending, b.transfer(sent).Status)
	require.Equal(t, usdc("6.995"), b.balance(w))
}

func TestTheGreatestPayWhereTheNearestAreTooMany(t *testing.T) {
	b := setup(t)
	b.justThree()
	w, foreign := fragmented(b, 4), b.walletOf(away, "foreign")
	b.deposit(foreign.PrimaryAddress, "100")
	b.send(foreign, w.PrimaryAddress, "5")
	sent := b.send(w, b.stranger(), "4.5")
	require.Len(t, b.attempts(sent), 1)
	require.Equal(t, map[chain.Address]string{foreign.PrimaryAddress: "4.5"}, sourcesOf(b.attempts(sent)[0]))
}

func TestNothingIsGatheredFromAddressesThatOneAttemptCanDrawFrom(t *testing.T) {
	b := setup(t)
	b.justThree()
	w, lender := fragmented(b, 3), b.funded("lender", "10")
	b.send(lender, w.PrimaryAddress, "10")
	commitAway(b, lender, "10") // so the three are all that is left
	sent := b.send(w, b.stranger(), "5")
	require.Len(t, b.pending(), 1)
	require.Empty(t, b.transfer(sent).WaitsFor)
	commitAway(b, lender, "-10")
	b.settle()
	require.Equal(t, wallets.Success, b.transfer(sent).Status)
	b.clean()
}

func TestWhatTheChainDoesNotFindEndsNoTransfer(t *testing.T) {
	b := setup(t)
	sent := b.send(b.funded("w", "10"), b.stranger(), "3")
	b.chain.look = func(_ context.Context, s []chain.Signature) (chain.StatusReport, error) {
		return chain.StatusReport{Statuses: []chain.Status{{Commitment: chain.Finalized}}}, nil
	}
	b.try()
	require.Equal(t, wallets.Pending, b.transfer(sent).Status)
}

func TestWhoHearsOfATransferFindsItsLineWritten(t *testing.T) {
	b := setupOn(t, memstore.New())
	from, to := b.funded("from", "20"), b.walletOf(away, "to")
	heard := map[wallets.TransferID]wallets.TransferStatus{}
	hear := []func(context.Context, wallets.Tx, outgoing.Transfer) error{func(ctx context.Context, tx wallets.Tx, t outgoing.Transfer) error {
		line, err := wallets.TransactionKind.Get(ctx, tx, t.Scope, wallets.TransactionID(t.ID))
		heard[t.ID] = line.Status
		return err
	}}
	s := outgoing.New(b.walletUnits(), outgoing.Config{
		Wallets: b.walletService, Chains: b.config.chains, Sealer: b.config.Sealer,
		MayLeave: func(context.Context, wallets.Tx, ferry.Env) error { return nil },
		Verify:   func(context.Context, ferry.Env) error { return nil },
	}, outgoing.Hooks[wallets.Tx]{Succeeded: hear, Failed: hear})
	send := func(to chain.Address, amount string) wallets.TransferID {
		sent, err := s.Transfer(t.Context(), home, order(from, to, amount))
		require.NoError(t, err)
		return sent.ID
	}
	b.approvedFrom(home, "4")
	inside, outside, approved, rejected := send(to.PrimaryAddress, "1"), send(b.stranger(), "2"), send(to.PrimaryAddress, "4"), send(b.stranger(), "5")
	require.NoError(t, b.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		return errors.Join(s.ApproveIn(ctx, tx, home, approved), s.RejectIn(ctx, tx, home, rejected, "no"))
	}))
	b.finalize()
	_, err := s.RunDue(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, map[wallets.TransferID]wallets.TransferStatus{
		inside: wallets.Success, outside: wallets.Success, approved: wallets.Success, rejected: wallets.Failed,
	}, heard)
}
