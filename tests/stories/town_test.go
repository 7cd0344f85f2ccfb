package stories_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/sqlstore/sqlitetest"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/tests/apitest"
)

// fewest is how many stories are told when nobody says how many.
var fewest = 60

var (
	stories = flag.Int("stories", 0, "how many stories are told over each store; 0 is 60, or 12 with the race detector")
	seed    = flag.Uint64("seed", 20261122, "what the stories are drawn from; 0 draws that too")
)

func TestMain(m *testing.M) {
	flag.Parse()
	if *stories == 0 {
		*stories = fewest
	}
	if *seed == 0 {
		*seed = rand.Uint64N(1 << 32)
	}
	fmt.Fprintf(os.Stderr, "stories are drawn from seed %d\n", *seed)
	pgtest.Main(m)
}

// kind is a kind of store.
type kind struct {
	name string
	open func(t testing.TB) (engine.Config, sandbox.Store)
}

// kinds are those that stories are told over; postgres_test.go adds one.
var kinds = []kind{{"memory", inMemory}, {"SQLite", inSQLite}}

func inMemory(testing.TB) (engine.Config, sandbox.Store) {
	return engine.Config{Store: memstore.New()}, nil
}

func inSQLite(t testing.TB) (engine.Config, sandbox.Store) {
	s := sqlitetest.Open(t)
	return engine.Config{Store: s}, s.World()
}

// town is a running server, in which stories happen one after the other.
type town struct {
	server   *apitest.Server
	tariffs  map[string]tariff
	stranger string // an address outside, from which deposits come
	price    rate
}

// found starts a server with fees by chance.
func found(t *testing.T, k kind, draw *rand.Rand) *town {
	w := &town{tariffs: map[string]tariff{"checkout": someTariff(draw), "payment_link": someTariff(draw)}, price: 1_500_00}
	outside, err := chain.NewSeed(strings.NewReader(fmt.Sprintf("%032d", 1)))
	require.NoError(t, err)
	w.stranger = string(outside.Address())
	config, world := k.open(t)
	config.Tariffs = fees.Tariffs{fees.Checkout: w.tariffs["checkout"].asConfigured(), fees.Link: w.tariffs["payment_link"].asConfigured()}
	w.server = apitest.Start(t, apitest.Config{Engine: config, WorldStore: world})
	return w
}

func someTariff(draw *rand.Rand) tariff {
	some := func() fee {
		return []fee{
			{}, {share: 15_000}, {flat: 100_00}, {share: 14_999, flat: 50_00, cap: 2_000_00}, {share: 3_333, minimum: 25_01}, {flat: 7_77},
		}[draw.IntN(6)]
	}
	return tariff{some(), some()}
}

func (t tariff) asConfigured() fees.Tariff {
	rule := func(f fee) fees.Rule {
		return fees.Rule{
			Share: f.share, Flat: money.NGN(int64(f.flat)), Minimum: money.NGN(int64(f.minimum)), Cap: money.NGN(int64(f.cap)),
		}
	}
	return fees.Tariff{Platform: rule(t.platform), Processing: rule(t.processing)}
}

// prices of one USDC, in hundredths of a naira: round and odd.
var prices = []rate{1_500_00, 1_500_00, 1_499_99, 1_733_33, 987_65, 3_100_00}

// reprice changes the rate.
func (s *story) reprice() {
	s.price = prices[s.draw.IntN(len(prices))]
	require.NoError(s.t, s.server.Engine.World.SetPrice(s.t.Context(), naira(s.price).full()))
}

// books are sums of accounts that all businesses of a town share.
type books struct {
	fees        parts[naira]
	feesUSDC    parts[usdc]
	cards       naira
	bank        naira
	returns     naira
	suspense    naira
	networkFees usdc
}

// books adds up the entries of the engine's own accounts.
func (s *story) books() (b books) {
	sum := func(name ledger.System, asset money.Asset) (total int64) {
		id := ledger.SystemAccount(ferry.Test, name, asset)
		require.NoError(s.t, s.server.Engine.Units(ferry.Test).Read(s.t.Context(), func(ctx context.Context, tx store.Tx) error {
			total = 0
			var after ledger.EntryID
			for {
				page, err := tx.Ledger().Entries(ctx, id, after, 500)
				if err != nil || len(page) == 0 {
					return err
				}
				for _, e := range page {
					total += e.Amount.Minor()
					after = e.ID
				}
			}
		}))
		return total
	}
	b.fees = parts[naira]{naira(sum(ledger.PlatformFees, money.AssetNGN)), naira(sum(ledger.ProcessingFees, money.AssetNGN))}
	b.feesUSDC = parts[usdc]{usdc(sum(ledger.PlatformFees, money.AssetUSDC)), usdc(sum(ledger.ProcessingFees, money.AssetUSDC))}
	b.cards = naira(sum(ledger.Cards, money.AssetNGN))
	b.bank = naira(sum(ledger.Bank, money.AssetNGN))
	b.returns = naira(sum(ledger.Returns, money.AssetNGN))
	b.suspense = naira(sum(ledger.Suspense, money.AssetNGN))
	b.networkFees = usdc(sum(ledger.NetworkFees, money.AssetUSDC))
	return b
}
