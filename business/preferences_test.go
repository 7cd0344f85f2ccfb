package business_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
)

func TestPreferencesChangeOneByOne(t *testing.T) {
	b := setup(t)
	name, variant, convert, accept, pays := "New Name", business.DialectA, business.Convert, business.Accept, true
	methods, hosts := []business.PaymentMethod{business.Crypto}, []string{"Shop.Example.com", "localhost", "shop.example.com"}
	b.advance(time.Minute)
	got, err := b.Update(t.Context(), b.scope, business.UpdateParams{Name: &name})
	require.NoError(t, err)
	require.Equal(t, business.DefaultPreferences(), got.Preferences)
	require.Equal(t, start.Add(time.Minute), got.UpdatedAt)

	_, err = b.Update(t.Context(), b.scope, business.UpdateParams{
		APIVariant: &variant, CryptoSettlement: &convert, MismatchPolicy: &accept,
		CustomerPaysFee: &pays, PaymentMethods: &methods, RedirectHosts: &hosts,
	})
	require.NoError(t, err)
	got, err = b.Business(t.Context(), b.scope)
	require.NoError(t, err)
	require.Equal(t, name, got.Name)
	require.Equal(t, business.Preferences{
		APIVariant: business.DialectA, CustomerPaysFee: true, CryptoSettlement: business.Convert,
		PaymentMethods: methods, RedirectHosts: []string{"shop.example.com", "localhost"}, MismatchPolicy: business.Accept,
	}, got.Preferences)
}

func TestEveryRefusedPreferenceIsNamed(t *testing.T) {
	b := setup(t)
	name, variant, settlement, policy := "\u202e", business.Dialect("C"), business.Settlement("burn"), business.MismatchPolicy("")
	methods, hosts := []business.PaymentMethod{"cash", business.Crypto, business.Crypto}, []string{"https://shop.example.com", "a b", "-x.com", "", "shop.example.com."}
	_, err := b.Update(t.Context(), b.scope, business.UpdateParams{
		Name: &name, APIVariant: &variant, CryptoSettlement: &settlement, MismatchPolicy: &policy, PaymentMethods: &methods, RedirectHosts: &hosts,
	})
	var refused *ferry.Error
	require.ErrorAs(t, err, &refused)
	var fields []string
	for _, f := range refused.Fields {
		fields = append(fields, f.Name)
	}
	require.Equal(t, []string{
		"name", "api_variant", "crypto_settlement", "mismatch_policy", "payment_methods.0", "payment_methods.2",
		"redirect_hosts.0", "redirect_hosts.1", "redirect_hosts.2", "redirect_hosts.3", "redirect_hosts.4",
	}, fields)
	got, err := b.Business(t.Context(), b.scope)
	require.NoError(t, err)
	require.Equal(t, business.DefaultPreferences(), got.Preferences)
}

func TestBoundsOfABusiness(t *testing.T) {
	b := setup(t)
	for _, name := range []string{"", "   ", strings.Repeat("x", 101), "a\nb"} {
		_, err := b.Create(t.Context(), ferry.Scope{Env: ferry.Test}, business.CreateParams{Name: name})
		require.ErrorIs(t, err, ferry.ErrValidation, name)
	}
	none, many := []business.PaymentMethod{}, make([]string, 51)
	for _, p := range []business.UpdateParams{{PaymentMethods: &none}, {RedirectHosts: &many}} {
		_, err := b.Update(t.Context(), b.scope, p)
		require.ErrorIs(t, err, ferry.ErrValidation)
	}
	_, err := b.Update(t.Context(), ferry.Scope{Business: "biz_x", Env: ferry.Test}, business.UpdateParams{})
	require.ErrorIs(t, err, business.ErrNotFound)
}

func TestNamesAndLabelsAreKeptComposedAndTrimmed(t *testing.T) {
	b := setup(t)
	made, err := b.Create(t.Context(), ferry.Scope{Env: ferry.Test}, business.CreateParams{Name: " Ade\u0301 & co "})
	require.NoError(t, err)
	require.Equal(t, "Ad\u00e9 & co", made.Business.Name)
	key, err := b.CreateKey(t.Context(), b.scope, business.CreateKeyParams{Type: business.SecretKey, Label: "  cafe\u0301 "})
	require.NoError(t, err)
	require.Equal(t, "caf\u00e9", key.Key.Label)
	for _, label := range []string{"two\nlines", "\u202ekey", strings.Repeat("x", 101)} {
		_, err := b.CreateKey(t.Context(), b.scope, business.CreateKeyParams{Type: business.SecretKey, Label: label})
		require.ErrorIs(t, err, ferry.ErrValidation)
	}
}

