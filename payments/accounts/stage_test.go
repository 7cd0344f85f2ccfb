package accounts_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bankfeed"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/kyc"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storefault"
)

var (
	shop  = ferry.Scope{Business: "biz_1", Env: ferry.Test}
	other = ferry.Scope{Business: "biz_2", Env: ferry.Test}
	live  = ferry.Scope{Business: "biz_1", Env: ferry.Live}
)

// stage is a service over a store, on a clock that stands still.
type stage struct {
	*accounts.Service
	t     *testing.T
	units ferry.EnvUnits[store.Tx]
	now   time.Time

	mu sync.Mutex
	// opened are the accounts at the bank by the key that they were asked for under,
	// and names what they are called; down is its answer when it is not nil.
	opened map[string]bank.Account
	names  []string
	down   error
	// reads are the instants that the bank was read up to before an account ended;
	// unread is what came of it.
	reads  []time.Time
	unread error
	// told counts the credits that the bank told of.
	told int
}

func (s *stage) Now() time.Time { return s.now }

// opener is a bank that only opens accounts.
type opener struct {
	bank.Bank
	*stage
}

func (b opener) OpenAccount(_ context.Context, key, name string) (bank.Account, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.down != nil {
		return bank.Account{}, b.down
	}
	if known, ok := b.opened[key]; ok {
		return known, nil
	}
	made := bank.Account{
		BankCode: "999", BankName: "Bank", AccountNumber: fmt.Sprintf("9%09d", len(b.opened)), AccountName: name,
	}
	b.opened[key], b.names = made, append(b.names, name)
	return made, nil
}

func setup(t *testing.T) *stage {
	t.Helper()
	s := &stage{t: t, now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC), opened: map[string]bank.Account{}}
	s.units = store.Open(storefault.Late(memstore.New()), ferry.OneClock(s), ferry.NewIDs(rand.Reader))
	s.Service = accounts.New(ferry.Narrow(s.units, func(tx store.Tx) accounts.Tx { return tx }), accounts.Config{
		Banks: map[ferry.Env]bank.Bank{ferry.Test: opener{stage: s}},
		ReadBank: func(_ context.Context, _ ferry.Env, before time.Time) error {
			s.reads = append(s.reads, before)
			return s.unread
		},
	})
	s.do(func(ctx context.Context, tx store.Tx) error {
		for _, scope := range []ferry.Scope{shop, other, live} {
			name := map[ferry.BusinessID]string{shop.Business: "Ada's shop", other.Business: "Bola's shop"}[scope.Business]
			if err := business.Kind.Insert(ctx, tx, business.Business{Scope: scope, Name: name, Preferences: business.DefaultPreferences()}); err != nil {
				return err
			}
			balance := ledger.Account{ID: ledger.BusinessAccount(scope, money.AssetNGN), Scope: scope, Asset: money.AssetNGN}
			if err := tx.Ledger().OpenAccount(ctx, balance); err != nil {
				return err
			}
		}
		for _, account := range ledger.SystemAccounts(ferry.Test) {
			if err := tx.Ledger().OpenAccount(ctx, account); err != nil {
				return err
			}
		}
		return nil
	})
	return s
}

func (s *stage) do(body func(context.Context, store.Tx) error) {
	s.t.Helper()
	require.NoError(s.t, s.units.In(ferry.Test).Write(s.t.Context(), body))
}

func in[R any](s *stage, body func(context.Context, store.Tx) (R, error)) R {
	s.t.Helper()
	found, err := ferry.InUnit(s.t.Context(), s.units.In(ferry.Test), body)
	require.NoError(s.t, err)
	return found
}

func ptr[T any](v T) *T { return &v }

// invoice asks for 500 naira within 15 minutes.
func invoice(reference string) accounts.VirtualParams {
	return accounts.VirtualParams{Currency: "NGN", Reference: reference, Amount: money.NGN(500_00)}
}

func (s *stage) virtual(p accounts.VirtualParams) accounts.Account {
	s.t.Helper()
	made, err := s.CreateVirtual(s.t.Context(), shop, p)
	require.NoError(s.t, err)
	return made
}

// identity adds an identity of a scope.
func (s *stage) identity(of ferry.Scope, status customers.IdentityStatus) customers.Identity {
	s.t.Helper()
	return in(s, func(ctx context.Context, tx store.Tx) (customers.Identity, error) {
		whose := customers.Customer{
			ID: customers.ID("cus_" + of.String()), Scope: of, Type: customers.Individual, Status: customers.Verified,
			Email: "ada@example.com", Phone: "+2348012345678", CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
		}
		if _, err := customers.CustomerKind.Get(ctx, tx, of, whose.ID); err != nil {
			if err := customers.CustomerKind.Insert(ctx, tx, whose); err != nil {
				return customers.Identity{}, err
			}
		}
		made := customers.Identity{
			ID: customers.IdentityID(tx.NewID("idn_")), Scope: of, Type: kyc.BVN, Status: status, CustomerID: whose.ID, VerifiedName: "ADA OBI",
			CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
		}
		return made, customers.IdentityKind.Insert(ctx, tx, made)
	})
}

