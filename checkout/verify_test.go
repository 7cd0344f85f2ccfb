package checkout_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
)

// thief is an address that nobody here manages.
const thief chain.Address = "7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU"

// divert changes where the instruction of a session says that the payer pays.
func (s *stage) divert(trxID string) wallets.AddressID {
	s.t.Helper()
	i := *s.get(trxID).Current
	i.Deposit = thief
	s.tamper(func(ctx context.Context, tx store.Tx) error { return checkout.InstructionKind.Update(ctx, tx, i) })
	return i.Address
}

func TestADepositAddressThatWasChangedIsNotShownToPayersAndIsFound(t *testing.T) {
	for name, settlement := range map[string]business.Settlement{"held": business.Hold, "converted": business.Convert} {
		t.Run(name, func(t *testing.T) {
			s := setup(t)
			s.prefer(business.UpdateParams{CryptoSettlement: ptr(settlement)})
			made := s.create(inUSDC("order-1"))
			require.NotNil(t, s.get("order-1").Current, "it was shown before")
			s.clean()
			diverted := s.divert("order-1")

			ref, service := checkout.Ref{TrxID: "order-1"}, s.Engine.Checkout
			for name, read := range map[string]func() error{
				"status":      func() error { _, err := service.Get(t.Context(), s.scope, ref); return err },
				"the page":    func() error { _, err := service.Page(t.Context(), string(made.Session.ID)); return err },
				"instruction": func() error { _, err := service.Crypto(t.Context(), s.scope, ref, ""); return err },
				"equal order": func() error {
					return s.Engine.Units(ferry.Test).Read(t.Context(), func(ctx context.Context, tx store.Tx) error {
						_, err := service.ShownIn(ctx, tx, s.scope, ref)
						return err
					})
				},
			} {
				err := read()
				require.ErrorIs(t, err, wallets.ErrAddressCompromised, name)
				require.NotContains(t, err.Error(), string(thief), name)
			}
			found, err := s.Engine.Audit(t.Context(), ferry.Test)
			require.NoError(t, err)
			require.Len(t, found, 1)
			require.Equal(t, "deposit_address", found[0].Check)
			require.Equal(t, string(diverted), found[0].Subject)
			require.Contains(t, found[0].Text, string(thief))

			_, err = service.Cancel(t.Context(), s.scope, ref)
			require.NoError(t, err, "the session can be given up")
		})
	}
}

func TestAListShowsTheOtherSessionsAndOneWithoutTheAddressThatWasChanged(t *testing.T) {
	s := setup(t)
	s.create(inUSDC("order-1"))
	other := inUSDC("order-2")
	other.Email = "bola@example.com"
	s.create(other)
	s.divert("order-1")
	listed, err := s.Engine.Checkout.List(t.Context(), s.scope, checkout.Filter{}, ferry.Page{})
	require.NoError(t, err)
	require.Len(t, listed.Data, 2)
	require.Equal(t, s.get("order-2"), listed.Data[0])
	require.Equal(t, "order-1", listed.Data[1].TrxID)
	require.Nil(t, listed.Data[1].Current)
	require.Empty(t, listed.Data[1].Available())
}

func TestASessionWhoseAddressWasChangedStillOffersTheBank(t *testing.T) {
	s := setup(t)
	s.create(order("order-1"))
	ref := checkout.Ref{TrxID: "order-1"}
	s.crypto("order-1")
	diverted := s.divert("order-1")

	state := s.get("order-1")
	require.Nil(t, state.Current)
	require.Equal(t, []business.PaymentMethod{business.BankTransfer}, state.Available())
	require.Equal(t, wallets.ErrAddressCompromised.Message, state.CryptoError)
	require.NotEmpty(t, state.Account.AccountNumber)
	_, err := s.Engine.Checkout.Crypto(t.Context(), s.scope, ref, "")
	require.ErrorIs(t, err, wallets.ErrAddressCompromised, "whoever asks for the address is told why there is none")
	found, err := s.Engine.Audit(t.Context(), ferry.Test)
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, string(diverted), found[0].Subject)

	s.credit("order-1", money.NGN(15_000_00))
	require.Equal(t, checkout.Completed, s.get("order-1").Status)
}
