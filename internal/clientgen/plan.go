package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ferrypay/ferry/internal/openapi"
)

// plan is how an operation looks in Go, where its id and tag do not say it.
type plan struct {
	// service and method are its place: Payouts.Create. Of an operation that reads one or
	// lists, method is what follows Get, List and All.
	service, method string
	// params is the name of its parameters, by default its id with Params. Of an operation
	// that lists, the default is List, its noun and Params.
	params string
	// by are the query parameters that switch to one thing; each has a method.
	by []string
	// detail are query parameters that say what is told of one thing.
	detail []string
	// drop are members that the client leaves out.
	drop []string
}

// plans are by id. An operation that is missing here has the service of its tag, and a method
// with the name of its id.
var plans = map[string]plan{
	"listKeys":     {service: "Keys", method: "List"},
	"createKey":    {service: "Keys", method: "Create"},
	"getKeyConfig": {service: "Keys", method: "Config"},
	"revokeKey":    {service: "Keys", method: "Revoke"},
	"rotateKey":    {service: "Keys", method: "Rotate"},

	"listApprovals":     {service: "Approvals", method: "List"},
	"getApproval":       {service: "Approvals", method: "Get"},
	"decideApproval":    {service: "Approvals", method: "Decide"},
	"getOutflowRules":   {service: "Outflow", method: "Rules"},
	"patchOutflowRules": {service: "Outflow", method: "UpdateRules", params: "UpdateOutflowRulesParams"},

	"getBusiness":        {service: "Business", method: "Get"},
	"patchBusiness":      {service: "Business", method: "Update", params: "UpdateBusinessParams"},
	"getBusinessBalance": {service: "Business", method: "Balance"},

	"getCheckouts":          {service: "Checkout", by: []string{"trx_id", "reference"}},
	"createCheckout":        {service: "Checkout", method: "Create"},
	"getCheckoutAccount":    {service: "Checkout", method: "Account", params: "CheckoutAccountParams"},
	"getCheckoutAssets":     {service: "Checkout", method: "Assets"},
	"createCheckoutSession": {service: "Checkout", method: "CreateSession"},
	"refreshCheckoutCrypto": {service: "Checkout", method: "RefreshCrypto"},
	"renewCheckoutFiat":     {service: "Checkout", method: "RenewFiat"},
	"getCheckoutQuote":      {service: "Checkout", method: "Quote", params: "CheckoutQuoteParams"},
	"getCheckoutStatus":     {service: "Checkout", method: "Status", drop: []string{"reference"}},

	"getCustomers":   {service: "Customers", by: []string{"id"}},
	"createCustomer": {service: "Customers", method: "Create"},
	"patchCustomer":  {service: "Customers", method: "Update", params: "UpdateCustomerParams"},

	"getIdentity":      {service: "Identity", method: "Get"},
	"initiateIdentity": {service: "Identity", method: "Initiate"},
	"validateIdentity": {service: "Identity", method: "Validate"},

	"getReservedAccounts":   {service: "ReservedAccounts", by: []string{"id"}, detail: []string{"transaction", "page", "limit"}},
	"createReservedAccount": {service: "ReservedAccounts", method: "Create"},
	"deleteReservedAccount": {service: "ReservedAccounts", method: "Close"},
	"getVirtualAccounts":    {service: "VirtualAccounts", by: []string{"id"}, detail: []string{"transaction", "page", "limit"}},
	"createVirtualAccount":  {service: "VirtualAccounts", method: "Create"},
	"deleteVirtualAccount":  {service: "VirtualAccounts", method: "Close"},

	"getFiatTransfers":      {service: "FiatTransfers", by: []string{"id", "reference"}},
	"createFiatTransfer":    {service: "FiatTransfers", method: "Create"},
	"createNairaTransfer":   {service: "FiatTransfers", method: "CreateFromBalance"},
	"getBanks":              {service: "FiatTransfers", method: "Banks"},
	"enquireFiatAccount":    {service: "FiatTransfers", method: "NameEnquiry"},
	"getFiatTransferStatus": {service: "FiatTransfers", method: "Status", params: "FiatTransferStatusParams"},

	"getPaymentLinks":            {service: "PaymentLinks", by: []string{"id"}},
	"createPaymentLink":          {service: "PaymentLinks", method: "Create"},
	"payPaymentLink":             {service: "PaymentLinks", method: "Pay"},
	"setPaymentLinkStatus":       {service: "PaymentLinks", method: "SetStatus"},
	"getPaymentLinkTransactions": {service: "PaymentLinks", method: "Transaction", by: []string{"trx_id"}},

	"getPayment":     {service: "Payments", method: "Get"},
	"resolvePayment": {service: "Payments", method: "Resolve"},

	"getPayouts":           {service: "Payouts", by: []string{"id", "reference"}},
	"createPayout":         {service: "Payouts", method: "Create"},
	"createBulkPayout":     {service: "Payouts", method: "CreateBulk"},
	"cancelPayout":         {service: "Payouts", method: "Cancel"},
	"processPayout":        {service: "Payouts", method: "Process"},
	"reconcilePayout":      {service: "Payouts", method: "Reconcile"},
	"enquirePayoutAccount": {service: "Payouts", method: "NameEnquiry"},

	"getRefunds":     {service: "Refunds", by: []string{"id", "reference"}},
	"createRefund":   {service: "Refunds", method: "Create"},
	"processRefund":  {service: "Refunds", method: "Process"},
	"finalizeRefund": {service: "Refunds", method: "Finalize"},

	"getAllTransactions": {service: "Transactions", by: []string{"id", "trx_id", "reference"}, params: "ListTransactionsParams"},

	"getOnrampRate":    {service: "Onramp", method: "Rate", params: "OnrampRateParams"},
	"getOnrampStatus":  {service: "Onramp", method: "Status", params: "OnrampStatusParams"},
	"getOfframpRate":   {service: "Offramp", method: "Rate", params: "OfframpRateParams"},
	"getOfframpStatus": {service: "Offramp", method: "Status", params: "OfframpStatusParams"},

	"createWidget":          {service: "RampWidgets", method: "Create"},
	"getWidgets":            {service: "RampWidgets", by: []string{"id"}},
	"updateWidget":          {service: "RampWidgets", method: "Update"},
	"setWidgetDomains":      {service: "RampWidgets", method: "SetDomains"},
	"setWidgetStatus":       {service: "RampWidgets", method: "SetStatus"},
	"getWidgetAnalytics":    {service: "RampWidgets", method: "Analytics"},
	"listRampTransactions":  {service: "RampWidgets", method: "Transaction", by: []string{"id", "reference"}},
	"bootstrapWidget":       {service: "RampSessions", method: "Bootstrap"},
	"getRampSessionOptions": {service: "RampSessions", method: "Options"},
	"getRampSessionStatus":  {service: "RampSessions", method: "Status"},

	"listBillServices":         {service: "Bills", method: "Services"},
	"listBillCategories":       {service: "Bills", method: "Categories"},
	"listBillProducts":         {service: "Bills", method: "Products"},
	"listAirtimeProviders":     {service: "Bills", method: "AirtimeProviders"},
	"listAirtimeProducts":      {service: "Bills", method: "AirtimeProducts"},
	"listDataProviders":        {service: "Bills", method: "DataProviders"},
	"listDataProducts":         {service: "Bills", method: "DataProducts"},
	"listCableProviders":       {service: "Bills", method: "CableProviders"},
	"listCableProducts":        {service: "Bills", method: "CableProducts"},
	"listElectricityProviders": {service: "Bills", method: "ElectricityProviders"},
	"listElectricityProducts":  {service: "Bills", method: "ElectricityProducts"},
	"verifyBillNumber":         {service: "Bills", method: "Verify"},

	"getWallet":         {service: "Wallets", by: []string{"id", "reference"}, params: "ListWalletsParams"},
	"createWallet":      {service: "Wallets", method: "Create"},
	"getWalletBalance":  {service: "Wallets", method: "Balance", params: "WalletBalanceParams"},
	"setWalletStatus":   {service: "Wallets", method: "SetStatus"},
	"getStablecoinRate": {service: "Wallets", method: "Rate", params: "WalletRateParams"},

	"getAddresses":                {service: "Addresses", by: []string{"id", "address"}},
	"createAddress":               {service: "Addresses", method: "Create"},
	"patchAddress":                {service: "Addresses", method: "Update", params: "UpdateAddressParams"},
	"getStablecoinAddressBalance": {service: "Addresses", method: "Balance", params: "AddressBalanceParams"},

	"createTransfer":  {service: "WalletTransfers", method: "Create", params: "CreateWalletTransferParams"},
	"getTransactions": {service: "WalletTransfers", by: []string{"transfer_reference=GetByReference"}, drop: []string{"id"}, params: "ListWalletTransfersParams"},
	"getTransaction":  {service: "WalletTransfers", method: "Get"},

	"listAttempts":        {service: "Webhooks", method: "Attempts", params: "ListWebhookAttemptsParams"},
	"listPayoutAttempts":  {service: "Webhooks", method: "PayoutAttempts", params: "ListPayoutAttemptsParams"},
	"listRefundAttempts":  {service: "Webhooks", method: "RefundAttempts", params: "ListRefundAttemptsParams"},
	"getWebhookConfig":    {service: "Webhooks", method: "Config"},
	"setWebhookConfig":    {service: "Webhooks", method: "SetConfig"},
	"replayEvents":        {service: "Webhooks", method: "Replay"},
	"resendEvent":         {service: "Webhooks", method: "Resend"},
	"resendPayoutEvent":   {service: "Webhooks", method: "ResendPayout"},
	"resendRefundEvent":   {service: "Webhooks", method: "ResendRefund"},
	"rotateWebhookSecret": {service: "Webhooks", method: "RotateSecret"},
	"testWebhook":         {service: "Webhooks", method: "Test"},

	"audit":              {service: "TestHelpers", method: "Audit"},
	"simulateBankCredit": {service: "TestHelpers", method: "BankCredit"},
	"setBankOutcome":     {service: "TestHelpers", method: "SetBankOutcome"},
	"createBusiness":     {service: "TestHelpers", method: "CreateBusiness"},
	"getClock":           {service: "TestHelpers", method: "Clock"},
	"advanceClock":       {service: "TestHelpers", method: "AdvanceClock"},
	"simulateDeposit":    {service: "TestHelpers", method: "Deposit"},
	"drain":              {service: "TestHelpers", method: "Drain"},
	"listFaults":         {service: "TestHelpers", method: "Faults"},
	"injectFault":        {service: "TestHelpers", method: "InjectFault"},
	"setRates":           {service: "TestHelpers", method: "SetRates"},
	"fund":               {service: "TestHelpers", method: "Fund"},
	"explain":            {service: "TestHelpers", method: "Explain"},
	"getOTP":             {service: "TestHelpers", method: "OTP"},
	"drivePayment":       {service: "TestHelpers", method: "DrivePayment"},
	"reset":              {service: "TestHelpers", method: "Reset"},
}

