package hosted_test

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

// policyOf is the policy of a page that may load pictures of these sources, too.
func policyOf(sources string) string {
	return strings.Replace(strictPolicy, "img-src 'self'", strings.TrimSuffix("img-src 'self' "+sources, " "), 1)
}

// link is the href of the one link element of a kind.
func (a answer) link(rel string, has string) string {
	a.t.Helper()
	found := a.all(func(n *html.Node) bool {
		return n.Data == "link" && attr(n, "rel") == rel && strings.Contains(attr(n, "href"), has)
	})
	require.Len(a.t, found, 1, rel)
	return attr(found[0], "href")
}

// logos are the pictures at the top of a page.
func (a answer) logos() (all []string) {
	for _, n := range a.all(func(n *html.Node) bool { return n.Data == "img" }) {
		all = append(all, attr(n, "src"))
	}
	return all
}

func TestThePagesOfABusinessBearItsLogoItsIconAndItsColour(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.prefer(business.UpdateParams{
		LogoURL: ptr("https://CDN.example.com:8443/l.svg?a=1&b=2"), IconURL: ptr("https://icons.example.com/i.png"), AccentColor: ptr("#FFD600"),
	})
	state := s.create(order("brand"))
	s.credit("brand", money.NGN(15_000_00))
	s.newLink(ticket("brand"))
	s.newLink(ticketLimited("full", ptr(int64(1))))
	s.post("/pay/full", answers("a@example.com"))
	want := policyOf("https://icons.example.com https://cdn.example.com:8443")
	for _, path := range []string{checkoutPath(state), checkoutPath(state) + "/receipt", "/pay/brand", "/pay/full"} {
		page := s.page(path)
		require.Equal(t, want, page.Header.Get("Content-Security-Policy"), "each origin alone, and no other: %s", path)
		require.Equal(t, []string{"https://CDN.example.com:8443/l.svg?a=1&b=2"}, page.logos(), path)
		require.Equal(t, "https://icons.example.com/i.png", page.link("icon", ""), path)
		require.NotContains(t, page.Body, "style=")
		style := s.page(page.link("stylesheet", "accent"))
		require.Equal(t, http.StatusOK, style.Status)
		require.Equal(t, "text/css; charset=utf-8", style.Header.Get("Content-Type"))
		require.Contains(t, style.Header.Get("Cache-Control"), "immutable")
		require.Contains(t, style.Body, "prefers-color-scheme: dark){:root{--strong:#ffd600;", "yellow is legible in the dark")
		require.Regexp(t, `^:root{--strong:#[0-9a-f]{6};--on-strong:#ffffff;`, style.Body)
		require.NotContains(t, regexp.MustCompile(`^[^\n]*`).FindString(style.Body), "--strong:#ffd600", "and not in the light")
	}
	require.Equal(t, strictPolicy, s.page("/pay/nothing").Header.Get("Content-Security-Policy"), "no business, no picture")
	require.Equal(t, http.StatusNotFound, s.page("/assets/accent-ffd600-0000000000000000.css").Status)

	s.prefer(business.UpdateParams{LogoURL: ptr(""), IconURL: ptr(""), AccentColor: ptr("")})
	page := s.page("/pay/brand")
	require.Equal(t, strictPolicy, page.Header.Get("Content-Security-Policy"))
	require.Empty(t, page.logos())
	require.NotContains(t, page.Body, "accent")
	require.Contains(t, page.link("icon", ""), "/assets/icon-")
}

func TestTheLogoOfAnOrderComesBeforeThatOfTheBusiness(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.prefer(business.UpdateParams{LogoURL: ptr("https://shop.example.com/logo.svg")})
	p := order("own")
	p.Customizations = checkout.Customizations{Logo: "https://cdn.example.com/own.png"}
	page := s.page(checkoutPath(s.create(p)))
	require.Equal(t, []string{"https://cdn.example.com/own.png"}, page.logos())
	require.Equal(t, policyOf("https:"), page.Header.Get("Content-Security-Policy"))
}

// Texts that no update takes, as if somebody had written them into the store.
func TestNoAddressOfAPictureBreaksOutOfThePolicy(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newLink(ticket("siege"))
	for _, planted := range []string{
		"https://e.example.com;script-src *", "https://e.example.com; script-src *", "https://e.example.com script-src", "https://e.example.com,x",
		"https://*", "https://*.example.com/x", "https:", "https://", "*", "data:image/png;base64,AA==", "javascript:alert(1)", "https://'self'/x",
		"https://\"x/", "https://e.example.com\r\nX: y/", "//e.example.com/x", "https:e.example.com", "https://é.example.com/x", "blob:https://e.example.com/1",
	} {
		require.NoError(t, s.engine.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
			b, err := business.Of(ctx, tx, s.scope)
			if err != nil {
				return err
			}
			b.Branding = business.Branding{LogoURL: planted, IconURL: planted, AccentColor: planted}
			return business.Kind.Update(ctx, tx, b)
		}))
		page := s.page("/pay/siege")
		require.Equal(t, http.StatusOK, page.Status, planted)
		require.Equal(t, strictPolicy, page.Header.Get("Content-Security-Policy"), planted)
		require.Empty(t, page.logos(), planted)
		require.NotContains(t, page.Body, "accent", planted)
	}
}

