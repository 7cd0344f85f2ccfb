package hosted_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/server"
	"github.com/ferrypay/ferry/tests/apitest"
)

// stage is a served engine with the demo business, on a clock that stands still.
type stage struct {
	t      *testing.T
	clock  *apitest.Clock
	engine *engine.Engine
	tenant engine.Tenant
	scope  ferry.Scope
	url    string
	client *http.Client
	web    *httptest.Server
}

func setup(t *testing.T, configs ...engine.Config) *stage {
	t.Helper()
	var config engine.Config
	if len(configs) > 0 {
		config = configs[0]
	}
	if config.Store == nil {
		config.Store = memstore.New()
	}
	clock := apitest.NewClock()
	config.World = sandbox.New(sandbox.Config{Clock: clock, Seed: 1})
	e, err := engine.New(config)
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	web := httptest.NewServer(server.New(e, server.Config{}))
	t.Cleanup(web.Close)
	client := web.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &stage{t, clock, e, tenant, tenant.Business.Scope, web.URL, client, web}
}

// order is an order of 15,000 naira, which is 10 USDC.
func order(trxID string) checkout.CreateParams {
	return checkout.CreateParams{
		Variant: business.DialectA, TrxID: trxID, Email: trxID + "@example.com", Name: "Ada Obi", Amount: money.NGN(15_000_00),
		Redirects: checkout.Redirects{Redirect: "https://shop.example.com/done?cart=9#end"},
	}
}

func (s *stage) create(p checkout.CreateParams) checkout.State {
	s.t.Helper()
	_, err := s.engine.Checkout.Create(s.t.Context(), s.scope, p)
	require.NoError(s.t, err)
	return s.get(p.TrxID)
}

func (s *stage) get(trxID string) checkout.State {
	s.t.Helper()
	state, err := s.engine.Checkout.Get(s.t.Context(), s.scope, checkout.Ref{TrxID: trxID})
	require.NoError(s.t, err)
	return state
}

// crypto returns the session with an address.
func (s *stage) crypto(trxID string) checkout.State {
	s.t.Helper()
	state, err := s.engine.Checkout.Crypto(s.t.Context(), s.scope, checkout.Ref{TrxID: trxID}, "")
	require.NoError(s.t, err)
	return state
}

// credit brings naira to the session's account.
func (s *stage) credit(trxID string, amount money.Amount) {
	s.t.Helper()
	_, err := s.engine.World.Credit(s.t.Context(), sandbox.CreditParams{AccountNumber: s.get(trxID).Account.AccountNumber, Amount: amount})
	require.NoError(s.t, err)
	s.advance(0)
}

// send brings USDC to an address, and lets it be seen but not be final.
func (s *stage) send(to chain.Address, amount money.Amount) {
	s.t.Helper()
	_, err := s.engine.World.Deposit(s.t.Context(), sandbox.DepositParams{To: to, Amount: amount})
	require.NoError(s.t, err)
}

// deposit brings USDC to an address and waits until it is final.
func (s *stage) deposit(to chain.Address, amount money.Amount) {
	s.t.Helper()
	s.send(to, amount)
	s.advance(10 * time.Second)
}

func (s *stage) advance(by time.Duration) {
	s.t.Helper()
	progress, err := s.engine.Advance(s.t.Context(), by)
	require.NoError(s.t, err)
	require.True(s.t, progress.Done)
}

// reverse takes a paid order back from the business.
func (s *stage) reverse(trxID string) {
	s.t.Helper()
	p := s.get(trxID).Payment
	if p.Method != payments.BankTransfer {
		_, err := s.engine.Checkout.Reverse(s.t.Context(), s.scope, payments.Ref{Reference: trxID})
		require.NoError(s.t, err)
		return
	}
	receipts, err := s.engine.Payments.Receipts(s.t.Context(), p)
	require.NoError(s.t, err)
	_, err = s.engine.World.Recall(s.t.Context(), receipts[0].Source)
	require.NoError(s.t, err)
	_, err = s.engine.Drain(s.t.Context())
	require.NoError(s.t, err)
}

func (s *stage) prefer(p business.UpdateParams) {
	s.t.Helper()
	_, err := s.engine.Businesses.Update(s.t.Context(), s.scope, p)
	require.NoError(s.t, err)
}

func (s *stage) newLink(p links.CreateParams) links.Link {
	s.t.Helper()
	if p.Policy == "" {
		p.Policy = business.DialectA
	}
	made, err := s.engine.Links.Create(s.t.Context(), s.scope, p)
	require.NoError(s.t, err)
	if p.Policy == business.DialectB {
		_, err = s.engine.Links.SetStatus(s.t.Context(), s.scope, string(made.ID), business.DialectB, links.Active)
		require.NoError(s.t, err)
	}
	return made
}

func ptr[T any](v T) *T { return &v }

// answer is a page that was served.
type answer struct {
	t      *testing.T
	Status int
	Header http.Header
	Body   string
	Root   *html.Node
}

func (s *stage) do(method, path string, form url.Values, headers ...string) answer {
	s.t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, body)
	require.NoError(s.t, err)
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := s.client.Do(request)
	require.NoError(s.t, err)
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	require.NoError(s.t, err)
	root, err := html.Parse(strings.NewReader(string(raw)))
	require.NoError(s.t, err)
	return answer{s.t, response.StatusCode, response.Header, string(raw), root}
}

func (s *stage) page(path string, headers ...string) answer {
	s.t.Helper()
	return s.do(http.MethodGet, path, nil, headers...)
}

func (s *stage) post(path string, form url.Values, headers ...string) answer {
	s.t.Helper()
	if form == nil {
		form = url.Values{}
	}
	return s.do(http.MethodPost, path, form, headers...)
}

// follow gets the page to which an answer leads.
func (s *stage) follow(a answer) answer {
	s.t.Helper()
	require.Equal(s.t, http.StatusSeeOther, a.Status, a.Body)
	return s.page(a.Header.Get("Location"))
}

func checkoutPath(state checkout.State) string { return "/checkout/" + string(state.ID) }

// all returns the nodes of a page that something holds of.
func (a answer) all(is func(*html.Node) bool) (found []*html.Node) {
	for n := range a.Root.Descendants() {
		if n.Type == html.ElementNode && is(n) {
			found = append(found, n)
		}
	}
	return found
}

func (a answer) byID(id string) *html.Node {
	a.t.Helper()
	found := a.all(func(n *html.Node) bool { return attr(n, "id") == id })
	require.Len(a.t, found, 1, "#%s in %s", id, a.Body)
	return found[0]
}

func (a answer) has(id string) bool {
	return len(a.all(func(n *html.Node) bool { return attr(n, "id") == id })) > 0
}

// text is what a reader sees of a page.
func (a answer) text() string { return text(a.Root) }

func text(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
		}
		if n.Type == html.ElementNode && n.Data == "noscript" {
			return
		}
		for c := range n.ChildNodes() {
			walk(c)
		}
	}
	walk(n)
	return strings.Join(strings.Fields(b.String()), " ")
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func (a answer) phase() string { return attr(a.byID("main"), "data-phase") }

// pageLanguages are the languages of the pages: each is a file.
func pageLanguages(t *testing.T) (all []string) {
	files, err := filepath.Glob("../../hosted/lang/*.json")
	require.NoError(t, err)
	for _, file := range files {
		all = append(all, strings.TrimSuffix(filepath.Base(file), ".json"))
	}
	require.Contains(t, all, "en")
	return all
}
