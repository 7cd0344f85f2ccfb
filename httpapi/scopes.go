package httpapi

import "github.com/ferrypay/ferry/business"

// operationScopes name what each operation of the table asks of a secret key
// (docs/api.md, "Scopes of secret keys").
var operationScopes = map[business.KeyScope][]string{
	business.Read: {
		"getCustomers", "getIdentity", "getWallet", "getWalletBalance", "getAddresses", "getTransactions", "getTransaction",
		"getStablecoinWallet", "getStablecoinBalance", "getStablecoinRate", "getStablecoinAddresses", "getStablecoinAddressBalance",
		"getStablecoinTransactions", "getKeyConfig", "listKeys", "getWebhookConfig", "listAttempts", "listLogs", "listEvents",
		"getBusiness", "getBusinessBalance", "getPaymentLinks", "getPaymentLinkTransactions", "getCheckoutQuote", "getCheckoutAssets",
		"getCheckoutAccount", "getCheckoutStatus", "getCheckouts", "getPayment", "getAllTransactions", "getVirtualAccounts",
		"getReservedAccounts", "listFaults", "getClock", "getOTP", "audit",
	},
	business.Collect: {
		"createCustomer", "patchCustomer", "updateCustomer", "createIdentity", "initiateIdentity", "validateIdentity",
		"createWallet", "createStablecoinWallet", "createAddress", "createAddressOfWallet", "createStablecoinAddress", "patchAddress",
		"createPaymentLink", "setPaymentLinkStatus", "payPaymentLink", "createCheckout", "createCheckoutSession", "refreshCheckoutCrypto", "renewCheckoutFiat",
		"createVirtualAccount", "deleteVirtualAccount", "createReservedAccount", "deleteReservedAccount",
		"simulateDeposit", "simulateBankCredit", "drivePayment",
	},
	business.PayOut: {"createTransfer", "createStablecoinTransfer", "sendStablecoin", "resolvePayment"},
	business.Manage: {
		"createKey", "rotateKey", "revokeKey", "setWebhookConfig", "rotateWebhookSecret", "testWebhook", "resendEvent", "replayEvents",
		"patchBusiness", "setWalletStatus", "fund", "injectFault", "createBusiness", "advanceClock", "drain", "reset",
	},
}

// scopeOf is the scope of each operation by its id.
var scopeOf = func() map[string]business.KeyScope {
	all := map[string]business.KeyScope{}
	for scope, ids := range operationScopes {
		for _, id := range ids {
			all[id] = scope
		}
	}
	return all
}()

// scopes are what the route asks of a secret key: every one, where none is named.
func (r route) scopes() []business.KeyScope {
	if scope, named := scopeOf[r.id]; named {
		return []business.KeyScope{scope}
	}
	return business.AllKeyScopes()
}
