//go:build localnet

package main

import (
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana"
	"github.com/ferrypay/ferry/provider/chain/solana/localnet"
)

const aSOL = 1_000_000_000

// eventually is how long a test waits for what a chain and the workers do by themselves.
const eventually = 30 * time.Second

// wallet is a wallet as the API shows it.
type wallet struct {
	ID             string
	PrimaryAddress string          `json:"primary_address"`
	Balance        json.RawMessage `json:"balance"`
}

func (p process) wallet(t *testing.T) (w wallet) {
	t.Helper()
	p.data(t, http.MethodGet, "wallets?reference=main", "", &w)
	return w
}

func (p process) requireBalance(t *testing.T, want string) {
	t.Helper()
	require.Eventually(t, func() bool { return string(p.wallet(t).Balance) == want }, eventually, 100*time.Millisecond,
		"the balance is %s", p.wallet(t).Balance)
}

// send sends USDC to the outside and waits until the transfer is a success.
func (p process) send(t *testing.T, from, to, reference string) {
	t.Helper()
	p.data(t, http.MethodPost, "wallets/transfer", `{"from_address":"`+from+`","to_address":"`+to+
		`","amount":10,"network":"Solana","asset":"USDC","reference":"`+reference+`"}`, nil)
	var sent struct{ Status string }
	require.Eventually(t, func() bool {
		p.data(t, http.MethodGet, "wallets/transfers/"+reference, "", &sent)
		return sent.Status == "success"
	}, eventually, 100*time.Millisecond, "the transfer is %s", sent.Status)
}

// post does a request of the sandbox that may be refused.
func (p process) tryPost(t *testing.T, path, body string) (int, string) {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, p.BaseURL+"/v1/"+path, strings.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer "+p.SecretKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(text)
}

// newAddress is the address of somebody outside.
func newAddress(t *testing.T) chain.Address {
	t.Helper()
	seed, err := chain.NewSeed(rand.Reader)
	require.NoError(t, err)
	return seed.Address()
}

// holdings are the USDC on addresses, as a node tells somebody else than the server.
func holdings(t *testing.T, n *localnet.Node, addresses ...chain.Address) []money.Amount {
	t.Helper()
	seed, err := chain.NewSeed(rand.Reader)
	require.NoError(t, err)
	c, err := solana.Open(t.Context(), solana.Config{Cluster: solana.Cluster{Mint: localnet.USDC}, Endpoints: []string{n.URL}, FeePayer: seed})
	require.NoError(t, err)
	held, err := c.Holdings(t.Context(), addresses)
	require.NoError(t, err)
	return held.Amounts
}

// reconciled runs ferry reconcile on a store, which must be clean, and returns by environment
// what its chain holds, which must be what the books say.
func reconciled(t *testing.T, args ...string) map[string]string {
	t.Helper()
	stdout, stderr, code := ferryCommand(t, append([]string{"reconcile"}, args...)...)
	require.Zero(t, code, stdout+stderr)
	var r struct {
		Clean        bool
		Environments []struct {
			Environment string
			Chain       struct{ Holds, Books string }
		}
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &r))
	require.True(t, r.Clean)
	holds := map[string]string{}
	for _, env := range r.Environments {
		require.Equal(t, env.Chain.Books, env.Chain.Holds, env.Environment)
		holds[env.Environment] = env.Chain.Holds
	}
	return holds
}

func TestASandboxRunsOnARealChainAndGoesOnAfterARestart(t *testing.T) {
	n := localnet.Start(t, localnet.Options{})
	onChain := "solana:" + n.URL + "," + n.Peer().URL
	file := filepath.Join(t.TempDir(), "ferry.db")
	p := startOn(t, file, "--chain", onChain)
	require.NotEmpty(t, p.FeePayer)
	n.Airdrop(string(p.FeePayer), 2*aSOL)
	var ignored any
	p.data(t, http.MethodPost, "wallets", aWallet, &ignored)
	held := chain.Address(p.wallet(t).PrimaryAddress)
	n.MintUSDC(string(held), 50_000_000)
	p.requireBalance(t, "50")
	to := newAddress(t)
	p.send(t, string(held), string(to), "first")
	p.requireClean(t)
	p.stop(t)

	require.Contains(t, reconciled(t, "--store", "sqlite:"+file, "--chain", onChain), "test")
	requireAudit(t, 0, "--store", "sqlite:"+file) // without the chain
	_, stderr, code := ferryCommand(t, "reconcile", "--store", "sqlite:"+file)
	require.Equal(t, exitCannotTell, code)
	require.Contains(t, stderr, errNameChain.Error())

	payer := p.FeePayer
	p = startOn(t, file, "--chain", onChain)
	require.Equal(t, payer, p.FeePayer, "the store keeps it")
	p.send(t, string(held), string(to), "second")
	p.requireBalance(t, "29.99")
	p.requireClean(t)
	p.stop(t)

	n.Settle()
	on := holdings(t, n, held, to)
	require.Equal(t, []money.Amount{money.USDC(30_000_000), money.USDC(20_000_000)}, on, "fees of the platform stay at the address")
	require.Equal(t, map[string]string{"test": "30 USDC"}, reconciled(t, "--store", "sqlite:"+file, "--chain", onChain))
}

