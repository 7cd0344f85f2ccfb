package engine_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

// history is a random life of a site with one restore in it.
type history struct {
	*site
	random  *rand.Rand
	wallets []wallets.Wallet
	orders  []payment
	issued  map[chain.Signature]int64
}

// payment is a transfer to an address that nobody else pays to.
type payment struct {
	id     wallets.TransferID
	to     chain.Address
	amount int64
}

// step does one thing that happens to a site.
func (h *history) step() {
	from := h.wallets[h.random.IntN(len(h.wallets))]
	amount := int64(h.random.IntN(3*dollar) + dollar/10)
	switch h.random.IntN(10) {
	case 0:
		h.wallets = append(h.wallets, h.wallet(0))
	case 1, 2:
		h.bring(from, amount)
	case 3:
		to := h.wallets[h.random.IntN(len(h.wallets))]
		_, err := h.Outgoing.Transfer(h.t.Context(), h.scope, outgoing.TransferParams{
			From: string(from.PrimaryAddress), To: string(to.PrimaryAddress), Amount: money.USDC(amount)})
		h.tolerate(err)
	case 4, 5, 6:
		h.pay(from, amount)
	case 7:
		kinds := []sandbox.Kind{sandbox.SubmissionLost, sandbox.LandedLate, sandbox.ForkDropped, sandbox.ForkLandedAgain, sandbox.ProgramError, sandbox.AnswerLost}
		require.NoError(h.t, h.World.Inject(h.t.Context(), sandbox.TargetChain, kinds[h.random.IntN(len(kinds))], 1))
	default:
		h.pass(time.Duration(h.random.IntN(90)) * time.Second)
	}
}

// bring sends USDC from outside, which arrives when time passes.
func (h *history) bring(to wallets.Wallet, amount int64) {
	signature, err := h.World.Deposit(h.t.Context(), sandbox.DepositParams{To: to.PrimaryAddress, Amount: money.USDC(amount)})
	require.NoError(h.t, err)
	h.issued[signature] = amount
}

// arrived is what came in from outside and was not dropped with a fork.
func (h *history) arrived() (sum int64) {
	for signature, amount := range h.issued {
		seen, err := h.World.Chain().Statuses(h.t.Context(), []chain.Signature{signature})
		require.NoError(h.t, err)
		if seen.Statuses[0].Found {
			sum += amount
		}
	}
	return sum
}

// pay sends to a fresh address, signed at once or left to a worker.
func (h *history) pay(from wallets.Wallet, amount int64) {
	to := stranger(h.t, byte(len(h.orders)+1))
	sent, err := h.begin(from, to, amount)
	if !h.tolerate(err) {
		return
	}
	h.orders = append(h.orders, payment{sent.ID, to, amount})
	if h.random.IntN(2) == 0 {
		h.retryOn(h.Engine, sent.ID)
	}
}

// tolerate accepts what a busy life brings: a shortage, an address that sends to
// itself, a wallet that was suspended.
func (h *history) tolerate(err error) bool {
	if err == nil {
		return true
	}
	for _, expected := range []error{ledger.ErrInsufficientBalance, outgoing.ErrInvalidAddress, wallets.ErrWalletNotActive, wallets.ErrUnavailable, outgoing.ErrAddressNotOwned} {
		if ferry.KindOf(err) == ferry.KindOf(expected) {
			return false
		}
	}
	require.NoError(h.t, err)
	return false
}

// steps does so many things.
func (h *history) steps(n int) {
	for range n {
		h.step()
	}
}

// known are the wallets that the store still has.
func (h *history) known() (known []wallets.Wallet) {
	for _, w := range h.wallets {
		_, err := h.Wallets.Get(h.t.Context(), h.scope, wallets.WalletRef{ID: string(w.ID)})
		if err == nil {
			known = append(known, w)
		} else {
			require.ErrorIs(h.t, err, wallets.ErrWalletNotFound)
		}
	}
	return known
}

// TestAfterARestoreEachUnitOfMoneyIsInOnePlace lives random histories, takes them
// back to a random point and on: nothing is paid twice, and in the end books,
// chain and bank agree.
func TestAfterARestoreEachUnitOfMoneyIsInOnePlace(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			h := &history{site: newSite(t), random: rand.New(rand.NewPCG(seed, 1)), issued: map[chain.Signature]int64{}}
			for range 3 {
				h.wallets = append(h.wallets, h.wallet(0))
				h.bring(h.wallets[len(h.wallets)-1], 10*dollar)
			}
			h.pass(15 * time.Second)
			h.steps(h.random.IntN(15))
			backup := h.backup()
			h.steps(5 + h.random.IntN(15))
			asked := h.random.IntN(2) == 0
			if !asked {
				// Without being asked, a store is held for what is final.
				h.pass(5 * time.Minute)
			}
			h.restore(backup, asked)
			all := h.wallets
			h.wallets = h.known()
			h.steps(5)
			h.recover()
			h.wallets = h.known()
			h.steps(10)
			require.NoError(t, h.World.Calm(t.Context()))
			h.pass(30 * time.Minute)
			h.settled(all)
		})
	}
}

// recover adopts what the store does not know until nothing is held.
func (h *history) recover() {
	for range 5 {
		h.pass(15 * time.Minute)
		if !h.held() {
			return
		}
		_, err := h.AdoptAll(h.t.Context(), ferry.Test)
		require.NoError(h.t, err)
	}
	require.Fail(h.t, "the hold does not end")
}

// settled checks the end of a history.
func (h *history) settled(everyWallet []wallets.Wallet) {
	require.False(h.t, h.held())
	paid := int64(0)
	for _, o := range h.orders {
		arrived := h.holds(o.to)
		paid += arrived
		require.Contains(h.t, []int64{0, o.amount}, arrived, "%s was paid %d of %d", o.id, arrived, o.amount)
		sent, err := h.Outgoing.FindTransfer(h.t.Context(), h.scope, string(o.id))
		if err != nil {
			require.ErrorIs(h.t, err, wallets.ErrTransactionNotFound)
			continue
		}
		require.NotEqual(h.t, wallets.Pending, sent.Status)
		require.Equal(h.t, sent.Status == wallets.Success, arrived == o.amount, "%s is %s, and %d arrived", o.id, sent.Status, arrived)
	}
	held := int64(0)
	seen := map[chain.Address]bool{}
	for _, w := range append(everyWallet, h.wallets...) {
		if !seen[w.PrimaryAddress] {
			held += h.holds(w.PrimaryAddress)
		}
		seen[w.PrimaryAddress] = true
	}
	require.Equal(h.t, h.arrived(), held+paid, "what came in is held or was paid")
	h.clean()
}
