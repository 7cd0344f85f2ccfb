//go:build localnet

package solana_test

import (
	"net/http"
	"strings"
	"testing"

	sol "github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/solana"
	"github.com/ferrypay/ferry/provider/chain/solana/localnet"
)

// payer is somebody with USDC on a localnet, and the chain on which he pays.
type payer struct {
	t     *testing.T
	chain *solana.Chain
	node  *localnet.Node
	seed  chain.Seed
}

func newPayer(t *testing.T, c *solana.Chain, node *localnet.Node, micro uint64) *payer {
	p := &payer{t, c, node, seed(t)}
	node.MintUSDC(string(p.seed.Address()), micro)
	node.Settle()
	return p
}

// sign signs a payment.
func (p *payer) sign(to chain.Address, micro int64) (chain.Signed, error) {
	return p.chain.Sign(p.t.Context(), chain.Transfer{
		Sources: []chain.Source{{Address: p.seed.Address(), Amount: money.USDC(micro)}}, Destination: to, Memo: "m",
	}, chain.NewKeyring(p.seed))
}

// pay signs a payment and sends it.
func (p *payer) pay(to chain.Address, micro int64) chain.Signed {
	signed, err := p.sign(to, micro)
	require.NoError(p.t, err)
	require.NoError(p.t, p.chain.Send(p.t.Context(), signed.Bytes))
	return signed
}

func look(t *testing.T, c *solana.Chain, s chain.Signature) (chain.Status, uint64) {
	report, err := c.Statuses(t.Context(), []chain.Signature{s})
	require.NoError(t, err)
	return report.Statuses[0], report.FinalizedHeight
}

// twoNodes is a chain that asks two nodes of one localnet.
func twoNodes(t *testing.T) (c *solana.Chain, first, second *localnet.Node) {
	first = localnet.Start(t, localnet.Options{Frozen: true})
	second = first.Peer()
	return open(t, first, configOn(t, first, second)), first, second
}

func TestANodeThatLiesDoesNotMakeAPaymentDead(t *testing.T) {
	c, first, second := twoNodes(t)
	p := newPayer(t, c, first, 10)
	signed := p.pay(seed(t).Address(), 4)
	for _, liar := range []*localnet.Node{first, second} {
		liar.Deny(string(signed.Signature))
		first.Produce(200)
		status, height := look(t, c, signed.Signature)
		require.Greater(t, height, signed.LastValidHeight)
		require.True(t, status.Found)
		require.Equal(t, chain.Confirmed, status.Commitment, "no more than all of them say")
		liar.Mend()
	}
	status, _ := look(t, c, signed.Signature)
	require.Equal(t, chain.Finalized, status.Commitment)
}

func TestNothingIsDeadOnTheWordOfOneOfTwoNodes(t *testing.T) {
	c, first, second := twoNodes(t)
	p := newPayer(t, c, first, 10)
	signed, err := p.sign(seed(t).Address(), 4)
	require.NoError(t, err)
	first.Produce(250)
	second.Fail(localnet.Fault{Kind: localnet.Unavailable, Calls: 1})
	status, height := look(t, c, signed.Signature)
	require.False(t, status.Found)
	require.Zero(t, height, "the other one must be asked, too")
	_, height = look(t, c, signed.Signature)
	require.Greater(t, height, signed.LastValidHeight)
}

func TestAPaymentIsFinalThoughOneOfTwoNodesIsDown(t *testing.T) {
	c, first, second := twoNodes(t)
	p := newPayer(t, c, first, 10)
	signed := p.pay(seed(t).Address(), 4)
	first.Settle()
	second.Fail(localnet.Fault{Kind: localnet.Cut, Calls: 1000})
	status, height := look(t, c, signed.Signature)
	require.Equal(t, chain.Finalized, status.Commitment)
	require.Zero(t, height)
}

func TestADepositThatOneOfTwoNodesDoesNotKnowIsNotTold(t *testing.T) {
	c, first, second := twoNodes(t)
	a := seed(t).Address()
	signature := first.MintUSDC(string(a), 5).Signature
	first.Settle()
	second.Deny(signature)
	_, err := c.History(t.Context(), a, "", 10)
	require.ErrorIs(t, err, chain.ErrUnavailable)
	second.Mend()
	second.Fail(localnet.Fault{Kind: localnet.Cut, Calls: 1})
	moves, err := c.History(t.Context(), a, "", 10)
	require.NoError(t, err, "one that is down hides no deposit")
	require.Len(t, moves, 1)
}

