package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestACommandLineThatCannotBeReadIsToldInOneLine(t *testing.T) {
	for _, c := range []struct{ args, says, help string }{
		{"serve", "--config=FILE", `see "ferry serve --help"`},
		{"reconcile --url http://127.0.0.1:1", "unknown flag --url", `see "ferry reconcile --help"`},
		{"keys revoke", "<id>", `see "ferry keys revoke --help"`},
		{"keys", "expected one of", `see "ferry keys --help"`},
		{"", "expected one of", `see "ferry --help"`},
		{"keys foo", "there is no command foo", `see "ferry keys --help"`},
		{"sereve", `there is no command sereve, did you mean "serve"?`, `see "ferry --help"`},
		{"dev --seed=-1", `--seed: "-1" is no whole number from 0 on`, `see "ferry dev --help"`},
		{"dev --rate-limit=many", `--rate-limit: "many" is no whole number`, `see "ferry dev --help"`},
		{"dev --lease=10", `--lease: "10" is no duration: write it as 10s or 1m`, `see "ferry dev --help"`},
		{"dev --log=all", "--log: must be requests", `see "ferry dev --help"`},
		{"dev --store mysql://x", errNoAddress.Error(), `see "ferry dev --help"`},
	} {
		t.Run(c.args, func(t *testing.T) {
			stdout, stderr, code := ferryCommand(t, strings.Fields(c.args)...)
			require.Equal(t, 80, code)
			require.Empty(t, stdout)
			require.True(t, strings.HasPrefix(stderr, "ferry: "), stderr)
			require.Equal(t, 1, strings.Count(stderr, "\n"), stderr)
			require.Contains(t, stderr, c.says)
			require.Contains(t, stderr, c.help)
		})
	}
	require.Contains(t, mustRun(t, "--help"), "Usage: ferry")
	require.Contains(t, mustRun(t, "serve", "--help"), "rate_limit.test")
}

func TestARunningServerLooksAfterTheKeysOfItsCaller(t *testing.T) {
	for _, args := range []string{
		"keys create --business Shop", "keys list --business biz_1", "keys rotate --business biz_1", "keys revoke key_1 --business biz_1",
	} {
		_, stderr, code := ferryCommand(t, append(strings.Fields(args), "--url", "http://127.0.0.1:1", "--key", "sk_test_x")...)
		require.Equal(t, 1, code)
		require.Contains(t, stderr, errBusinessOfKey.Error(), args)
	}
}

func TestAServerWithoutALiveChainSaysWhatLiveBusinessesNeed(t *testing.T) {
	site := newSite(t)
	shop := site.createBusiness(t)
	for _, args := range []string{"keys create --business Shop", "keys create --business " + string(shop.BusinessID), "keys list --business " + string(shop.BusinessID)} {
		_, stderr, code := ferryCommand(t, append(strings.Fields(args), "--environment", "live", "--config", site.config)...)
		require.Equal(t, 1, code, args)
		require.Contains(t, stderr, errNoLive.Error(), args)
	}
}

func TestABusinessThatIsNamedWronglyCanBeFound(t *testing.T) {
	site := newSite(t)
	shop := site.createBusiness(t)
	refused := func(says string, args ...string) {
		t.Helper()
		_, stderr, code := ferryCommand(t, append(args, "--config", site.config)...)
		require.Equal(t, 1, code)
		require.Contains(t, stderr, says)
	}
	refused(errNoID.Error(), "keys", "list", "--business", "Corner shop")
	refused("ferry businesses list", "keys", "list", "--business", "Corner shop")
	refused(errNoBusiness.Error(), "keys", "list")
	refused("ferry businesses list", "keys", "list")
	refused(errNoKeyID.Error(), "keys", "rotate", "--business", string(shop.BusinessID))

	var listed []struct{ ID, Environment, Name string }
	require.NoError(t, json.Unmarshal([]byte(mustRun(t, "businesses", "list", "--config", site.config)), &listed))
	require.Len(t, listed, 1)
	require.Equal(t, string(shop.BusinessID), listed[0].ID)
	require.Equal(t, "test", listed[0].Environment)
	require.Equal(t, "Shop", listed[0].Name)

	p := site.serve(t, shop.SecretKey)
	defer p.stop(t)
	refused("stop it first", "businesses", "list")
}

func TestAStoreWithoutBusinessesListsNone(t *testing.T) {
	store := "sqlite:" + filepath.Join(t.TempDir(), "ferry.db")
	mustRun(t, "migrate", "--store", store)
	require.JSONEq(t, `[]`, mustRun(t, "businesses", "list", "--store", store))
}

func TestAnAuditThatAServerDoesNotAnswerSaysWhatToDo(t *testing.T) {
	site := newSite(t)
	p := site.serve(t, site.createBusiness(t).SecretKey)
	defer p.stop(t)
	_, stderr := requireAudit(t, exitCannotTell, "--url", p.BaseURL, "--key", p.SecretKey)
	require.Contains(t, stderr, errNoHelpers.Error())
	require.Contains(t, stderr, "ferry audit --config FILE")

}

func TestAKeyThatAServerDoesNotKnowIsNamed(t *testing.T) {
	p := startDev(t)
	_, stderr := requireAudit(t, exitCannotTell, "--url", p.BaseURL, "--key", "foo")
	require.Contains(t, stderr, "401")
	require.Contains(t, stderr, "sk_test_…")
	require.Contains(t, stderr, "FERRY_KEY")
}

func TestADirectoryThatIsNotThereIsNamed(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "nowhere")
	kek := filepath.Join(t.TempDir(), "kek")
	mustRun(t, "keys", "keyset", "kek", kek)
	for _, args := range [][]string{
		{"keys", "keyset", "kek", filepath.Join(missing, "kek")},
		{"keys", "keyset", "create", "--keyset", filepath.Join(missing, "keyset"), "--kek-file", kek},
		{"migrate", "--store", "sqlite:" + filepath.Join(missing, "ferry.db")},
	} {
		_, stderr, code := ferryCommand(t, args...)
		require.Equal(t, 1, code)
		require.Equal(t, "ferry: there is no directory "+missing+": make it first\n", stderr)
	}
}

func TestAnAddressInUseNamesTheWayOut(t *testing.T) {
	p := startDev(t)
	_, stderr, code := ferryCommand(t, "dev", "--addr", strings.TrimPrefix(p.BaseURL, "http://"))
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "ferry: --addr: listen tcp")
	require.Contains(t, stderr, "address already in use: choose another port")
}

func TestAStoreOfTheEnvironmentIsRefusedByItsName(t *testing.T) {
	t.Setenv("FERRY_STORE", "mysql://x")
	for _, command := range []string{"dev", "audit", "migrate", "keys create --business Shop"} {
		_, stderr, code := ferryCommand(t, strings.Fields(command)...)
		require.NotZero(t, code)
		require.Contains(t, stderr, `--store (FERRY_STORE): "mysql://x" `+errNoAddress.Error(), command)
	}
}

func TestAServerThatDoesNotAnswerIsNamedWithItsFlag(t *testing.T) {
	_, stderr := requireAudit(t, exitCannotTell, "--url", "http://127.0.0.1:1", "--key", "sk_test_x")
	require.Contains(t, stderr, "ferry: no server answers at http://127.0.0.1:1 (--url or FERRY_URL): ")
	_, stderr = requireAudit(t, exitCannotTell, "--url", "127.0.0.1:8080", "--key", "sk_test_x")
	require.Contains(t, stderr, "ferry: --url or FERRY_URL: must begin with http:// or https://, as http://127.0.0.1:8080")
}