// byHand are operations with methods that people wrote.
var byHand = map[string]string{
	"listEvents": "events.go: the feed goes on after a cursor",
}

// skipped are operations that have no method, and why. An alias has none: its summary, or
// x-alias-of, names the route that the client calls.
var skipped = map[string]string{
	"updateCustomer":        "Customers.Update changes the same customer by PATCH /v1/customers",
	"getBulkPayouts":        "Payouts.Get and Payouts.List with Type bulk read the same",
	"createAddressOfWallet": "Addresses.Create makes the same address, with WalletID among its parameters",
	"createIdentity":        "an alias of Identity.Initiate",
	"listLogs":              "an alias of Webhooks.Attempts",
	"listPayoutLogs":        "an alias of Webhooks.PayoutAttempts",
	"listRefundLogs":        "an alias of Webhooks.RefundAttempts",
}

// reasonToSkip says why an operation has no generated method, or nothing.
func reasonToSkip(d *openapi.Operation) string {
	switch {
	case d.AliasOf != "":
		return "an alias of " + d.AliasOf
	case skipped[d.ID] != "":
		return skipped[d.ID]
	}
	return byHand[d.ID]
}

// planOf is the plan of an operation. For one that nobody planned, its tag is the service, and
// its id says the method: createBill of Bills is Create.
func planOf(d *openapi.Operation) plan {
	p, planned := plans[d.ID]
	if !planned {
		p.service = camel(d.Tags[0])
		p.method = camel(d.ID)
		if reads(d) && lists(d) {
			p.method = strings.TrimSuffix(camel(strings.TrimPrefix(d.ID, "get")), "s")
		}
		for _, noun := range []string{p.service, strings.TrimSuffix(p.service, "s")} {
			p.method = strings.TrimSuffix(p.method, noun)
		}
		if p.method == "" && !lists(d) {
			p.method = camel(d.ID)
		}
	}
	return p
}