// metas are what chats read of a page, by property.
func (a answer) metas() map[string]string {
	all := map[string]string{}
	for _, n := range a.all(func(n *html.Node) bool { return n.Data == "meta" && strings.HasPrefix(attr(n, "property"), "og:") }) {
		all[attr(n, "property")] = attr(n, "content")
	}
	return all
}

func TestALinkSaysToChatsWhatItIs(t *testing.T) {
	t.Parallel()
	s := setup(t)
	p := ticket("chat")
	p.Title = `Concert "<b>`
	s.newLink(p)
	require.Equal(t, map[string]string{
		"og:type": "website", "og:site_name": "Demo business", "og:title": `Concert "<b>`, "og:description": "₦2,500.00 · One seat", "og:url": s.url + "/pay/chat",
	}, s.page("/pay/Chat?lang=en&x=1").metas())
	s.prefer(business.UpdateParams{LogoURL: ptr("https://shop.example.com/logo.png")})
	require.Equal(t, "https://shop.example.com/logo.png", s.page("/pay/chat").metas()["og:image"])
	require.Empty(t, s.page(checkoutPath(s.create(order("private")))).metas(), "an order is nobody else's")
}

func TestALinkHasAQRCodeOfItsAddress(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newLink(ticket("poster"))
	code := s.page("/pay/Poster/qr.svg")
	require.Equal(t, http.StatusOK, code.Status)
	require.Equal(t, "image/svg+xml", code.Header.Get("Content-Type"))
	require.Equal(t, "public, max-age=3600", code.Header.Get("Cache-Control"))
	require.Equal(t, "cross-origin", code.Header.Get("Cross-Origin-Resource-Policy"))
	require.Equal(t, "nosniff", code.Header.Get("X-Content-Type-Options"))
	require.Equal(t, strictPolicy, code.Header.Get("Content-Security-Policy"))
	require.Equal(t, s.url+"/pay/poster", readQR(t, code.byTag("svg")))
	require.Equal(t, http.StatusNotModified, s.page("/pay/poster/qr.svg", "If-None-Match", code.Header.Get("ETag")).Status)
	require.Equal(t, http.StatusNotFound, s.page("/pay/nothing/qr.svg").Status)
	require.Contains(t, s.page("/pay/nothing/qr.svg").Header.Get("Content-Type"), "text/html")

	s.newLink(ticketLimited("over", ptr(int64(1))))
	s.post("/pay/over", answers("a@example.com"))
	require.Equal(t, http.StatusConflict, s.page("/pay/over").Status)
	require.Equal(t, http.StatusOK, s.page("/pay/over/qr.svg").Status, "the page behind it says why")
}

func TestALinkIsFramedWhereItsAddressNamesAnOrigin(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newLink(ticket("framed"))
	framed := strings.Replace(strictPolicy, "frame-ancestors 'none'", "frame-ancestors https://shop.example.com", 1)
	const query = "?origin=https%3A%2F%2Fshop.example.com"
	page := s.page("/pay/framed"+query, "Sec-Fetch-Dest", "iframe")
	require.Equal(t, framed, page.Header.Get("Content-Security-Policy"))
	require.Empty(t, page.Header.Get("X-Frame-Options"))
	require.Equal(t, "https://shop.example.com", attr(page.byID("main"), "data-origin"))
	form := page.all(func(n *html.Node) bool { return n.Data == "form" })[0]
	require.Equal(t, "/pay/framed"+query, attr(form, "action"))

	wrong := s.post(attr(form, "action"), url.Values{"email": {"x"}}, "Sec-Fetch-Dest", "iframe")
	require.Equal(t, http.StatusBadRequest, wrong.Status)
	require.Equal(t, framed, wrong.Header.Get("Content-Security-Policy"), "so that it can be mended")
	paid := s.post(attr(form, "action"), answers("a@example.com"), "Sec-Fetch-Dest", "iframe")
	require.Regexp(t, `^/checkout/sess_[0-9a-f]+/embed\?origin=https%3A%2F%2Fshop\.example\.com$`, paid.Header.Get("Location"))
	require.Equal(t, framed, s.follow(paid).Header.Get("Content-Security-Policy"))

	missing := s.page("/pay/nothing"+query, "Sec-Fetch-Dest", "iframe")
	require.Equal(t, framed, missing.Header.Get("Content-Security-Policy"), "the shop gets to know that it is not there")
	require.Equal(t, "not_found", attr(missing.byID("main"), "data-error"))
	s.newLink(ticketLimited("over", ptr(int64(1))))
	s.post("/pay/over", answers("a@example.com"))
	require.Equal(t, "link_limit_reached", attr(s.page("/pay/over"+query, "Sec-Fetch-Dest", "iframe").byID("main"), "data-error"))

	for _, page := range []answer{
		s.page("/pay/framed"), s.page("/pay/framed"+query, "Sec-Fetch-Dest", "document"), s.page("/pay/framed?origin=*", "Sec-Fetch-Dest", "iframe"),
	} {
		require.Equal(t, strictPolicy, page.Header.Get("Content-Security-Policy"))
		require.Equal(t, "DENY", page.Header.Get("X-Frame-Options"))
	}
	require.Equal(t, http.StatusForbidden, s.page("/pay/framed?origin=*", "Sec-Fetch-Dest", "iframe").Status)
}

// byTag is the first element of a name.
func (a answer) byTag(name string) *html.Node {
	a.t.Helper()
	found := a.all(func(n *html.Node) bool { return n.Data == name })
	require.NotEmpty(a.t, found, name)
	return found[0]
}
