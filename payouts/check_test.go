package payouts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/payouts"
)

func TestAPayoutWithoutATypeIsRefused(t *testing.T) {
	var problems ferry.Problems
	payouts.Params{Reference: "rent", Source: "0000000000"}.Check(&problems)
	require.ErrorIs(t, problems.Err(), ferry.ErrValidation)
	require.ErrorContains(t, problems.Err(), "type")
}
