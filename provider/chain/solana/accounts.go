package solana

import (
	"context"
	"encoding/binary"
	"fmt"

	sol "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana/internal/payment"
)

// tokenAccountSize is the size of an account of the classic token program, in bytes.
const tokenAccountSize = 165

// accounts reads at most 100 accounts as of one block. One that is not there is nil.
func (c *Chain) accounts(ctx context.Context, at rpc.CommitmentType, keys ...sol.PublicKey) (*rpc.GetMultipleAccountsResult, error) {
	return ask(ctx, c, func(ctx context.Context, r *rpc.Client) (*rpc.GetMultipleAccountsResult, error) {
		found, err := r.GetMultipleAccountsWithOpts(ctx, keys, &rpc.GetMultipleAccountsOpts{Encoding: sol.EncodingBase64, Commitment: at})
		if err == nil && (len(found.Value) != len(keys) || found.Context.Slot == 0) {
			return nil, errNoAnswer
		}
		return found, err
	})
}

// holding is what stands in an account of the classic token program.
type holding struct {
	mint, owner sol.PublicKey
	amount      uint64
	state       byte
}

// States of a token account.
const frozen = 2

// holdingOf reads a token account. It reports false for anything else.
func holdingOf(a *rpc.Account) (h holding, ok bool) {
	if a == nil || a.Owner != sol.TokenProgramID {
		return h, false
	}
	data := a.Data.GetBinary()
	if len(data) != tokenAccountSize || data[108] == 0 {
		return h, false
	}
	copy(h.mint[:], data)
	copy(h.owner[:], data[32:])
	h.amount, h.state = binary.LittleEndian.Uint64(data[64:]), data[108]
	return h, true
}

// isUSDC reports whether an account holds USDC.
func (c *Chain) isUSDC(a *rpc.Account) bool {
	h, ok := holdingOf(a)
	return ok && h.mint == c.usdc()
}

// lamports is the SOL of an account that may not be there.
func lamports(a *rpc.Account) uint64 {
	if a == nil {
		return 0
	}
	return a.Lamports
}

// ownersOf parses the addresses of owners. Errors: chain.ErrInvalidAddress.
func ownersOf(addresses []chain.Address) ([]sol.PublicKey, error) {
	if len(addresses) > chain.MaxAddresses {
		return nil, fmt.Errorf("solana: %d addresses, at most %d", len(addresses), chain.MaxAddresses)
	}
	owners := make([]sol.PublicKey, len(addresses))
	for i, a := range addresses {
		var err error
		if owners[i], err = ownerOf(a); err != nil {
			return nil, err
		}
	}
	return owners, nil
}

func ownerOf(a chain.Address) (sol.PublicKey, error) {
	if _, err := chain.ParseAddress(string(a)); err != nil {
		return sol.PublicKey{}, err
	}
	return sol.PublicKeyFromBase58(string(a))
}

// accountsOf is the token accounts of owners for one mint.
func accountsOf(owners []sol.PublicKey, mint sol.PublicKey) []sol.PublicKey {
	keys := make([]sol.PublicKey, len(owners))
	for i, owner := range owners {
		keys[i] = payment.AccountOf(owner, mint)
	}
	return keys
}
