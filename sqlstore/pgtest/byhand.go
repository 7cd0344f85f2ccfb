package pgtest

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

// transferFunction is a transfer in one round trip.
const transferFunction = `CREATE FUNCTION transfer(posting text, source text, target text, minor bigint, at bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE p bigint; a bigint; a_after bigint; b bigint; b_after bigint;
BEGIN
	INSERT INTO postings (id, kind, ref, at) VALUES (posting, 'transfer', 'ref', transfer.at) RETURNING no INTO p;
	UPDATE accounts SET posted = posted - minor WHERE id = source AND posted - minor >= reserved RETURNING no, posted INTO a, a_after;
	IF NOT FOUND THEN RAISE EXCEPTION 'too little'; END IF;
	UPDATE accounts SET posted = posted + minor WHERE id = target RETURNING no, posted INTO b, b_after;
	INSERT INTO entries (posting, leg, account, amount, balance_after) VALUES (p, 0, a, -minor, a_after), (p, 1, b, minor, b_after);
END $$`

// ByHand connects to a database that has the tables of a store, with at most 32
// connections, and creates the yardstick of postings in it: transfer(posting, source,
// target, minor, at), a function that makes a whole transfer.
func ByHand(ctx context.Context, url string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	config.MaxConns = 32
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	if _, err := pool.Exec(ctx, transferFunction); err != nil {
		pool.Close()
		return nil, err
	}
	return pool, nil
}
