//go:build postgres

package sqlstore

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/pgtest"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/store"
)

func BenchmarkCTE(b *testing.B) {
	url := pgtest.NewCluster(b, pgtest.Options{}).URL(b)
	s, err := OpenPostgres(b.Context(), url)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close(context.Background())
	ids := []ledger.AccountID{}
	err = s.Write(b.Context(), func(ctx context.Context, p store.Ports) error {
		for n := range 100 {
			id := ledger.AccountID(fmt.Sprintf("account:%032x", n))
			ids = append(ids, id)
			if err := p.Ledger().OpenAccount(ctx, ledger.Account{ID: id, Scope: inner, Asset: money.AssetNGN}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	conn, err := pgx.Connect(b.Context(), url)
	if err != nil {
		b.Fatal(err)
	}
	conn.Exec(b.Context(), "UPDATE accounts SET posted=1000000000")
	conn.Exec(b.Context(), `CREATE FUNCTION transfer(posting text, source text, target text, minor bigint, at bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE p bigint; a bigint; a_after bigint; b bigint; b_after bigint;
BEGIN
	INSERT INTO postings (id, kind, ref, at) VALUES (posting, 'transfer', 'ref', transfer.at) RETURNING no INTO p;
	UPDATE accounts SET posted = posted - minor WHERE id = source AND posted - minor >= reserved RETURNING no, posted INTO a, a_after;
	IF NOT FOUND THEN RAISE EXCEPTION 'too little'; END IF;
	UPDATE accounts SET posted = posted + minor WHERE id = target RETURNING no, posted INTO b, b_after;
	INSERT INTO entries (posting, leg, account, amount, balance_after) VALUES (p, 0, a, -minor, a_after), (p, 1, b, minor, b_after);
END $$`)
	n := 0
	for _, size := range []int{1, 32} {
		run := func(name string, queue func(b *pgx.Batch, n int)) {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				for i := 0; i < b.N; i += size {
					bt := &pgx.Batch{}
					for range size {
						n++
						queue(bt, n)
					}
					if err := conn.SendBatch(context.Background(), bt).Close(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		run("hand", func(bt *pgx.Batch, n int) {
			bt.Queue("SELECT transfer($1,$2,$3,1,$4)", fmt.Sprintf("t%d", n), string(ids[n%100]), string(ids[(n+1)%100]), int64(5))
		})
		run("post", func(bt *pgx.Batch, n int) {
			u := newUnit(s)
			u.batch = &batch{counts: map[string]int64{}}
			p := ledger.Move(ledger.PostingID(fmt.Sprintf("t%d", n)), ferry.Test, "transfer", "ref", ids[n%100], ids[(n+1)%100], money.NGN(1), time.Unix(1, 0))
			if err := u.Ledger().Post(context.Background(), p); err != nil {
				b.Fatal(err)
			}
			queueBatch(bt, u.batch)
		})
	}
}
