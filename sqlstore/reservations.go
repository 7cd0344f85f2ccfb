package sqlstore

import (
	"context"
	"fmt"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/sqlstore/internal/sqldb"
)

// reservationRow is a reservation with its amounts in minor units, and what its row knows
// beside it.
type reservationRow struct {
	ledger.Reservation
	env             ferry.Env
	asset           money.Asset
	amount, settled int64
	version         int64
}

var reservationKind = records.Define(records.Kind[ledger.ReservationID, reservationRow]{
	Name: "reservations",
	Columns: func(r *reservationRow) []records.Column {
		return []records.Column{
			records.ID(&r.ID),
			records.Env(&r.env),
			records.Text("account", &r.Account),
			records.Asset("asset", &r.asset),
			records.Int("amount", &r.amount),
			records.Text("state", &r.State),
			records.Int("settled", &r.settled),
			records.Time("at", &r.At),
			records.Version(&r.version),
		}
	},
	Groups:  []records.Group{{By: []string{"env"}, When: records.Is("state", ledger.Open)}},
	Missing: ledger.ErrReservationNotFound,
	Exists:  ledger.ErrReserved,
})

// view returns a reservation as the port shows it.
func (r reservationRow) view() ledger.Reservation {
	r.Amount = money.Of(r.asset, r.amount)
	if r.State == ledger.Settled {
		r.Settled = money.Of(r.asset, r.settled)
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
	row := reservationRow{Reservation: r, env: f.env, asset: f.asset, amount: r.Amount.Minor(), settled: r.Settled.Minor()}
	if err := reservationKind.Insert(ctx, s, row); err != nil {
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
	m.Reserved = -r.amount
	moves[r.Account] = m
	if s.books.posted[p.ID] != nil {
		return fmt.Errorf("%w: %s", ledger.ErrPosted, p.ID)
	}
	r.State, r.settled = ledger.Settled, taken.Minor()
	if err := reservationKind.Update(ctx, s, r); err != nil {
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
	if err := reservationKind.Update(ctx, s, r); err != nil {
		return err
	}
	return s.move(ctx, map[ledger.AccountID]sqldb.Move{r.Account: {Reserved: -r.amount}})
}

// openReservation returns a reservation that has not ended.
func (s ledgerStore) openReservation(ctx context.Context, id ledger.ReservationID) (reservationRow, error) {
	r, err := reservationKind.Get(ctx, s, ferry.Scope{}, id)
	if err != nil {
		return r, fmt.Errorf("%w: %s", err, id)
	}
	if r.State != ledger.Open {
		return r, fmt.Errorf("%w: %s is %s", ledger.ErrReservationEnded, id, r.State)
	}
	return r, nil
}

func (s ledgerStore) Reservation(ctx context.Context, id ledger.ReservationID) (ledger.Reservation, error) {
	r, err := reservationKind.Get(ctx, s, ferry.Scope{}, id)
	if err != nil {
		return ledger.Reservation{}, fmt.Errorf("%w: %s", err, id)
	}
	return r.view(), nil
}

func (s ledgerStore) OpenReservations(ctx context.Context, env ferry.Env, after ledger.ReservationID, limit int) ([]ledger.Reservation, error) {
	rows, err := reservationKind.After(ctx, s, records.Where(records.Is("env", env), records.Is("state", ledger.Open)), after, limit)
	all := make([]ledger.Reservation, 0, len(rows))
	for _, r := range rows {
		all = append(all, r.view())
	}
	return all, err
}
