package hosted_test

import (
	"net/http"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sandbox"
)

// form is what a link's page posts when somebody fills it in.
func (s *stage) form(path, email string) url.Values {
	s.t.Helper()
	page := s.page(path)
	hidden := page.all(func(n *html.Node) bool { return n.Data == "input" && attr(n, "type") == "hidden" })
	require.Len(s.t, hidden, 1)
	return url.Values{"email": {email}, attr(hidden[0], "name"): {attr(hidden[0], "value")}}
}

func (s *stage) sessions() int {
	s.t.Helper()
	found, err := s.engine.Checkout.List(s.t.Context(), s.scope, checkout.Filter{}, firstPage)
	require.NoError(s.t, err)
	return found.Total
}

func TestAButtonThatIsPressedTwiceMakesOneSession(t *testing.T) {
	t.Parallel()
	s := setup(t)
	one := int64(1)
	s.newLink(ticketLimited("twice", &one))
	form := s.form("/pay/twice", "a@example.com")
	first := s.post("/pay/twice", form)
	require.Equal(t, "waiting", s.follow(first).phase())
	for range 3 {
		require.Equal(t, first.Header.Get("Location"), s.post("/pay/twice", form).Header.Get("Location"), "although no place is left")
	}
	require.Equal(t, 1, s.sessions())
	require.Equal(t, http.StatusConflict, s.post("/pay/twice", url.Values{"email": {"b@example.com"}}).Status)

	found, err := s.engine.Checkout.List(t.Context(), s.scope, checkout.Filter{}, firstPage)
	require.NoError(t, err)
	s.credit(found.Data[0].TrxID, money.NGN(2_500_00))
	require.Equal(t, "paid", s.follow(s.post("/pay/twice", form)).phase(), "nobody pays twice by pressing again")
}

func TestPressesAtTheSameTimeMakeOneSession(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newLink(ticket("atonce"))
	form := s.form("/pay/atonce", "a@example.com")
	var mu sync.Mutex
	var wg sync.WaitGroup
	led := map[string]bool{}
	for range 20 {
		wg.Go(func() {
			to := s.post("/pay/atonce", form).Header.Get("Location")
			mu.Lock()
			defer mu.Unlock()
			led[to] = true
		})
	}
	wg.Wait()
	require.Len(t, led, 1)
	require.Equal(t, 1, s.sessions())
}

func TestAnotherPageOrAnotherAnswerIsAnotherOrder(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newLink(ticket("others"))
	s.newLink(ticket("elsewhere"))
	form := s.form("/pay/others", "a@example.com")
	led := map[string]bool{}
	press := func(path string, form url.Values) {
		led[s.post(path, form).Header.Get("Location")] = true
		require.Len(t, led, s.sessions())
	}
	press("/pay/others", form)
	press("/pay/others", s.form("/pay/others", "a@example.com"))
	press("/pay/elsewhere", form)
	changed := url.Values{"email": {"b@example.com"}, "press": form["press"]}
	press("/pay/others", changed)
	for _, forged := range []string{"", "x", "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", form.Get("press") + "A"} {
		for range 2 {
			press("/pay/others", url.Values{"email": {"a@example.com"}, "press": {forged}})
		}
	}
	require.Len(t, led, 12, "what is no token is another press each time")
}

func TestAfterARefusalTheFormIsStillOnePress(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newLink(ticket("again"))
	form := s.form("/pay/again", "nonsense")
	page := s.post("/pay/again", form)
	require.Equal(t, http.StatusBadRequest, page.Status)
	hidden := page.all(func(n *html.Node) bool { return n.Data == "input" && attr(n, "type") == "hidden" })
	require.Equal(t, form.Get("press"), attr(hidden[0], "value"))
	form.Set("email", "a@example.com")
	s.follow(s.post("/pay/again", form))
	s.follow(s.post("/pay/again", form))
	require.Equal(t, 1, s.sessions())
}

func TestWhoPressesAgainAfterAnUnpaidEndMayPay(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newLink(ticket("back"))
	form := s.form("/pay/back", "a@example.com")
	first := s.post("/pay/back", form).Header.Get("Location")
	s.follow(s.post(first+"/cancel", nil))
	second := s.post("/pay/back", form).Header.Get("Location")
	require.NotEqual(t, first, second)
	require.Equal(t, second, s.post("/pay/back", form).Header.Get("Location"))
	s.advance(24 * time.Hour)
	require.Equal(t, "waiting", s.follow(s.post("/pay/back", form)).phase())
	require.Equal(t, 3, s.sessions())
}

func TestWhoPressesAgainAfterTheBankWasDownGoesOnWithTheSameSession(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newLink(ticket("down"))
	form := s.form("/pay/down", "a@example.com")
	require.NoError(t, s.engine.World.Inject(t.Context(), sandbox.TargetBank, sandbox.Unavailable, 1))
	first := s.post("/pay/down", form)
	require.Contains(t, s.follow(first).text(), "Get an account")
	again := s.post("/pay/down", form)
	require.Equal(t, first.Header.Get("Location"), again.Header.Get("Location"))
	require.NotContains(t, s.follow(again).text(), "Get an account", "the bank was asked again")
	require.Equal(t, 1, s.sessions())
}

func TestPressesOfTwoPayersNeverMeet(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.newLink(ticket("two"))
	ada, bola := s.form("/pay/two", "ada@example.com"), s.form("/pay/two", "bola@example.com")
	require.NotEqual(t, ada.Get("press"), bola.Get("press"))
	require.NotEqual(t, s.post("/pay/two", ada).Header.Get("Location"), s.post("/pay/two", bola).Header.Get("Location"))
}
