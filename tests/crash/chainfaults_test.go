//go:build localnet

package crash_test

import (
	"time"

	sol "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain/solana/localnet"
)

// fault is one way in which a chain or its nodes fail.
type fault struct {
	name string
	// strike makes some of what comes next go wrong, until mend.
	strike func(*remittance)
}

var faults = []fault{
	{"lost", func(r *remittance) { r.any().Drop(2) }},
	{"late", func(r *remittance) { r.any().Delay(2, 20+r.random.IntN(120)) }},
	{"later than it lives", func(r *remittance) { r.any().Delay(2, 200) }},
	{"fork before confirmed", func(r *remittance) { r.any().Lose(2, 1, r.maybe()) }},
	{"fork after confirmed", func(r *remittance) { r.any().Lose(2, 2+r.random.IntN(25), r.maybe()) }},
	{"answer lost", func(r *remittance) {
		r.any().Fail(localnet.Fault{Kind: localnet.AnswerLost, Calls: 3, Methods: []string{"sendTransaction"}})
	}},
	{"lagging node", func(r *remittance) { r.any().Lag(r.random.IntN(120)) }},
	{"lying node", func(r *remittance) { r.fronts[1].lie(liar) }},
	{"status forgotten", func(r *remittance) {
		for _, f := range r.fronts {
			f.lie(forgetful)
		}
	}},
	{"blockhash from a dead fork", func(r *remittance) {
		blocks := 1 + r.random.IntN(25)
		r.any().Produce(blocks) // so many are not final yet
		r.any().Fork(blocks, true)
	}},
	{"no answers", func(r *remittance) {
		kinds := []localnet.Kind{localnet.TooManyRequests, localnet.Unavailable, localnet.Garbage, localnet.Cut, localnet.Behind}
		r.any().Fail(localnet.Fault{Kind: kinds[r.random.IntN(len(kinds))], Calls: 4})
	}},
	{"frozen account", func(r *remittance) { r.freeze(r.to[r.random.IntN(len(r.to))]) }},
	{"fee payer empty", func(r *remittance) {
		if r.maybe() {
			r.takeFees()
		} else {
			r.giveFees()
		}
	}},
}

func (r *remittance) any() *localnet.Node { return r.nodes[r.random.IntN(len(r.nodes))] }

func (r *remittance) maybe() bool { return r.random.IntN(2) == 0 }

// mend ends all faults.
func (r *remittance) mend() {
	for i, n := range r.nodes {
		n.Mend()
		n.Lag(0)
		r.fronts[i].lie(nil)
	}
	for owner := range r.frozen {
		r.nodes[0].Thaw(r.accountOf(owner))
	}
	r.giveFees()
}

// freeze freezes the account of a stranger: what is sent to it fails on the chain.
func (r *remittance) freeze(owner sol.PublicKey) {
	r.frozen[owner] = true
	r.nodes[0].Freeze(r.accountOf(owner))
}

func (r *remittance) accountOf(owner sol.PublicKey) string {
	account, _, err := sol.FindAssociatedTokenAddress(owner, sol.MustPublicKeyFromBase58(localnet.USDC))
	require.NoError(r, err)
	return account.String()
}

// giveFees gives the fee payer SOL.
func (r *remittance) giveFees() {
	r.nodes[0].Airdrop(r.payer.PublicKey().String(), 10*sol.LAMPORTS_PER_SOL)
}

// takeFees takes away nearly all the SOL of the fee payer.
func (r *remittance) takeFees() {
	node := rpc.New(r.nodes[0].URL)
	from := r.payer.PublicKey()
	require.Eventually(r, func() bool {
		has, err := node.GetBalance(r.Context(), from, rpc.CommitmentConfirmed)
		if err != nil || has.Value < sol.LAMPORTS_PER_SOL {
			return err == nil
		}
		hash, err := node.GetLatestBlockhash(r.Context(), rpc.CommitmentConfirmed)
		if err != nil {
			return false // a fault of its own
		}
		tx, err := sol.NewTransaction([]sol.Instruction{system.NewTransferInstruction(has.Value-1_000_000, from, newKey(r.T).PublicKey()).Build()}, hash.Value.Blockhash)
		require.NoError(r, err)
		_, err = tx.Sign(func(sol.PublicKey) *sol.PrivateKey { return &r.payer })
		require.NoError(r, err)
		_, _ = node.SendTransactionWithOpts(r.Context(), tx, rpc.TransactionOpts{SkipPreflight: true})
		return false
	}, time.Minute, 50*time.Millisecond, "the fee payer still has SOL")
}
