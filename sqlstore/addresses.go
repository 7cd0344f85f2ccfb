package sqlstore

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
	"github.com/ferrypay/ferry/wallets"
)

func (s walletStore) CountArrival(_ context.Context, id wallets.AddressID, received money.Amount, at time.Time) error {
	if err := s.writable(); err != nil {
		return err
	}
	instant := at.UnixMicro()
	s.do(notCounted(id), `UPDATE addresses SET total_received = total_received + ?, deposit_count = deposit_count + 1,
		last_deposit_at = CASE WHEN last_deposit_at > ? THEN last_deposit_at ELSE ? END WHERE id = ? AND total_received <= ?`,
		received.Minor(), instant, instant, string(id), math.MaxInt64-received.Minor())
	return nil
}

// notCounted explains why an arrival could not be counted.
func notCounted(id wallets.AddressID) func(context.Context, sqldb.Asker) error {
	return func(ctx context.Context, a sqldb.Asker) error {
		var n int64
		found, err := sqldb.One(ctx, a, "SELECT 1 FROM addresses WHERE id = ?", []any{string(id)}, &n)
		switch {
		case err != nil:
			return err
		case found:
			return fmt.Errorf("%w: total received on %s", money.ErrOverflow, id)
		}
		return wallets.ErrAddressNotFound
	}
}

// accountOfAddress is what turns the id of an address into that of its account.
var accountOfAddress = string(ledger.AddressAccount(""))

// holding narrows addresses to those from which something can be sent, or nothing.
func (f *filter) holding(some bool) *filter {
	const holds = `EXISTS (SELECT 1 FROM accounts WHERE accounts.id = ? || addresses.id AND accounts.posted > accounts.reserved)`
	if some {
		return f.and(holds, accountOfAddress)
	}
	return f.and("NOT "+holds, accountOfAddress)
}

func (s walletStore) AddressesByBalance(ctx context.Context, scope ferry.Scope, q records.Query, some bool, page ferry.Page) (ferry.List[wallets.Address], error) {
	rows := tableOf(wallets.AddressKind.Shape)
	list, err := rows.page(ctx, s.unit, scope, rows.selecting(inScope(scope), q).holding(some), page)
	return ferry.List[wallets.Address]{Data: wallets.AddressKind.OwnAll(list.Data), Total: list.Total}, err
}

// summaryAhead is a summary of addresses that a unit reads ahead.
type summaryAhead struct {
	scope  ferry.Scope
	filter wallets.AddressFilter
	wallets.AddressSummary
}

func (s walletStore) PrefetchSummary(scope ferry.Scope, f wallets.AddressFilter) {
	ahead := &summaryAhead{scope: scope, filter: f}
	s.ahead.summary = ahead
	s.ahead.later = append(s.ahead.later, summaryOf(scope, f, &ahead.AddressSummary))
}

func (s walletStore) SummarizeAddresses(ctx context.Context, scope ferry.Scope, f wallets.AddressFilter) (wallets.AddressSummary, error) {
	if known := s.ahead.summary; known != nil && known.scope == scope && known.filter == f {
		err := s.all(ctx)
		return known.AddressSummary, err
	}
	var sum wallets.AddressSummary
	err := s.all(ctx, summaryOf(scope, f, &sum))
	return sum, err
}

// summaryOf sums up the addresses that a filter keeps.
func summaryOf(scope ferry.Scope, f wallets.AddressFilter, sum *wallets.AddressSummary) sqldb.Query {
	rows := tableOf(wallets.AddressKind.Shape).selecting(inScope(scope), f.Query())
	if f.HasBalance != nil {
		rows.holding(*f.HasBalance)
	}
	return sqldb.Query{SQL: `SELECT count(*), coalesce(sum(CASE WHEN status = 'active' THEN 1 ELSE 0 END), 0),
		CAST(coalesce(sum((SELECT posted - reserved FROM accounts WHERE accounts.id = ? || addresses.id)), 0) AS BIGINT),
		CAST(coalesce(sum(total_received), 0) AS BIGINT) FROM addresses WHERE ` + rows.where(), Args: append([]any{accountOfAddress}, rows.args...),
		Each: func(scan func(...any) error) error {
			return scan(&sum.Total, &sum.Active, usdc(&sum.Balance), usdc(&sum.Received))
		}}
}
