//go:build localnet

package solana_test

import (
	"bytes"
	"io"
	"math"
	"net/http"
	"testing"

	sol "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana"
	"github.com/ferrypay/ferry/provider/chain/solana/localnet"
)

// naming adds accounts that an instruction only names.
func naming(i sol.Instruction, more ...sol.PublicKey) sol.Instruction {
	data, err := i.Data()
	if err != nil {
		panic(err)
	}
	metas := i.Accounts()
	for _, key := range more {
		metas = append(metas, sol.Meta(key))
	}
	return sol.NewInstruction(i.ProgramID(), metas, data)
}

func TestATokenOfAnotherMintInGreatNumberHidesNoDepositAndNoPayment(t *testing.T) {
	c, node, a, o := stand(t)
	mint := node.NewMint(localnet.TokenProgram, 0)
	node.Settle()
	heap := sol.MustPublicKeyFromBase58(node.Mint(mint, o.key.PublicKey().String(), math.MaxInt64).Account)
	node.Mint(mint, o.key.PublicKey().String(), math.MaxInt64)
	node.Settle()
	// Self-transfer of the heap: it stands in the balances of the transaction.
	self := token.NewTransferCheckedInstruction(1, 0, heap, sol.MustPublicKeyFromBase58(mint), heap, o.key.PublicKey(), nil).Build()
	o.send(nil, naming(self, accountOf(keyOf(a)), keyOf(c.FeePayer())))
	o.send(nil, o.pays(accountOf(keyOf(a)), 7))
	node.Settle()
	require.Equal(t, int64(8), worth(history(t, c, a, "")))
	_, err := c.Sent(t.Context(), "", 10)
	require.NoError(t, err)
}

func TestSOLAtTheAddressOfATokenAccountDoesNotHideItsRentFromTheBudget(t *testing.T) {
	node := localnet.Start(t, localnet.Options{Frozen: true})
	config := configOn(t, node)
	config.Fees.Day = 1_000_000 // opens no account
	c := open(t, node, config)
	p, to := newPayer(t, c, node, 10), seed(t).Address()
	_, err := p.sign(to, 1)
	require.ErrorIs(t, err, solana.ErrBudget)
	node.Airdrop(accountOf(keyOf(to)).String(), 890_880)
	node.Settle()
	_, err = p.sign(to, 1)
	require.ErrorIs(t, err, solana.ErrBudget)
}

// every fails one getTransaction of so many.
type every struct {
	n, calls int
}

func (e *every) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if bytes.Contains(body, []byte(`"getTransaction"`)) {
		if e.calls++; e.calls%e.n == 0 {
			return nil, io.ErrUnexpectedEOF
		}
	}
	return http.DefaultTransport.RoundTrip(r)
}

func TestALongListIsReadToItsEndThoughTheNodeFailsNowAndThen(t *testing.T) {
	node := localnet.Start(t, localnet.Options{Frozen: true})
	config := configOn(t, node)
	fails := &every{n: 1 << 30}
	config.Transport = fails
	c := open(t, node, config)
	p, o := newPayer(t, c, node, 1), newOutsider(t, node, 10_000)
	a := p.seed.Address()
	start := history(t, c, a, "")[0].Cursor
	const named = 4_600 // more than are kept
	for i := range named {
		o.send(nil, naming(o.pays(accountOf(o.key.PublicKey()), uint64(i)), accountOf(keyOf(a)), keyOf(c.FeePayer())))
		if i%200 == 199 {
			node.Produce(1)
		}
	}
	o.send(nil, o.pays(accountOf(keyOf(a)), 7))
	node.Settle()
	fails.n, fails.calls = 500, 0
	var moves []chain.Movement
	for range 12 {
		var err error
		if moves, err = c.History(t.Context(), a, start, 100); err == nil {
			break
		}
	}
	require.Equal(t, int64(7), worth(moves), "each reading goes on where the last one stopped")
	require.LessOrEqual(t, fails.calls, named+1+12)
	fails.calls = 0
	var err error
	for range 12 {
		if _, err = c.Sent(t.Context(), "", 10); err == nil {
			break
		}
	}
	require.NoError(t, err)
}

func TestAHistoryDoesNotEndWhereANodeFailed(t *testing.T) {
	node := localnet.Start(t, localnet.Options{Frozen: true})
	config := configOn(t, node)
	fails := &every{n: 3}
	config.Transport = fails
	c := open(t, node, config)
	p, o := newPayer(t, c, node, 1), newOutsider(t, node, 100)
	for micro := range uint64(3) {
		o.send(nil, o.pays(accountOf(keyOf(p.seed.Address())), 5+micro))
		node.Produce(1)
	}
	node.Settle()
	var sum int64
	for m, err := range chain.Movements(t.Context(), c, p.seed.Address(), "") {
		if err != nil {
			return // whoever reads knows that there may be more
		}
		sum += m.Delta.Minor()
	}
	require.Equal(t, int64(1+5+6+7), sum, "it ended without an error")
}

func TestAReceiverWhoGaveHisTokenAccountAwayIsUnusable(t *testing.T) {
	c, node, _, o := stand(t)
	other := seed(t).Address()
	o.send(nil, token.NewSetAuthorityInstruction(token.AuthorityAccountOwner, keyOf(other), accountOf(o.key.PublicKey()), o.key.PublicKey(), nil).Build())
	node.Settle()
	d, err := c.Inspect(t.Context(), chain.Address(o.key.PublicKey().String()))
	require.NoError(t, err)
	require.Equal(t, chain.Unusable, d.Kind, "a payment to it fails on the chain, and costs the fee payer each time")
}

func TestNoRentIsPaidForAReceiverWhoClosesHisAccountMeanwhile(t *testing.T) {
	node := localnet.Start(t, localnet.Options{Frozen: true})
	config := configOn(t, node)
	config.Fees.NoRent = true
	c := open(t, node, config)
	p, o, other := newPayer(t, c, node, 10), newOutsider(t, node, 5), newPayer(t, c, node, 1)
	to := o.key.PublicKey()
	signed, err := p.sign(chain.Address(to.String()), 4)
	require.NoError(t, err)
	o.send(nil, o.pays(accountOf(keyOf(other.seed.Address())), 5), token.NewCloseAccountInstruction(accountOf(to), to, to, nil).Build())
	node.Settle()
	before, err := c.FeePayerBalance(t.Context())
	require.NoError(t, err)
	require.NoError(t, c.Send(t.Context(), signed.Bytes))
	node.Settle()
	after, err := c.FeePayerBalance(t.Context())
	require.NoError(t, err)
	require.Less(t, after, before, "it has landed")
	require.Less(t, before-after, uint64(100_000))
	p.pay(other.seed.Address(), 4)
	node.Settle()
	require.Equal(t, int64(1+5+4), worth(history(t, c, other.seed.Address(), "")))
}
