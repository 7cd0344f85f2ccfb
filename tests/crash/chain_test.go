//go:build localnet

package crash_test

import (
	"context"
	"encoding/base64"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sol "github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/internal/canary"
	"github.com/ferrypay/ferry/internal/failpoint"
	"github.com/ferrypay/ferry/provider/chain/solana/localnet"
)

var matrix = flag.Int("payments", 0, "how many payments are made while each fault of a chain meets each death; 0 draws the faults, for 24 payments a death")

// On a real chain that loses, delays and forks what it is sent, and whose nodes fail and lie, each
// payment is made once, wherever the server dies.
func TestEachPaymentOnARealChainIsMadeOnceWhereverTheServerDies(t *testing.T) {
	t.Parallel()
	places := []failpoint.Place{failpoint.BeforeCommit, failpoint.AfterCommit, failpoint.BeforeSend, failpoint.AfterSend}
	cases, payments := map[string][]fault{"any fault": faults}, 24
	if *matrix > 0 {
		cases = map[string][]fault{}
		for _, f := range faults {
			cases[f.name] = []fault{f}
		}
		payments = (*matrix-1)/(len(cases)*len(places)) + 1
	}
	for name, faults := range cases {
		for _, place := range places {
			t.Run(name+"/"+string(place), func(t *testing.T) {
				t.Parallel()
				newRemittance(t, faults, payments).dieAgainAndAgain(place)
			})
		}
	}
}

// remittance is payments from one wallet to some strangers by a server that dies.
type remittance struct {
	*testing.T
	nodes  []*localnet.Node
	fronts []*front // before the nodes
	faults []fault
	store  string
	log    *os.File
	random *rand.Rand
	payer  sol.PrivateKey // of fees
	wallet string         // its address
	to     []sol.PublicKey
	frozen map[sol.PublicKey]bool // those of to whose accounts are
	// due are the payments that were not accepted yet, and made those that were.
	due, made []remitted
}

// remitted is one payment.
type remitted struct {
	name  string
	to    int
	micro int64
}

// funds is what the wallet begins with, in millionths of USDC.
const funds = 500_000_000

// before is what each stranger begins with, in millionths of USDC.
const before = 1_000_000

func newRemittance(t *testing.T, faults []fault, payments int) *remittance {
	log, err := os.Create(filepath.Join(t.TempDir(), "server.log"))
	require.NoError(t, err)
	node := localnet.Start(t, localnet.Options{SlotLength: 10 * time.Millisecond})
	r := &remittance{
		T: t, nodes: []*localnet.Node{node, node.Peer()}, store: "sqlite:" + filepath.Join(t.TempDir(), "ferry.db"), log: log,
		faults: faults, random: rand.New(rand.NewPCG(*seed, 11)), payer: newKey(t), frozen: map[sol.PublicKey]bool{},
	}
	for _, n := range r.nodes {
		r.fronts = append(r.fronts, newFront(t, n.URL))
	}
	for range 4 {
		r.to = append(r.to, newKey(t).PublicKey())
		node.MintUSDC(r.to[len(r.to)-1].String(), before)
	}
	for n := range payments {
		r.due = append(r.due, remitted{fmt.Sprint("pay-", n), n % len(r.to), int64(1_000_000 + n)})
	}
	r.giveFees()
	s := r.start(death{})
	made, err := r.post(s, "/v1/wallets", "wallet", object{"type": "stablecoin", "asset": "USDC", "network": "solana", "reference": "w"})
	require.NoError(t, err)
	r.wallet = made["primary_address"].(string)
	node.MintUSDC(r.wallet, funds)
	require.Eventually(t, func() bool { return r.balance(s) == "500" }, time.Minute, 100*time.Millisecond)
	s.kill(t)
	return r
}

func newKey(t *testing.T) sol.PrivateKey {
	key, err := sol.NewRandomPrivateKey()
	require.NoError(t, err)
	return key
}

// start starts a server on the localnet. It is nil when the server died before it was ready.
func (r *remittance) start(d death) *server {
	return start(r.T, r.store, r.log, d, "env", "FERRY_CHAIN=solana:"+r.fronts[0].address()+","+r.fronts[1].address(), "FERRY_FEE_PAYER="+r.file("fee-payer", base64.StdEncoding.EncodeToString(r.payer[:32])), "FERRY_CONFIG="+r.file("ferry.json", `{"log_level": "debug"}`))
}