func TestASandboxStartsAgainWhileNoNodeOfItsChainAnswers(t *testing.T) {
	n := localnet.Start(t, localnet.Options{})
	file := filepath.Join(t.TempDir(), "ferry.db")
	p := startOn(t, file, "--chain", "solana:"+n.URL)
	payer := p.FeePayer
	n.Airdrop(string(payer), 2*aSOL)
	var ignored any
	p.data(t, http.MethodPost, "wallets", aWallet, &ignored)
	n.MintUSDC(string(p.OnrampAddress), 7_000_000)
	p.stop(t)

	n.Fail(localnet.Fault{Kind: localnet.Unavailable, Calls: 1_000_000})
	p = startOn(t, file, "--chain", "solana:"+n.URL)
	require.Equal(t, payer, p.FeePayer)
	held := p.wallet(t).PrimaryAddress
	p.requireClean(t)
	n.Mend()
	n.MintUSDC(held, 50_000_000)
	p.requireBalance(t, "50")
	p.send(t, held, string(newAddress(t)), "after-the-outage")
	p.stop(t)
	require.Contains(t, reconciled(t, "--store", "sqlite:"+file, "--chain", "solana:"+n.URL)["test"], "47 USDC", "7 of them for onramps")
}

func TestATransferWithoutSOLSaysSoUntilThereIsSome(t *testing.T) {
	n := localnet.Start(t, localnet.Options{})
	p := startDev(t, "--chain", "solana:"+n.URL)
	var ignored any
	p.data(t, http.MethodPost, "wallets", aWallet, &ignored)
	held, to := p.wallet(t).PrimaryAddress, newAddress(t)
	n.MintUSDC(held, 50_000_000)
	p.requireBalance(t, "50")
	type seen struct {
		Status     string
		WaitingFor string `json:"waiting_for"`
	}
	var made, read seen
	p.data(t, http.MethodPost, "wallets/transfer", `{"from_address":"`+held+`","to_address":"`+string(to)+
		`","amount":10,"network":"Solana","asset":"USDC","reference":"first"}`, &made)
	require.Equal(t, seen{"pending", "fee_payer"}, made)
	p.data(t, http.MethodGet, "wallets/transfers/first", "", &read)
	require.Equal(t, seen{"pending", "fee_payer"}, read)
	require.Contains(t, p.metrics(t), `ferry_transfers_waiting{environment="test",reason="fee_payer"} 1`)
	n.Airdrop(string(p.FeePayer), 2*aSOL)
	require.Eventually(t, func() bool {
		read = seen{}
		p.data(t, http.MethodGet, "wallets/transfers/first", "", &read)
		return read == seen{"success", ""}
	}, eventually, 100*time.Millisecond)
	require.Contains(t, p.metrics(t), `ferry_transfers_waiting{environment="test",reason="fee_payer"} 0`)
	p.requireClean(t)
}

func TestAStoreOfOneChainIsRefusedOnAnother(t *testing.T) {
	n := localnet.Start(t, localnet.Options{})
	file := filepath.Join(t.TempDir(), "ferry.db")
	startOn(t, file, "--chain", "solana:"+n.URL).stop(t)
	for _, args := range [][]string{{}, {"--chain", "solana:" + localnet.Start(t, localnet.Options{}).URL}} {
		says := refused(t, append([]string{"--store", "sqlite:" + file}, args...)...)
		require.Contains(t, says, engine.ErrOtherChain.Error())
		require.Contains(t, says, errChooseChain.Error())
	}
	startOn(t, file, "--chain", "solana:"+n.URL).stop(t)

	simulated := filepath.Join(t.TempDir(), "ferry.db")
	startOn(t, simulated).stop(t)
	require.Contains(t, refused(t, "--store", "sqlite:"+simulated, "--chain", "solana:"+n.URL), engine.ErrOtherChain.Error())
	startOn(t, simulated).stop(t)
}

