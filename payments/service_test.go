package payments_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/store/storefault"
)

var shop = ferry.Scope{Business: "biz_1", Env: ferry.Test}

// stage is a service over a store, on a clock that stands still.
type stage struct {
	*payments.Service
	statement *statement.Service
	t         *testing.T
	units     ferry.EnvUnits[store.Tx]
	now       time.Time
	// asked guards what the bank notes: a pass asks for several returns at once.
	asked sync.Mutex
	// returned is what the bank was asked to send back; refuse is its answer.
	returned []string
	refuse   error
	// keys are those that the bank was given.
	keys []string
	// held keeps money from leaving; log is what an operator reads.
	held bool
	log  bytes.Buffer
	// told is what the bank tells of what it sent back, unless it is silent; listed
	// is called when it has told all.
	told   []bank.Returned
	silent bool
	listed func()
}

func (s *stage) Now() time.Time { return s.now }

// teller is a bank that only sends money back.
type teller struct {
	bank.Bank
	*stage
}

func (b teller) Return(_ context.Context, key, session string, amount money.Amount) error {
	b.asked.Lock()
	defer b.asked.Unlock()
	b.keys = append(b.keys, key)
	if b.refuse == nil {
		b.returned = append(b.returned, session+" "+amount.String())
		b.told = append(b.told, bank.Returned{Key: key, SessionID: session, Amount: amount})
	}
	return b.refuse
}

// Returns tells of one return at a time.
func (b teller) Returns(_ context.Context, after bank.Cursor, _ int) ([]bank.Returned, error) {
	if b.silent {
		return nil, bank.ErrUnavailable
	}
	n := len(after)
	if n == len(b.told) {
		if b.listed != nil {
			b.listed()
		}
		return nil, nil
	}
	next := b.told[n]
	next.Cursor = after + "x"
	return []bank.Returned{next}, nil
}

