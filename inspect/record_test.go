package inspect_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// recorded is the timeline as a Go test, which compiles.
func (h *house) recorded() string {
	h.t.Helper()
	var page struct{ Test string }
	h.data("/record", &page)
	compiles(h.t, page.Test)
	return page.Test
}

func TestARecordingKeepsWhatTheClientTyped(t *testing.T) {
	h := newHouse(t)
	source := h.api("GET", "/v1/business", "")["source_accounts"].([]any)[0].(map[string]any)["account_number"].(string)
	h.api("POST", "/v1/test_helpers/bank_credits", `{"account_number":"`+source+`","amount":100000}`)
	h.order("order-1")
	account := h.api("GET", "/v1/checkout/account?trx_id=order-1", "")["fiat"].(map[string]any)["account_number"].(string)
	h.api("POST", "/v1/test_helpers/bank_credits", `{"account_number":"`+account+`","amount":15000}`)
	h.api("GET", "/v1/payments?id=order-1", "")                                   // names the sender's account
	h.api("GET", "/v1/banks/resolve?account_number=0123456771&bank_code=058", "") // the client has typed it
	for n, to := range []string{"0123456780", "0123456771"} {
		reference := []string{"rent", "power"}[n]
		h.api("POST", "/v1/payouts/bulk", `{"reference":"`+reference+`","source_account_number":"`+source+`","items":[{"reference":"`+reference+`-1","bank_code":"058","account_number":"`+to+`","amount":2500}]}`)
	}
	test := h.recorded()
	require.Contains(t, test, `"account_number":"0123456780"`)
	require.Contains(t, test, `"account_number":"0123456771"`)
	require.NotContains(t, test, "sender")
	require.NotContains(t, test, source, "the server made it")
	require.NotContains(t, test, account, "the server made it")
}

func TestARecordingHasNoInboxOfTheSandbox(t *testing.T) {
	h := newHouse(t)
	h.api("POST", "/v1/webhook/config", `{"url":"`+h.URL+`/inbox"}`)
	test := h.recorded()
	require.NotContains(t, test, h.URL)
	require.Contains(t, test, "// The webhook URL of the recording is left out")
	h.api("POST", "/v1/webhook/config", `{"url":"http://127.0.0.1:9/hooks"}`)
	require.Contains(t, h.recorded(), "http://127.0.0.1:9/hooks")
}

func TestARecordedTestPassesOnAnotherSandbox(t *testing.T) {
	h := newHouse(t)
	h.order("order-1")
	h.act("order-1", "USDC: too little")
	h.act("order-1", "USDC: what is left")
	var page struct{ Test string }
	h.data("/record", &page)
	require.Equal(t, 2, strings.Count(page.Test, `"account", "SOLANA"), "5")`), page.Test)
	file := filepath.Join(t.TempDir(), "recorded_test.go")
	require.NoError(t, os.WriteFile(file, []byte(page.Test), 0o600))
	said, err := exec.CommandContext(t.Context(), "go", "test", file).CombinedOutput()
	require.NoError(t, err, "%s\n%s", said, page.Test)
}
