package sandbox_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
)

// commitments steps the clock from change to change and returns what Statuses says
// of a signature at each, beginning now.
func commitments(t *testing.T, w *sandbox.World, signature chain.Signature) []string {
	t.Helper()
	var all []string
	for {
		seen, err := w.Chain().Statuses(t.Context(), []chain.Signature{signature})
		require.NoError(t, err)
		all = append(all, string(seen.Statuses[0].Commitment))
		next, found, err := w.NextChange(t.Context())
		require.NoError(t, err)
		if !found {
			return all
		}
		require.True(t, next.After(w.Clock().Now()))
		_, err = w.Advance(t.Context(), next.Sub(w.Clock().Now()))
		require.NoError(t, err)
	}
}

func TestEveryFaultOfTheCatalogueCanBeInjected(t *testing.T) {
	w := newWorld(t, nil)
	seen := map[string]bool{}
	for _, f := range w.Faults() {
		require.NotEmpty(t, f.Description)
		name := string(f.Target) + "/" + string(f.Kind)
		require.False(t, seen[name], name)
		seen[name] = true
		require.NoError(t, w.Inject(t.Context(), f.Target, f.Kind, 1))
	}
	for _, target := range []string{"chain", "bank", "kyc", "rates", "biller", "receiver"} {
		require.True(t, seen[target+"/unavailable"] || seen[target+"/timeout"], target)
	}
}

func TestTheDocumentNamesEveryFault(t *testing.T) {
	document, err := os.ReadFile("../docs/api.md")
	require.NoError(t, err)
	kinds := map[sandbox.Target][]string{}
	for _, f := range newWorld(t, nil).Faults() {
		kinds[f.Target] = append(kinds[f.Target], "`"+string(f.Kind)+"`")
	}
	for target, names := range kinds {
		require.Contains(t, string(document), fmt.Sprintf("| `%s` | %s |", target, strings.Join(names, ", ")))
	}
}

func TestUnknownFaultsAreRefused(t *testing.T) {
	w := newWorld(t, nil)
	require.ErrorIs(t, w.Inject(t.Context(), "moon", sandbox.Unavailable, 1), sandbox.ErrUnknownFault)
	require.ErrorIs(t, w.Inject(t.Context(), sandbox.TargetRates, "eclipse", 1), sandbox.ErrUnknownFault)
	require.ErrorIs(t, w.Inject(t.Context(), sandbox.TargetRates, sandbox.Unavailable, -1), sandbox.ErrUnknownFault)
}

func TestAFaultStrikesSoManyCalls(t *testing.T) {
	w := newWorld(t, nil)
	require.NoError(t, w.Inject(t.Context(), sandbox.TargetBank, sandbox.Unavailable, 3))
	for range 3 {
		_, err := w.Bank().Credits(t.Context(), "", 1)
		require.ErrorIs(t, err, bank.ErrUnavailable)
	}
	_, err := w.Bank().Credits(t.Context(), "", 1)
	require.NoError(t, err)
}

func TestFaultsSurviveARestartAndStrikeAnyServer(t *testing.T) {
	store := sandbox.NewMemory()
	require.NoError(t, newWorld(t, store).Inject(t.Context(), sandbox.TargetBank, sandbox.Unavailable, 1))
	_, err := newWorld(t, store).Bank().Credits(t.Context(), "", 1)
	require.ErrorIs(t, err, bank.ErrUnavailable)
	_, err = newWorld(t, store).Bank().Credits(t.Context(), "", 1)
	require.NoError(t, err)
}

func TestAFaultCanBeDisarmed(t *testing.T) {
	w := newWorld(t, nil)
	for _, disarm := range []func() error{
		func() error { return w.Inject(t.Context(), sandbox.TargetBank, sandbox.Unavailable, 0) },
		func() error { return w.Calm(t.Context()) },
	} {
		require.NoError(t, w.Inject(t.Context(), sandbox.TargetBank, sandbox.Unavailable, 5))
		require.NoError(t, disarm())
		_, err := w.Bank().Credits(t.Context(), "", 1)
		require.NoError(t, err)
	}
}

