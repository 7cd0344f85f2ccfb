package sandbox_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
)

// violent is a world in which a few owners pay one another while faults strike,
// and what a careful onlooker knows of it.
type violent struct {
	*sandbox.World
	store    sandbox.Store
	owners   []chain.Address
	keys     chain.Keyring
	deposits []chain.Signature
	payments []chain.Signed
	from     [][]chain.Address // the sources of each payment
	dead     map[chain.Signature]bool
	final    map[chain.Signature]chain.Status
}

func newViolent(t *rapid.T) *violent {
	v := &violent{store: sandbox.NewMemory(), dead: map[chain.Signature]bool{}, final: map[chain.Signature]chain.Status{}}
	var seeds []chain.Seed
	for n := range byte(4) {
		seed, err := chain.OpenSeed(append([]byte{n}, make([]byte, 31)...))
		require.NoError(t, err)
		seeds = append(seeds, seed)
		v.owners = append(v.owners, seed.Address())
	}
	v.keys = chain.NewKeyring(seeds...)
	v.restart(t)
	return v
}

// restart goes on with another process on the same store.
func (v *violent) restart(t *rapid.T) {
	v.World = sandbox.New(sandbox.Config{
		Store: v.store, Clock: newStill(), Seed: 1,
		Sleep: func(context.Context, time.Duration) error { return nil },
	})
}

func (v *violent) deposit(t *rapid.T) {
	to := rapid.SampledFrom(v.owners).Draw(t, "to")
	signature, err := v.Deposit(t.Context(), sandbox.DepositParams{To: to, Amount: money.USDC(rapid.Int64Range(1, 50).Draw(t, "amount"))})
	require.NoError(t, err)
	v.deposits = append(v.deposits, signature)
}

func (v *violent) sign(t *rapid.T) {
	transfer := chain.Transfer{
		Destination: rapid.SampledFrom(v.owners).Draw(t, "to"),
		Memo:        fmt.Sprint("payment ", len(v.payments)),
	}
	sources := rapid.SliceOfNDistinct(rapid.SampledFrom(v.owners), 1, 3, rapid.ID[chain.Address]).Draw(t, "sources")
	for _, a := range sources {
		transfer.Sources = append(transfer.Sources, chain.Source{Address: a, Amount: money.USDC(rapid.Int64Range(1, 30).Draw(t, "amount"))})
	}
	if signed, err := v.Chain().Sign(t.Context(), transfer, v.keys); err == nil {
		v.payments, v.from = append(v.payments, signed), append(v.from, sources)
	}
}

func (v *violent) send(t *rapid.T) {
	if len(v.payments) == 0 {
		return
	}
	// Mostly the newest, so that faults strike what can still land.
	i := max(len(v.payments)-1-rapid.IntRange(0, 3).Draw(t, "back"), 0)
	_ = v.Chain().Send(t.Context(), v.payments[i].Bytes)
}

func (v *violent) inject(t *rapid.T) {
	var kinds []sandbox.Kind
	for _, f := range v.Faults() {
		if f.Target == sandbox.TargetChain {
			kinds = append(kinds, f.Kind)
		}
	}
	kind := rapid.SampledFrom(kinds).Draw(t, "fault")
	require.NoError(t, v.Inject(t.Context(), sandbox.TargetChain, kind, rapid.IntRange(1, 2).Draw(t, "count")))
}

func (v *violent) advance(t *rapid.T) {
	slots := rapid.OneOf(rapid.IntRange(1, 3), rapid.IntRange(1, 8), rapid.IntRange(100, 200)).Draw(t, "slots")
	_, err := v.Advance(t.Context(), time.Duration(slots)*sandbox.SlotTime)
	require.NoError(t, err)
}

// look asks for everything, and holds the chain to what it proved before.
func (v *violent) look(t *rapid.T) {
	for _, p := range v.payments {
		seen, err := v.Chain().Statuses(t.Context(), []chain.Signature{p.Signature})
		if err != nil {
			continue
		}
		status := seen.Statuses[0]
		require.False(t, status.Found && v.dead[p.Signature], "a payment that was proven dead has landed")
		switch before, known := v.final[p.Signature]; {
		case status.Commitment == chain.Finalized && known:
			require.Equal(t, before, status)
		case status.Commitment == chain.Finalized:
			v.final[p.Signature] = status
		case !status.Found && seen.FinalizedHeight > p.LastValidHeight:
			require.False(t, known, "a finalized payment was proven dead")
			v.dead[p.Signature] = true
		}
	}
}

// history is the movements of an owner once each, which never overdraw.
func (v *violent) history(t *rapid.T, owner chain.Address) map[chain.Signature]int64 {
	moves, err := v.Chain().History(t.Context(), owner, "", 10_000)
	require.NoError(t, err)
	told := map[chain.Signature]int64{}
	var balance int64
	for _, m := range moves {
		_, twice := told[m.Signature]
		require.False(t, twice, "a transaction stands twice in a history")
		told[m.Signature] = m.Delta.Minor()
		balance += m.Delta.Minor()
		require.GreaterOrEqual(t, balance, int64(0))
	}
	tip, err := v.Balance(t.Context(), owner)
	require.NoError(t, err)
	require.Equal(t, tip.Minor(), balance, "history and balance disagree")
	return told
}

// settle ends all faults and lets everything come to rest.
func (v *violent) settle(t *rapid.T) {
	require.NoError(t, v.Calm(t.Context()))
	_, err := v.Advance(t.Context(), 400*sandbox.SlotTime)
	require.NoError(t, err)
	v.look(t)
}

// audit compares statuses, histories and balances of a world at rest.
func (v *violent) audit(t *rapid.T) {
	var sum, issued int64
	told := map[chain.Address]map[chain.Signature]int64{}
	for _, owner := range v.owners {
		told[owner] = v.history(t, owner)
		for _, delta := range told[owner] {
			sum += delta
		}
		for _, signature := range v.deposits {
			issued += told[owner][signature]
		}
	}
	require.Equal(t, issued, sum, "payments made or lost money")
	for i, p := range v.payments {
		status, landed := v.final[p.Signature]
		require.True(t, landed != v.dead[p.Signature], "a payment is neither landed nor dead")
		var net int64
		for _, owner := range v.owners {
			net += told[owner][p.Signature]
			_, moved := told[owner][p.Signature]
			require.False(t, moved && (!landed || status.Err != ""), "a payment that failed moved money")
		}
		require.Zero(t, net)
		if landed && status.Err == "" && len(v.from[i]) > 1 {
			require.Contains(t, told[v.from[i][0]], p.Signature, "a source did not pay")
		}
	}
}

func TestWhateverTheFaultsAPaymentLandsAtMostOnceAndAllAnswersAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := newViolent(t)
		t.Repeat(map[string]func(*rapid.T){
			"deposit": v.deposit, "sign": v.sign, "send": v.send, "send again": v.send,
			"inject": v.inject, "advance": v.advance, "look": v.look, "restart": v.restart,
		})
		v.settle(t)
		v.audit(t)
	})
}