func setup(t *testing.T) *stage {
	t.Helper()
	s := &stage{t: t, now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
	s.units = store.Open(storefault.Late(memstore.New()), ferry.OneClock(s), ferry.NewIDs(rand.Reader))
	narrow := ferry.Narrow(s.units, func(tx store.Tx) payments.Tx { return tx })
	s.statement = statement.New(ferry.Narrow(s.units, func(tx store.Tx) statement.Tx { return tx }))
	s.Service = payments.New(narrow, disburse.Config{
		Banks:  map[ferry.Env]bank.Bank{ferry.Test: teller{stage: s}},
		Held:   func(context.Context, records.Tx, ferry.Env) (bool, error) { return s.held, nil },
		Logger: slog.New(slog.NewTextHandler(&s.log, nil)),
	})
	s.do(func(ctx context.Context, tx store.Tx) error {
		for _, a := range append(ledger.SystemAccounts(ferry.Test), ledger.Account{
			ID: ledger.BusinessAccount(shop, money.AssetNGN), Scope: shop, Asset: money.AssetNGN,
		}) {
			if err := tx.Ledger().OpenAccount(ctx, a); err != nil {
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

// create adds a payment of 5,000 naira, of which 50 are fees.
func (s *stage) create(reference string) payments.Payment {
	return in(s, func(ctx context.Context, tx store.Tx) (payments.Payment, error) {
		return payments.CreateIn(ctx, tx, payments.Payment{
			Scope: shop, Reference: reference, Channel: fees.Link, Link: "plink_1", Amount: money.NGN(5000_00),
			Fees:      fees.Fees{Platform: money.NGN(40_00), Processing: money.NGN(10_00)},
			Customer:  payments.Customer{Email: "ada@example.com", Phone: "08012345678", Name: "Ada"},
			Collected: map[string]string{"Address": "12 Marina Road"}, Metadata: ferry.Metadata{"cart": "9"},
		})
	})
}

func TestANewPaymentWaitsForAllOfItsAmount(t *testing.T) {
	s := setup(t)
	p := s.create("order-1")
	require.Regexp(t, "^pay_[0-9a-f]{32}$", p.ID)
	require.Equal(t, payments.Pending, p.Status)
	require.Equal(t, money.NGN(5000_00), p.Expected)
	require.Equal(t, money.NGN(0), p.Received)
	require.Equal(t, money.NGN(0), p.Settled)
	require.Equal(t, s.now, p.CreatedAt)
	require.Equal(t, s.now, p.UpdatedAt)
	require.Equal(t, p, s.get(p))
}

func TestAChangeOfAPaymentHasItsTime(t *testing.T) {
	s := setup(t)
	p := s.create("order-1")
	made := s.now
	s.now = s.now.Add(time.Minute)
	p.Received = money.NGN(1)
	p = in(s, func(ctx context.Context, tx store.Tx) (payments.Payment, error) { return payments.SaveIn(ctx, tx, p) })
	require.Equal(t, made, p.CreatedAt)
	require.Equal(t, s.now, p.UpdatedAt)
	require.Equal(t, p, s.get(p))
}

// get reads a payment again.
func (s *stage) get(p payments.Payment) payments.Payment {
	s.t.Helper()
	found, err := s.Get(s.t.Context(), shop, payments.Ref{ID: string(p.ID)})
	require.NoError(s.t, err)
	return found
}

// pay confirms a payment that was paid by bank transfer.
func (s *stage) pay(p payments.Payment) payments.Payment {
	return in(s, func(ctx context.Context, tx store.Tx) (payments.Payment, error) {
		p.Method, p.Received = payments.BankTransfer, p.Amount
		legs, err := p.Fees.Shares(shop, p.Amount)
		if err != nil {
			return p, err
		}
		err = ledger.Post(ctx, tx.Ledger(), ledger.Posting{
			ID: ledger.PostingID("in:" + string(p.ID)), Env: shop.Env, Kind: "test", At: tx.Now(),
			Legs: append(legs, ledger.Leg{Account: ledger.SystemAccount(shop.Env, ledger.Bank, money.AssetNGN), Amount: p.Amount.Neg()}),
		})
		if err != nil {
			return p, err
		}
		return payments.ConfirmIn(ctx, tx, p, payments.Brought{Amount: p.Amount, Fees: p.Fees, Order: p.Amount})
	})
}

// events returns the types of all events so far, and the data of the last.
func (s *stage) events() (types []string, last map[string]any) {
	require.NoError(s.t, s.units.In(ferry.Test).Read(s.t.Context(), func(ctx context.Context, tx store.Tx) error {
		events, err := tx.Webhooks().Feed(ctx, shop, 0, time.Time{}, 100)
		for _, e := range events {
			types = append(types, e.Type)
			last = nil
			require.NoError(s.t, json.Unmarshal([]byte(e.Data), &last))
		}
		return err
	}))
	return types, last
}

func (s *stage) balance() money.Amount {
	return in(s, func(ctx context.Context, tx store.Tx) (money.Amount, error) {
		a, err := tx.Ledger().Account(ctx, ledger.BusinessAccount(shop, money.AssetNGN))
		return a.Posted, err
	})
}

func (s *stage) clean() {
	findings := in(s, func(ctx context.Context, tx store.Tx) ([]ledger.Finding, error) {
		return ledger.Audit(ctx, tx.Ledger(), shop.Env)
	})
	require.Empty(s.t, findings)
}

func TestAPaymentIsFoundByItsReferenceAndItsID(t *testing.T) {
	s := setup(t)
	p := s.create("order-1")
	for name, c := range map[string]struct {
		ref  payments.Ref
		want error
	}{
		"by reference":                        {payments.Ref{Reference: "order-1"}, nil},
		"by id":                               {payments.Ref{ID: string(p.ID)}, nil},
		"by the legacy form of the id":        {payments.Ref{ID: ferry.UID(string(p.ID))}, nil},
		"by both":                             {payments.Ref{Reference: "order-1", ID: string(p.ID)}, nil},
		"by its id as a reference":            {payments.Ref{Reference: string(p.ID)}, nil},
		"by its legacy id as a reference":     {payments.Ref{Reference: ferry.UID(string(p.ID))}, nil},
		"by its reference as an id":           {payments.Ref{ID: "order-1"}, nil},
		"by its id as both":                   {payments.Ref{Reference: string(p.ID), ID: string(p.ID)}, nil},
		"by both forms of its id":             {payments.Ref{Reference: ferry.UID(string(p.ID)), ID: string(p.ID)}, nil},
		"by an id and that of another":        {payments.Ref{Reference: payments.Prefix + "00000000000000000000000000000000", ID: string(p.ID)}, payments.ErrNotFound},
		"by each in the place of the other":   {payments.Ref{Reference: string(p.ID), ID: "order-1"}, nil},
		"by two that differ":                  {payments.Ref{Reference: "order-2", ID: string(p.ID)}, payments.ErrNotFound},
		"by a reference that nobody used":     {payments.Ref{Reference: "order-2"}, payments.ErrNotFound},
		"by an id that nobody has":            {payments.Ref{ID: payments.Prefix + "00000000000000000000000000000000"}, payments.ErrNotFound},
		"by what cannot be a reference":       {payments.Ref{Reference: "order 1"}, payments.ErrInvalidReference},
		"by what cannot be an id":             {payments.Ref{ID: "pay_1"}, payments.ErrInvalidReference},
		"by nothing":                          {payments.Ref{}, payments.ErrInvalidReference},
		"by a reference that is far too long": {payments.Ref{Reference: string(make([]byte, 101))}, payments.ErrInvalidReference},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := s.Get(t.Context(), shop, c.ref)
			require.ErrorIs(t, err, c.want)
			if c.want == nil {
				require.Equal(t, p.ID, found.ID)
			}
		})
	}
	_, err := s.Get(t.Context(), ferry.Scope{Business: "biz_2", Env: ferry.Test}, payments.Ref{ID: string(p.ID)})
	require.ErrorIs(t, err, payments.ErrNotFound)
}

func TestAReferenceThatLooksLikeAnIDIsAReferenceFirst(t *testing.T) {
	s := setup(t)
	first := s.create("order-1")
	for _, reference := range []string{"pay_1", ferry.UID(string(first.ID))} {
		p := s.create(reference)
		for _, ref := range []payments.Ref{{Reference: reference}, {ID: reference}} {
			found, err := s.Get(t.Context(), shop, ref)
			require.NoError(t, err)
			require.Equal(t, p.ID, found.ID, reference)
		}
	}
}

func TestALineIsThatOfAnOrderOfTheBusinessFirst(t *testing.T) {
	s := setup(t)
	visitors := s.pay(in(s, func(ctx context.Context, tx store.Tx) (payments.Payment, error) { // with a public key
		return payments.CreateIn(ctx, tx, payments.Payment{
			Scope: shop, Reference: "order-1", Public: true, Channel: fees.Checkout, Amount: money.NGN(70_00),
			Fees: fees.Fees{Platform: money.NGN(1), Processing: money.NGN(1)},
		})
	}))
	line := func(ref statement.Ref) (string, error) {
		found, err := s.Line(t.Context(), shop, ref)
		return found.Reference, err
	}
	found, err := s.Line(t.Context(), shop, statement.Ref{TrxID: "order-1"})
	require.NoError(t, err)
	require.Equal(t, string(visitors.ID), found.Reference, "the business has no order of that name")
	ours := s.create("order-1")
	for _, ref := range []statement.Ref{{TrxID: "order-1"}, {Reference: "order-1"}} {
		_, err = line(ref)
		require.ErrorIs(t, err, statement.ErrNotFound, "its own is not paid")
	}
	for name, ref := range map[string]statement.Ref{
		"by its own id":                       {ID: string(found.ID)},
		"by the id of its payment":            {Reference: string(visitors.ID)},
		"by the id of its payment as a trx":   {TrxID: string(visitors.ID)},
		"by both, and one can mean this only": {TrxID: "order-1", Reference: string(visitors.ID)},
	} {
		got, err := line(ref)
		require.NoError(t, err, name)
		require.Equal(t, string(visitors.ID), got, name)
	}
	s.pay(ours)
	got, err := line(statement.Ref{TrxID: "order-1"})
	require.NoError(t, err)
	require.Equal(t, string(ours.ID), got)
	_, err = line(statement.Ref{TrxID: "order-2"})
	require.ErrorIs(t, err, statement.ErrNotFound)
}

func TestAPaymentMovesAsItsLifecycleSays(t *testing.T) {
	statuses := []payments.Status{payments.Pending, payments.Success, payments.Failed, payments.Cancelled, payments.Expired, payments.Reversed}
	causes := []payments.Cause{payments.Confirm, payments.Fail, payments.Cancel, payments.Expire, payments.Reverse}
	want := map[payments.Status]map[payments.Cause]payments.Status{
		payments.Pending: {
			payments.Confirm: payments.Success, payments.Fail: payments.Failed,
			payments.Cancel: payments.Cancelled, payments.Expire: payments.Expired,
		},
		payments.Success: {payments.Reverse: payments.Reversed},
	}
	for _, from := range statuses {
		for _, on := range causes {
			edge, err := payments.Lifecycle.Next(from, on)
			if to, ok := want[from][on]; ok {
				require.NoError(t, err)
				require.Equal(t, to, edge.To, "%s by %s", from, on)
				continue
			}
			require.ErrorIs(t, err, ferry.ErrInvalidTransition, "%s by %s", from, on)
		}
	}
}

func TestASuccessTellsThePaymentNestedAndFlatAndAddsALine(t *testing.T) {
	s := setup(t)
	p := s.pay(s.create("order-1"))
	require.Equal(t, payments.Success, p.Status)
	require.Equal(t, money.NGN(4950_00), p.Settled, "what the business got")
	types, data := s.events()
	require.Equal(t, []string{payments.EventSuccess}, types)
	nested, _ := data["payment"].(map[string]any)
	for _, told := range []map[string]any{nested, data} {
		require.Equal(t, string(p.ID), told["id"])
		require.Equal(t, "plink_1", told["payment_link_id"])
		require.Equal(t, 500000.0, told["amount"], "in kobo")
		require.Equal(t, "NGN", told["currency"])
		require.Equal(t, "order-1", told["reference"])
		require.Equal(t, "success", told["status"])
		require.Equal(t, map[string]any{"cart": "9"}, told["metadata"])
		require.Equal(t, "2026-03-01T09:00:00.000Z", told["paid_at"])
		require.Equal(t, 495000.0, told["net_amount"])
		customer, _ := told["customer"].(map[string]any)
		require.Equal(t, "ada@example.com", customer["email"])
		require.Equal(t, "08012345678", customer["phone"])
		require.Equal(t, "12 Marina Road", customer["address"], "collected by the link")
		require.Equal(t, map[string]any{"Address": "12 Marina Road"}, told["fields"])
	}
	line, err := s.statement.Get(t.Context(), shop, statement.Ref{TrxID: "order-1", Reference: string(p.ID)})
	require.NoError(t, err)
	require.Equal(t, money.NGN(5000_00), line.Amount)
	require.Equal(t, money.NGN(50_00), line.Fee)
	_, err = s.statement.Get(t.Context(), shop, statement.Ref{TrxID: "order-1", Reference: "pay_2"})
	require.ErrorIs(t, err, statement.ErrNotFound)
}

func TestTheFirstSignOfAnAttemptIsToldAndItsTimeBegins(t *testing.T) {
	for method, limit := range map[payments.Method]time.Duration{
		payments.Card: 5 * time.Minute, payments.BankTransfer: 24 * time.Hour,
		payments.USDC: 10 * time.Minute, payments.Wallet: 2 * time.Minute,
	} {
		t.Run(string(method), func(t *testing.T) {
			s := setup(t)
			p := s.create("order-1")
			for range 2 {
				p = in(s, func(ctx context.Context, tx store.Tx) (payments.Payment, error) {
					return payments.AttemptIn(ctx, tx, p, method)
				})
			}
			require.Equal(t, s.now.Add(limit), p.PendingUntil)
			types, data := s.events()
			require.Equal(t, []string{payments.EventPending}, types, "once")
			require.Equal(t, "pending", data["status"])
		})
	}
}

func TestAnAttemptAtAPaymentThatHasEndedIsNoNews(t *testing.T) {
	s := setup(t)
	p := s.create("order-1")
	for _, end := range []func(context.Context, store.Tx) (payments.Payment, error){
		func(ctx context.Context, tx store.Tx) (payments.Payment, error) {
			return payments.EndIn(ctx, tx, p, payments.Cancel, "")
		},
		func(ctx context.Context, tx store.Tx) (payments.Payment, error) {
			return payments.AttemptIn(ctx, tx, p, payments.Card)
		},
	} {
		p = in(s, end)
	}
	require.Equal(t, payments.Cancelled, p.Status)
	require.Zero(t, p.PendingUntil)
	require.Empty(t, p.Method)
	types, _ := s.events()
	require.Empty(t, types)
}

func TestAnEventOfAPaymentHasEveryListAndObjectAlsoWhenNothingIsInIt(t *testing.T) {
	s := setup(t)
	p := s.create("order-1")
	p.Collected, p.Metadata = nil, nil
	s.do(func(ctx context.Context, tx store.Tx) error {
		_, err := payments.EndIn(ctx, tx, p, payments.Fail, "")
		return err
	})
	_, data := s.events()
	require.Equal(t, []any{}, data["exceptions"])
	require.Equal(t, map[string]any{}, data["fields"])
	require.Equal(t, map[string]any{}, data["metadata"])

	late := s.create("order-2")
	s.do(func(ctx context.Context, tx store.Tx) error {
		_, err := payments.LateIn(ctx, tx, late)
		return err
	})
	types, data := s.events()
	require.Equal(t, []string{payments.EventFailed, payments.EventLate}, types)
	require.Equal(t, []any{"late"}, data["exceptions"])
}

func TestAPaymentThatEndsUnpaidSaysSoOnlyWhenItFailed(t *testing.T) {
	for cause, want := range map[payments.Cause][]string{
		payments.Fail: {payments.EventFailed}, payments.Cancel: nil, payments.Expire: nil,
	} {
		s := setup(t)
		p := s.create("order-1")
		p = in(s, func(ctx context.Context, tx store.Tx) (payments.Payment, error) {
			return payments.EndIn(ctx, tx, p, cause, "why")
		})
		types, data := s.events()
		require.Equal(t, want, types)
		if len(want) > 0 {
			require.Equal(t, "why", data["failure_reason"])
		}
	}
}

func (s *stage) reverse(p payments.Payment) (payments.Payment, error) {
	return ferry.InUnit(s.t.Context(), s.units.In(ferry.Test), func(ctx context.Context, tx store.Tx) (payments.Payment, error) {
		return payments.ReverseIn(ctx, tx, p, ledger.PostingID("in:"+string(p.ID)))
	})
}

func TestAReversalTakesBackWhatASuccessBrought(t *testing.T) {
	s := setup(t)
	p := s.pay(s.create("order-1"))
	require.Equal(t, money.NGN(4950_00), s.balance())
	p, err := s.reverse(p)
	require.NoError(t, err)
	require.Equal(t, payments.Reversed, p.Status)
	require.Equal(t, money.NGN(0), s.balance())
	types, _ := s.events()
	require.Equal(t, []string{payments.EventSuccess, payments.EventReversed}, types)
	line, err := s.statement.Get(t.Context(), shop, statement.Ref{TrxID: "order-1"})
	require.NoError(t, err)
	require.Equal(t, statement.Reversed, line.Status)
	_, err = s.reverse(p)
	require.ErrorIs(t, err, ferry.ErrInvalidTransition)
	s.clean()
}

func TestAReversalThatTheBalanceDoesNotCoverIsRefused(t *testing.T) {
	s := setup(t)
	p := s.pay(s.create("order-1"))
	s.do(func(ctx context.Context, tx store.Tx) error {
		return ledger.Post(ctx, tx.Ledger(), ledger.Move("spent", shop.Env, "test", "", ledger.BusinessAccount(shop, money.AssetNGN),
			ledger.SystemAccount(shop.Env, ledger.Bank, money.AssetNGN), money.NGN(1), tx.Now()))
	})
	_, err := s.reverse(p)
	require.ErrorIs(t, err, ledger.ErrInsufficientBalance)
	found, err := s.Get(t.Context(), shop, payments.Ref{ID: string(p.ID)})
	require.NoError(t, err)
	require.Equal(t, payments.Success, found.Status)
}

// incoming is a line of naira that came for a session.
func incoming(tx store.Tx, session string, kobo int64) statement.Transaction {
	return statement.Incoming(tx, shop, string(fees.Checkout), session, money.NGN(kobo), statement.Sender{AccountName: "Bola"})
}

// giveBack brings naira that goes back at once.
func (s *stage) sendBack(session string, kobo int64) {
	s.do(func(ctx context.Context, tx store.Tx) error {
		leg, err := payments.ReturnLineIn(ctx, tx, incoming(tx, session, kobo), "test")
		if err != nil {
			return err
		}
		from := ledger.Leg{Account: ledger.SystemAccount(shop.Env, ledger.Bank, money.AssetNGN), Amount: leg.Amount.Neg()}
		return ledger.Post(ctx, tx.Ledger(), ledger.Posting{
			ID: ledger.PostingID("in:" + session), Env: shop.Env, Kind: "test", Legs: []ledger.Leg{from, leg}, At: tx.Now(),
		})
	})
}

func (s *stage) onItsWay() money.Amount {
	sum := money.NGN(0)
	require.NoError(s.t, s.units.In(ferry.Test).Read(s.t.Context(), func(ctx context.Context, tx store.Tx) error {
		entries, err := tx.Ledger().Entries(ctx, ledger.SystemAccount(shop.Env, ledger.Returns, money.AssetNGN), ledger.EntryID{}, 100)
		for _, e := range entries {
			sum, _ = sum.Add(e.Amount)
		}
		return err
	}))
	return sum
}

func TestMoneyGoesBackOnceTheBankAccepts(t *testing.T) {
	s := setup(t)
	s.sendBack("session-1", 700)
	s.refuse = bank.ErrUnavailable
	_, err := s.RunDue(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, money.NGN(700), s.onItsWay(), "still ours to return")
	s.refuse = nil
	s.now = s.now.Add(time.Minute)
	done, err := s.RunDue(t.Context(), 10)
	require.NoError(t, err)
	require.Equal(t, 1, done)
	require.Equal(t, []string{"session-1 7 NGN"}, s.returned)
	line, err := s.statement.Get(t.Context(), shop, statement.Ref{Reference: "session-1"})
	require.NoError(t, err)
	require.Equal(t, statement.Returned, line.Status)
	require.Equal(t, string(line.ID), line.TrxID)
	require.Equal(t, money.NGN(0), s.onItsWay())
	s.now = s.now.Add(time.Hour)
	done, err = s.RunDue(t.Context(), 10)
	require.NoError(t, err)
	require.Zero(t, done)
	s.clean()
}

// A payment that could not have its line when it is paid would keep the bank's feed.
func TestTheNameOfALineIsTaken(t *testing.T) {
	s := setup(t)
	s.sendBack("session-1", 700)
	line, err := s.statement.Get(t.Context(), shop, statement.Ref{Reference: "session-1"})
	require.NoError(t, err)
	err = s.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		_, err := payments.CreateIn(ctx, tx, payments.Payment{Scope: shop, Reference: line.TrxID, Amount: money.NGN(1)})
		return err
	})
	require.ErrorIs(t, err, statement.ErrDuplicateTrxID)
}

func TestTheMoneyOfOneSessionGoesBackOnce(t *testing.T) {
	s := setup(t)
	s.sendBack("session-1", 700)
	err := s.units.In(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
		_, err := payments.ReturnLineIn(ctx, tx, incoming(tx, "session-1", 1), "again")
		return err
	})
	require.True(t, errors.Is(err, payments.ErrReturned))
}

func TestAStoreThatForgotAReturnAsksTheBankForTheSameOne(t *testing.T) {
	var keys []string
	for range 2 { // the second store is a restored one, which reads the credit again
		s := setup(t)
		s.sendBack("session-1", 700)
		_, err := s.RunDue(t.Context(), 10)
		require.NoError(t, err)
		keys = append(keys, s.keys...)
	}
	require.Len(t, keys, 2)
	require.Equal(t, keys[0], keys[1])
}

func TestOnlyAPaymentThatWasPaidThroughASessionHasAReceipt(t *testing.T) {
	const pages = "https://pay.example.com"
	for _, status := range payments.Lifecycle.States() {
		url := payments.Payment{Status: status, Session: "sess_1", Pages: pages}.ReceiptURL()
		if status == payments.Success || status == payments.Reversed {
			require.Equal(t, pages+"/checkout/sess_1/receipt", url, status)
		} else {
			require.Empty(t, url, status)
		}
		require.Empty(t, payments.Payment{Status: status, Pages: pages}.ReceiptURL(), "%s, through no session", status)
		require.Empty(t, payments.Payment{Status: status, Session: "sess_1"}.ReceiptURL(), "%s, and nobody said where the pages are", status)
	}
}
