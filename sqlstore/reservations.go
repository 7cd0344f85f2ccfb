package sqlstore

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// reservationRow is a reservation with what its row knows beside it.
type reservationRow struct {
	ledger.Reservation
	env     ferry.Env
	asset   money.Asset
	version int64
}

var reservationTable = define(table[reservationRow]{
	name: "reservations",
	key:  []string{"id"},
	fields: func(r *reservationRow) []field {
		return []field{
			col("id", &r.ID),
			col("env", &r.env),
			col("account", &r.Account),
			col("asset", asset(&r.asset)),
			col("amount", amount(&r.Amount, &r.asset)),
			col("state", &r.State),
			col("settled", amount(&r.Settled, &r.asset)),
			col("at", instant(&r.At)),
		}
	},
	version: func(r *reservationRow) *int64 { return &r.version },
	missing: ledger.ErrReservationNotFound,
	exists:  ledger.ErrReserved,
})

// view returns a reservation as the port shows it.
func (r reservationRow) view() ledger.Reservation {
	if r.State != ledger.Settled {
		r.Settled = money.Amount{}
	}
	return r.Reservation
}

func (s ledgerStore) Reserve(ctx context.Context, r ledger.Reservation) error {
	if err := s.writable(); err != nil {
		return err
	}
	f, err := s.facts(ctx, r.Account)
	if err != nil {
		return err
	}
	if f.uncounted || f.asset != r.Amount.Asset() {
		return fmt.Errorf("sqlstore: cannot reserve %s on %s", r.Amount, r.Account)
	}
	if err := reservationTable.insert(s.unit, reservationRow{Reservation: r, env: f.env, asset: f.asset}); err != nil {
		return err
	}
	return s.move(ctx, map[ledger.AccountID]sqldb.Move{r.Account: {Reserved: r.Amount.Minor()}})
}

// Settle frees the reserved amount in the step that posts, so that the posting
// finds it available.
func (s ledgerStore) Settle(ctx context.Context, id ledger.ReservationID, taken money.Amount, p ledger.Posting) error {
	if err := s.writable(); err != nil {
		return err
	}
	r, err := s.openReservation(ctx, id)
	if err != nil {
		return err
	}
	moves, err := s.movesOf(ctx, p)
	if err != nil {
		return err
	}
	m := moves[r.Account]
	m.Reserved = -r.Amount.Minor()
	moves[r.Account] = m
	if s.books.posted[p.ID] {
		return fmt.Errorf("%w: %s", ledger.ErrPosted, p.ID)
	}
	r.State, r.Settled = ledger.Settled, taken
	if err := reservationTable.update(ctx, s.unit, r); err != nil {
		return err
	}
	return s.post(ctx, p, moves)
}

func (s ledgerStore) Release(ctx context.Context, id ledger.ReservationID) error {
	if err := s.writable(); err != nil {
		return err
	}
	r, err := s.openReservation(ctx, id)
	if err != nil {
		return err
	}
	r.State = ledger.Released
	if err := reservationTable.update(ctx, s.unit, r); err != nil {
		return err
	}
	return s.move(ctx, map[ledger.AccountID]sqldb.Move{r.Account: {Reserved: -r.Amount.Minor()}})
}

// openReservation returns a reservation that has not ended.
func (s ledgerStore) openReservation(ctx context.Context, id ledger.ReservationID) (reservationRow, error) {
	r, err := reservationTable.get(ctx, s.unit, string(id))
	if err != nil {
		return r, fmt.Errorf("%w: %s", err, id)
	}
	if r.State != ledger.Open {
		return r, fmt.Errorf("%w: %s is %s", ledger.ErrReservationEnded, id, r.State)
	}
	return r, nil
}

func (s ledgerStore) Reservation(ctx context.Context, id ledger.ReservationID) (ledger.Reservation, error) {
	r, err := reservationTable.get(ctx, s.unit, string(id))
	if err != nil {
		return ledger.Reservation{}, fmt.Errorf("%w: %s", err, id)
	}
	return r.view(), nil
}

func (s ledgerStore) OpenReservations(ctx context.Context, env ferry.Env, after ledger.ReservationID, limit int) ([]ledger.Reservation, error) {
	rows, err := reservationTable.read(ctx, s.unit, "env = ? AND state = 'open' AND id > ? ORDER BY id LIMIT ?", []any{env, after, limit})
	all := make([]ledger.Reservation, 0, len(rows))
	for _, r := range rows {
		all = append(all, r.view())
	}
	return all, err
}
