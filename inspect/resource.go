package inspect

import (
	"context"
	"net/url"
	"strings"

	"github.com/ferrypay/ferry"
)

// resource is one kind of things, as the API has it.
type resource struct {
	// Kind is in addresses of pages, Title is for people.
	Kind, Title string
	// prefixes begin the ids.
	prefixes []string
	// list is the path of the list, or empty. one is the path of one, which the id or a name ends.
	list string
	one  []string
	// Columns are the members that a list shows.
	Columns []string
	// lifecycle is the title of its lifecycle in engine.Domains, or empty.
	lifecycle string
}

// resources are all kinds of things, in the order of the navigation.
var resources = []resource{
	{"payments", "Payments", []string{"pay_", "sess_", "pl_"}, "/v1/checkout", []string{"/v1/payments?id=", "/v1/checkout?reference="},
		[]string{"trx_id", "payment_status", "amount", "currency", "email", "created_at"}, "Payments"},
	{"links", "Links", []string{"plink_"}, "/v1/payment-links", []string{"/v1/payment-links?id="},
		[]string{"title", "status", "amount", "currency", "slug", "created_at"}, "Payment links of policy B"},
	{"customers", "Customers", []string{"cus_"}, "/v1/customers", []string{"/v1/customers?id="},
		[]string{"name", "status", "email", "created_at"}, "Customers"},
	{"wallets", "Wallets", []string{"wal_"}, "/v1/wallets", []string{"/v1/wallets?id=", "/v1/wallets?reference="},
		[]string{"reference", "status", "balance", "asset", "primary_address", "created_at"}, "Wallets"},
	{"addresses", "Addresses", []string{"addr_"}, "/v1/wallets/addresses", []string{"/v1/wallets/addresses?id=", "/v1/wallets/addresses?address="},
		[]string{"address", "status", "balance", "label", "created_at"}, "Addresses"},
	{"transfers", "Wallet transfers", []string{"trx_"}, "/v1/wallets/transfers", []string{"/v1/wallets/transfers/"},
		[]string{"reference", "type", "status", "amount", "asset", "created_at"}, "Wallet transfers"},
	{"payouts", "Payouts", []string{"pout_", "pitem_"}, "/v1/payouts",
		[]string{"/v1/payouts?id=", "/v1/payouts?reference=", "/v1/payouts/reconcile?provider_reference=", "/v1/payouts/reconcile?item_reference="},
		[]string{"reference", "status", "total_amount", "currency", "item_count", "created_at"}, "Payouts"},
	{"bank-transfers", "Bank transfers", []string{"trf_"}, "/v1/fiat/transfers", []string{"/v1/fiat/transfers?id=", "/v1/fiat/transfers?reference="},
		[]string{"reference", "status", "amount", "currency", "created_at"}, "Fiat transfers"},
	{"refunds", "Refunds", []string{"rfd_"}, "/v1/refunds", []string{"/v1/refunds?id=", "/v1/refunds?reference="},
		[]string{"reference", "status", "amount", "currency", "created_at"}, "Refunds"},
	{"onramps", "Onramps", []string{"onr_"}, "/v1/stablecoin/onramp", []string{"/v1/stablecoin/onramp?id=", "/v1/stablecoin/onramp?reference="},
		[]string{"reference", "status", "amount", "amount_stablecoin", "created_at"}, "Onramps"},
	{"offramps", "Offramps", []string{"ofr_"}, "/v1/stablecoin/offramp", []string{"/v1/stablecoin/offramp?id=", "/v1/stablecoin/offramp?reference="},
		[]string{"reference", "status", "amount", "amount_stablecoin", "created_at"}, "Offramps"},
	{"bills", "Bills", []string{"bill_"}, "/v1/bill/history", []string{"/v1/bill/history?id=", "/v1/bill/history?reference="},
		[]string{"reference", "status", "service", "amount", "number", "created_at"}, "Bills"},
	{"crypto-bills", "Crypto bills", []string{"ofr_"}, "/v1/bill/crypto", []string{"/v1/bill/crypto?id=", "/v1/bill/crypto?reference="},
		[]string{"reference", "status", "amount", "created_at"}, "Offramps"},
	{"virtual-accounts", "Virtual accounts", []string{"vacc_"}, "/v1/fiat/virtual-accounts", []string{"/v1/fiat/virtual-accounts?id="},
		[]string{"account_number", "status", "reference", "total_received", "created_at"}, "Collection accounts"},
	{"reserved-accounts", "Reserved accounts", []string{"racc_"}, "/v1/fiat/reserved-accounts", []string{"/v1/fiat/reserved-accounts?id="},
		[]string{"account_number", "status", "reference", "total_received", "created_at"}, "Collection accounts"},
	{"approvals", "Approvals", []string{"apr_"}, "/v1/approvals", []string{"/v1/approvals/"},
		[]string{"id", "status", "kind", "amount", "created_at"}, "Approvals"},
}

// resourceOf is the kind of that name.
func resourceOf(kind string) (resource, bool) {
	for _, r := range resources {
		if r.Kind == kind {
			return r, true
		}
	}
	return resource{}, false
}

// begins reports whether an id is one of this kind.
func (r resource) begins(id string) bool {
	for _, prefix := range r.prefixes {
		if strings.HasPrefix(id, prefix) {
			return true
		}
	}
	return false
}

// find asks for a thing by its id, or by a name that its caller gave it. The kinds whose prefix it has
// come first.
func (a api) find(ctx context.Context, name string) (resource, map[string]any, bool) {
	for _, own := range []bool{true, false} {
		if r, object, ok := a.findAmong(ctx, name, own); ok {
			return r, object, true
		}
		if strings.HasPrefix(name, "biz_") {
			break
		}
	}
	return resource{}, nil, false
}

// findAmong asks the kinds whose prefix a name has, or all others.
func (a api) findAmong(ctx context.Context, name string, own bool) (resource, map[string]any, bool) {
	for _, r := range resources {
		if r.begins(name) != own {
			continue
		}
		for _, path := range r.one {
			got := a.get(ctx, path+escape(path, name))
			if got.ok() && got.object() != nil {
				return r, got.object(), true
			}
		}
	}
	return resource{}, nil, false
}

// belongsTo is the id of the thing to which a name leads that is none of a thing itself, as the address of an
// offramp or the transfer that an onramp made. It is empty when there is no such thing.
func (a api) belongsTo(ctx context.Context, name string) string {
	if id := word(a.get(ctx, "/v1/test_helpers/explain?id="+url.QueryEscape(name)).object(), "id"); looksLikeID(id) {
		return id
	}
	return ""
}

// escape is a name for the end of a path, or of a query.
func escape(path, name string) string {
	if strings.HasSuffix(path, "=") {
		return url.QueryEscape(name)
	}
	return url.PathEscape(name)
}

// looksLikeID reports whether a text is an identifier of ferry.
func looksLikeID(text string) bool {
	for _, r := range resources {
		for _, prefix := range r.prefixes {
			if _, ok := ferry.CanonicalID(prefix, text); ok && strings.HasPrefix(text, prefix) {
				return true
			}
		}
	}
	return false
}
