package checkout_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
)

func TestATrxIDCannotBeTheIDOfSomethingElse(t *testing.T) {
	s := setup(t)
	victim := s.create(order("victim")).Session
	for _, name := range []string{string(victim.Payment), string(victim.ID), ferry.UID(string(victim.Payment))} {
		_, err := s.Engine.Checkout.Create(t.Context(), s.scope, order(name))
		require.ErrorIs(t, err, ferry.ErrValidation, name)
	}
	s.create(order("pay_later"))
}

func TestARedirectKeepsTheQueryOfTheShop(t *testing.T) {
	for given, want := range map[string]string{
		"https://shop.example.com/done":                      "https://shop.example.com/done?",
		"https://shop.example.com/done?":                     "https://shop.example.com/done?",
		"https://shop.example.com/done?z=1&a=2&sig=a;b#end":  "https://shop.example.com/done?z=1&a=2&sig=a;b&",
		"https://shop.example.com/done?a=%20b+c&&d":          "https://shop.example.com/done?a=%20b+c&d&",
		"https://shop.example.com/?status=success&x=1":       "https://shop.example.com/?x=1&",
		"https://shop.example.com/?st%61tus=success&trx_id=": "https://shop.example.com/?",
	} {
		made := checkout.State{
			Session: checkout.Session{TrxID: "order-1", Status: checkout.Cancelled, Redirects: checkout.Redirects{Redirect: given}},
			Payment: payments.Payment{ID: "pay_1"},
		}
		_, fragment, found := strings.Cut(given, "#")
		if found {
			fragment = "#" + fragment
		}
		require.Equal(t, want+"trx_id=order-1&reference=pay_1&status=cancelled"+fragment, made.RedirectURL(), given)
	}
}

func TestAWalletForAddressesThatIsClosedIsReplaced(t *testing.T) {
	s := setup(t)
	s.create(order("first"))
	s.crypto("first")
	_, err := s.Engine.Checkout.Cancel(t.Context(), s.scope, checkout.Ref{TrxID: "first"})
	require.NoError(t, err)
	s.walletStatus("closed", checkout.CollectionWallet)
	s.create(inUSDC("second"))
	s.deposit(s.crypto("second").Current.Deposit, money.USDC(10_000_000))
	s.is("second", checkout.Completed, "success")
}

func TestAWalletIsNotClosedWhileASessionMayBePaidIntoIt(t *testing.T) {
	s := setup(t)
	s.create(order("first"))
	to := s.crypto("first").Current.Deposit
	s.create(by("bola@example.com", order("by-bank"))) // has no address
	other, err := s.Engine.Wallets.Create(t.Context(), s.scope, wallets.CreateParams{Reference: "savings"})
	require.NoError(t, err)
	s.walletStatus("closed", other.Reference)

	s.Advance(15 * time.Minute)
	s.crypto("first") // at another address; the former one still takes money
	closed := func() error {
		_, err := s.Engine.Wallets.SetStatus(t.Context(), s.scope, wallets.WalletRef{Reference: checkout.CollectionWallet}, wallets.Closed)
		return err
	}
	require.ErrorIs(t, closed(), checkout.ErrOffered)
	require.ErrorIs(t, closed(), ferry.ErrInvalidTransition)
	s.deposit(to, money.USDC(10_000_000), stranger)
	s.is("first", checkout.Completed, "success")
	_, err = s.Engine.Outgoing.Transfer(t.Context(), s.scope, outgoing.TransferParams{
		From: string(to), To: string(stranger), Amount: money.USDC(9_995_000),
	})
	require.NoError(t, err)
	s.Settle()
	require.NoError(t, closed())
}

func TestWhileTheWalletForAddressesIsSuspendedTheBankIsLeft(t *testing.T) {
	s := setup(t)
	s.create(order("first"))
	s.crypto("first")
	s.walletStatus("suspended", checkout.CollectionWallet)
	made := s.create(by("bola@example.com", order("second"))).Session
	require.NotEmpty(t, made.CryptoError)
	require.NotEmpty(t, made.Account.AccountNumber)
	_, err := s.Engine.Checkout.Crypto(t.Context(), s.scope, checkout.Ref{TrxID: "second"}, "")
	require.ErrorIs(t, err, checkout.ErrCryptoUnavailable)
	_, err = s.Engine.Checkout.Create(t.Context(), s.scope, inUSDC("third"))
	require.ErrorIs(t, err, checkout.ErrCryptoUnavailable)
	s.credit("second", money.NGN(15_000_00))
	s.is("second", checkout.Completed, "success")

	s.walletStatus("active", checkout.CollectionWallet)
	s.create(by("chi@example.com", order("fourth")))
	require.NotEmpty(t, s.crypto("fourth").Current.Deposit)
}

// walletStatus changes a wallet of the business.
func (s *stage) walletStatus(to wallets.Status, reference string) {
	s.t.Helper()
	_, err := s.Engine.Wallets.SetStatus(s.t.Context(), s.scope, wallets.WalletRef{Reference: reference}, to)
	require.NoError(s.t, err)
}

// by is an order of somebody else, who does not find another one's session again.
func by(email string, p checkout.CreateParams) checkout.CreateParams {
	p.Email = email
	return p
}
