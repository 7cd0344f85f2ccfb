package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/provider/chain/solana"
)

func TestAKeyOfAFeePayerIsMadeOnceAndShownNowhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "fee-payer")
	out := mustRun(t, "chain", "keygen", "--out", file)
	var made feePayerView
	require.NoError(t, json.Unmarshal([]byte(out), &made))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NotContains(t, out, strings.TrimSpace(string(text)))
	seed, err := readSeed(file)
	require.NoError(t, err)
	require.Equal(t, seed.Address(), made.Address)
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())

	_, stderr, code := ferryCommand(t, "chain", "keygen", "--out", file)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, errSeedExists.Error())
	again, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, text, again)
	_, err = readSeed(written(t, "hunter2"))
	require.ErrorIs(t, err, errNoSeed)
	require.NotContains(t, err.Error(), "hunter2")
	require.NoError(t, os.Chmod(file, 0o644))
	_, err = readSeed(file)
	require.ErrorContains(t, err, "open to everybody")
}

func TestAChainOfASandboxIsNamedByItsNodesAndShowsNoKey(t *testing.T) {
	a := chainAddress("solana:https://user:hunter2@one.example/hunter2?k=hunter2,http://127.0.0.1:8899")
	require.NoError(t, a.Validate())
	require.Equal(t, []string{"https://user:hunter2@one.example/hunter2?k=hunter2", "http://127.0.0.1:8899"}, texts(a.nodes()))
	for _, verb := range []string{"%s", "%v", "%+v", "%#v", "%q"} {
		require.NotContains(t, fmt.Sprintf(verb, a), "hunter2", verb)
	}
	for _, wrong := range []chainAddress{"solana:", "solana:one.example", "solana:https://one.example,", "ethereum:https://hunter2", "solana:ftp://one.example"} {
		err := wrong.Validate()
		require.Error(t, err, string(wrong))
		require.NotContains(t, err.Error(), "hunter2")
	}
	for empty, says := range map[chainAddress]string{
		"solana:":                     `"solana:": node 1 is empty: it must be the URL of a node`,
		"solana:https://one.example,": `"solana:https://one.example,": node 2 is empty: it must be the URL of a node`,
	} {
		require.ErrorContains(t, empty.Validate(), says)
	}
	_, stderr, code := ferryCommand(t, "dev", "--fee-payer", "file")
	require.Equal(t, 80, code)
	require.Contains(t, stderr, "--fee-payer (FERRY_FEE_PAYER)")
}

func TestAnExplorerIsNotToldWhereANodeOfOthersIs(t *testing.T) {
	require.Equal(t, "cluster=custom", explorerOf("", "https://one.example/hunter2"))
	require.Equal(t, "cluster=custom&customUrl=http%3A%2F%2F127.0.0.1%3A8899", explorerOf("", "http://127.0.0.1:8899"))
}

func TestAnExplorerIsToldWhichChainAServerHas(t *testing.T) {
	public, own := []nodeURL{"https://one.example/hunter2"}, []nodeURL{"http://127.0.0.1:8899", "https://one.example"}
	for _, c := range []struct {
		config chainConfig
		nodes  []nodeURL
		want   string
	}{
		{chainConfig{Cluster: mainnet}, public, ""},
		{chainConfig{Cluster: devnet}, own, "cluster=devnet"},
		{chainConfig{Cluster: custom, Genesis: "g"}, public, "cluster=custom"},
		{chainConfig{Cluster: custom, Genesis: "g"}, own, "cluster=custom&customUrl=http%3A%2F%2F127.0.0.1%3A8899"},
		{chainConfig{Cluster: custom, Genesis: solana.Devnet.Genesis}, own, "cluster=devnet"},
		{chainConfig{Cluster: custom, Genesis: solana.Mainnet.Genesis}, own, ""},
	} {
		require.Equal(t, c.want, explorerOf(c.config.cluster().Genesis, c.nodes[0]), c.config.Genesis)
	}
}

// withChain is the smallest configuration with a chain.
func withChain(env, members string) string {
	return strings.Replace(smallest, "{", `{"chain":{"`+env+`":{`+members+`}},`, 1)
}

const (
	aNode  = `,"endpoints":["https://one.example"]`
	aPayer = `,"fee_payer_file":"seed"`
)