func TestNodesOfDifferentChainsAreRefused(t *testing.T) {
	one, other := localnet.Start(t, localnet.Options{}), localnet.Start(t, localnet.Options{})
	require.Contains(t, refused(t, "--chain", "solana:"+one.URL+","+other.URL), solana.ErrOtherChain.Error())
}

func TestASandboxOnARealChainRefusesWhatOnlyTheSimulatedOneCanDo(t *testing.T) {
	n := localnet.Start(t, localnet.Options{})
	p := startDev(t, "--chain", "solana:"+n.URL)
	var ignored any
	p.data(t, http.MethodPost, "wallets", aWallet, &ignored)
	held := p.wallet(t).PrimaryAddress
	for path, body := range map[string]string{
		"deposits": `{"address":"` + held + `","amount":25}`,
		"fund":     `{"currency":"USDC","amount":25,"wallet":"main"}`,
		"faults":   `{"target":"chain","kind":"unavailable"}`,
		"reset":    "",
	} {
		status, answer := p.tryPost(t, "test_helpers/"+path, body)
		require.Equal(t, http.StatusForbidden, status, path)
		require.Contains(t, answer, "real chain", path)
	}
	for path, body := range map[string]string{
		"fund":          `{"currency":"NGN","amount":25}`,
		"faults":        `{"target":"bank","kind":"unavailable","count":0}`,
		"clock/advance": `{"seconds":0}`,
	} {
		status, answer := p.tryPost(t, "test_helpers/"+path, body)
		require.Equal(t, http.StatusOK, status, "%s: %s", path, answer)
	}
	status, answer := p.get(t, "/v1/test_helpers/faults")
	require.Equal(t, http.StatusOK, status)
	require.NotContains(t, answer, `"target":"chain"`)
}

// A payment expires by the height of the chain, which no clock of ferry moves.
func TestMovingTheClockExpiresNoPaymentOnARealChain(t *testing.T) {
	n := localnet.Start(t, localnet.Options{SlotLength: 50 * time.Millisecond})
	p := startDev(t, "--chain", "solana:"+n.URL)
	n.Airdrop(string(p.FeePayer), 2*aSOL)
	var ignored any
	p.data(t, http.MethodPost, "wallets", aWallet, &ignored)
	held, to := p.wallet(t).PrimaryAddress, newAddress(t)
	n.MintUSDC(held, 50_000_000)
	p.requireBalance(t, "50")
	n.Stop() // what is sent now waits
	p.data(t, http.MethodPost, "wallets/transfer", `{"from_address":"`+held+`","to_address":"`+string(to)+
		`","amount":10,"network":"Solana","asset":"USDC","reference":"payment"}`, nil)
	p.advance(t, "180") // three times as long as a payment could wait if the clock counted
	require.Equal(t, "pending", transfer(t, p))
	n.Run(20 * time.Millisecond)
	require.Eventually(t, func() bool { return transfer(t, p) == "success" }, eventually, 100*time.Millisecond)
	n.Settle()
	require.Equal(t, money.USDC(10_000_000), holdings(t, n, to)[0], "it was paid once")
	p.requireClean(t)
}

func TestAFeePayerMayBeChosenAndIsNotChangedUnderAStore(t *testing.T) {
	n := localnet.Start(t, localnet.Options{})
	dir := t.TempDir()
	keygen := func(name string) (made feePayerView) {
		require.NoError(t, json.Unmarshal([]byte(mustRun(t, "chain", "keygen", "--out", filepath.Join(dir, name))), &made))
		return made
	}
	mine, other := keygen("mine"), keygen("other")
	require.Equal(t, mine.Address, startDev(t, "--chain", "solana:"+n.URL, "--fee-payer", mine.File).FeePayer)
	store := "sqlite:" + filepath.Join(dir, "ferry.db")
	p := startDev(t, "--store", store, "--chain", "solana:"+n.URL, "--fee-payer", mine.File)
	require.Equal(t, mine.Address, p.FeePayer)
	p.stop(t)
	p = startDev(t, "--store", store, "--chain", "solana:"+n.URL)
	require.Equal(t, mine.Address, p.FeePayer)
	p.stop(t)
	require.Contains(t, refused(t, "--store", store, "--chain", "solana:"+n.URL, "--fee-payer", other.File), errOtherFeePayer.Error())
}

