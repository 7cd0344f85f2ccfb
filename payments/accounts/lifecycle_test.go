package accounts_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
)

// The table of docs/api.md, "Collection accounts", cell by cell: what money, time and
// the business do to an account of a kind in each of its statuses.
func TestAnAccountMovesAsTheTableSays(t *testing.T) {
	const v, r = accounts.Virtual, accounts.Reserved
	const credited, returned = statement.Success, statement.Returned
	causes := map[string]func(s *stage, a accounts.Account) error{
		"part of what it asks for": func(s *stage, a accounts.Account) error { return s.take(s.paid(a, 499_99)) },
		"what it asks for":         func(s *stage, a accounts.Account) error { return s.take(s.paid(a, 500_00)) },
		"time":                     func(s *stage, _ accounts.Account) error { s.wait(24 * time.Hour); return nil },
		"closing": func(s *stage, a accounts.Account) error {
			_, err := s.Close(s.t.Context(), shop, a.Kind, string(a.ID))
			return err
		},
	}
	for _, c := range []struct {
		kind  accounts.Kind
		from  accounts.Status
		by    string
		to    accounts.Status
		money statement.Status
		err   error
	}{
		{v, accounts.Active, "part of what it asks for", accounts.Active, credited, nil},
		{v, accounts.Active, "what it asks for", accounts.Completed, credited, nil},
		{v, accounts.Active, "time", accounts.Expired, "", nil},
		{v, accounts.Active, "closing", accounts.Closed, "", nil},
		{v, accounts.Completed, "what it asks for", accounts.Completed, returned, nil},
		{v, accounts.Completed, "time", accounts.Completed, "", nil},
		{v, accounts.Completed, "closing", accounts.Completed, "", ferry.ErrInvalidTransition},
		{v, accounts.Expired, "what it asks for", accounts.Expired, returned, nil},
		{v, accounts.Expired, "time", accounts.Expired, "", nil},
		{v, accounts.Expired, "closing", accounts.Expired, "", ferry.ErrInvalidTransition},
		{v, accounts.Closed, "what it asks for", accounts.Closed, returned, nil},
		{v, accounts.Closed, "time", accounts.Closed, "", nil},
		{v, accounts.Closed, "closing", accounts.Closed, "", nil},
		{r, accounts.Active, "what it asks for", accounts.Active, credited, nil},
		{r, accounts.Active, "time", accounts.Active, "", nil},
		{r, accounts.Active, "closing", accounts.Closed, "", nil},
		{r, accounts.Closed, "what it asks for", accounts.Closed, returned, nil},
		{r, accounts.Closed, "time", accounts.Closed, "", nil},
		{r, accounts.Closed, "closing", accounts.Closed, "", nil},
	} {
		t.Run(fmt.Sprint("a ", c.kind, " one that is ", c.from, " by ", c.by), func(t *testing.T) {
			s := setup(t)
			before := s.at(c.kind, c.from)
			lines := len(s.lines(before))
			require.ErrorIs(t, causes[c.by](s, before), c.err)
			after := s.get(before)
			require.Equal(t, c.to, after.Status)
			told := s.lines(before)
			if c.money == "" {
				require.Len(t, told, lines)
			} else {
				require.Len(t, told, lines+1)
				require.Equal(t, c.money, told[0].Status)
			}
			if c.to == c.from && c.money != credited {
				require.Equal(t, before, after, "nothing was written")
			}
			s.clean()
		})
	}
}

func TestTheLifecyclesAreTheTable(t *testing.T) {
	statuses := []accounts.Status{accounts.Active, accounts.Completed, accounts.Expired, accounts.Closed}
	want := map[string]map[accounts.Cause]accounts.Status{
		accounts.VirtualLifecycle.Name: {
			accounts.Complete: accounts.Completed, accounts.Expire: accounts.Expired, accounts.Close: accounts.Closed,
		},
		accounts.ReservedLifecycle.Name: {accounts.Close: accounts.Closed},
	}
	for _, lifecycle := range []ferry.Lifecycle[accounts.Status, accounts.Cause]{accounts.VirtualLifecycle, accounts.ReservedLifecycle} {
		require.Equal(t, accounts.Active, lifecycle.Initial)
		for _, from := range statuses {
			for _, on := range []accounts.Cause{accounts.Complete, accounts.Expire, accounts.Close} {
				edge, err := lifecycle.Next(from, on)
				if to, ok := want[lifecycle.Name][on]; ok && from == accounts.Active {
					require.NoError(t, err)
					require.Equal(t, to, edge.To, "%s: %s by %s", lifecycle.Name, from, on)
					continue
				}
				require.ErrorIs(t, err, ferry.ErrInvalidTransition, "%s: %s by %s", lifecycle.Name, from, on)
			}
		}
	}
}

func TestClosingTwiceIsASuccessWithoutEffect(t *testing.T) {
	for _, kind := range []accounts.Kind{accounts.Virtual, accounts.Reserved} {
		s := setup(t)
		a := s.at(kind, accounts.Active)
		closed, err := s.Close(t.Context(), shop, kind, ferry.UID(string(a.ID)))
		require.NoError(t, err)
		require.Equal(t, accounts.Closed, closed.Status)
		s.now = s.now.Add(time.Minute)
		again, err := s.Close(t.Context(), shop, kind, string(a.ID))
		require.NoError(t, err)
		require.Equal(t, closed, again)
		require.Equal(t, closed, s.get(a), "it stays readable")
	}
}

