package pgtest

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// byHand are the yardsticks, which make a transfer in one round trip. transfer posts it. record
// posts it too, and writes the rows that a program must have beside the posting: the idempotency
// key with the answer, the transfer, a line of the statement of each side, and an event for each.
const byHand = `
CREATE FUNCTION transfer(posting text, source text, target text, minor bigint, at bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE p bigint; a bigint; a_after bigint; b bigint; b_after bigint;
BEGIN
	INSERT INTO postings (id, kind, ref, at) VALUES (posting, 'transfer', 'ref', transfer.at) RETURNING no INTO p;
	UPDATE accounts SET posted = posted - minor WHERE id = source AND posted - minor >= reserved RETURNING no, posted INTO a, a_after;
	IF NOT FOUND THEN RAISE EXCEPTION 'too little'; END IF;
	UPDATE accounts SET posted = posted + minor WHERE id = target RETURNING no, posted INTO b, b_after;
	INSERT INTO entries (posting, leg, account, amount, balance_after) VALUES (p, 0, a, -minor, a_after), (p, 1, b, minor, b_after);
END $$;

CREATE SEQUENCE cursors START 1000000;

CREATE FUNCTION record(client_key text, transfer_id text, reference text, source text, target text, minor bigint, at bigint, answer text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE p bigint; a accounts; a_sum bigint; b accounts; b_sum bigint; tenant text;
BEGIN
	UPDATE accounts SET posted = posted - minor WHERE id = source AND posted - minor >= reserved RETURNING * INTO a;
	IF NOT FOUND THEN RAISE EXCEPTION 'too little'; END IF;
	UPDATE accounts SET posted = posted + minor WHERE id = target RETURNING * INTO b;
	UPDATE accounts SET posted = posted - minor WHERE no = a.control RETURNING posted INTO a_sum;
	UPDATE accounts SET posted = posted + minor WHERE no = b.control RETURNING posted INTO b_sum;
	INSERT INTO postings (id, kind, ref, at) VALUES ('transfer:' || transfer_id, 'transfer', transfer_id, record.at) RETURNING no INTO p;
	INSERT INTO entries (posting, leg, account, amount, balance_after, control_after)
		VALUES (p, 0, a.no, -minor, a.posted, a_sum), (p, 1, b.no, minor, b.posted, b_sum);
	tenant := a.business;
	INSERT INTO idempotency_keys (env, business, id, fingerprint, resource, finished, status, body, created_at, version)
		VALUES ('test', tenant, 'transfer ' || client_key, md5(answer), transfer_id, TRUE, 200, convert_to(answer, 'UTF8'), record.at, 1);
	INSERT INTO wallet_transfers (id, env, business, reference, kind, wallet, wallet_reference, from_id, from_address, to_address, to_id,
			amount, fee, memo, status, failure, attempts, signature, waits_for, created_at, updated_at, confirmed_at, version)
		VALUES (transfer_id, 'test', tenant, record.reference, 'internal', source, '', source, source, target, target,
			minor, 0, '', 'success', '', 0, '', '', record.at, record.at, record.at, 1);
	INSERT INTO wallet_transactions (id, env, business, reference, direction, wallet, wallet_reference, address, transfer, from_address, to_address,
			amount, fee, status, signature, posting, leg, created_at, confirmed_at, version)
		VALUES (transfer_id || '/out', 'test', tenant, record.reference, 'OUT', source, '', source, transfer_id, source, target,
			minor, 0, 'success', '', 'transfer:' || transfer_id, 0, record.at, record.at, 1),
		(transfer_id || '/in', 'test', tenant, record.reference, 'IN', target, '', target, transfer_id, source, target,
			minor, 0, 'success', '', 'transfer:' || transfer_id, 1, record.at, record.at, 1);
	INSERT INTO events (id, env, business, cursor, type, resource, sequence, created_at, data, entry, state, attempts, tries, version)
		VALUES (transfer_id || '/sent', 'test', tenant, nextval('cursors'), 'transfer.success', transfer_id, 1, record.at, answer, '', 'unsent', 0, 0, 1),
		(transfer_id || '/received', 'test', tenant, nextval('cursors'), 'deposit.success', transfer_id || '/in', 1, record.at, answer, '', 'unsent', 0, 0, 1);
END $$;
`

// ByHand connects to a database that has the tables of a store, with at most 32 connections, and
// creates the yardsticks in it: the functions transfer(posting, source, target, minor, at) and
// record(client_key, transfer_id, reference, source, target, minor, at, answer).
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
	if _, err := pool.Exec(ctx, byHand, pgx.QueryExecModeSimpleProtocol); err != nil {
		pool.Close()
		return nil, err
	}
	return pool, nil
}
