//go:build postgres && unix

package bench_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/sqlstore/pgtest"
	"github.com/ferrypay/ferry/sqlstore/postgres"
)

// BenchmarkServers makes transfers that all leave one wallet: 32 callers of one engine,
// and 16 of each of two engines on one PostgreSQL. Each engine has a store of its own, as
// servers have.
func BenchmarkServers(b *testing.B) {
	url := pgtest.NewCluster(b, pgtest.Options{Durable: true}).URL(b)
	config := serverOn(b, url)
	first, err := open(b.Context(), config, rich)
	require.NoError(b, err)
	second := &rig{Tenant: first.Tenant, wallets: first.wallets}
	second.Engine, err = engine.New(serverOn(b, url))
	require.NoError(b, err)
	var serial atomic.Int64
	b.Run("one", func(b *testing.B) { hammer(b, &serial, first, first) })
	b.Run("two", func(b *testing.B) { hammer(b, &serial, first, second) })
}

// serverOn opens a store on a database.
func serverOn(b *testing.B, url string) engine.Config {
	s, err := postgres.Open(b.Context(), url)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, s.Close(context.Background())) })
	return engine.Config{Store: s, World: sandbox.New(sandbox.Config{Store: s.World()})}
}

// hammer has 16 callers of each server make b.N transfers from the first wallet.
func hammer(b *testing.B, serial *atomic.Int64, servers ...*rig) {
	var left atomic.Int64
	left.Store(int64(b.N))
	var all sync.WaitGroup
	for caller := range 32 {
		r := servers[caller%len(servers)]
		all.Go(func() {
			for left.Add(-1) >= 0 {
				n := serial.Add(1)
				p := r.transfer(n)
				p.From, p.To = string(r.wallets[0].PrimaryAddress), string(r.from(1+n%(rich-1)).PrimaryAddress)
				p.Reference = fmt.Sprintf("hammer-%d", n)
				if _, err := r.Outgoing.Transfer(b.Context(), r.scope(), p); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}
