// Package payment builds and signs the one transaction that ferry sends: a payment of USDC from
// some owners to one destination. It signs nothing else, and nobody hands it a message.
//
// What it imports is tested, because keys pass through it.
package payment

import (
	"errors"
	"fmt"
	"unicode/utf8"

	sol "github.com/gagliardetto/solana-go"
	associated "github.com/gagliardetto/solana-go/programs/associated-token-account"
	budget "github.com/gagliardetto/solana-go/programs/compute-budget"
	"github.com/gagliardetto/solana-go/programs/memo"
	"github.com/gagliardetto/solana-go/programs/token"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

// PacketSize is how many bytes a transaction has at most.
const PacketSize = 1232

// Order is a payment with all that its message depends on.
type Order struct {
	Transfer chain.Transfer
	Mint     sol.PublicKey
	FeePayer sol.PublicKey
	// Direct says that the destination is a token account. Otherwise it is an owner, whose
	// token account is opened unless it is there.
	Direct    bool
	Blockhash sol.Hash
	// Price is the priority fee, in millionths of a lamport a compute unit.
	Price uint64
}

// Units is the limit of compute units of a payment with so many sources. It is several times what
// today's programs need, because they may be replaced by greedier ones.
func Units(sources int) uint32 { return 120_000 + 15_000*uint32(sources) }

// message builds the message of an order. Errors: chain.ErrInvalidTransfer.
func (o Order) message() (*sol.Transaction, error) {
	if err := check(o.Transfer); err != nil {
		return nil, err
	}
	to := sol.MustPublicKeyFromBase58(string(o.Transfer.Destination))
	list := []sol.Instruction{
		budget.NewSetComputeUnitLimitInstruction(Units(len(o.Transfer.Sources))).Build(),
		budget.NewSetComputeUnitPriceInstruction(o.Price).Build(),
	}
	account := to
	if !o.Direct {
		list = append(list, associated.NewCreateIdempotentInstruction(o.FeePayer, to, o.Mint).Build())
		account = AccountOf(to, o.Mint)
	}
	for _, s := range o.Transfer.Sources {
		owner := sol.MustPublicKeyFromBase58(string(s.Address))
		list = append(list, token.NewTransferCheckedInstruction(uint64(s.Amount.Minor()), uint8(money.AssetUSDC.Decimals()),
			AccountOf(owner, o.Mint), o.Mint, account, owner, nil).Build())
	}
	if o.Transfer.Memo != "" {
		list = append(list, memo.NewMemoInstruction([]byte(o.Transfer.Memo)).Build())
	}
	tx, err := sol.NewTransaction(list, o.Blockhash, sol.TransactionPayer(o.FeePayer))
	if err != nil {
		return nil, refuse("%v", err)
	}
	return tx, nil
}

// AccountOf is the associated token account of an owner for a mint of the classic token program.
func AccountOf(owner, mint sol.PublicKey) sol.PublicKey {
	account, _, err := sol.FindAssociatedTokenAddress(owner, mint)
	if err != nil {
		panic(err) // one key in 2^256 has no such account
	}
	return account
}

// check refuses what is no transfer.
func check(t chain.Transfer) error {
	if _, err := sol.PublicKeyFromBase58(string(t.Destination)); err != nil {
		return refuse("destination %q is no address", t.Destination)
	}
	if len(t.Sources) == 0 || !utf8.ValidString(t.Memo) {
		return refuse("%d sources and a memo of %d bytes, which must be UTF-8", len(t.Sources), len(t.Memo))
	}
	seen := map[chain.Address]bool{}
	for _, s := range t.Sources {
		if _, err := sol.PublicKeyFromBase58(string(s.Address)); err != nil || seen[s.Address] {
			return refuse("source %q is no address or named twice", s.Address)
		}
		if s.Amount.Asset() != money.AssetUSDC || s.Amount.Sign() <= 0 {
			return refuse("source %s pays %s", s.Address, s.Amount)
		}
		seen[s.Address] = true
	}
	return nil
}

func refuse(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{chain.ErrInvalidTransfer}, args...)...)
}

// Sign builds the message of an order and returns it with the signatures of the fee payer and of
// every source. Errors: chain.ErrInvalidTransfer, and those of a keyring without the key.
func Sign(o Order, feePayer, sources chain.Keyring) (signature sol.Signature, signed []byte, err error) {
	tx, err := o.message()
	if err != nil {
		return signature, nil, err
	}
	text, err := tx.Message.MarshalBinary()
	if err != nil {
		return signature, nil, refuse("%v", err)
	}
	if most := PacketSize - 1 - sol.SignatureLength*int(tx.Message.Header.NumRequiredSignatures); len(text) > most {
		return signature, nil, refuse("%d sources and a memo of %d bytes: %d bytes, at most %d fit", len(o.Transfer.Sources), len(o.Transfer.Memo), len(text), most)
	}
	for _, signer := range tx.Message.Signers() {
		ring := sources
		if signer == o.FeePayer {
			ring = feePayer
		}
		by, err := ring.Sign(chain.Address(signer.String()), text)
		if err != nil {
			return signature, nil, err
		}
		tx.Signatures = append(tx.Signatures, sol.SignatureFromBytes(by))
	}
	if signed, err = tx.MarshalBinary(); err != nil {
		return signature, nil, err
	}
	if len(signed) > PacketSize {
		return signature, nil, errors.New("solana: the size of a transaction was computed wrongly")
	}
	return tx.Signatures[0], signed, nil
}

// MaxMemo is how many bytes of memo fit a payment with so many sources whose receiver has no
// token account yet; below zero when so many sources do not fit at all.
func MaxMemo(sources int) int {
	if sources < 1 || sources > maxSources {
		return -1
	}
	return memoRoom[sources]
}

// maxSources is more than fit.
const maxSources = 12

// memoRoom is MaxMemo by the number of sources, measured once on messages as they are.
var memoRoom = func() (room [maxSources + 1]int) {
	for n := 1; n <= maxSources; n++ {
		room[n] = measure(n)
	}
	return room
}()

// measure returns the room for a memo beside so many sources.
func measure(sources int) int {
	key := func(n byte) sol.PublicKey { return sol.PublicKey{0: n, 31: n} }
	o := Order{Mint: key(1), FeePayer: key(2), Transfer: chain.Transfer{Destination: chain.Address(key(3).String()), Memo: "m"}}
	for n := range sources {
		o.Transfer.Sources = append(o.Transfer.Sources, chain.Source{Address: chain.Address(key(byte(10 + n)).String()), Amount: money.USDC(1)})
	}
	tx, err := o.message()
	if err != nil {
		panic(err)
	}
	text, err := tx.Message.MarshalBinary()
	if err != nil {
		panic(err)
	}
	// Beside one letter of memo, whose length takes a byte. It takes two from 128 on.
	free := PacketSize - 1 - sol.SignatureLength*(1+sources) - len(text) + 1
	if free > 127 {
		free = max(free-1, 127)
	}
	return free
}
