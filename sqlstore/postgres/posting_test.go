//go:build postgres

package postgres

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

func TestAPostingGoesByKeysThoughItWasPlannedWhileTheTablesWereSmall(t *testing.T) {
	_, db, _ := openOnWire(t)
	j := sqldb.Journal{Posting: ledger.Move("p", ferry.Test, "deposit", "", "a", "b", money.USDC(1), time.Now())}
	for i, leg := range j.Legs {
		control := ledger.AccountID(fmt.Sprintf("control-%d", i))
		move := sqldb.Move{Posted: leg.Amount.Minor()}
		j.Moves = append(j.Moves, sqldb.Movement{Account: leg.Account, Move: move}, sqldb.Movement{Account: control, Move: move, Control: true})
		j.Entries = append(j.Entries, sqldb.Entry{Account: leg.Account, Control: control, Minor: leg.Amount.Minor()})
	}
	step := db.Post(j)[0]

	conn, err := pgx.ConnectConfig(t.Context(), db.writer.config)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Prepare(t.Context(), "post", numbered(step.SQL))
	require.NoError(t, err)
	values := make([]string, len(step.Args))
	for i, arg := range step.Args {
		values[i] = fmt.Sprintf("'%v'", arg)
	}
	plan := planOf(t, conn, "post("+strings.Join(values, ", ")+")")
	require.Contains(t, plan, "Index Scan using accounts_id_key on accounts")
	for _, other := range []string{"Seq Scan", "Bitmap", "Hash Join", "Merge Join"} {
		require.NotContains(t, plan, other)
	}
}
