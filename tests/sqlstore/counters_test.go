package sqlstore_test

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry/sqlstore"
	"github.com/ferrypay/ferry/sqlstore/sqlitetest"
)

func TestCountersInAFileAreRightAfterAnyStory(t *testing.T) {
	path := sqlitetest.File(t)
	s := open(t, path)
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=query_only(ON)&_pragma=busy_timeout(5000)")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	testCountersAfterAnyStory(t, s, db)
}

// testCountersAfterAnyStory lets a business live on a store and counts, in its
// database, what the store says that it has counted.
func testCountersAfterAnyStory(t *testing.T, s *sqlstore.Store, db *sql.DB) {
	y := newStory(t, s, 1)
	for range 6 {
		for range 50 {
			y.goOn()
		}
		for _, c := range kept {
			require.Equal(t, numbers(t, db, c.counted), numbers(t, db, c.said), c.what)
		}
		require.Empty(t, numbers(t, db, passedOver), "pending events that no server would find")
	}
	for _, c := range kept[1:] {
		require.NotEmpty(t, numbers(t, db, c.counted), "the story has none: %s", c.what)
	}
	for _, list := range lists {
		require.NotEmpty(t, numbers(t, db, lengths(list)), "the story has none: %s", list)
	}
}

// passedOver are the pending events of which their streams say that they have ended.
const passedOver = `SELECT e.id, e.sequence FROM events e JOIN event_streams s ON s.env = e.env AND s.business = e.business AND s.resource = e.resource
	WHERE e.state = 'pending' AND e.sequence <= s.settled`

// kept is every count that a store keeps beside the rows that it counts: queries
// for names and numbers.
var kept = []struct{ what, said, counted string }{
	{"the lengths of lists", "SELECT list, rows FROM counters WHERE rows > 0", allLengths()},
	{
		"the events of a resource", "SELECT env || business || resource, last FROM event_streams",
		"SELECT env || business || resource, count(*) FROM events GROUP BY 1",
	},
	{
		"the events of a business", "SELECT env || business, max(cursor) FROM events GROUP BY 1",
		"SELECT env || business, count(*) FROM events GROUP BY 1",
	},
	{
		"the attempts of an event", "SELECT id, tries FROM events WHERE tries > 0",
		"SELECT event, count(*) FROM webhook_attempts GROUP BY 1",
	},
	{
		"the attempts of a transfer", "SELECT id, attempts FROM wallet_transfers WHERE attempts > 0",
		"SELECT transfer, count(*) FROM transfer_attempts GROUP BY 1",
	},
	{
		"the arrivals on an address", "SELECT id, deposit_count FROM addresses WHERE deposit_count > 0",
		"SELECT address, count(*) FROM wallet_transactions WHERE direction = 'IN' GROUP BY 1",
	},
	{
		"the payments of a link", "SELECT link, paid FROM link_tallies WHERE paid > 0",
		"SELECT link, count(*) FROM payments WHERE link IS NOT NULL AND status = 'success' GROUP BY 1",
	},
	{
		"the places of a link", "SELECT link, taken FROM link_tallies WHERE taken > 0",
		"SELECT link, count(*) FROM payments WHERE link IS NOT NULL AND status IN ('pending', 'success') GROUP BY 1",
	},
	{
		"the credits of a collection account", "SELECT id, credits FROM collection_accounts WHERE credits > 0",
		"SELECT source, count(*) FROM transactions WHERE source IN (SELECT id FROM collection_accounts) AND status <> 'returned' GROUP BY 1",
	},
}

// lists are the lists of which the table counters knows the length: the rows of a
// business, and of these the ones that have the same in the columns that follow.
var lists = []string{
	"customers", "customers/status", "wallets", "wallets/status", "wallets//customer", "wallets/status/customer",
	"addresses", "addresses//status", "addresses/wallet",
	"wallet_transactions", "wallet_transactions//status", "wallet_transactions/wallet", "wallet_transactions/wallet/status",
	"payment_links", "checkout_sessions", "checkout_sessions/status",
	"payments", "payments//status", "payments/link", "payments/link/status",
	"transactions", "transactions/source", "collection_accounts/kind", "collection_accounts/kind/status",
	"webhook_attempts", "ramp_widgets", "ramp_widgets/status",
}

// lengths returns the query for the names of lists and their lengths.
func lengths(list string) string {
	columns := strings.Split(list, "/")
	table, name, where := columns[0], "'"+columns[0]+"/' || env || '/' || business", "TRUE"
	for _, column := range columns[1:] {
		name += " || '/'"
		if column != "" {
			name += " || " + column
			where += " AND " + column + " IS NOT NULL"
		}
	}
	return "SELECT " + name + ", count(*) FROM " + table + " WHERE " + where + " GROUP BY 1"
}

func allLengths() string {
	queries := make([]string, len(lists))
	for i, list := range lists {
		queries[i] = lengths(list)
	}
	return strings.Join(queries, " UNION ALL ")
}

// numbers asks for names and their numbers.
func numbers(t *testing.T, db *sql.DB, query string) map[string]int64 {
	rows, err := db.QueryContext(t.Context(), query)
	require.NoError(t, err, query)
	defer func() { require.NoError(t, rows.Close()) }()
	all := map[string]int64{}
	for rows.Next() {
		var name string
		var n int64
		require.NoError(t, rows.Scan(&name, &n))
		all[name] = n
	}
	require.NoError(t, rows.Err())
	return all
}
