package wallets_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

func TestANewWalletIsActiveAndEmptyWithOnePrimaryAddress(t *testing.T) {
	b := setup(t)
	w, err := b.Create(t.Context(), home, wallets.CreateParams{
		Type: "stablecoin", Network: "Solana", Asset: "usdc",
		Reference: "treasury", Label: "Treasury", Metadata: ferry.Metadata{"team": "ops"},
	})
	require.NoError(t, err)
	require.Equal(t, wallets.Active, w.Status)
	require.Equal(t, ferry.Metadata{"team": "ops"}, w.Metadata)

	found := b.get(w)
	require.Equal(t, usdc("0"), found.Balance)
	require.Len(t, found.Addresses, 1)
	require.True(t, found.Addresses[0].Primary)
	require.Equal(t, w.PrimaryAddress, found.Addresses[0].Address.Address)
	require.Equal(t, "Treasury", found.Addresses[0].Label)
	require.True(t, w.PrimaryAddress.OnCurve())
	b.clean()
}

func TestAWalletWithoutReferenceIsReadByItsIDAsReference(t *testing.T) {
	b := setup(t)
	w := b.wallet("")
	require.Equal(t, string(w.ID), w.Reference)
	found, err := b.Get(t.Context(), home, wallets.WalletRef{Reference: string(w.ID)})
	require.NoError(t, err)
	require.Equal(t, w.ID, found.ID)
}

func TestAReferenceIsUniqueInItsScopeOnly(t *testing.T) {
	b := setup(t)
	b.wallet("one")
	_, err := b.Create(t.Context(), home, wallets.CreateParams{Reference: "one"})
	require.ErrorIs(t, err, wallets.ErrDuplicateReference)
	b.walletOf(away, "one")
}

func TestAWalletIsRefused(t *testing.T) {
	keys := ferry.Metadata{}
	for _, k := range strings.Split("abcdefghijk", "") {
		keys[k] = "v"
	}
	for name, c := range map[string]struct {
		p      wallets.CreateParams
		err    error
		fields []string
	}{
		"of another type":              {wallets.CreateParams{Type: "fiat"}, ferry.ErrValidation, []string{"type"}},
		"on another network":           {wallets.CreateParams{Network: "ethereum"}, wallets.ErrInvalidNetwork, nil},
		"of another asset":             {wallets.CreateParams{Asset: "USDT"}, wallets.ErrInvalidAsset, nil},
		"with a malformed reference":   {wallets.CreateParams{Reference: "a b"}, ferry.ErrValidation, []string{"reference"}},
		"with a long reference":        {wallets.CreateParams{Reference: strings.Repeat("r", 101)}, ferry.ErrValidation, []string{"reference"}},
		"with a long label":            {wallets.CreateParams{Label: strings.Repeat("é", 101)}, ferry.ErrValidation, []string{"label"}},
		"with too many keys":           {wallets.CreateParams{Metadata: keys}, ferry.ErrValidation, []string{"metadata"}},
		"naming all fields at once":    {wallets.CreateParams{Type: "x", Network: "x", Reference: "?", Label: "\x00"}, ferry.ErrValidation, []string{"type", "reference", "label"}},
		"for a customer nobody checks": {wallets.CreateParams{CustomerID: "cus_1"}, ferry.ErrValidation, []string{"customer_id"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			_, err := b.Create(t.Context(), home, c.p)
			require.ErrorIs(t, err, c.err)
			require.Equal(t, c.fields, fieldsOf(t, err))
			list, err := b.List(t.Context(), home, wallets.WalletFilter{}, ferry.Page{})
			require.NoError(t, err)
			require.Zero(t, list.Total)
		})
	}
}

func TestLimitsOfTextCountCharacters(t *testing.T) {
	b := setup(t)
	_, err := b.Create(t.Context(), home, wallets.CreateParams{Reference: strings.Repeat("r", 100), Label: strings.Repeat("é", 100)})
	require.NoError(t, err)
}

