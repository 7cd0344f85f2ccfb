package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/store"
)

// standings are sessions of every status and dialect.
func standings() (sessions []checkout.Session) {
	for _, variant := range []business.Dialect{business.DialectA, business.DialectB} {
		for _, status := range []checkout.Status{checkout.Pending, checkout.Completed, checkout.Failed, checkout.Cancelled, checkout.Expired} {
			row := session(home, len(sessions)+1)
			row.Variant, row.Status = variant, status
			sessions = append(sessions, row)
		}
	}
	return sessions
}

func testSessionStandings(t *testing.T, open func(*testing.T) store.Backend) {
	b := open(t)
	sessions := standings()
	for _, row := range sessions {
		write(t, b, sessionCase.inserted(row))
	}
	for status, want := range map[checkout.Status][]string{
		checkout.Pending:   {"order-6", "order-1"},
		checkout.Completed: {"order-7", "order-2"},
		checkout.Failed:    {"order-9", "order-8", "order-3"},
		checkout.Cancelled: {"order-4"},
		checkout.Expired:   {"order-10", "order-5"},
	} {
		t.Run("a list of "+string(status)+" sessions has those that their dialects name so", func(t *testing.T) {
			got := []string{}
			for number := range want {
				page := look(t, b, func(ctx context.Context, p store.Ports) (ferry.List[checkout.Session], error) {
					return checkout.SessionKind.Page(ctx, p, home, checkout.Filter{Status: status}.Query(), ferry.Page{Number: number + 1, Limit: 1})
				})
				require.Equal(t, len(want), page.Total)
				for _, row := range page.Data {
					got = append(got, row.TrxID)
				}
			}
			require.Equal(t, want, got)
		})
	}
}