func TestTheChainsOfAConfigurationAreRead(t *testing.T) {
	c, err := readConfig(written(t, withChain("live", `"cluster":"mainnet","endpoints":["https://one.example/hunter2","http://127.0.0.1:8899"],
		"fee_payer_env":"SEED","fees":{"price":1,"day":2,"low":3,"no_rent":true},"other_mints":["`+string(solana.Devnet.Mint)+`"]`)))
	require.NoError(t, err)
	live := *c.Chain.Live
	require.Equal(t, solana.Mainnet, live.cluster())
	require.Equal(t, solana.Fees{Price: 1, Day: 2, Low: 3, NoRent: true}, solana.Fees(live.Fees))
	require.Equal(t, []string{"https://one.example/hunter2", "http://127.0.0.1:8899"}, texts(live.Endpoints))
	require.Nil(t, c.Chain.Test)
	shown, err := json.Marshal(c)
	require.NoError(t, err)
	require.NotContains(t, string(shown), "hunter2", "what serve logs")

	listed := written(t, "https://one.example/hunter2\nhttps://two.example\n")
	c, err = readConfig(written(t, withChain("test", `"cluster":"devnet","endpoints_file":"`+listed+`"`+aPayer)))
	require.NoError(t, err)
	nodes, err := c.Chain.Test.nodes("test")
	require.NoError(t, err)
	require.Equal(t, []string{"https://one.example/hunter2", "https://two.example"}, texts(nodes))
	t.Setenv("NODES", "http://one.example")
	_, err = chainConfig{EndpointsEnv: "NODES"}.nodes("live")
	require.ErrorIs(t, err, errOpenPlain)
}

func TestAChainThatCannotBeMeantIsRefusedByItsField(t *testing.T) {
	custom := `"cluster":"custom","genesis":"g","mint":"` + string(solana.Devnet.Mint) + `"`
	for _, c := range []struct{ env, members, want string }{
		{"live", `"cluster":"devnet"` + aNode + aPayer, "chain.live.cluster: " + errFreeMoney.Error()},
		{"live", `"cluster":"custom","genesis":"` + solana.Devnet.Genesis + `","mint":"` + string(solana.Devnet.Mint) + `"` + aNode + aPayer, errFreeMoney.Error()},
		{"test", `"cluster":"mainnet"` + aNode + aPayer, "chain.test.cluster: " + errRealMoney.Error()},
		{"live", `"cluster":"mainnet","endpoints":["http://one.example"]` + aPayer, "chain.live.endpoints.0: " + errOpenPlain.Error()},
		{"live", `"cluster":"mainnet","endpoints":["one.example"]` + aPayer, "chain.live.endpoints.0: " + errNoNode.Error()},
		{"live", `"cluster":"mainnet"` + aPayer, "chain.live.endpoints, endpoints_file and endpoints_env: exactly one"},
		{"live", `"cluster":"mainnet"` + aNode, "chain.live.fee_payer_file and fee_payer_env: exactly one"},
		{"live", `"cluster":"testnet"` + aNode + aPayer, "chain.live.cluster: must be mainnet, devnet or custom"},
		{"live", `"cluster":"mainnet","genesis":"g"` + aNode + aPayer, "genesis and mint are for cluster custom"},
		{"live", `"cluster":"custom"` + aNode + aPayer, "chain.live.genesis is missing"},
		{"live", `"cluster":"custom","genesis":"g","mint":"m"` + aNode + aPayer, "chain.live.mint: must be the address"},
		{"live", custom + `,"other_mints":["m"]` + aNode + aPayer, "chain.live.other_mints.0: must be"},
		{"live", custom + `,"fees":{"price":-1}` + aNode + aPayer, `field "chain.live.fees.price" has a wrong value: it must be a whole number from 0 on`},
		{"live", custom + `,"fee_payer":"seed"` + aNode, `unknown field "chain.live.fee_payer"`},
	} {
		_, err := readConfig(written(t, withChain(c.env, c.members)))
		require.ErrorContains(t, err, c.want, c.members)
	}
	_, err := readConfig(written(t, strings.Replace(withChain("live", custom+aNode+aPayer), "{", `{"fees":{"checkout":{"platform":{"percent":1}}},`, 1)))
	require.ErrorIs(t, err, errNoRatesYet)
	open := written(t, withChain("test", `"cluster":"devnet","endpoints":["https://one.example/hunter2"]`+aPayer))
	require.NoError(t, os.Chmod(open, 0o644))
	_, err = readConfig(open)
	require.ErrorContains(t, err, "may hold a key")
}