func TestLabelsAndMemosAreOneLineOfVisibleText(t *testing.T) {
	b := setup(t)
	const given, kept = "  cafe\u0301 ", "caf\u00e9"
	w, err := b.Create(t.Context(), home, wallets.CreateParams{Label: given})
	require.NoError(t, err)
	require.Equal(t, kept, b.get(w).Label)
	require.Equal(t, kept, b.addressOf(w.PrimaryAddress, home).Label)
	b.deposit(w.PrimaryAddress, "10")
	text := given
	changed, err := b.UpdateAddress(t.Context(), home, wallets.AddressRef{ID: string(w.Primary)}, wallets.UpdateAddressParams{Label: &text})
	require.NoError(t, err)
	require.Equal(t, kept, changed.Label)
	ordered := order(w, b.stranger(), "1")
	ordered.Memo = given
	sent, err := b.Transfer(t.Context(), home, ordered)
	require.NoError(t, err)
	require.Equal(t, kept, sent.Memo)
	require.Regexp(t, "^"+kept+" [A-Za-z0-9_-]{32}$", b.attempts(sent)[0].Memo, "as it stands on the chain")

	for _, refused := range []string{"two\nlines", "a\ttab", "\u202ereversed", "zero\u200bwidth", "bad\xff"} {
		_, err := b.Create(t.Context(), home, wallets.CreateParams{Label: refused})
		require.ErrorIs(t, err, ferry.ErrValidation, "%q", refused)
		ordered.Memo = refused
		_, err = b.Transfer(t.Context(), home, ordered)
		require.ErrorIs(t, err, ferry.ErrValidation, "%q", refused)
	}
}

func TestAnEnvironmentWithoutAChainHasNoWallets(t *testing.T) {
	b := setup(t)
	_, err := b.Create(t.Context(), live, wallets.CreateParams{})
	require.ErrorIs(t, err, wallets.ErrUnavailable)
	_, err = b.Transfer(t.Context(), live, outgoing.TransferParams{})
	require.ErrorIs(t, err, wallets.ErrUnavailable)
}

func TestAWalletNamesAnExistingCustomer(t *testing.T) {
	unknown := ferry.NewError(ferry.NotFound, "customer_not_found", "Customer not found")
	b := setup(t)
	b.hooks.Customer = func(_ context.Context, tx wallets.Tx, scope ferry.Scope, id string) error {
		require.NotNil(t, tx)
		if scope == home && id == "cus_1" {
			return nil
		}
		return unknown
	}
	b.restart()
	one, err := b.Create(t.Context(), home, wallets.CreateParams{CustomerID: "cus_1"})
	require.NoError(t, err)
	two, err := b.Create(t.Context(), home, wallets.CreateParams{CustomerID: "cus_1"})
	require.NoError(t, err)
	b.wallet("nobody")
	_, err = b.Create(t.Context(), home, wallets.CreateParams{CustomerID: "cus_2"})
	require.ErrorIs(t, err, unknown)

	ids, err := ferry.InRead(t.Context(), b.walletUnits().In(ferry.Test), func(ctx context.Context, tx wallets.Tx) ([]wallets.ID, error) {
		return b.WalletsOfIn(ctx, tx, home, "cus_1")
	})
	require.NoError(t, err)
	require.Equal(t, []wallets.ID{two.ID, one.ID}, ids)
}

func TestAWalletIsFoundByAnyOfItsNames(t *testing.T) {
	b := setup(t)
	w, other := b.wallet("one"), b.wallet("two")
	uid := ferry.UID(string(w.ID))
	for _, ref := range []wallets.WalletRef{{ID: string(w.ID)}, {ID: uid}, {Reference: "one"}, {ID: uid, Reference: "one"}} {
		found, err := b.Get(t.Context(), home, ref)
		require.NoError(t, err)
		require.Equal(t, w.ID, found.ID)
	}
	for _, ref := range []wallets.WalletRef{
		{ID: string(w.ID), Reference: "two"}, {ID: string(other.ID), Reference: "one"}, {ID: "wal_1"}, {Reference: "three"}, {},
	} {
		_, err := b.Get(t.Context(), home, ref)
		require.ErrorIs(t, err, wallets.ErrWalletNotFound)
	}
	_, err := b.Get(t.Context(), away, wallets.WalletRef{ID: string(w.ID)})
	require.ErrorIs(t, err, wallets.ErrWalletNotFound)
}