func TestTheLowerHeightOfTwoNodesCounts(t *testing.T) {
	c, first, second := twoNodes(t)
	p := newPayer(t, c, first, 10)
	signed, err := p.sign(seed(t).Address(), 4)
	require.NoError(t, err)
	first.Produce(250)
	second.Lag(200)
	_, height := look(t, c, signed.Signature)
	require.Less(t, height, signed.LastValidHeight)
}

// lateStatuses makes a node lag between the height and the statuses, as two nodes behind one
// address do.
type lateStatuses struct{ node **localnet.Node }

func (l lateStatuses) RoundTrip(r *http.Request) (*http.Response, error) {
	body := make([]byte, r.ContentLength)
	_, _ = r.Body.Read(body)
	r.Body = readCloser{strings.NewReader(string(body))}
	if strings.Contains(string(body), `"getSignatureStatuses"`) {
		(*l.node).Lag(200)
		defer (*l.node).Lag(0)
	}
	return http.DefaultTransport.RoundTrip(r)
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

func TestStatusesThatAreOlderThanTheHeightProveNothing(t *testing.T) {
	node := localnet.Start(t, localnet.Options{Frozen: true})
	config := configOn(t, node)
	config.Transport = lateStatuses{&node}
	c := open(t, node, config)
	p := newPayer(t, c, node, 10)
	node.Delay(1, 140)
	signed := p.pay(seed(t).Address(), 4)
	node.Produce(200)
	status, height := look(t, c, signed.Signature)
	require.True(t, status.Found || height <= signed.LastValidHeight)
	require.Zero(t, height)
}

func TestAReceiverWhomTheIssuerHasFrozenIsToldAsAnError(t *testing.T) {
	node := localnet.Start(t, localnet.Options{Frozen: true})
	c := open(t, node, configOn(t, node))
	p, to := newPayer(t, c, node, 10), newPayer(t, c, node, 1)
	account, _, err := sol.FindAssociatedTokenAddress(sol.MustPublicKeyFromBase58(string(to.seed.Address())), sol.MustPublicKeyFromBase58(localnet.USDC))
	require.NoError(t, err)
	node.Freeze(account.String())
	node.Settle()
	signed := p.pay(to.seed.Address(), 4)
	node.Settle()
	status, _ := look(t, c, signed.Signature)
	require.Equal(t, chain.Finalized, status.Commitment)
	require.Contains(t, status.Err, "17", "the token program's error for a frozen account")
	held, err := c.Holdings(t.Context(), []chain.Address{p.seed.Address(), to.seed.Address()})
	require.NoError(t, err)
	require.Equal(t, []money.Amount{money.USDC(10), money.USDC(1)}, held.Amounts)
	sent, err := c.Sent(t.Context(), "", 10)
	require.NoError(t, err)
	require.Equal(t, status.Err, sent[len(sent)-1].Err)
	d, err := c.Inspect(t.Context(), chain.Address(account.String()))
	require.NoError(t, err)
	require.Equal(t, chain.Unusable, d.Kind)
}

func TestAnEmptyFeePayerSignsNothing(t *testing.T) {
	node := localnet.Start(t, localnet.Options{Frozen: true})
	config := configOn(t, node)
	c, err := solana.Open(t.Context(), config)
	require.NoError(t, err)
	p := newPayer(t, c, node, 10)
	_, err = p.sign(seed(t).Address(), 4)
	require.ErrorIs(t, err, solana.ErrFeePayer)
	node.Airdrop(string(c.FeePayer()), sol.LAMPORTS_PER_SOL)
	node.Settle()
	p.pay(seed(t).Address(), 4)
}

func TestTheFeePayerSignsAwayNoMoreThanItsBudgetOfTheDay(t *testing.T) {
	node := localnet.Start(t, localnet.Options{Frozen: true})
	config := configOn(t, node)
	config.Fees.Day = 3_000_000 // one account is opened, and another one is not
	c := open(t, node, config)
	p, known := newPayer(t, c, node, 10), newPayer(t, c, node, 1)
	p.pay(seed(t).Address(), 1)
	_, err := p.sign(seed(t).Address(), 1)
	require.ErrorIs(t, err, solana.ErrBudget)
	p.pay(known.seed.Address(), 1)
}

func TestAReceiverWithoutAnAccountIsUnusableWhereNoRentIsPaid(t *testing.T) {
	node := localnet.Start(t, localnet.Options{Frozen: true})
	config := configOn(t, node)
	config.Fees.NoRent = true
	c := open(t, node, config)
	known := newPayer(t, c, node, 1)
	for a, kind := range map[chain.Address]chain.Kind{seed(t).Address(): chain.Unusable, known.seed.Address(): chain.Owner} {
		d, err := c.Inspect(t.Context(), a)
		require.NoError(t, err)
		require.Equal(t, kind, d.Kind)
	}
}
