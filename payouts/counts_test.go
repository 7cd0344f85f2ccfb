package payouts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/payouts"
)

func TestTheStatusOfAPayoutFollowsFromItsItems(t *testing.T) {
	for counts, want := range map[payouts.Counts]payouts.Status{
		{Pending: 3}:                              payouts.Pending,
		{Pending: 2, Processing: 1}:               payouts.Processing,
		{Processing: 3}:                           payouts.Processing,
		{Pending: 1, Successful: 1}:               payouts.Processing,
		{Pending: 1, Failed: 1}:                   payouts.Processing,
		{Processing: 1, Cancelled: 1}:             payouts.Processing,
		{Pending: 1, Successful: 1, Cancelled: 1}: payouts.Processing,
		{Pending: 1, Failed: 1, Cancelled: 1}:     payouts.Processing,
		{Successful: 3}:                           payouts.Successful,
		{Successful: 1, Failed: 1}:                payouts.PartiallySuccessful,
		{Successful: 1, Cancelled: 1}:             payouts.PartiallySuccessful,
		{Successful: 2, Failed: 1, Cancelled: 1}:  payouts.PartiallySuccessful,
		{Failed: 3}:                               payouts.Failed,
		{Failed: 1, Cancelled: 1}:                 payouts.Failed,
		{Cancelled: 3}:                            payouts.Cancelled,
	} {
		require.Equal(t, want, counts.Status(), "%+v", counts)
		require.Equal(t, counts.Pending+counts.Processing+counts.Successful+counts.Failed+counts.Cancelled, counts.Total())
	}
}
