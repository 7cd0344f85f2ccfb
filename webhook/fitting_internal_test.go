package webhook

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/lease"
)

func TestOneUnitLoadsNoMoreBodiesThanMayWaitAtAnEndpoint(t *testing.T) {
	ts := turns{perEndpoint: 2, endpoints: map[string]*endpointTurns{"test/shop/": {size: maxAheadBytes / 5}}}
	require.Equal(t, 5, fitting(&ts, "test/shop/", 9), "as many as the limit has room for")

	ts.endpoints["test/shop/"] = &endpointTurns{size: maxAheadBytes / 5, bytes: maxAheadBytes * 3 / 5}
	require.Equal(t, 2, fitting(&ts, "test/shop/", 9), "others wait")

	ts.endpoints["test/shop/"] = &endpointTurns{size: 2 * maxAheadBytes}
	require.Equal(t, 2, fitting(&ts, "test/shop/", 9), "those that are sent at once, however long they are")

	ts.endpoints["test/shop/"].waiting = make([]*outcome, 2)
	require.Zero(t, fitting(&ts, "test/shop/", 9), "the next two are there already")

	require.Equal(t, 9, fitting(&ts, "test/new/", 9), "of an endpoint that was sent nothing yet, nothing is known")
}

func TestOneUnitLoadsNoMoreBodiesThanMayWaitInAll(t *testing.T) {
	ts := turns{perEndpoint: 1, endpoints: map[string]*endpointTurns{}}
	var some []stream
	for n := range 20 {
		owner := fmt.Sprintf("test/shop-%d/", n)
		ts.endpoints[owner] = &endpointTurns{size: maxWaitingBytes / 4}
		some = append(some, streamsOf(owner, 1)...)
	}
	require.Len(t, ts.fitting(some), 5, "the one that crosses the limit is the last")
	ts.bytes = maxWaitingBytes / 2
	require.Len(t, ts.fitting(some), 3, "others wait")
}

// fitting returns how many of n streams of an owner are loaded.
func fitting(ts *turns, owner string, n int) int { return len(ts.fitting(streamsOf(owner, n))) }

func streamsOf(owner string, n int) (some []stream) {
	for i := range n {
		some = append(some, stream{offer: lease.Offer{Claim: lease.Claim{Key: fmt.Sprintf("%stransfer-%d", owner, i)}}})
	}
	return some
}
