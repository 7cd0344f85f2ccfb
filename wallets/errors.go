package wallets

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/provider/chain"
)

var (
	// ErrWalletNotFound says that the scope has no such wallet.
	ErrWalletNotFound = ferry.NewError(ferry.NotFound, "wallet_not_found", "Wallet not found")
	// ErrUnknownWallet refuses an address for a wallet that is not there. Its
	// code is that of ErrWalletNotFound.
	ErrUnknownWallet = ferry.NewError(ferry.Invalid, "wallet_not_found", "Wallet not found")
	// ErrAddressNotFound says that the scope has no such address.
	ErrAddressNotFound = ferry.NewError(ferry.NotFound, "address_not_found", "Address not found")
	// ErrTransactionNotFound says that the scope has no such transfer or deposit.
	ErrTransactionNotFound = ferry.NewError(ferry.NotFound, "transaction_not_found", "Transaction not found")
	// ErrDuplicateReference refuses a reference that the scope used before.
	ErrDuplicateReference = ferry.NewError(ferry.Invalid, "duplicate_reference", "The reference has been used before")
	// ErrInvalidNetwork refuses another network than Network.
	ErrInvalidNetwork = ferry.NewError(ferry.Invalid, "invalid_network", "The network must be solana")
	// ErrInvalidAsset refuses another asset than Asset.
	ErrInvalidAsset = ferry.NewError(ferry.Invalid, "invalid_asset", "The asset must be USDC")
	// ErrWalletNotActive refuses to send from, or to add an address to, a
	// wallet that is suspended or closed.
	ErrWalletNotActive = ferry.NewError(ferry.Conflict, "wallet_not_active", "The wallet is not active")
	// ErrAddressCompromised refuses to show an address that is not the public key of its
	// sealed key: a row of the store was changed from outside.
	ErrAddressCompromised = ferry.NewError(ferry.Unavailable, "address_compromised", "The address does not belong to its key and is not shown")
	// ErrUnavailable says that the chain does not answer, or, as ErrNoChain, that the
	// environment has none.
	ErrUnavailable = ferry.NewError(ferry.Unavailable, "provider_unavailable", "The blockchain is not available").After(retryUnavailable)
	// ErrNoChain is ErrUnavailable of an environment without a chain.
	ErrNoChain = ErrUnavailable.Lacking(chain.ErrNone)
)

// retryUnavailable is when a caller may ask a chain again that did not answer.
const retryUnavailable = 5 * time.Second
