package hosted_test

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/store"
)

// listed reads a file of testdata: a JSON string a line.
func listed(t *testing.T, name string) (all []string) {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	require.NoError(t, err)
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var text string
		require.NoError(t, json.Unmarshal(lines.Bytes(), &text), lines.Text())
		all = append(all, text)
	}
	return all
}

// besieged is a stage whose every text field can be overwritten in the store, past all
// checks of what comes in.
type besieged struct {
	*stage
	pending, paid checkout.State
	link          links.Link
}

func besiege(t *testing.T) besieged {
	s := setup(t)
	p := ticket("siege")
	p.Fields = []string{"Label"}
	b := besieged{s, s.instructed("pending"), s.create(order("paid")), s.newLink(p)}
	s.credit("paid", money.NGN(15_000_00))
	b.paid = s.get("paid")
	return b
}

// plant writes a text into every field that pages show, and the labels of the link.
func (b besieged) plant(text string, labels ...string) {
	b.t.Helper()
	require.NoError(b.t, b.engine.Units(ferry.Test).Write(b.t.Context(), func(ctx context.Context, tx store.Tx) error {
		owner, err := business.Of(ctx, tx, b.scope)
		if err != nil {
			return err
		}
		owner.Name = text
		if err := business.Kind.Update(ctx, tx, owner); err != nil {
			return err
		}
		for _, id := range []checkout.ID{b.pending.ID, b.paid.ID} {
			if err := plantSession(ctx, tx, b.scope, id, text); err != nil {
				return err
			}
		}
		l, err := links.LinkKind.Get(ctx, tx, b.scope, b.link.ID)
		if err != nil {
			return err
		}
		l.Title, l.Description, l.Metadata = text, text, ferry.Metadata{"note": text}
		l.Fields = append([]string{text}, labels...)
		return links.LinkKind.Update(ctx, tx, l)
	}))
}

func plantSession(ctx context.Context, tx store.Tx, scope ferry.Scope, id checkout.ID, text string) error {
	s, err := checkout.SessionKind.Get(ctx, tx, scope, id)
	if err != nil {
		return err
	}
	s.Customer.Name, s.Metadata = text, ferry.Metadata{"note": text}
	s.Customizations = checkout.Customizations{Title: text, Description: text, Logo: text}
	s.Account.AccountName, s.Account.BankName = text, text
	s.Redirects = checkout.Redirects{Redirect: text}
	if err := checkout.SessionKind.Update(ctx, tx, s); err != nil {
		return err
	}
	p, err := payments.PaymentKind.Get(ctx, tx, scope, s.Payment)
	if err != nil {
		return err
	}
	p.Customer.Name, p.Metadata = text, ferry.Metadata{"note": text}
	return payments.PaymentKind.Update(ctx, tx, p)
}

// pages are all that show what was planted.
func (b besieged) pages() map[string]answer {
	embed := "/embed?origin=" + url.QueryEscape("https://shop.example.com")
	return map[string]answer{
		"bank":    b.page(checkoutPath(b.pending) + "?method=bank"),
		"usdc":    b.page(checkoutPath(b.pending) + "?method=usdc"),
		"card":    b.page(checkoutPath(b.pending) + "?method=card&lang=fr"),
		"embed":   b.page(checkoutPath(b.pending) + embed),
		"paid":    b.page(checkoutPath(b.paid)),
		"receipt": b.page(checkoutPath(b.paid) + "/receipt"),
		"link":    b.page("/pay/siege"),
	}
}

// shape is the elements of a page with the names of their attributes.
func (a answer) shape() (shape []string) {
	for _, n := range a.all(func(*html.Node) bool { return true }) {
		line := []string{n.Data}
		for _, attribute := range n.Attr {
			line = append(line, attribute.Key)
		}
		slices.Sort(line[1:])
		shape = append(shape, strings.Join(line, " "))
	}
	return shape
}

// inert requires that no address in a page leads into a script.
func (a answer) inert(planted string) {
	a.t.Helper()
	for _, n := range a.all(func(*html.Node) bool { return true }) {
		for _, attribute := range n.Attr {
			require.False(a.t, strings.HasPrefix(attribute.Key, "on"), "%q: %s %s", planted, n.Data, attribute.Key)
			if slices.Contains([]string{"href", "src", "action", "formaction"}, attribute.Key) {
				require.Contains(a.t, []string{"", "http", "https", "mailto", "solana"}, scheme(attribute.Val), "%q: %s %s", planted, n.Data, attribute.Key)
			}
		}
	}
}

// scheme is that of an address as a browser reads it: in any case, and whatever space
// and control characters stand in it.
func scheme(address string) string {
	plain := strings.ToLower(strings.Map(func(r rune) rune {
		if r <= ' ' {
			return -1
		}
		return r
	}, address))
	before, _, found := strings.Cut(plain, ":")
	if !found || strings.ContainsAny(before, "/?#%") {
		return ""
	}
	return before
}

// optionalShapes are there when a redirect leads somewhere.
var optionalShapes = []string{"a class href id rel", "a class href rel", "p class hidden"}