func TestBusinessesAreListedByEnvironment(t *testing.T) {
	b := setup(t)
	_, err := b.Create(t.Context(), ferry.Scope{Env: ferry.Live}, business.CreateParams{Name: "Live"})
	require.NoError(t, err)
	all, err := b.Businesses(t.Context(), ferry.Test, "", 10)
	require.NoError(t, err)
	require.Len(t, all, 1)
	rest, err := b.Businesses(t.Context(), ferry.Test, all[0].Scope.Business, 10)
	require.NoError(t, err)
	require.Empty(t, rest)
}

func TestABusinessSaysWherePayersReachIt(t *testing.T) {
	b := setup(t)
	email, phone, page, none := " Help@Shop.example.com ", "+234 801 234 5678", "https://shop.example.com/help", ""
	got, err := b.Update(t.Context(), b.scope, business.UpdateParams{SupportEmail: &email, SupportPhone: &phone, SupportURL: &page})
	require.NoError(t, err)
	require.Equal(t, business.Support{Email: "help@shop.example.com", Phone: phone, URL: page}, got.Support)
	got, err = b.Update(t.Context(), b.scope, business.UpdateParams{SupportPhone: &none})
	require.NoError(t, err)
	require.Equal(t, business.Support{Email: "help@shop.example.com", URL: page}, got.Support, "nothing takes it away")

	for _, wrong := range []business.UpdateParams{
		{SupportEmail: ptr("shop")}, {SupportEmail: ptr("a@b.example\nx")}, {SupportPhone: ptr("call us")}, {SupportPhone: ptr("1")},
		{SupportPhone: ptr(strings.Repeat("1", 31))}, {SupportURL: ptr("javascript:alert(1)")}, {SupportURL: ptr("shop.example.com")},
		{SupportURL: ptr("https://user@shop.example.com")}, {SupportURL: ptr("https://shop.example.com/" + strings.Repeat("x", 2048))},
	} {
		_, err = b.Update(t.Context(), b.scope, wrong)
		refused, ok := errors.AsType[*ferry.Error](err)
		require.True(t, ok, wrong)
		require.Len(t, refused.Fields, 1)
		require.Contains(t, refused.Fields[0].Name, "support_")
	}
}

func TestABusinessSaysHowItsPagesLook(t *testing.T) {
	b := setup(t)
	got, err := b.Update(t.Context(), b.scope, business.UpdateParams{
		LogoURL: ptr(" https://CDN.example.com:8443/logo.svg?v=2 "), IconURL: ptr("http://127.0.0.1:3000/i.png"), AccentColor: ptr("#FFD600"),
	})
	require.NoError(t, err)
	want := business.Branding{LogoURL: "https://CDN.example.com:8443/logo.svg?v=2", IconURL: "http://127.0.0.1:3000/i.png", AccentColor: "#ffd600"}
	require.Equal(t, want, got.Branding)
	got, err = b.Update(t.Context(), b.scope, business.UpdateParams{IconURL: ptr("")})
	require.NoError(t, err)
	want.IconURL = ""
	require.Equal(t, want, got.Branding, "nothing takes it away")

	for _, url := range []string{
		"javascript:alert(1)", "data:image/png;base64,AA==", "blob:https://shop.example.com/1", "ftp://shop.example.com/l", "shop.example.com/l", "//shop.example.com/l", "https:",
		"https://u@shop.example.com/l", "https://u:p@shop.example.com/l", "https://shop.example.com;script-src/l", "https://*.example.com/l", "https://'self'/l",
		"https://shop.example.com,x/l", "https://shop example.com/l", "https://shop.example.com\\@e.example/l", "https://shöp.example.com/l", "https://[::1]/l", "https://[fe80::1%25x;script-src]/l",
		"https://shop.example.com:x/l", "https://shop.example.com:99999/l", "https://shop.example.com/" + strings.Repeat("x", 2048),
	} {
		requireRefused(t, b, business.UpdateParams{LogoURL: &url}, "logo_url")
		requireRefused(t, b, business.UpdateParams{IconURL: &url}, "icon_url")
	}
	for _, color := range []string{"red", "#fff", "#ffd60", "#ffd6000", "ffd600", "#ggd600", "#ffd600;}", "rgb(0,0,0)"} {
		requireRefused(t, b, business.UpdateParams{AccentColor: &color}, "accent_color")
	}
}

func requireRefused(t *testing.T, b *bench, p business.UpdateParams, field string) {
	t.Helper()
	_, err := b.Update(t.Context(), b.scope, p)
	refused, ok := errors.AsType[*ferry.Error](err)
	require.True(t, ok, p)
	require.Len(t, refused.Fields, 1)
	require.Equal(t, field, refused.Fields[0].Name)
}

func ptr[T any](v T) *T { return &v }
