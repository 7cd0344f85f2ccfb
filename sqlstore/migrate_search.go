package sqlstore

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/ferrypay/ferry/internal/text"
)

// searched are the tables whose column "search" the migrations 28 and 40 fill, and the
// columns that a search looks in as of these.
var searched = []struct {
	table   string
	columns []string
}{
	{"payments", []string{"reference", "id", "email", "payer"}},
	{"transactions", []string{"trx_id", "reference", "sender_account", "sender_name"}},
	{"payment_links", []string{"title", "description", "slug"}},
	{"collection_accounts", []string{"reference", "number", "name", "email"}},
	{"checkout_sessions", []string{"trx_id", "email", "payer"}},
}

// fillSearch is migration 28: SQL has no lower() that knows every letter.
func fillSearch(ctx context.Context, tx *sql.Tx) error {
	for _, s := range searched {
		if err := fillTable(ctx, tx, s.table, s.columns...); err != nil {
			return err
		}
	}
	return nil
}

// refillSearch is migration 40: rows with letters outside of ASCII are searched in one
// form, which some of them did not have. That of customers is made of the one they had.
func refillSearch(ctx context.Context, tx *sql.Tx) error {
	if err := fillSearch(ctx, tx); err != nil {
		return err
	}
	return fillTable(ctx, tx, "customers", "search")
}

// fillWallets is migration 42: it fills what a search of wallets looks in.
func fillWallets(ctx context.Context, tx *sql.Tx) error {
	return fillTable(ctx, tx, "wallets", "reference", "label")
}

// fillTable fills the column of one table.
func fillTable(ctx context.Context, tx *sql.Tx, table string, columns ...string) error {
	after, err := "", error(nil)
	for more := true; more && err == nil; {
		after, more, err = fillSome(ctx, tx, table, lines(columns), after)
	}
	if err != nil {
		return fmt.Errorf("what is searched in %s: %w", table, err)
	}
	return nil
}

// lines is SQL for columns as text.Searchable joins them.
func lines(columns []string) string { return strings.Join(columns, " || '\n' || ") }

// fillSome fills the column of some rows whose ids follow one, returns the last of
// them, and reports whether there may be more.
func fillSome(ctx context.Context, tx *sql.Tx, table, columns, after string) (last string, more bool, err error) {
	const atOnce = 1000
	found, err := rowsBeyondASCII(ctx, tx, table, columns, after, atOnce)
	for _, row := range found {
		if err == nil {
			_, err = tx.ExecContext(ctx, "UPDATE "+table+" SET search = $1 WHERE id = $2", text.Searchable(row.text), row.id)
		}
		last = row.id
	}
	return last, len(found) == atOnce, err
}

type searchedRow struct{ id, text string }

func rowsBeyondASCII(ctx context.Context, tx *sql.Tx, table, columns, after string, limit int) (found []searchedRow, err error) {
	rows, err := tx.QueryContext(ctx, "SELECT id, "+columns+" FROM "+table+
		" WHERE id > $1 AND octet_length("+columns+") > length("+columns+") ORDER BY id LIMIT $2", after, limit)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var row searchedRow
		if err := rows.Scan(&row.id, &row.text); err != nil {
			return nil, err
		}
		found = append(found, row)
	}
	return found, rows.Err()
}
