package main

import (
	"encoding/base64"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"
)

// chosen are credentials that a compose file may have.
var chosen = demoKeys{
	SecretKey: "sk_test_shop-in-ci", PublicKey: "pk_test_shop-in-ci", WidgetKey: "rwpk_test_shop-in-ci",
	WebhookSecret: "whsec_test_" + base64.StdEncoding.EncodeToString([]byte("a secret that CI knows already..")),
}

// environment are the variables that choose them.
func (k demoKeys) environment() []string {
	return append(os.Environ(), "FERRY_SECRET_KEY="+k.SecretKey, "FERRY_PUBLIC_KEY="+k.PublicKey,
		"FERRY_WIDGET_KEY="+k.WidgetKey, "FERRY_WEBHOOK_SECRET="+k.WebhookSecret)
}

func startWith(t *testing.T, environment []string, args ...string) process {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"dev", "--addr", "127.0.0.1:0", "--json"}, args...)...)
	cmd.Env = environment
	return startCommand(t, cmd)
}

func TestTheEnvironmentChoosesTheKeysOfTheDemoBusiness(t *testing.T) {
	for _, store := range []string{"memory", "sqlite:" + filepath.Join(t.TempDir(), "ferry.db")} {
		p := startWith(t, chosen.environment(), "--store", store)
		require.Equal(t, chosen, demoKeys{p.SecretKey, p.PublicKey, p.WidgetKey, p.WebhookSecret})
		status, body := p.get(t, "/v1/business")
		require.Equal(t, http.StatusOK, status)
		require.Contains(t, body, p.BusinessID)
		p.SecretKey = "sk_test_shop-in-cj"
		status, _ = p.get(t, "/v1/business")
		require.Equal(t, http.StatusUnauthorized, status)
	}
}

func TestAStoreKeepsTheKeysThatWereChosenAndRefusesOthers(t *testing.T) {
	store := "sqlite:" + filepath.Join(t.TempDir(), "ferry.db")
	first := startWith(t, chosen.environment(), "--store", store)
	first.stop(t)
	for _, again := range [][]string{chosen.environment(), os.Environ()} {
		p := startWith(t, again, "--store", store)
		require.Equal(t, first.SecretKey, p.SecretKey)
		require.Equal(t, first.WebhookSecret, p.WebhookSecret)
		p.stop(t)
	}
	_, stderr, code := ferryCommand(t, "dev", "--addr", "127.0.0.1:0", "--store", store, "--secret-key", "sk_test_another-one")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, secretKeyFlag+": "+errOtherKeys.Error())
}

func TestAKeyThatCannotBeChosenIsNamedWithItsForm(t *testing.T) {
	for flag, c := range map[string]struct{ given, want string }{
		"--secret-key":     {"sk_live_shop-in-ci", "--secret-key (FERRY_SECRET_KEY): must be sk_test_ and 8 to 100 letters"},
		"--public-key":     {"pk_test_short", "--public-key (FERRY_PUBLIC_KEY): must be pk_test_ and 8 to 100 letters"},
		"--widget-key":     {"pk_test_shop-in-ci", "--widget-key (FERRY_WIDGET_KEY): must be rwpk_test_ and 8 to 100 letters"},
		"--webhook-secret": {"whsec_test_c2hvcnQ=", "--webhook-secret (FERRY_WEBHOOK_SECRET): must be whsec_test_ and the base64 of 24 to 64 bytes"},
	} {
		_, stderr, code := ferryCommand(t, "dev", "--addr", "127.0.0.1:0", flag, c.given)
		require.Equal(t, 80, code, flag)
		require.Contains(t, stderr, c.want)
		require.NotContains(t, stderr, c.given, "a secret is not repeated")
	}
}

// TestEveryFlagHasAVariable walks over the command line as it is parsed.
func TestEveryFlagHasAVariable(t *testing.T) {
	parser, err := newParser(t.Context(), os.Stderr)
	require.NoError(t, err)
	seen := 0
	require.NoError(t, kong.Visit(parser.Model, func(node kong.Visitable, next kong.Next) error {
		if flag, ok := node.(*kong.Flag); ok && !isQuestion(flag) {
			seen++
			require.Len(t, flag.Envs, 1, flag.Name)
			require.True(t, strings.HasPrefix(flag.Envs[0], "FERRY_"), flag.Envs[0])
		}
		return next(nil)
	}))
	require.Greater(t, seen, 30)
	require.Contains(t, mustRun(t, "dev", "--help"), "$FERRY_RATE_LIMIT")
	require.Contains(t, mustRun(t, "dev", "--help"), "$FERRY_SECRET_KEY")
}

// isQuestion reports whether a flag asks for a text and ends the process.
func isQuestion(flag *kong.Flag) bool { return flag.Name == "help" || flag.Name == "version" }

func TestAVariableCountsAsItsFlag(t *testing.T) {
	p := startWith(t, append(os.Environ(), "FERRY_SEED=7"))
	again := startDev(t, "--seed", "7")
	require.Equal(t, again.SecretKey, p.SecretKey)
	overruled := startWith(t, append(os.Environ(), "FERRY_SEED=7"), "--seed", "8")
	require.NotEqual(t, again.SecretKey, overruled.SecretKey, "the flag comes before its variable")
}

func TestTheVersionAndTheHelpAreWhereOneLooksForThem(t *testing.T) {
	version := mustRun(t, "version")
	require.Regexp(t, `^ferry \S+`, version)
	require.Equal(t, version, mustRun(t, "--version"))
	require.Equal(t, mustRun(t, "--help"), mustRun(t, "help"))
	require.Equal(t, mustRun(t, "keys", "create", "--help"), mustRun(t, "help", "keys", "create"))
	_, stderr, code := ferryCommand(t, "help", "nonsense")
	require.Equal(t, 80, code)
	require.Contains(t, stderr, "nonsense")
}

func (p process) post(t *testing.T, path string) int {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, p.BaseURL+path, http.NoBody)
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+p.SecretKey)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.StatusCode
}

func TestAStoreThatWasResetIsFoundAgainWithItsKeys(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ferry.db")
	first := startWith(t, chosen.environment(), "--store", "sqlite:"+file)
	require.Equal(t, http.StatusOK, first.post(t, "/v1/test_helpers/reset"))
	status, _ := first.get(t, "/v1/business")
	require.Equal(t, http.StatusOK, status)
	first.stop(t)
	second := startDev(t, "--store", "sqlite:"+file)
	second.serving = first.serving
	require.Equal(t, first.ready, second.ready)
	second.stop(t)

	s := newStore(t, file)
	require.NoError(t, s.Reset(t.Context()), "as far as a reset came that was cut off")
	require.NoError(t, s.Close(t.Context()))
	third := startDev(t, "--store", "sqlite:"+file)
	defer third.stop(t)
	require.Equal(t, first.SecretKey, third.SecretKey)
	require.Equal(t, first.BusinessID, third.BusinessID)
	_, balance := third.get(t, "/v1/business/balance")
	require.Contains(t, balance, "1000000")
	_, audit := third.get(t, "/v1/test_helpers/audit")
	require.Contains(t, audit, `"clean":true`)
}
