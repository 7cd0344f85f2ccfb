//go:build localnet

package solana_test

import (
	"testing"

	sol "github.com/gagliardetto/solana-go"
	associated "github.com/gagliardetto/solana-go/programs/associated-token-account"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana"
	"github.com/ferrypay/ferry/provider/chain/solana/localnet"
)

// outsider is somebody with a wallet of his own, who sends what he likes.
type outsider struct {
	t    *testing.T
	node *localnet.Node
	rpc  *rpc.Client
	key  sol.PrivateKey
}

func newOutsider(t *testing.T, node *localnet.Node, micro uint64) *outsider {
	key, err := sol.NewRandomPrivateKey()
	require.NoError(t, err)
	o := &outsider{t, node, rpc.New(node.URL), key}
	node.Airdrop(key.PublicKey().String(), sol.LAMPORTS_PER_SOL)
	node.MintUSDC(key.PublicKey().String(), micro)
	node.Settle()
	return o
}

func keyOf(a chain.Address) sol.PublicKey { return sol.MustPublicKeyFromBase58(string(a)) }

func accountOf(owner sol.PublicKey) sol.PublicKey {
	account, _, err := sol.FindAssociatedTokenAddress(owner, sol.MustPublicKeyFromBase58(localnet.USDC))
	if err != nil {
		panic(err)
	}
	return account
}

// pays is an instruction that moves USDC from the outsider to a token account.
func (o *outsider) pays(to sol.PublicKey, micro uint64) sol.Instruction {
	return token.NewTransferCheckedInstruction(micro, 6, accountOf(o.key.PublicKey()), sol.MustPublicKeyFromBase58(localnet.USDC), to, o.key.PublicKey(), nil).Build()
}

// send signs instructions, with more keys where they are needed, and sends them unchecked.
func (o *outsider) send(keys []sol.PrivateKey, list ...sol.Instruction) sol.Signature {
	newest, err := o.rpc.GetLatestBlockhash(o.t.Context(), rpc.CommitmentConfirmed)
	require.NoError(o.t, err)
	tx, err := sol.NewTransaction(list, newest.Value.Blockhash, sol.TransactionPayer(o.key.PublicKey()))
	require.NoError(o.t, err)
	_, err = tx.Sign(func(k sol.PublicKey) *sol.PrivateKey {
		for _, key := range append(keys, o.key) {
			if key.PublicKey() == k {
				return &key
			}
		}
		return nil
	})
	require.NoError(o.t, err)
	signature, err := o.rpc.SendTransactionWithOpts(o.t.Context(), tx, rpc.TransactionOpts{SkipPreflight: true})
	require.NoError(o.t, err)
	return signature
}

// stand is a chain on a localnet, somebody whose address is watched, and an outsider.
func stand(t *testing.T) (c *solana.Chain, node *localnet.Node, watched chain.Address, o *outsider) {
	node = localnet.Start(t, localnet.Options{Frozen: true})
	c = open(t, node, configOn(t, node))
	return c, node, newPayer(t, c, node, 1).seed.Address(), newOutsider(t, node, 10_000_000)
}

// history is all movements of an address after a place, page by page.
func history(t *testing.T, c *solana.Chain, a chain.Address, after chain.Cursor) (all []chain.Movement) {
	for m, err := range chain.Movements(t.Context(), c, a, after) {
		require.NoError(t, err)
		all = append(all, m)
	}
	return all
}

func worth(moves []chain.Movement) (micro int64) {
	for _, m := range moves {
		micro += m.Delta.Minor()
	}
	return micro
}

func TestSeveralTransfersInOneTransactionAreOneMovement(t *testing.T) {
	c, node, a, o := stand(t)
	to := accountOf(keyOf(a))
	o.send(nil, o.pays(to, 5), o.pays(to, 6), o.pays(to, 7))
	node.Settle()
	moves := history(t, c, a, "")
	require.Len(t, moves, 2)
	require.Equal(t, money.USDC(18), moves[1].Delta)
	require.Equal(t, o.key.PublicKey().String(), string(moves[1].Counterparty))
}

func TestWhatMovesNothingIsNoMovementAndIsReadOnce(t *testing.T) {
	c, node, a, o := stand(t)
	to := accountOf(keyOf(a))
	last := history(t, c, a, "")[0].Cursor
	for i := range 5 {
		o.send(nil, o.pays(to, 0), token.NewSyncNativeInstruction(to).Build()) // fails in the second
		o.send(nil, o.pays(to, 0), o.pays(to, 0), o.pays(accountOf(o.key.PublicKey()), uint64(i)))
	}
	node.Settle()
	node.ResetCalls()
	require.Empty(t, history(t, c, a, last))
	require.Equal(t, 5, node.Calls()["getTransaction"], "what failed is not read")
	node.ResetCalls()
	require.Empty(t, history(t, c, a, last))
	require.Zero(t, node.Calls()["getTransaction"])
	o.send(nil, o.pays(to, 3))
	node.Settle()
	require.Equal(t, int64(3), worth(history(t, c, a, last)))
}

func TestDustIsAMovement(t *testing.T) {
	c, node, a, o := stand(t)
	o.send(nil, o.pays(accountOf(keyOf(a)), 1))
	node.Settle()
	require.Equal(t, int64(2), worth(history(t, c, a, "")))
}

