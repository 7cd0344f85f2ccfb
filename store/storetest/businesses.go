package storetest

import (
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
)

// tenant is the n-th business of the environment of a scope, with no field empty. The
// first is home, or live.
func tenant(scope ferry.Scope, n int) business.Business {
	prefs := business.DefaultPreferences()
	prefs.CustomerPaysFee, prefs.RedirectHosts = true, []string{"shop.example.com"}
	prefs.Support = business.Support{Email: "help@shop.example.com", Phone: "08012345678", URL: "https://shop.example.com/help"}
	prefs.Branding = business.Branding{LogoURL: "https://shop.example.com/logo.svg", IconURL: "https://shop.example.com/icon.png", AccentColor: "#0b5d4e"}
	scope.Business = ferry.BusinessID(idOf("biz_", n))
	return business.Business{
		Scope: scope, Name: "Shop", Preferences: prefs, CreatedAt: after(n), UpdatedAt: after(n),
		SourceAccounts: []business.SourceAccount{{ID: "bank_1", AccountNumber: "0123456789", BankCode: "058", BankName: "GTBank", AccountName: "Shop"}},
	}
}

var _ = caseOf(kindCase[ferry.BusinessID, business.Business]{
	kind: business.Kind, row: tenant,
	change: func(b *business.Business) {
		b.APIVariant, b.CryptoSettlement, b.MismatchPolicy = business.DialectA, business.Convert, business.Accept
		b.Support = business.Support{Email: "pay@shop.example.com", Phone: "+2348012345678", URL: "https://shop.example.com/pay"}
		b.Branding = business.Branding{LogoURL: "https://cdn.example.com/logo.svg", IconURL: "https://cdn.example.com/icon.png", AccentColor: "#b00020"}
	},
	vary: func(b *business.Business, n int) {
		if n%2 == 0 {
			b.SourceAccounts, b.RedirectHosts, b.APIVariant, b.Support = nil, nil, business.DialectA, business.Support{}
			b.Branding = business.Branding{}
		}
	},
})

// apiKey is the n-th key of a scope, with no field empty.
func apiKey(scope ferry.Scope, n int) business.Key {
	return business.Key{
		ID: business.KeyID(idOf("key_", n)), Scope: scope, Type: business.SecretKey, Label: "server",
		Scopes: []business.KeyScope{business.Read, business.PayOut}, Line: "key_0",
		Digest: idOf("digest-", n), Text: "text", Prefix: "sk_test_", LastFour: "abcd",
		ValidUntil: after(n + 1), RevokedAt: after(n + 2), CreatedAt: after(n),
	}
}

var _ = caseOf(kindCase[business.KeyID, business.Key]{
	kind: business.KeyKind, row: apiKey,
	change: func(k *business.Key) { k.Type, k.Label = business.PublicKey, "other" },
	vary: func(k *business.Key, n int) {
		if n%2 == 0 {
			k.Type, k.Scopes, k.RevokedAt = business.WidgetKey, nil, time.Time{}
		}
	},
})