func TestASlowAnswerArrivesUnlessTheCallerGivesUp(t *testing.T) {
	var waited time.Duration
	w := sandbox.New(sandbox.Config{Clock: newStill(), Sleep: func(ctx context.Context, d time.Duration) error {
		waited = d
		return ctx.Err()
	}})
	require.NoError(t, w.Inject(t.Context(), sandbox.TargetBank, sandbox.Slow, 1))
	_, err := w.Bank().Credits(t.Context(), "", 1)
	require.NoError(t, err)
	require.Equal(t, sandbox.Slowness, waited)

	impatient := sandbox.New(sandbox.Config{Clock: newStill()})
	require.NoError(t, impatient.Inject(t.Context(), sandbox.TargetBank, sandbox.Slow, 1))
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err = impatient.Bank().Credits(ctx, "", 1)
	require.ErrorIs(t, err, bank.ErrUnavailable)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestDepositsAreRefused(t *testing.T) {
	w := newWorld(t, nil)
	to, _ := address(t, 1)
	for name, p := range map[string]sandbox.DepositParams{
		"of nothing":           {To: to, Amount: money.USDC(0)},
		"of less than nothing": {To: to, Amount: money.USDC(-1)},
		"of naira":             {To: to, Amount: money.NGN(1)},
	} {
		_, err := w.Deposit(t.Context(), p)
		require.ErrorIs(t, err, sandbox.ErrAmount, name)
	}
	for name, p := range map[string]sandbox.DepositParams{
		"to nobody":       {Amount: money.USDC(1)},
		"to no address":   {To: "0OIl", Amount: money.USDC(1)},
		"of no mint":      {To: to, Amount: money.USDC(1), Mint: "0OIl"},
		"from no address": {To: to, Amount: money.USDC(1), Sender: "0OIl"},
	} {
		_, err := w.Deposit(t.Context(), p)
		require.ErrorIs(t, err, chain.ErrInvalidAddress, name)
	}
}

func TestDepositsUnderWayTogetherDoNotOverflow(t *testing.T) {
	w := newWorld(t, nil)
	to, _ := address(t, 1)
	const half = 1 << 62
	var last chain.Signature
	for range 2 {
		var err error
		last, err = w.Deposit(t.Context(), sandbox.DepositParams{To: to, Amount: money.USDC(half)})
		require.NoError(t, err)
	}
	pass(t, w, 10)
	seen, err := w.Chain().Statuses(t.Context(), []chain.Signature{last})
	require.NoError(t, err)
	require.NotEmpty(t, seen.Statuses[0].Err)
	balance, err := w.Balance(t.Context(), to)
	require.NoError(t, err)
	require.Equal(t, money.USDC(half), balance)
	_, err = w.Deposit(t.Context(), sandbox.DepositParams{To: to, Amount: money.USDC(half)})
	require.ErrorIs(t, err, sandbox.ErrAmount)
}

func TestADepositNamesItsSender(t *testing.T) {
	w := newWorld(t, nil)
	to, _ := address(t, 1)
	from, _ := address(t, 2)
	_, err := w.Deposit(t.Context(), sandbox.DepositParams{To: to, Amount: money.USDC(5), Sender: from})
	require.NoError(t, err)
	pass(t, w, 10)
	moves, err := w.Chain().History(t.Context(), to, "", 10)
	require.NoError(t, err)
	require.Len(t, moves, 1)
	require.Equal(t, from, moves[0].Counterparty)
}

// receiver counts what reaches a webhook receiver behind the faults of a world.
func receiver(t *testing.T, w *sandbox.World) (post func() (*http.Response, error), received *int) {
	received = new(int)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		*received++
	}))
	t.Cleanup(server.Close)
	client := &http.Client{
		Transport:     w.Receiver(http.DefaultTransport),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return func() (*http.Response, error) {
		return client.Post(server.URL, "application/json", strings.NewReader("{}"))
	}, received
}

func TestReceiversAnswerWithAnInjectedStatus(t *testing.T) {
	w := newWorld(t, nil)
	post, received := receiver(t, w)
	for kind, status := range map[sandbox.Kind]int{"302": 302, "400": 400, "410": 410, "429": 429, "500": 500, "503": 503} {
		require.NoError(t, w.Inject(t.Context(), sandbox.TargetReceiver, kind, 1))
		response, err := post()
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, status, response.StatusCode)
		if status == 429 || status == 503 {
			require.Equal(t, "30", response.Header.Get("Retry-After"))
		}
	}
	require.Zero(t, *received)
	response, err := post()
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.Equal(t, 1, *received)
}

func TestReceiversTimeOutBeforeOrAfterTheyGotTheEvent(t *testing.T) {
	w := newWorld(t, nil)
	post, received := receiver(t, w)
	require.NoError(t, w.Inject(t.Context(), sandbox.TargetReceiver, sandbox.Timeout, 1))
	_, err := post()
	var timeout net.Error
	require.ErrorAs(t, err, &timeout)
	require.True(t, timeout.Timeout())
	require.Zero(t, *received)

	require.NoError(t, w.Inject(t.Context(), sandbox.TargetReceiver, sandbox.AnswerLost, 1))
	_, err = post()
	require.Error(t, err)
	require.Equal(t, 1, *received)
}