// whose is a right order of a reserved account.
func whose(of customers.Identity) accounts.ReservedParams {
	return accounts.ReservedParams{Currency: "NGN", IdentityID: string(of.ID), Email: "ada@example.com", Phone: "+2348012345678"}
}

func (s *stage) reserved() accounts.Account {
	s.t.Helper()
	made, err := s.CreateReserved(s.t.Context(), shop, whose(s.identity(shop, customers.IdentityVerified)))
	require.NoError(s.t, err)
	return made
}

// at brings a new account into a status.
func (s *stage) at(kind accounts.Kind, status accounts.Status) accounts.Account {
	s.t.Helper()
	a := s.virtual(invoice("at"))
	if kind == accounts.Reserved {
		a = s.reserved()
	}
	switch status {
	case accounts.Completed:
		s.credit(a, 500_00)
	case accounts.Expired:
		s.wait(15 * time.Minute)
	case accounts.Closed:
		_, err := s.Close(s.t.Context(), shop, kind, string(a.ID))
		require.NoError(s.t, err)
	}
	a = s.get(a)
	require.Equal(s.t, status, a.Status)
	return a
}

func (s *stage) get(a accounts.Account) accounts.Account {
	s.t.Helper()
	found, err := s.Get(s.t.Context(), a.Scope, a.Kind, string(a.ID))
	require.NoError(s.t, err)
	return found
}

// take books what the bank tells of, as bankfeed does.
func (s *stage) take(c bank.Credit) error {
	return s.units.In(ferry.Test).Write(s.t.Context(), func(ctx context.Context, tx store.Tx) error {
		return bankfeed.Credit(ctx, tx, ferry.Test, c, money.Rate{}, func(ctx context.Context, tx bankfeed.Tx, env ferry.Env, c bank.Credit, _ money.Rate) ([]ledger.Leg, bool, error) {
			return accounts.CreditIn(ctx, tx.(accounts.Tx), env, c)
		})
	})
}

// paid is a credit of so many kobo that the bank takes in now.
func (s *stage) paid(to accounts.Account, kobo int64) bank.Credit {
	s.told++
	return bank.Credit{
		SessionID: fmt.Sprint("session-", s.told), AccountNumber: to.Bank.AccountNumber, Amount: money.NGN(kobo),
		Sender: bank.Party{BankCode: "058", AccountNumber: "0123456789", AccountName: "Bola Ade"}, Narration: "rent", At: s.now,
	}
}

func (s *stage) credit(to accounts.Account, kobo int64) {
	s.t.Helper()
	require.NoError(s.t, s.take(s.paid(to, kobo)))
}

// wait lets time go by and ends what is due.
func (s *stage) wait(by time.Duration) {
	s.t.Helper()
	s.now = s.now.Add(by)
	_, err := s.RunDue(s.t.Context(), 10)
	require.NoError(s.t, err)
}

// balance is what the business has.
func (s *stage) balance() money.Amount {
	s.t.Helper()
	return in(s, func(ctx context.Context, tx store.Tx) (money.Amount, error) {
		a, err := tx.Ledger().Account(ctx, ledger.BusinessAccount(shop, money.AssetNGN))
		return a.Posted, err
	})
}

// lines are what all transactions tell of an account, newest first.
func (s *stage) lines(of accounts.Account) []statement.Transaction {
	s.t.Helper()
	return in(s, func(ctx context.Context, tx store.Tx) ([]statement.Transaction, error) {
		found, err := statement.Kind.Page(ctx, tx, of.Scope, statement.Filter{Source: string(of.ID)}.Query(), ferry.Page{Limit: ferry.MaxLimit})
		return found.Data, err
	})
}

// returns are the sessions of the bank that go back.
func (s *stage) returns() []string {
	s.t.Helper()
	return in(s, func(ctx context.Context, tx store.Tx) ([]string, error) {
		found, err := payments.ReturnKind.After(ctx, tx, records.Where(records.Is("env", ferry.Test)), "", 100)
		sessions := []string{}
		for _, r := range found {
			sessions = append(sessions, r.Session+" "+r.Amount.String())
		}
		return sessions, err
	})
}

// events are the data of all events so far, each of them transfer.received.
func (s *stage) events() []map[string]any {
	s.t.Helper()
	return in(s, func(ctx context.Context, tx store.Tx) ([]map[string]any, error) {
		found, err := tx.Webhooks().Feed(ctx, shop, 0, time.Time{}, 1000)
		all := []map[string]any{}
		for _, e := range found {
			require.Equal(s.t, accounts.EventReceived, e.Type)
			data := map[string]any{}
			require.NoError(s.t, json.Unmarshal([]byte(e.Data), &data))
			all = append(all, data)
		}
		return all, err
	})
}

// clean requires that the books are right.
func (s *stage) clean() {
	s.t.Helper()
	require.Empty(s.t, in(s, func(ctx context.Context, tx store.Tx) ([]ledger.Finding, error) {
		books, err := ledger.Audit(ctx, tx.Ledger(), ferry.Test)
		if err != nil {
			return nil, err
		}
		returns, err := payments.Audit(ctx, tx, ferry.Test)
		return append(books, returns...), err
	}))
}