func TestTheBannerOfARealChainSaysHowToPayItsFees(t *testing.T) {
	n := localnet.Start(t, localnet.Options{})
	cmd := exec.Command(binary, "dev", "--addr", "127.0.0.1:0", "--chain", "solana:"+n.URL)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	printed := ""
	for text := make([]byte, 4096); !strings.Contains(printed, "cannot be reset"); {
		read, err := stdout.Read(text)
		require.NoError(t, err, printed)
		printed += string(text[:read])
	}
	require.Regexp(t, `Fee payer +\w{32,44} has 0 SOL`, printed)
	require.Regexp(t, `onramps are sent from \w{32,44}: send some there`, printed)
	require.Contains(t, printed, "solana airdrop 2 ")
	require.Contains(t, printed, "--url "+n.URL)
}

// genesisOf is the hash that a node of a localnet serves.
func genesisOf(t *testing.T, n *localnet.Node) string {
	t.Helper()
	seed, err := chain.NewSeed(rand.Reader)
	require.NoError(t, err)
	c, err := solana.Open(t.Context(), solana.Config{Cluster: solana.Cluster{Mint: localnet.USDC}, Endpoints: []string{n.URL}, FeePayer: seed})
	require.NoError(t, err)
	genesis, err := c.Genesis(t.Context())
	require.NoError(t, err)
	return genesis
}

func TestAServerMovesLiveMoneyOnItsChain(t *testing.T) {
	n := localnet.Start(t, localnet.Options{})
	site := newSite(t)
	seed := site.path("fee-payer")
	var payer feePayerView
	require.NoError(t, json.Unmarshal([]byte(mustRun(t, "chain", "keygen", "--out", seed)), &payer))
	site.add(t, `"chain":{"live":{"cluster":"custom","genesis":"`+genesisOf(t, n)+`","mint":"`+localnet.USDC+
		`","endpoints":["`+n.URL+`"],"fee_payer_file":"`+seed+`"}}`)
	n.Airdrop(string(payer.Address), 2*aSOL)
	n.Settle()
	var checked struct{ Chains []chainView }
	require.NoError(t, json.Unmarshal([]byte(mustRun(t, "chain", "check", "--config", site.config)), &checked))
	require.Len(t, checked.Chains, 1)
	live := checked.Chains[0]
	require.Equal(t, solana.Reached, live.Nodes[0].State)
	require.NotZero(t, live.Nodes[0].Height)
	live.Nodes = nil
	require.Equal(t, chainView{"live", custom, genesisOf(t, n), localnet.USDC, nil, 1, payer.Address, "2"}, live)

	var shop tenantView
	require.NoError(t, json.Unmarshal([]byte(mustRun(t, "keys", "create", "--config", site.config, "--business", "Shop", "--environment", "live")), &shop))
	require.True(t, strings.HasPrefix(shop.SecretKey, "sk_live_"))
	p := site.serve(t, shop.SecretKey)
	var ignored any
	p.data(t, http.MethodPost, "wallets", aWallet, &ignored)
	held, to := p.wallet(t).PrimaryAddress, newAddress(t)
	n.MintUSDC(held, 50_000_000)
	p.requireBalance(t, "50")
	p.send(t, held, string(to), "first")
	figures := p.metrics(t)
	require.Regexp(t, `ferry_chain_fee_payer_lamports\{environment="live"\} 1\.9\d+e\+09`, figures)
	require.Contains(t, figures, `ferry_chain_nodes{environment="live",state="reached"} 1`)
	require.Contains(t, figures, `ferry_chain_nodes_needed{environment="live"} 1`)
	var sent struct{ URL string }
	p.data(t, http.MethodGet, "wallets/transfers/first", "", &sent)
	require.Contains(t, sent.URL, "?cluster=custom&customUrl="+url.QueryEscape(n.URL))
	p.stop(t)
	n.Settle()
	require.Equal(t, money.USDC(10_000_000), holdings(t, n, to)[0])
	require.Equal(t, holdings(t, n, chain.Address(held))[0].String(), reconciled(t, "--config", site.config)["live"])
	requireAudit(t, 0, "--config", site.config)

	text, err := os.ReadFile(site.config)
	require.NoError(t, err)
	other := localnet.Start(t, localnet.Options{})
	require.NoError(t, os.WriteFile(site.config, []byte(strings.ReplaceAll(string(text), n.URL, other.URL)), 0o600))
	_, stderr, code := ferryCommand(t, "serve", "--config", site.config)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "chain.live: "+solana.ErrOtherChain.Error())
}