func TestATransferToOneselfMovesNothing(t *testing.T) {
	node := localnet.Start(t, localnet.Options{Frozen: true})
	c := open(t, node, configOn(t, node))
	p := newPayer(t, c, node, 10)
	p.pay(p.seed.Address(), 4)
	node.Settle()
	require.Len(t, history(t, c, p.seed.Address(), ""), 1)
	held, err := c.Holdings(t.Context(), []chain.Address{p.seed.Address()})
	require.NoError(t, err)
	require.Equal(t, money.USDC(10), held.Amounts[0])
}

func TestTokensOfAnotherProgramOrMintAreNoUSDC(t *testing.T) {
	c, node, a, _ := stand(t)
	before, err := c.ChangeTokens(t.Context(), []chain.Address{a})
	require.NoError(t, err)
	for _, program := range []string{localnet.TokenProgram, localnet.Token2022Program} {
		mint := node.NewMint(program, 6)
		node.Settle()
		node.Mint(mint, string(a), 1_000_000)
	}
	node.Settle()
	require.Equal(t, int64(1), worth(history(t, c, a, "")))
	held, err := c.Holdings(t.Context(), []chain.Address{a})
	require.NoError(t, err)
	require.Equal(t, money.USDC(1), held.Amounts[0])
	after, err := c.ChangeTokens(t.Context(), []chain.Address{a})
	require.NoError(t, err)
	require.Equal(t, before, after)
}

func TestAnAccountThatIsClosedAndOpenedAgainLosesNoDeposit(t *testing.T) {
	node := localnet.Start(t, localnet.Options{Frozen: true})
	c := open(t, node, configOn(t, node))
	o := newOutsider(t, node, 1_000)
	owner, err := sol.NewRandomPrivateKey() // one who closes his account himself
	require.NoError(t, err)
	a, account := chain.Address(owner.PublicKey().String()), accountOf(owner.PublicKey())
	opens := func() sol.Instruction {
		return associated.NewCreateIdempotentInstruction(o.key.PublicKey(), owner.PublicKey(), sol.MustPublicKeyFromBase58(localnet.USDC)).Build()
	}
	o.send(nil, opens(), o.pays(account, 5))
	node.Settle()
	mint := sol.MustPublicKeyFromBase58(localnet.USDC)
	o.send([]sol.PrivateKey{owner},
		token.NewTransferCheckedInstruction(5, 6, account, mint, accountOf(o.key.PublicKey()), owner.PublicKey(), nil).Build(),
		token.NewCloseAccountInstruction(account, o.key.PublicKey(), owner.PublicKey(), nil).Build())
	node.Settle()
	held, err := c.Holdings(t.Context(), []chain.Address{a})
	require.NoError(t, err)
	require.True(t, held.Amounts[0].IsZero())
	o.send(nil, opens(), o.pays(account, 7))
	node.Settle()
	moves := history(t, c, a, "")
	require.Len(t, moves, 3)
	require.Equal(t, []int64{5, -5, 7}, []int64{moves[0].Delta.Minor(), moves[1].Delta.Minor(), moves[2].Delta.Minor()})
}

func TestAListThatIsLongerThanAPageIsReadToItsEnd(t *testing.T) {
	c, node, a, o := stand(t)
	last := history(t, c, a, "")[0].Cursor
	to := accountOf(keyOf(a))
	const deposits = 2_150
	for i := range deposits {
		o.send(nil, o.pays(to, uint64(i+1)))
		if i%200 == 199 {
			node.Produce(1)
		}
	}
	node.Settle()
	node.ResetCalls()
	moves := history(t, c, a, last)
	require.Equal(t, deposits, len(moves))
	require.Equal(t, int64(deposits*(deposits+1)/2), worth(moves))
	calls := node.Calls()
	require.Equal(t, deposits, calls["getTransaction"])
	require.LessOrEqual(t, calls["getSignaturesForAddress"], 3+deposits/100+1, "a list is read once, and its end once a page")
	seen := map[chain.Signature]bool{}
	for _, m := range moves {
		require.False(t, seen[m.Signature])
		seen[m.Signature] = true
	}
}

func TestNothingIsSignedToWhereNobodyWouldOwnIt(t *testing.T) {
	c, node, _, o := stand(t)
	mint := node.NewMint(localnet.TokenProgram, 6)
	node.Settle()
	account := node.Mint(mint, o.key.PublicKey().String(), 5).Account
	node.Settle()
	p := newPayer(t, c, node, 10)
	for _, a := range []string{account, mint, sol.TokenProgramID.String()} {
		_, err := p.sign(chain.Address(a), 4) // whoever did not inspect it
		require.ErrorIs(t, err, chain.ErrUnusable)
	}
}

func TestActivityFromLongAgoHasExpired(t *testing.T) {
	c, node, _, _ := stand(t)
	s := solana.Scanning(c)
	begun, err := s.Activity(t.Context(), "")
	require.NoError(t, err)
	node.Skip(5_100)
	node.Settle()
	node.Produce(40)
	_, err = s.Activity(t.Context(), begun.Cursor)
	require.ErrorIs(t, err, chain.ErrCursorExpired)
	_, err = s.Activity(t.Context(), "soon")
	require.ErrorContains(t, err, "no cursor")
}
