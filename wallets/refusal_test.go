package wallets_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

func TestARefusedTransferLeavesNoRecord(t *testing.T) {
	b := setup(t)
	w, foreign := b.funded("w", "10"), b.walletOf(away, "w")
	feePayer, err := b.world.FeePayer(t.Context())
	require.NoError(t, err)
	keys := ferry.Metadata{}
	for i := range 11 {
		keys[fmt.Sprint(i)] = "v"
	}
	for name, c := range map[string]struct {
		change func(*outgoing.TransferParams)
		err    error
		fields []string
	}{
		"without source":                {func(p *outgoing.TransferParams) { p.From = "" }, ferry.ErrValidation, []string{"from_address"}},
		"without destination":           {func(p *outgoing.TransferParams) { p.To = "" }, ferry.ErrValidation, []string{"to_address"}},
		"without amount":                {func(p *outgoing.TransferParams) { p.Amount = money.Amount{} }, ferry.ErrValidation, []string{"amount"}},
		"in naira":                      {func(p *outgoing.TransferParams) { p.Amount = money.NGN(100000) }, ferry.ErrValidation, []string{"amount"}},
		"with a malformed reference":    {func(p *outgoing.TransferParams) { p.Reference = "a/b" }, ferry.ErrValidation, []string{"reference"}},
		"with a memo of 201 characters": {func(p *outgoing.TransferParams) { p.Memo = strings.Repeat("é", 201) }, ferry.ErrValidation, []string{"memo"}},
		"with a NUL in the memo":        {func(p *outgoing.TransferParams) { p.Memo = "\x00" }, ferry.ErrValidation, []string{"memo"}},
		"with invalid UTF-8":            {func(p *outgoing.TransferParams) { p.Memo = "\xff" }, ferry.ErrValidation, []string{"memo"}},
		"with 11 keys":                  {func(p *outgoing.TransferParams) { p.Metadata = keys }, ferry.ErrValidation, []string{"metadata"}},
		"with all fields wrong at once": {func(p *outgoing.TransferParams) {
			*p = outgoing.TransferParams{Network: "x", Reference: "?", Memo: strings.Repeat("m", 201)}
		}, ferry.ErrValidation, []string{"from_address", "to_address", "amount", "reference", "memo"}},
		"on another network":                      {func(p *outgoing.TransferParams) { p.Network = "tron" }, wallets.ErrInvalidNetwork, nil},
		"of another asset":                        {func(p *outgoing.TransferParams) { p.Asset = "SOL" }, wallets.ErrInvalidAsset, nil},
		"the network is judged before the amount": {func(p *outgoing.TransferParams) { p.Network, p.Amount = "tron", usdc("0") }, wallets.ErrInvalidNetwork, nil},
		"of 0.009999":                             {func(p *outgoing.TransferParams) { p.Amount = usdc("0.009999") }, outgoing.ErrAmountTooLow, nil},
		"of nothing":                              {func(p *outgoing.TransferParams) { p.Amount = usdc("0") }, outgoing.ErrAmountTooLow, nil},
		"from another business":                   {func(p *outgoing.TransferParams) { p.From = string(foreign.PrimaryAddress) }, outgoing.ErrAddressNotOwned, nil},
		"from a stranger":                         {func(p *outgoing.TransferParams) { p.From = string(b.stranger()) }, outgoing.ErrAddressNotOwned, nil},
		"from no address":                         {func(p *outgoing.TransferParams) { p.From = "treasury" }, outgoing.ErrAddressNotOwned, nil},
		"ownership before destination":            {func(p *outgoing.TransferParams) { p.From, p.To = "x", "y" }, outgoing.ErrAddressNotOwned, nil},
		"destination before balance":              {func(p *outgoing.TransferParams) { p.To, p.Amount = "y", usdc("1000") }, outgoing.ErrInvalidAddress, nil},
		"to no address":                           {func(p *outgoing.TransferParams) { p.To = "0OIl" }, outgoing.ErrInvalidAddress, nil},
		"to an address in lower case":             {func(p *outgoing.TransferParams) { p.To = strings.ToLower(string(w.PrimaryAddress)) }, outgoing.ErrInvalidAddress, nil},
		"to itself":                               {func(p *outgoing.TransferParams) { p.To = p.From }, outgoing.ErrInvalidAddress, nil},
		"to a program":                            {func(p *outgoing.TransferParams) { p.To = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA" }, outgoing.ErrInvalidAddress, nil},
		"to the mint":                             {func(p *outgoing.TransferParams) { p.To = sandbox.USDCMint }, outgoing.ErrInvalidAddress, nil},
		"to the fee payer":                        {func(p *outgoing.TransferParams) { p.To = string(feePayer) }, outgoing.ErrInvalidAddress, nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := order(w, b.stranger(), "1")
			p.Reference = "free"
			c.change(&p)
			_, err := b.Transfer(t.Context(), home, p)
			require.ErrorIs(t, err, c.err)
			require.Equal(t, c.fields, fieldsOf(t, err))
			require.Empty(t, b.pending())
			require.Empty(t, b.lines(home, wallets.TransactionQuery{Direction: wallets.Out}))
			_, err = b.FindTransfer(t.Context(), home, "free")
			require.ErrorIs(t, err, wallets.ErrTransactionNotFound)
		})
	}
	require.Equal(t, usdc("10"), b.balance(w))
	require.Zero(t, b.chain.signs)
}

func TestAMemoIsLimitedInBytesToo(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	room := 400
	b.chain.maxMemo = func(sources int) int { return room + 33 - 100*(sources-1) }
	p := order(w, b.stranger(), "1")
	p.Memo = strings.Repeat("😀", 100)
	_, err := b.Transfer(t.Context(), home, p)
	require.NoError(t, err, "400 bytes fit")
	p.Memo += "x"
	_, err = b.Transfer(t.Context(), home, p)
	require.Equal(t, []string{"memo"}, fieldsOf(t, err))
}

func TestTheLongestMemoFitsOnTheChain(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	p := order(w, b.stranger(), "1")
	p.Memo = strings.Repeat("€", 200)
	sent, err := b.Transfer(t.Context(), home, p)
	require.NoError(t, err)
	b.settle()
	require.Equal(t, wallets.Success, b.transfer(sent).Status)
}

func TestATransferReferenceIsUniqueInItsScope(t *testing.T) {
	b := setup(t)
	w, foreign := b.funded("w", "10"), b.walletOf(away, "w")
	b.deposit(foreign.PrimaryAddress, "10")
	p := order(w, foreign.PrimaryAddress, "9")
	p.Reference = "r-1"
	first, err := b.Transfer(t.Context(), home, p)
	require.NoError(t, err)
	_, err = b.Transfer(t.Context(), home, p)
	require.ErrorIs(t, err, wallets.ErrDuplicateReference, "although the balance would not do either")
	p.To = string(b.stranger())
	_, err = b.Transfer(t.Context(), home, p)
	require.ErrorIs(t, err, wallets.ErrDuplicateReference)
	p.From, p.To = string(foreign.PrimaryAddress), string(w.PrimaryAddress)
	_, err = b.Transfer(t.Context(), away, p)
	require.NoError(t, err)
	require.Equal(t, "r-1", first.Reference)
}

func TestAChainThatDoesNotAnswerRefusesANewTransferWithoutRecord(t *testing.T) {
	b := setup(t)
	w, other := b.funded("w", "10"), b.wallet("other")
	b.inject(sandbox.Unavailable, 1)
	_, err := b.Transfer(t.Context(), home, order(w, b.stranger(), "1"))
	require.ErrorIs(t, err, wallets.ErrUnavailable)
	require.Empty(t, b.pending())
	require.Equal(t, usdc("10"), b.balance(w))
	b.inject(sandbox.Unavailable, 1)
	_, err = b.Transfer(t.Context(), home, order(w, other.PrimaryAddress, "1"))
	require.NoError(t, err, "an internal transfer needs no chain")
}

func TestAnUnpreparedDestinationIsRefused(t *testing.T) {
	b := setup(t)
	w, other := b.funded("w", "10"), b.wallet("other")
	prepared := b.prepare(w, other.PrimaryAddress, "1")
	_, err := b.record(b.TransferOp(home, order(w, b.stranger(), "1")).Begin())
	require.ErrorIs(t, err, ferry.ErrUnprepared)
	// The wallet is suspended between the two halves.
	_, err = b.SetStatus(t.Context(), home, wallets.WalletRef{ID: string(w.ID)}, wallets.Suspended)
	require.NoError(t, err)
	_, err = b.record(prepared)
	require.ErrorIs(t, err, wallets.ErrWalletNotActive)
}

func TestARefusedDestinationSaysWhy(t *testing.T) {
	b := setup(t)
	w := b.funded("w", "10")
	for _, there := range []chain.Destination{{Kind: chain.Unusable}, {Kind: chain.Unusable, Owner: b.stranger()}, {Kind: chain.Owner}} {
		b.chain.inspect = func(chain.Address) (chain.Destination, error) { return there, nil }
		_, err := b.Transfer(t.Context(), home, order(w, b.stranger(), "1"))
		require.ErrorIs(t, err, outgoing.ErrInvalidAddress)
	}
	b.chain.inspect = func(chain.Address) (chain.Destination, error) {
		return chain.Destination{}, errors.New("rpc: 429")
	}
	_, err := b.Transfer(t.Context(), home, order(w, b.stranger(), "1"))
	require.ErrorIs(t, err, wallets.ErrUnavailable, "an error of a node says nothing of the destination")
}