// reads and lists report whether an operation may answer one thing, and a list.
func reads(d *openapi.Operation) bool {
	data := d.Answer().Properties["data"]
	return !slices.Contains(data.Type, "array")
}

func lists(d *openapi.Operation) bool {
	data := d.Answer().Properties["data"]
	return len(data.OneOf) == 2 || slices.Contains(data.Type, "array")
}

// selector is a query parameter by which an operation that lists reads one thing, and the
// method that does.
type selector struct {
	member
	method string
}

// selectors are those of an operation.
func (o *operation) selectors() []selector {
	var all []selector
	for _, m := range o.in {
		if m.place != "query" {
			continue
		}
		if o.by == nil && (m.name == "id" || strings.HasPrefix(m.Description, "Reads one")) {
			all = append(all, selector{m, o.selecting(m.name, len(all) == 0)})
		}
		for i, by := range o.by {
			name, method, named := strings.Cut(by, "=")
			if name != m.name {
				continue
			}
			if !named {
				method = o.selecting(name, i == 0)
			}
			all = append(all, selector{m, method})
		}
	}
	return all
}

// selecting is the method that reads one thing by a parameter.
func (o *operation) selecting(name string, first bool) string {
	if first {
		return cmp.Or(o.plan.method, "Get")
	}
	return cmp.Or(o.plan.method, "Get") + "By" + camel(name)
}

