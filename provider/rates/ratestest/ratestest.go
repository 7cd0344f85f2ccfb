// Package ratestest is the executable contract of the port in package rates.
//
//	func TestMine(t *testing.T) {
//		ratestest.Run(t, func(t *testing.T) ratestest.Subject { return open(t) })
//	}
package ratestest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/rates"
)

// Subject is a source of rates under test.
type Subject interface {
	Rates() rates.Source
	// Now is the time by which quotes expire.
	Now() time.Time
}

// Faulty is a Subject that goes wrong on request.
type Faulty interface {
	// Silence makes the source not answer the next count calls.
	Silence(ctx context.Context, count int) error
	// Age makes the next count quotes end before now.
	Age(ctx context.Context, count int) error
}

// Run tests a source. open returns a fresh subject.
func Run(t *testing.T, open func(t *testing.T) Subject) {
	t.Run("USDC is priced in naira for a while", func(t *testing.T) {
		s := open(t)
		quote, err := s.Rates().Quote(t.Context(), money.AssetUSDC, money.AssetNGN)
		require.NoError(t, err)
		require.Equal(t, money.AssetUSDC, quote.Rate.Base)
		require.Equal(t, money.AssetNGN, quote.Rate.Quote)
		require.True(t, quote.ExpiresAt.After(s.Now()))
		naira, err := quote.Rate.Convert(money.USDC(1_000_000))
		require.NoError(t, err)
		require.Positive(t, naira.Sign())
	})
	t.Run("a pair that is not priced is refused", func(t *testing.T) {
		s := open(t)
		for _, pair := range [][2]money.Asset{{money.AssetUSDC, money.AssetUSDC}, {0, money.AssetNGN}, {money.AssetUSDC, 0}} {
			_, err := s.Rates().Quote(t.Context(), pair[0], pair[1])
			require.ErrorIs(t, err, rates.ErrUnknownPair)
		}
	})
	t.Run("quotes at once are of the same pair, and a call that is given up ends", func(t *testing.T) {
		s := open(t)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				quote, err := s.Rates().Quote(t.Context(), money.AssetUSDC, money.AssetNGN)
				assert.NoError(t, err)
				assert.Equal(t, money.AssetUSDC, quote.Rate.Base)
			})
		}
		all.Wait()
		ended, end := context.WithCancel(t.Context())
		end()
		_, err := s.Rates().Quote(ended, money.AssetUSDC, money.AssetNGN)
		require.Error(t, err)
	})
	t.Run("a quote says when it has ended", func(t *testing.T) {
		s := open(t)
		faulty, ok := s.(Faulty)
		if !ok {
			t.Skip("the subject has no faults")
		}
		require.NoError(t, faulty.Age(t.Context(), 1))
		quote, err := s.Rates().Quote(t.Context(), money.AssetUSDC, money.AssetNGN)
		require.NoError(t, err)
		require.False(t, quote.ExpiresAt.After(s.Now()))
	})
	t.Run("a source that does not answer says so", func(t *testing.T) {
		s := open(t)
		faulty, ok := s.(Faulty)
		if !ok {
			t.Skip("the subject has no faults")
		}
		require.NoError(t, faulty.Silence(t.Context(), 1))
		_, err := s.Rates().Quote(t.Context(), money.AssetUSDC, money.AssetNGN)
		require.ErrorIs(t, err, rates.ErrUnavailable)
		_, err = s.Rates().Quote(t.Context(), money.AssetUSDC, money.AssetNGN)
		require.NoError(t, err)
	})
}
