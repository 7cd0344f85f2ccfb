//go:build localnet

package solana_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync/atomic"

	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/provider/chain/chaintest"
	"github.com/ferrypay/ferry/provider/chain/solana"
	"github.com/ferrypay/ferry/provider/chain/solana/localnet"
)

// Inject makes the localnet go wrong. Nodes do not contradict what they accepted, the height of
// a chain does not jump, and nothing makes a program fail at will: tests of their own freeze
// accounts.
func (s *subject) Inject(_ context.Context, fault chaintest.Fault, count int) error {
	switch fault {
	case chaintest.Unavailable:
		s.node.Fail(localnet.Fault{Kind: localnet.Unavailable, Calls: count})
	case chaintest.AnswerLost:
		// A call whose answer is lost on an old connection is sent once more on a new one.
		s.node.Fail(localnet.Fault{Kind: localnet.AnswerLost, Calls: 2 * count, Methods: []string{"sendTransaction"}})
	case chaintest.SubmissionLost:
		s.node.Drop(count)
	case chaintest.LandedLate:
		s.node.Delay(count, 150)
	case chaintest.ForkDropped:
		s.node.Lose(count, 10, false)
		s.node.Drop(100) // what is sent again does not land either
	case chaintest.ForkLandedAgain:
		s.node.Lose(count, 10, true)
	case chaintest.DeadBlockhash:
		s.afterBlockhash.Store(int64(count))
	case chaintest.Lagging:
		s.lagging.Store(int64(count))
	default:
		return chaintest.ErrNoFault
	}
	return nil
}

// forking loses the blocks of a blockhash after a node has told it.
type forking struct{ *subject }

func (f forking) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	answer, err := http.DefaultTransport.RoundTrip(r)
	if bytes.Contains(body, []byte(`"getLatestBlockhash"`)) && take(&f.afterBlockhash) {
		f.node.Fork(5, false)
		f.node.Produce(5)
	}
	return answer, err
}

// take takes one off a number that is above 0.
func take(left *atomic.Int64) bool {
	if left.Load() <= 0 {
		return false
	}
	left.Add(-1)
	return true
}

// lagging is a chain whose node is behind during the next calls.
type lagging struct{ *subject }

// behind lets the node lag until the function that it returns is called.
func (l lagging) behind() func() {
	if !take(&l.lagging) {
		return func() {}
	}
	l.lags = (l.lags*7 + 3) % 200
	l.node.Lag(1 + l.lags)
	return func() { l.node.Lag(0) }
}

func (l lagging) Genesis(ctx context.Context) (string, error) {
	defer l.behind()()
	return l.chain.Genesis(ctx)
}

func (l lagging) Inspect(ctx context.Context, a chain.Address) (chain.Destination, error) {
	defer l.behind()()
	return l.chain.Inspect(ctx, a)
}

func (l lagging) MaxMemo(sources int) int { return l.chain.MaxMemo(sources) }

func (l lagging) Sign(ctx context.Context, t chain.Transfer, keys chain.Keyring) (chain.Signed, error) {
	defer l.behind()()
	return l.chain.Sign(ctx, t, keys)
}

func (l lagging) Send(ctx context.Context, signed []byte) error {
	defer l.behind()()
	return l.chain.Send(ctx, signed)
}

func (l lagging) Statuses(ctx context.Context, signatures []chain.Signature) (chain.StatusReport, error) {
	defer l.behind()()
	return l.chain.Statuses(ctx, signatures)
}

func (l lagging) ChangeTokens(ctx context.Context, addresses []chain.Address) ([]chain.ChangeToken, error) {
	defer l.behind()()
	return l.chain.ChangeTokens(ctx, addresses)
}

func (l lagging) History(ctx context.Context, a chain.Address, after chain.Cursor, limit int) ([]chain.Movement, error) {
	defer l.behind()()
	return l.chain.History(ctx, a, after, limit)
}

func (l lagging) Sent(ctx context.Context, after chain.Cursor, limit int) ([]chain.Payment, error) {
	defer l.behind()()
	return l.chain.Sent(ctx, after, limit)
}

func (l lagging) Holdings(ctx context.Context, addresses []chain.Address) (chain.Holdings, error) {
	defer l.behind()()
	return l.chain.Holdings(ctx, addresses)
}

func (l lagging) ExplorerURL(s chain.Signature) string { return l.chain.ExplorerURL(s) }

// reporting is a lagging chain that reports activity.
type reporting struct {
	lagging
	scanner *solana.Scanner
}

func (r reporting) Activity(ctx context.Context, since chain.Cursor) (chain.Activity, error) {
	defer r.behind()()
	return r.scanner.Activity(ctx, since)
}
