package httpapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/idempotency"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/webhook"
)

// catalogue is every error that a caller may meet, one for each code
// (docs/api.md, "Error codes").
var catalogue = []*ferry.Error{
	ferry.ErrValidation,
	ferry.ErrInvalidTransition,
	errUnauthorized,
	errForbidden,
	errNotFound,
	errMethod,
	errTooLarge,
	errMediaType,
	errCurrency,
	errRates,
	errRateLimited,
	errInternal,
	idempotency.ErrConflict,
	ledger.ErrInsufficientBalance,
	business.ErrNotFound,
	business.ErrKeyNotFound,
	webhook.ErrEventNotFound,
	customers.ErrNotFound,
	customers.ErrDuplicate,
	customers.ErrIdentityNotFound,
	customers.ErrAlreadyVerified,
	customers.ErrInvalidOTP,
	customers.ErrNotVerified,
	customers.ErrUnavailable,
	wallets.ErrWalletNotFound,
	wallets.ErrUnknownWallet,
	wallets.ErrAddressNotFound,
	wallets.ErrTransactionNotFound,
	wallets.ErrDuplicateReference,
	wallets.ErrInvalidNetwork,
	wallets.ErrInvalidAsset,
	wallets.ErrAddressNotOwned,
	wallets.ErrInvalidAddress,
	wallets.ErrAmountTooLow,
	wallets.ErrWalletNotActive,
	wallets.ErrAddressCompromised,
	wallets.ErrUnavailable,
	errPublicKey,
	payments.ErrNotFound,
	payments.ErrInvalidReference,
	payments.ErrDuplicateTrxID,
	links.ErrNotFound,
	links.ErrSlugTaken,
	links.ErrNotActive,
	links.ErrLimitReached,
	accounts.ErrNotFound,
	checkout.ErrNotFound,
	checkout.ErrRedirectNotAllowed,
	checkout.ErrCryptoUnavailable,
	checkout.ErrSenderUnknown,
}

func codes() []string {
	all := make([]string, 0, len(catalogue))
	for _, e := range catalogue {
		all = append(all, e.Code)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// catalogueText lists the codes with status and message, for the document.
func catalogueText() string {
	lines := make([]string, 0, len(catalogue))
	for _, e := range catalogue {
		lines = append(lines, fmt.Sprintf("- `%s` (%d): %s", e.Code, statusOf(e), e.Message))
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n")
}
