package scenario_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/statement"
)

func TestAHundredRoundsOfRefundsByACrowd(t *testing.T) {
	t.Parallel()
	refundInRounds(t, openMemory(t), 100)
}

func TestRoundsOfRefundsByACrowdOnSQLite(t *testing.T) {
	t.Parallel()
	refundInRounds(t, openSQLite(t), 5)
}

// refundInRounds lets a crowd refund parts of one payment after the other, of which between one
// and twelve fit into it. The business has money for all that the crowd asks for.
func refundInRounds(t *testing.T, s shop, rounds int) {
	scope := s.Tenant.Business.Scope
	for round := range rounds {
		order, fits := fmt.Sprintf("order-%d", round), 1+round*5%12
		s.paidBy(order, "0123456780")
		part := money.NGN(1_500_000 / int64(fits))
		errs := together(crowd, func(i int) error {
			_, err := s.Engine.Refunds.Create(t.Context(), scope, refunds.Params{
				Transaction: statement.Ref{TrxID: order}, Amount: part, Reference: fmt.Sprintf("%s-%d", order, i), Mode: modeOf(i),
			})
			return err
		})
		made := 0
		for _, err := range errs {
			if err == nil {
				made++
				continue
			}
			require.ErrorIs(t, err, refunds.ErrExceedsRemaining)
		}
		require.Equal(t, fits, made, "round %d", round)
		line, err := s.Engine.Statement.Get(t.Context(), scope, statement.Ref{TrxID: order})
		require.NoError(t, err)
		require.Equal(t, statement.Refunds{Open: int64(fits) * part.Minor()}, line.Refunds, "round %d", round)
	}
	s.advance(3600)
	s.clean()
}

// modeOf lets every other one of a crowd refund automatically.
func modeOf(i int) refunds.Mode {
	if i%2 == 0 {
		return refunds.Manual
	}
	return refunds.AutoSender
}
