package solana

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"time"

	sol "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/ferrypay/ferry/provider/chain"
)

// landing is what a finalized transaction did to token accounts.
type landing struct {
	signature sol.Signature
	slot      uint64
	at        time.Time
	err       string
	memo      string
	payer     sol.PublicKey
	changes   []change
}

// change is what a transaction did to one token account of the classic token program.
type change struct {
	account, owner, mint sol.PublicKey
	delta                int64
}

// maxLandings is how many finalized transactions are kept, because both sides of a payment and a
// reading that is repeated ask for the same ones.
const maxLandings = 4096

// landing reads a finalized transaction that a node has listed. All nodes are asked, and those that
// answer must agree: what one of them made up is no deposit.
func (c *Chain) landing(ctx context.Context, signature sol.Signature) (*landing, error) {
	if known, ok := c.seen.get(signature); ok {
		return known, nil
	}
	heard, failures := askAll(ctx, c, func(ctx context.Context, n *node) (*landing, error) { return n.landing(ctx, signature) })
	var read *landing
	for i, l := range heard {
		switch err := failures[i]; {
		case errors.Is(err, rpc.ErrNotFound), err != nil && !errors.Is(err, chain.ErrUnavailable):
			return nil, err
		case err != nil:
		case read == nil:
			read = l
		case !reflect.DeepEqual(read, l):
			c.config.Logger.WarnContext(ctx, "nodes contradict each other about what a transaction did", "signature", signature.String())
			return nil, fmt.Errorf("%w: nodes contradict each other about %s", chain.ErrUnavailable, signature)
		}
	}
	if read == nil {
		return nil, errors.Join(failures...)
	}
	c.seen.put(signature, read, maxLandings)
	return read, nil
}

// landing asks one node. Errors: rpc.ErrNotFound beside others.
func (n *node) landing(ctx context.Context, signature sol.Signature) (*landing, error) {
	newest := uint64(rpc.MaxSupportedTransactionVersion0)
	return call(ctx, n, func(ctx context.Context, r *rpc.Client) (*landing, error) {
		found, err := r.GetTransaction(ctx, signature, &rpc.GetTransactionOpts{
			Encoding: sol.EncodingBase64, Commitment: rpc.CommitmentFinalized, MaxSupportedTransactionVersion: &newest,
		})
		if err != nil {
			return nil, err
		}
		return readLanding(signature, found)
	})
}

// readLanding reads the answer of a node. Errors: errNoAnswer.
func readLanding(signature sol.Signature, found *rpc.GetTransactionResult) (*landing, error) {
	if found == nil || found.Meta == nil || found.Transaction == nil || found.Slot == 0 {
		return nil, errNoAnswer
	}
	tx, err := sol.TransactionFromBytes(found.Transaction.GetBinary())
	if err != nil || len(tx.Signatures) == 0 || tx.Signatures[0] != signature || len(tx.Message.AccountKeys) == 0 {
		return nil, errNoAnswer
	}
	l := &landing{signature: signature, slot: found.Slot, err: errorText(found.Meta.Err), payer: tx.Message.AccountKeys[0], memo: memoOf(tx)}
	if found.BlockTime != nil {
		l.at = found.BlockTime.Time().UTC()
	}
	if l.err != "" {
		return l, nil
	}
	keys := append(append(append(sol.PublicKeySlice{}, tx.Message.AccountKeys...), found.Meta.LoadedAddresses.Writable...), found.Meta.LoadedAddresses.ReadOnly...)
	l.changes, err = changesOf(keys, found.Meta.PreTokenBalances, found.Meta.PostTokenBalances)
	return l, err
}

// memoOf is the first memo of a transaction.
func memoOf(tx *sol.Transaction) string {
	for _, instruction := range tx.Message.Instructions {
		at := int(instruction.ProgramIDIndex)
		if at >= len(tx.Message.AccountKeys) {
			continue // from a look-up table
		}
		if program := tx.Message.AccountKeys[at]; program == sol.MemoProgramID || program == sol.MemoProgramIDV1 {
			return string(instruction.Data)
		}
	}
	return ""
}

// changesOf compares the token balances before and after. Those of other token programs are left
// out, and so is what did not change. Errors: errNoAnswer.
func changesOf(keys sol.PublicKeySlice, before, after []rpc.TokenBalance) ([]change, error) {
	found := map[uint16]*change{}
	for sign, list := range map[int64][]rpc.TokenBalance{-1: before, 1: after} {
		for _, b := range list {
			if b.ProgramId != nil && *b.ProgramId != sol.TokenProgramID {
				continue
			}
			if int(b.AccountIndex) >= len(keys) || b.UiTokenAmount == nil || b.Owner == nil {
				return nil, errNoAnswer
			}
			// Anybody can make a token with more units than an int64 holds, and name our accounts
			// beside it. The difference comes out right wherever it fits, as that of USDC does.
			units, err := strconv.ParseUint(b.UiTokenAmount.Amount, 10, 64)
			if err != nil {
				return nil, errNoAnswer
			}
			c := found[b.AccountIndex]
			if c == nil {
				c = &change{account: keys[b.AccountIndex], owner: *b.Owner, mint: b.Mint}
				found[b.AccountIndex] = c
			}
			if sign > 0 {
				c.owner, c.mint = *b.Owner, b.Mint
			}
			c.delta += sign * int64(units)
		}
	}
	var changes []change
	for at := range keys { // in the order of the accounts
		if c := found[uint16(at)]; c != nil && c.delta != 0 {
			changes = append(changes, *c)
		}
	}
	return changes, nil
}

// on is what a transaction did to one token account.
func (l *landing) on(account sol.PublicKey) int64 {
	for _, c := range l.changes {
		if c.account == account {
			return c.delta
		}
	}
	return 0
}

// otherSide is the owner of the one account of a mint that moved against a change, or whoever
// paid for the transaction when no account or several did.
func (l *landing) otherSide(mint, owner sol.PublicKey, delta int64) sol.PublicKey {
	var other sol.PublicKey
	for _, c := range l.changes {
		if c.mint != mint || c.owner == owner || (c.delta > 0) == (delta > 0) {
			continue
		}
		if !other.IsZero() && other != c.owner {
			return l.payer
		}
		other = c.owner
	}
	if other.IsZero() {
		return l.payer
	}
	return other
}