func TestHostileTextIsInert(t *testing.T) {
	t.Parallel()
	hostile := hostile(t)
	b := besiege(t)
	b.plant("x")
	want := map[string][]string{}
	for name, page := range b.pages() {
		want[name] = settled(page.shape())
	}
	for _, planted := range hostile {
		b.plant(planted)
		for name, page := range b.pages() {
			require.Equal(t, http.StatusOK, page.Status, "%q on %s", planted, name)
			require.Equal(t, want[name], settled(page.shape()), "%q on %s", planted, name)
			page.inert(planted)
		}
	}
}

// settled is a shape without what depends on whether there is a place to go back to.
func settled(shape []string) (kept []string) {
	for _, line := range shape {
		if slices.Contains(optionalShapes, line) {
			continue
		}
		kept = append(kept, strings.Replace(line, " data-redirect", "", 1))
	}
	return kept
}

// oneOf is of how many hostile texts one is tried.
var oneOf = 1

// hostile returns the texts that are tried.
func hostile(t *testing.T) (some []string) {
	t.Helper()
	all := listed(t, "hostile.txt")
	require.Greater(t, len(all), 400)
	for n := 0; n < len(all); n += oneOf {
		some = append(some, all[n])
	}
	return some
}

func TestWhatAPayerTypesIsInert(t *testing.T) {
	t.Parallel()
	b := besiege(t)
	want := settled(b.post("/pay/siege", url.Values{"email": {"x"}, "name": {"x"}, "field.0": {"x"}}).shape())
	for _, typed := range hostile(t) {
		if strings.TrimSpace(typed) == "" {
			continue
		}
		page := b.post("/pay/siege?lang="+url.QueryEscape(typed), url.Values{"email": {"not an email " + typed}, "name": {"x"}, "field.0": {"x"}})
		require.Equal(t, http.StatusBadRequest, page.Status, "%q", typed)
		require.Equal(t, want, settled(page.shape()), "%q", typed)
		page.inert(typed)
		for _, path := range []string{"?method=", "?then=", "?lang=", "/embed?origin="} {
			page := b.page(checkoutPath(b.pending) + path + url.QueryEscape(typed))
			page.inert(typed)
			require.NotContains(t, page.Header.Get("Content-Security-Policy"), "evil", "%q", typed)
		}
	}
}

// redirected is a redirect URL that the engine took, with where it leads.
type redirected struct{ Asked, Leads string }

// redirects makes and cancels an order for every URL of the list that is taken.
func redirects(t *testing.T, s *stage) (all []redirected) {
	for i, asked := range listed(t, "redirects.txt") {
		p := order("redirect-" + string(rune('a'+i/26)) + string(rune('a'+i%26)))
		p.Redirects = checkout.Redirects{Redirect: asked}
		if _, err := s.engine.Checkout.Create(t.Context(), s.scope, p); err != nil {
			require.ErrorIs(t, err, ferry.ErrValidation, "%q", asked)
			continue
		}
		if asked == "" {
			continue
		}
		page := s.follow(s.post(checkoutPath(s.get(p.TrxID))+"/cancel", nil))
		leads := attr(page.byID("back"), "href")
		require.Equal(t, s.get(p.TrxID).RedirectURL(), attr(page.byID("main"), "data-redirect"), "%q", asked)
		all = append(all, redirected{asked, leads})
	}
	return all
}

func TestRedirectsKeepTheirPlace(t *testing.T) {
	t.Parallel()
	s := setup(t)
	taken := redirects(t, s)
	require.NotEmpty(t, taken)
	for _, r := range taken {
		asked, err := url.Parse(r.Asked)
		require.NoError(t, err, r.Asked)
		leads, err := url.Parse(r.Leads)
		require.NoError(t, err, r.Leads)
		require.Contains(t, []string{"http", "https"}, leads.Scheme, r.Asked)
		require.Equal(t, asked.Host, leads.Host, r.Asked)
		require.Equal(t, asked.EscapedPath(), leads.EscapedPath(), r.Asked)
		require.Equal(t, asked.Fragment, leads.Fragment, r.Asked)
		require.Nil(t, leads.User, r.Asked)
		require.Equal(t, []string{"cancelled"}, leads.Query()["status"], r.Asked)
		require.Len(t, leads.Query()["trx_id"], 1, r.Asked)
		require.Len(t, leads.Query()["reference"], 1, r.Asked)
	}
}

// liveShop is a live business that is sent payers back to one host only.
func liveShop() business.Business {
	return business.Business{
		Scope:       ferry.Scope{Env: ferry.Live},
		Preferences: business.Preferences{RedirectHosts: []string{"shop.example.com"}},
	}
}

func TestALiveShopGetsPayersBackOnItsOwnHostsOnly(t *testing.T) {
	t.Parallel()
	taken := 0
	for _, asked := range listed(t, "redirects.txt") {
		if liveShop().RefusesRedirect(asked) != "" {
			continue
		}
		taken++
		u, err := url.Parse(asked)
		require.NoError(t, err)
		require.Equal(t, "https", u.Scheme, asked)
		require.Equal(t, "shop.example.com", strings.ToLower(u.Hostname()), asked)
	}
	require.Positive(t, taken)
}