// file writes a file that only its owner may read.
func (r *remittance) file(name, text string) string {
	path := filepath.Join(r.TempDir(), name)
	require.NoError(r, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func (r *remittance) post(s *server, path, key string, body object) (object, error) {
	ctx, cancel := context.WithTimeout(r.Context(), 20*time.Second)
	defer cancel()
	answer, err := send(ctx, http.DefaultClient, s, http.MethodPost, path, key, body)
	if err == nil && !answer.ok() {
		err = fmt.Errorf("%s: %d %s", path, answer.status, answer.raw)
	}
	if err != nil {
		return nil, err
	}
	return answer.data()
}

func (r *remittance) get(s *server, path string) object {
	answer, err := send(r.Context(), http.DefaultClient, s, http.MethodGet, path, "", nil)
	require.NoError(r, err)
	require.True(r, answer.ok(), "%s: %s", path, answer.raw)
	var body object
	require.NoError(r, decode(answer.raw, &body))
	return body
}

// balance is what the books say that the wallet has.
func (r *remittance) balance(s *server) string {
	return fmt.Sprint(r.get(s, "/v1/wallets?reference=w")["data"].(object)["balance"])
}

// dieAgainAndAgain has servers die at a place while payments are asked for, and one that lives make
// the rest; then chain and books agree.
func (r *remittance) dieAgainAndAgain(place failpoint.Place) {
	died, visits := 0, max(6, len(r.due)/8)
	for n := 0; n < 5 && len(r.due) > 0; n++ {
		s := r.start(death{place, 1 + r.random.IntN(visits)})
		if s == nil || r.ask(s) || died == 0 && r.diesInTheCalm(s) {
			died++
			continue
		}
		s.kill(r.T)
	}
	require.NotZero(r, died, "nothing came to the place")
	r.mend()
	s := r.start(death{})
	require.False(r, r.ask(s), "%s", tail(r.log.Name()))
	require.Empty(r, r.due)
	r.mend() // the last of them met faults, too
	paid, left, fees := map[int]int64{}, int64(funds), int64(0)
	for _, p := range r.made {
		if r.endOf(s, p) == "success" {
			paid[p.to] += p.micro
			left, fees = left-p.micro, fees+5_000
		}
	}
	r.nodes[0].Settle()
	for n, owner := range r.to {
		require.Equal(r, before+paid[n], r.holds(owner), "paid once, each")
	}
	require.Equal(r, left, r.holds(sol.MustPublicKeyFromBase58(r.wallet)))
	require.Equal(r, usdc(left-fees).String(), r.balance(s))
	require.Empty(r, complaints(r.T, r.log.Name(), true))
	r.requireNoSecrets()
}

// requireNoSecrets requires that no log shows the seed of the fee payer or the key in the URL of a
// node, though the log tells that no node answers.
func (r *remittance) requireNoSecrets() {
	for _, n := range r.nodes {
		n.Fail(localnet.Fault{Kind: localnet.Unavailable, Calls: 1000})
	}
	var all []byte
	require.Eventually(r, func() (told bool) {
		var err error
		all, err = os.ReadFile(r.log.Name())
		return err == nil && strings.Contains(string(all), "a node does not answer")
	}, time.Minute, 100*time.Millisecond)
	require.NotContains(r, string(all), keyOfANode)
	for _, secret := range [][]byte{r.payer, r.payer[:32]} {
		require.False(r, canary.Shown(string(all), secret), "the log shows a secret")
	}
}

// endOf is how a payment ended. None fails but one whose receiver was frozen.
func (r *remittance) endOf(s *server, p remitted) (status any) {
	require.Eventually(r, func() bool {
		status = r.get(s, "/v1/wallets/transfers?transfer_reference="+p.name)["data"].(object)["status"]
		return status != "pending"
	}, 2*time.Minute, 100*time.Millisecond, "%s does not end, though the fault has", p.name)
	if status != "success" {
		require.Contains(r, r.frozen, r.to[p.to], "%s: %s", p.name, status)
	}
	return status
}

// ask asks a server for the payments that are due, until all are accepted or it dies.
func (r *remittance) ask(s *server) (died bool) {
	struck := 0
	for len(r.due) > 0 {
		select {
		case <-s.gone:
			return true
		default:
		}
		if left := len(r.due); left%3 == 0 && left != struck {
			r.faults[r.random.IntN(len(r.faults))].strike(r)
			struck = left
		}
		p := r.due[0]
		if _, err := r.post(s, "/v1/wallets/transfer", "key-"+p.name, object{
			"from_address": r.wallet, "to_address": r.to[p.to].String(), "amount": usdc(p.micro), "network": "solana", "asset": "USDC", "reference": p.name,
		}); err != nil {
			time.Sleep(50 * time.Millisecond) // unanswered, or its key is busy
			continue
		}
		r.due, r.made = r.due[1:], append(r.made, p)
	}
	return s.diesWithin(2 * time.Second) // the work in the background may come to the place
}

// diesInTheCalm ends the faults, which may keep a server from sending anything, and reports whether
// it dies within a minute.
func (r *remittance) diesInTheCalm(s *server) bool {
	r.mend()
	return s.diesWithin(time.Minute)
}

// holds is the USDC of an owner on the chain, finalized.
func (r *remittance) holds(owner sol.PublicKey) int64 {
	account, _, err := sol.FindAssociatedTokenAddress(owner, sol.MustPublicKeyFromBase58(localnet.USDC))
	require.NoError(r, err)
	found, err := rpc.New(r.nodes[0].URL).GetTokenAccountBalance(r.Context(), account, rpc.CommitmentFinalized)
	require.NoError(r, err)
	var micro int64
	_, err = fmt.Sscan(found.Value.Amount, &micro)
	require.NoError(r, err)
	return micro
}
