package offramp_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/wallets"
)

// standing is a clock that stands still.
type standing struct{}

func (standing) Now() time.Time { return time.Date(2026, 3, 2, 9, 15, 0, 0, time.UTC) }

// stage is an engine on a clock that stands still, with the demo business.
type stage struct {
	*testing.T
	*engine.Engine
	scope ferry.Scope
	start money.Amount
}

func setup(t *testing.T) *stage {
	t.Helper()
	return setupWith(t, engine.Config{})
}

// newWorld is a sandbox on a clock that stands still.
func newWorld() *sandbox.World { return sandbox.New(sandbox.Config{Clock: standing{}, Seed: 1}) }

func setupWith(t *testing.T, config engine.Config) *stage {
	t.Helper()
	config.Store, config.Clock = memstore.New(), standing{}
	if config.World == nil {
		config.World = newWorld()
	}
	s := &stage{T: t}
	var err error
	s.Engine, err = engine.New(config)
	require.NoError(t, err)
	tenant, err := s.Bootstrap(t.Context())
	require.NoError(t, err)
	s.scope = tenant.Business.Scope
	s.start = s.naira().Posted
	return s
}

const (
	day = 24 * time.Hour
	// fee is what the network takes of what goes back, in millionths of a USDC.
	fee = 5_000
)

// payer sends USDC from outside.
var payer = func() chain.Address {
	seed, err := chain.NewSeed(strings.NewReader(strings.Repeat("stranger", 4)))
	if err != nil {
		panic(err)
	}
	return seed.Address()
}()

// cashout is an order of 15,000 naira, which is 10 USDC.
func cashout(reference, account string) offramp.Params {
	return offramp.Params{
		Terms:    ramp.Terms{Reference: reference, Currency: "NGN", Amount: money.NGN(15_000_00), Asset: "USDC", Chain: "SOLANA"},
		BankCode: "058", AccountNumber: account,
	}
}

// paysOut and the others are accounts with which the sandbox bank deals in that way.
const (
	paysOut   = "0123456780"
	refuses   = "0123456789"
	sendsBack = "0123456785"
	isSilent  = "0123456786"
)

func (s *stage) create(p offramp.Params) offramp.Details {
	s.Helper()
	made, err := s.Offramps.Create(s.Context(), s.scope, p)
	require.NoError(s, err)
	return made
}

func (s *stage) get(of offramp.Details) offramp.Details {
	s.Helper()
	found, err := s.Offramps.Get(s.Context(), s.scope, offramp.Ref{ID: string(of.ID)})
	require.NoError(s, err)
	return found
}

// is requires where an order stands, and that the books are right.
func (s *stage) is(of offramp.Details, stage ramp.Stage, status ramp.Status) offramp.Details {
	s.Helper()
	found := s.get(of)
	require.Equal(s, stage, found.Stage)
	require.Equal(s, status, found.Status)
	s.clean()
	return found
}

func (s *stage) pass(by time.Duration) {
	s.Helper()
	progress, err := s.Advance(context.Background(), by)
	require.NoError(s, err)
	require.True(s, progress.Done, "the engine did not come to rest")
}

// send brings USDC to the address of an order, in a block of now.
func (s *stage) send(to offramp.Details, amount money.Amount) {
	s.Helper()
	_, err := s.World.Deposit(s.Context(), sandbox.DepositParams{To: to.Deposit, Amount: amount, Sender: payer})
	require.NoError(s, err)
}

// deposit is send, and waits until all that follows is done.
func (s *stage) deposit(to offramp.Details, amount money.Amount) {
	s.Helper()
	s.send(to, amount)
	s.pass(10 * time.Second)
}

func (s *stage) price(naira string) {
	s.Helper()
	require.NoError(s, s.World.SetPrice(s.Context(), naira))
}

// naira is what the business has.
func (s *stage) naira() ledger.Total {
	s.Helper()
	totals, err := s.Balances(s.Context(), s.scope)
	require.NoError(s, err)
	for _, total := range totals {
		if total.Asset == money.AssetNGN {
			return total
		}
	}
	return ledger.Total{}
}

// back is the USDC that the payer got back on the chain.
func (s *stage) back() money.Amount {
	s.Helper()
	got, err := s.World.Balance(s.Context(), payer)
	require.NoError(s, err)
	return got
}

// events lists the types of the events of offramps so far.
func (s *stage) events() (types []string) {
	s.Helper()
	feed, err := s.Webhooks.Events(s.Context(), s.scope, "", 100)
	require.NoError(s, err)
	for _, body := range feed.Bodies {
		var e struct{ Type string }
		require.NoError(s, json.Unmarshal(body, &e))
		if strings.HasPrefix(e.Type, "offramp.") || strings.HasPrefix(e.Type, "bill.") {
			types = append(types, e.Type)
		}
	}
	return types
}

// clean requires that the books are right, and that they agree with chain and bank.
func (s *stage) clean() {
	s.Helper()
	findings, err := s.Audit(s.Context(), ferry.Test)
	require.NoError(s, err)
	require.Empty(s, findings)
	compared, err := s.Reconcile(s.Context(), ferry.Test)
	require.NoError(s, err)
	require.Empty(s, compared.Findings)
}

// ends are the states and reasons of deposits.
func ends(of offramp.Details) (all []string) {
	for _, d := range of.Deposits {
		all = append(all, string(d.State)+" "+d.Amount.Major()+" "+string(d.Reason))
	}
	return all
}

// wallet makes a wallet of the business with USDC.
func (s *stage) wallet(amount money.Amount) wallets.Wallet {
	s.Helper()
	w, err := s.Wallets.Create(s.Context(), s.scope, wallets.CreateParams{})
	require.NoError(s, err)
	_, err = s.World.Deposit(s.Context(), sandbox.DepositParams{To: w.PrimaryAddress, Amount: amount, Sender: payer})
	require.NoError(s, err)
	s.pass(10 * time.Second)
	return w
}