// listing is the method that reads a page, and the one that goes through all.
func (o *operation) listing() (page, every string) {
	switch noun := o.plan.method; {
	case noun == "", noun == "List":
		return "List", "All"
	case o.one == nil:
		return noun, "All" + noun
	default:
		return noun + "s", "All" + noun + "s"
	}
}

// renamed are the components that have another name in Go: alone, theirs would not say of
// what they are.
var renamed = map[string]string{
	"Money": "Transaction", "Transaction": "WalletTransaction", "Transfer": "WalletTransfer", "Account": "CollectionAccount",
	"Link": "PaymentLink", "LinkTransaction": "PaymentLinkTransaction", "Endpoint": "WebhookEndpoint", "Attempt": "WebhookAttempt",
	"Key": "APIKey", "NewKey": "NewAPIKey", "RotatedKey": "RotatedAPIKey", "KeyConfig": "APIKeyConfig", "Otp": "OTP", "Session": "CheckoutSession",
	"Crypto": "CryptoInstruction", "Fiat": "FiatInstruction", "Blocks": "CheckoutAccount", "Payable": "CheckoutPayable",
	"Holder": "AccountHolder", "Summary": "AddressSummary", "Counter": "WalletCounter", "Quote": "CheckoutQuote", "Rate": "StablecoinRate",
	"Progress": "ClockProgress", "Initiated": "IdentityInitiated", "Balance": "AddressBalance", "Total": "CurrencyBalance",
	"Fees": "TransferFees", "ChargedFees": "PaymentFees", "Count": "ReplayCount", "Rule": "FeeRule", "Fault": "ArmedFault",
	"Pagination": "Meta", "Asset": "CheckoutAsset", "Assets": "CheckoutAssets",
}

// typesByHand are components whose types people wrote.
var typesByHand = []string{"ChargedFees", "Pagination"}

// enumerations are the names of those whose member does not name them well, by their words.
var enumerations = map[string]string{
	"IN,OUT": "Direction", "NGN,USDC": "Currency", "major,minor": "AmountUnit", "A,B": "Variant", "crypto,fiat": "AmountType",
	"live,test": "Mode", "bvn,cac,nin": "IdentityType", "otp_sent,rejected,requested,verified": "IdentityStatus",
	"bank-transfer,crypto": "CheckoutMethod", "bank_transfer,card,usdc,wallet": "PaymentMethod", "bank_transfer,usdc": "ReceiptMethod",
	"cancelled,expired,failed,pending,reversed,success": "PaymentStatus", "cancelled,failed,pending,reversed,success": "PaymentOutcome",
	"none,partially_refunded,pending,refunded": "RefundState", "accept,refund": "Resolution", "approve,reject": "Decision",
	"external,internal": "WalletTransferType", "failed,sent": "DeliveryStatus", "convert,hold": "CryptoSettlement", "accept,strict": "MismatchPolicy",
	"failed,pending,processing,successful": "Status",
	"AIRTIME,CABLETV,DATA,UTILITY":         "BillKind",
	"active,disabled":                      "WidgetStatus", "offramp,onramp": "RampSide", "POSTPAID,PREPAID": "VendType",
	"delivered,failed,late,pending,timeout_delivered,timeout_undelivered": "BillAnswer",
	"failed,pending,returned,success,timeout_paid,timeout_unpaid":         "BankAnswer", "bank,biller,chain,kyc,rates,receiver": "FaultTarget",
}