func TestWalletStatusMovesAsTheTableSays(t *testing.T) {
	for _, c := range []struct {
		path []wallets.Status
		err  error
	}{
		{[]wallets.Status{wallets.Suspended}, nil},
		{[]wallets.Status{wallets.Active}, nil},
		{[]wallets.Status{wallets.Suspended, wallets.Active}, nil},
		{[]wallets.Status{wallets.Closed}, nil},
		{[]wallets.Status{wallets.Suspended, wallets.Closed}, nil},
		{[]wallets.Status{wallets.Closed, wallets.Closed}, nil},
		{[]wallets.Status{wallets.Closed, wallets.Active}, ferry.ErrInvalidTransition},
		{[]wallets.Status{wallets.Closed, wallets.Suspended}, ferry.ErrInvalidTransition},
		{[]wallets.Status{"frozen"}, ferry.ErrValidation},
	} {
		b := setup(t)
		w := b.wallet("w")
		var got wallets.FundedWallet
		var err error
		for _, status := range c.path {
			got, err = b.SetStatus(t.Context(), home, wallets.WalletRef{Reference: "w"}, status)
		}
		require.ErrorIs(t, err, c.err, "%v", c.path)
		if c.err == nil {
			require.Equal(t, c.path[len(c.path)-1], got.Status)
			require.Equal(t, got.Status, b.get(w).Status)
		}
	}
}

func TestAWalletClosesOnlyWhenItHoldsNothing(t *testing.T) {
	b := setup(t)
	w, other := b.funded("w", "10"), b.wallet("other")
	ref := wallets.WalletRef{ID: string(w.ID)}
	_, err := b.SetStatus(t.Context(), home, ref, wallets.Closed)
	require.ErrorIs(t, err, ferry.ErrInvalidTransition)

	sent := b.send(w, b.stranger(), "9.995")
	require.Equal(t, wallets.Pending, sent.Status)
	require.Equal(t, usdc("0"), b.balance(w))
	_, err = b.SetStatus(t.Context(), home, ref, wallets.Closed)
	require.ErrorIs(t, err, ferry.ErrInvalidTransition, "a transfer is pending")

	b.settle()
	_, err = b.SetStatus(t.Context(), home, ref, wallets.Closed)
	require.NoError(t, err)
	_, err = b.SetStatus(t.Context(), home, wallets.WalletRef{ID: string(other.ID)}, wallets.Closed)
	require.NoError(t, err)
}

func TestSuspendedAndClosedWalletsNeitherSendNorGetAddresses(t *testing.T) {
	for _, status := range []wallets.Status{wallets.Suspended, wallets.Closed} {
		b := setup(t)
		w, other := b.wallet("w"), b.wallet("other")
		_, err := b.SetStatus(t.Context(), home, wallets.WalletRef{Reference: "w"}, status)
		require.NoError(t, err)
		_, err = b.Transfer(t.Context(), home, order(w, other.PrimaryAddress, "1"))
		require.ErrorIs(t, err, wallets.ErrWalletNotActive)
		_, err = b.CreateAddress(t.Context(), home, wallets.AddressParams{Wallet: wallets.WalletRef{Reference: "w"}})
		require.ErrorIs(t, err, wallets.ErrWalletNotActive)

		b.deposit(w.PrimaryAddress, "5")
		require.Equal(t, usdc("5"), b.balance(w), "money that arrives is credited")
		require.Len(t, b.events(home, wallets.EventReceived), 1)
		b.clean()
	}
}

func TestWalletsListNewestFirst(t *testing.T) {
	b := setup(t)
	one, two := b.wallet("one"), b.wallet("two")
	b.walletOf(away, "three")
	_, err := b.SetStatus(t.Context(), home, wallets.WalletRef{Reference: "one"}, wallets.Suspended)
	require.NoError(t, err)
	list, err := b.List(t.Context(), home, wallets.WalletFilter{}, ferry.Page{})
	require.NoError(t, err)
	require.Equal(t, 2, list.Total)
	require.Equal(t, two.ID, list.Data[0].ID)
	list, err = b.List(t.Context(), home, wallets.WalletFilter{Status: wallets.Suspended}, ferry.Page{})
	require.NoError(t, err)
	require.Equal(t, one.ID, list.Data[0].ID)
	var all []wallets.ID
	for w, err := range b.All(t.Context(), home, wallets.WalletFilter{}) {
		require.NoError(t, err)
		all = append(all, w.ID)
	}
	require.Equal(t, []wallets.ID{two.ID, one.ID}, all)
}

// fieldsOf returns the names of the fields that an error refuses.
func fieldsOf(t *testing.T, err error) []string {
	t.Helper()
	var names []string
	var e *ferry.Error
	require.ErrorAs(t, err, &e)
	for _, f := range e.Fields {
		names = append(names, f.Name)
	}
	return names
}
