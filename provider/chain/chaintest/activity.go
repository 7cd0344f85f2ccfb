package chaintest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/provider/chain"
)

// listener goes on from the cursor of each answer of an ActivityReporter.
type listener struct {
	*stage
	reporter chain.ActivityReporter
	cursor   chain.Cursor
}

// listen begins now. A test of a chain that does not report activity is skipped.
func (s *stage) listen() *listener {
	reporter, ok := s.chain.(chain.ActivityReporter)
	if !ok {
		s.t.Skip("the chain does not report activity")
	}
	l := &listener{s, reporter, ""}
	l.hear()
	return l
}

// hear returns the addresses of the next answer.
func (l *listener) hear() []chain.Address {
	heard, err := l.reporter.Activity(l.ctx, l.cursor)
	require.NoError(l.t, err)
	require.NotEmpty(l.t, heard.Cursor)
	named := map[chain.Address]bool{}
	for _, a := range heard.Addresses {
		require.False(l.t, named[a], "an address is named once")
		named[a] = true
	}
	l.cursor = heard.Cursor
	return heard.Addresses
}

// confirm waits until a transaction stands in a confirmed block.
func (s *stage) confirm(signature chain.Signature) {
	s.until("confirmed", func() bool {
		status, _ := s.look(signature)
		return status.Commitment.Rank() >= chain.Confirmed.Rank()
	})
}

func testActivity(run runner) {
	run("a movement is reported, and not again once it was final", func(t *testing.T, s *stage) {
		quiet, o := s.funded(1), s.owner()
		l := s.listen()
		s.deposit(o.Address, 5)
		heard := l.hear()
		require.Contains(t, heard, o.Address)
		require.NotContains(t, heard, quiet.Address)
		require.NotContains(t, l.hear(), o.Address)
		s.pass(40)
		require.NotContains(t, l.hear(), o.Address)
	})
	run("a confirmed movement is reported in every answer until it is final, and then once", func(t *testing.T, s *stage) {
		l, o := s.listen(), s.owner()
		signature, err := s.Deposit(s.ctx, o.Address, money.USDC(5))
		require.NoError(t, err)
		s.confirm(signature)
		s.until("final", func() bool {
			heard := l.hear()
			require.Contains(t, heard, o.Address)
			status, _ := s.look(signature)
			s.pass(1)
			return status.Commitment == chain.Finalized
		})
		s.pass(40)
		l.hear()
		require.NotContains(t, l.hear(), o.Address)
	})
	run("who begins is told of what is confirmed and not final yet, and of nothing before", func(t *testing.T, s *stage) {
		before, o := s.funded(1), s.owner()
		signature, err := s.Deposit(s.ctx, o.Address, money.USDC(5))
		require.NoError(t, err)
		s.confirm(signature)
		l := s.listen()
		l.cursor = ""
		heard := l.hear()
		require.Contains(t, heard, o.Address)
		require.NotContains(t, heard, before.Address)
	})
	run("both sides of a payment are reported, and who got another token", func(t *testing.T, s *stage) {
		from, to, other := s.funded(10), s.owner(), s.owner()
		l := s.listen()
		s.pay(from, to.Address, 4, "m")
		heard := l.hear()
		require.Contains(t, heard, from.Address)
		require.Contains(t, heard, to.Address)
		signature, _, err := s.DepositOther(s.ctx, other.Address, 5)
		require.NoError(t, err)
		s.finalize(signature)
		require.Contains(t, l.hear(), other.Address)
	})
	run("a movement is reported whoever asked in between", func(t *testing.T, s *stage) {
		first, second := s.listen(), s.listen()
		o := s.owner()
		s.deposit(o.Address, 5)
		require.Contains(t, first.hear(), o.Address)
		require.Contains(t, second.hear(), o.Address)
	})
	run("an answer that was lost can be had again", func(t *testing.T, s *stage) {
		l, o := s.listen(), s.owner()
		before := l.cursor
		s.deposit(o.Address, 5)
		l.hear()
		l.cursor = before
		require.Contains(t, l.hear(), o.Address)
	})
	run("who reads what is reported misses no movement", func(t *testing.T, s *stage) { s.readReported(nil) })
	run("a node that lags hides no movement from who goes on", func(t *testing.T, s *stage) {
		s.readReported(func(n int) {
			if n%3 != 0 {
				s.inject(Lagging, 1)
			}
		})
	})
	run("the cursor of a node that lags does not go back", func(t *testing.T, s *stage) {
		l, o := s.listen(), s.owner()
		s.deposit(o.Address, 5)
		require.Contains(t, l.hear(), o.Address)
		s.inject(Lagging, 1)
		l.hear()
		require.NotContains(t, l.hear(), o.Address)
	})
}

// readReported reads the histories of the addresses that are reported while deposits come in,
// and requires that they were read to their ends. before is called before each answer.
func (s *stage) readReported(before func(n int)) {
	l := s.listen()
	owners, read := s.unused(6), map[chain.Address]int{}
	for n := range 80 { // the last deposits are final by then
		if n < 30 {
			_, err := s.Deposit(s.ctx, owners[n%len(owners)], money.USDC(1))
			require.NoError(s.t, err)
		}
		if before != nil && n < 40 {
			before(n)
		}
		for _, a := range l.hear() {
			read[a] = len(s.history(a, 50))
		}
		s.pass(1)
	}
	for _, a := range owners {
		require.Equal(s.t, 5, read[a])
	}
}