func TestAnAccountIsReadAndClosedByItsOwnBusinessAndUnderItsOwnKindOnly(t *testing.T) {
	s := setup(t)
	a := s.at(accounts.Virtual, accounts.Active)
	for name, c := range map[string]struct {
		scope ferry.Scope
		kind  accounts.Kind
		id    string
	}{
		"another business":        {other, accounts.Virtual, string(a.ID)},
		"the other environment":   {live, accounts.Virtual, string(a.ID)},
		"as the other kind":       {shop, accounts.Reserved, string(a.ID)},
		"the other kind's id":     {shop, accounts.Reserved, "racc_" + string(a.ID)[5:]},
		"an id that nobody has":   {shop, accounts.Virtual, "vacc_00000000000000000000000000000000"},
		"what cannot be an id":    {shop, accounts.Virtual, "vacc_1"},
		"the legacy form, a kind": {shop, accounts.Reserved, ferry.UID(string(a.ID))},
	} {
		_, err := s.Get(t.Context(), c.scope, c.kind, c.id)
		require.ErrorIs(t, err, accounts.ErrNotFound, name)
		_, err = s.Close(t.Context(), c.scope, c.kind, c.id)
		require.ErrorIs(t, err, accounts.ErrNotFound, name)
	}
	require.Equal(t, accounts.Active, s.get(a).Status)
}

func TestAnAccountIsFoundByItsIDAndItsNumber(t *testing.T) {
	s := setup(t)
	for _, a := range []accounts.Account{s.at(accounts.Virtual, accounts.Active), s.reserved()} {
		id, number := string(a.ID), a.Bank.AccountNumber
		for name, c := range map[string]struct {
			scope ferry.Scope
			ref   accounts.Ref
			want  error
		}{
			"by its id":                    {shop, accounts.Ref{ID: id}, nil},
			"by the legacy form of its id": {shop, accounts.Ref{ID: ferry.UID(id)}, nil},
			"by its number":                {shop, accounts.Ref{Number: number}, nil},
			"by both":                      {shop, accounts.Ref{ID: id, Number: number}, nil},
			"by two that differ":           {shop, accounts.Ref{ID: id, Number: "0000000000"}, accounts.ErrNotFound},
			"by another number":            {shop, accounts.Ref{Number: "0000000000"}, accounts.ErrNotFound},
			"by another business":          {other, accounts.Ref{Number: number}, accounts.ErrNotFound},
			"by its id by another one":     {other, accounts.Ref{ID: id}, accounts.ErrNotFound},
			"in the other environment":     {live, accounts.Ref{Number: number}, accounts.ErrNotFound},
		} {
			found, err := s.Find(t.Context(), c.scope, c.ref)
			require.ErrorIs(t, err, c.want, name)
			if c.want == nil {
				require.Equal(t, a, found, name)
			} else {
				require.Zero(t, found, name)
			}
		}
	}
}

func TestBeforeAnAccountEndsTheBankIsReadUpToItsEnd(t *testing.T) {
	s := setup(t)
	a := s.virtual(invoice("invoice-1"))
	s.wait(15*time.Minute - time.Second)
	require.Empty(t, s.reads, "it is not due")
	s.wait(time.Second)
	require.Equal(t, []time.Time{a.ExpiresAt}, s.reads)
	require.Equal(t, accounts.Expired, s.get(a).Status)
	require.False(t, in(s, func(ctx context.Context, tx store.Tx) (bool, error) {
		return tx.Leases().Held(ctx, []lease.Queue{accounts.QueueExpiry.In(ferry.Test)})
	}), "the work is done")
	s.wait(time.Hour)
	require.Len(t, s.reads, 1, "it has ended")
}

func TestABankThatStaysAwayHoldsUpTheEndForAnHourOnly(t *testing.T) {
	s := setup(t)
	a := s.virtual(invoice("invoice-1"))
	s.unread = bank.ErrUnavailable
	late := s.paid(a, 500_00)
	late.At = a.ExpiresAt.Add(-time.Second)
	s.now = a.ExpiresAt
	for s.now.Before(a.ExpiresAt.Add(time.Hour)) {
		_, err := s.RunDue(t.Context(), 10)
		require.ErrorIs(t, err, bank.ErrUnavailable, "an operator hears of it")
		require.Equal(t, int64(1), s.get(a).Version, "nothing was decided")
		s.now = s.now.Add(5 * time.Second)
	}
	require.Len(t, s.reads, 720)
	_, err := s.RunDue(t.Context(), 10)
	require.ErrorIs(t, err, bank.ErrUnavailable)
	require.Equal(t, accounts.Expired, s.get(a).Status)
	require.NoError(t, s.take(late))
	require.Equal(t, []string{"session-1 500 NGN"}, s.returns())
	s.clean()
}

func TestAWorkerThatComesEarlyEndsNoAccount(t *testing.T) {
	s := setup(t)
	a := s.virtual(invoice("invoice-1"))
	s.do(func(ctx context.Context, tx store.Tx) error {
		return tx.Leases().Schedule(ctx, accounts.QueueExpiry.In(ferry.Test), lease.RecordKey(shop, string(a.ID)), tx.Now())
	})
	s.wait(15*time.Minute - time.Millisecond)
	require.Len(t, s.reads, 1, "it came")
	require.Equal(t, accounts.Active, s.get(a).Status)
	s.credit(a, 500_00)
	require.Equal(t, money.NGN(500_00), s.balance())
}
