package scenario_test

import (
	"flag"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/sqlstore/sqlitetest"
	"github.com/ferrypay/ferry/tests/apitest"
)

// shop is a business with a running server, and what the scenarios do with it.
type shop struct {
	*apitest.Server

	t testing.TB
}

// storm has every scenario run at its full length on every store, as make scenarios does.
// Without it those that take longest are shorter where each step costs most.
var storm = flag.Bool("storm", false, "run every scenario at its full length on every store")

// inMemory reports whether the store of a scenario is in memory.
func inMemory(t testing.TB) bool { return strings.HasSuffix(t.Name(), "/memory") }

// lasting is how many seconds go by in a scenario that is about a long time. On a
// database it is a twelfth, where it may be: what a time does is the same on every store.
func (s shop) lasting(seconds int) int {
	if *storm || inMemory(s.t) {
		return seconds
	}
	return seconds / 12
}

// opener opens a shop over a new store of some kind.
// What it is given is what payments cost there; they are free otherwise.
type opener func(t testing.TB, tariffs ...fees.Tariffs) shop

// kind is a kind of store.
type kind struct {
	name string
	open opener
}

// kinds are those that scenarios run over; postgres_test.go adds one.
var kinds = []kind{{"memory", openMemory}, {"SQLite", openSQLite}}

func TestMain(m *testing.M) { pgtest.Main(m) }

// raced is whether the race detector is there.
var raced bool

// onEveryStore runs a scenario over each kind of store, side by side. What happens one after the other
// makes the same races on each, so the race detector sees it in memory only.
func onEveryStore(t *testing.T, scenario func(*testing.T, opener)) {
	if raced {
		on(t, kinds[:1], scenario)
		return
	}
	on(t, kinds, scenario)
}

// forADay runs a scenario that takes a day in memory. On a database it would be most of a minute of reading
// that nothing has happened, which make scenarios waits for.
func forADay(t *testing.T, scenario func(*testing.T, opener)) {
	if *storm {
		onEveryStore(t, scenario)
		return
	}
	on(t, kinds[:1], scenario)
}

// inACrowd runs a scenario in which much happens at once over each kind of store, also with the race detector.
func inACrowd(t *testing.T, scenario func(*testing.T, opener)) { on(t, kinds, scenario) }

func on(t *testing.T, kinds []kind, scenario func(*testing.T, opener)) {
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			scenario(t, kind.open)
		})
	}
}

func openMemory(t testing.TB, tariffs ...fees.Tariffs) shop {
	t.Helper()
	return shop{apitest.Start(t, apitest.Config{Engine: engine.Config{Tariffs: merged(tariffs)}}), t}
}

func openSQLite(t testing.TB, tariffs ...fees.Tariffs) shop {
	t.Helper()
	return openOn(t, sqlitetest.Open(t), tariffs...)
}

// openOn opens a shop over a store.
func openOn(t testing.TB, s *sqlstore.Store, tariffs ...fees.Tariffs) shop {
	t.Helper()
	return shop{apitest.Start(t, apitest.Config{Engine: engine.Config{Store: s, Tariffs: merged(tariffs)}, WorldStore: s.World()}), t}
}

// merged is what all channels of some tariffs cost.
func merged(tariffs []fees.Tariffs) fees.Tariffs {
	all := fees.Tariffs{}
	for _, some := range tariffs {
		maps.Copy(all, some)
	}
	return all
}

// wallet makes a wallet and returns its primary address.
func (s shop) wallet(reference string) string {
	s.t.Helper()
	return s.Post("/v1/wallets", apitest.Object{
		"type": "stablecoin", "network": "solana", "asset": "USDC", "reference": reference,
	}).OK().Text("data.primary_address")
}

// funded is wallet, with USDC in it.
func (s shop) funded(reference, amount string) string {
	s.t.Helper()
	address := s.wallet(reference)
	s.pay(address, amount)
	return address
}

// pay sends USDC from outside and lets the chain finalize it.
func (s shop) pay(address, amount string) {
	s.t.Helper()
	s.deposit(address, amount)
	s.advance(10)
}

// deposit sends USDC from outside.
func (s shop) deposit(address, amount string) {
	s.t.Helper()
	s.Post("/v1/test_helpers/deposits", apitest.Object{"address": address, "amount": amount, "wait": false}).OK()
}

// advance moves the clock and does all that becomes due. An answer that is not
// done is asked again for the rest of the way; a busy machine needs some of them.
func (s shop) advance(seconds int) {
	s.t.Helper()
	for range 40 {
		if s.Post("/v1/test_helpers/clock/advance", apitest.Object{"seconds": seconds}).OK().At("data.done") == true {
			return
		}
		seconds = 0
	}
	s.t.Fatal("the clock does not arrive")
}

// inject arms a fault.
func (s shop) inject(target, kind string, count int) {
	s.t.Helper()
	s.Post("/v1/test_helpers/faults", apitest.Object{"target": target, "kind": kind, "count": count}).OK()
}

func (s shop) balance(reference string) string {
	s.t.Helper()
	return s.Get("/v1/wallets?reference=" + reference).OK().Number("data.balance")
}

// clean requires that the books agree with themselves and with the chain.
func (s shop) clean() {
	s.t.Helper()
	audit := s.Get("/v1/test_helpers/audit").OK()
	require.Equal(s.t, true, audit.At("data.clean"), "%s", audit.Raw)
}

// events returns how often events of a type were emitted.
func (s shop) events(kind string) int {
	s.t.Helper()
	return strings.Count(string(s.Get("/v1/events?limit=100").OK().Raw), `"type":"`+kind+`"`)
}

// holds is what an address has on the simulated chain, in full units.
func (s shop) holds(address string) string {
	s.t.Helper()
	amount, err := s.Engine.World.Balance(s.t.Context(), chain.Address(address))
	require.NoError(s.t, err)
	return string(amount.AppendMajor(nil))
}

func transfer(from, to, amount string) apitest.Object {
	return apitest.Object{"from_address": from, "to_address": to, "amount": amount, "network": "solana", "asset": "USDC"}
}

// stranger is the n-th address that no server manages.
func stranger(t testing.TB, n int) string {
	t.Helper()
	seed, err := chain.NewSeed(strings.NewReader(fmt.Sprintf("%032d", n)))
	require.NoError(t, err)
	return string(seed.Address())
}

func usdc(t testing.TB, amount string) money.Amount {
	t.Helper()
	parsed, err := money.ParseMajor(money.AssetUSDC, amount)
	require.NoError(t, err)
	return parsed
}

// together does n things at once.
func together[T any](n int, do func(i int) T) []T {
	results := make([]T, n)
	begin := make(chan struct{})
	var working sync.WaitGroup
	for i := range n {
		working.Go(func() {
			<-begin
			results[i] = do(i)
		})
	}
	close(begin)
	working.Wait()
	return results
}
