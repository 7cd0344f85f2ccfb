package refunds_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/disburse"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/internal/enginetest"
	"github.com/ferrypay/ferry/lease"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/memstore"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/sandbox"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/wallets/outgoing"
	"github.com/ferrypay/ferry/webhook"
)

// bola has an account to which the bank of the sandbox pays.
var bola = bank.Party{BankCode: "058", AccountNumber: "0123456780", AccountName: "Bola Ade"}

// shop is a business that gives money back, and the types of the events of its refunds, with the data
// of the last one.
type shop struct {
	*testing.T
	*engine.Engine
	scope ferry.Scope
	told  []string
	data  string
	asked int
}

// newShop returns a shop whose refunds of naira cost 50.00 NGN.
func newShop(t *testing.T) *shop { return newShopAt(t, 50_00) }

// newShopAt returns a shop whose refunds of naira have a fee.
func newShopAt(t *testing.T, fee int64) *shop {
	t.Helper()
	s := &shop{T: t}
	e, err := engine.New(engine.Config{
		Store:   memstore.New(),
		Tariffs: fees.Tariffs{fees.Refund: {Platform: fees.Rule{Flat: money.NGN(fee)}}},
		Listeners: engine.Listeners{Event: []engine.Listener[webhook.Event]{func(_ context.Context, _ store.Tx, event webhook.Event) error {
			if strings.HasPrefix(event.Type, "refund.") {
				s.told, s.data = append(s.told, event.Type), event.Data
			}
			return nil
		}}},
	})
	require.NoError(t, err)
	tenant, err := e.Bootstrap(t.Context())
	require.NoError(t, err)
	s.Engine, s.scope = e, tenant.Business.Scope
	return s
}

func (s *shop) in(work func(context.Context, store.Tx) error) {
	s.Helper()
	require.NoError(s, s.Units(ferry.Test).Write(s.Context(), work))
}

// credited is 1,000.00 NGN from somebody on a collection account of the shop. The session names it.
func (s *shop) credited(session string, from bank.Party) statement.Ref {
	s.Helper()
	account := must(s.Accounts.CreateVirtual(s.Context(), s.scope, accounts.VirtualParams{Currency: "NGN", Reference: session}))
	s.pay(account.Bank.AccountNumber, session, from)
	return statement.Ref{Reference: session}
}

func (s *shop) pay(to, session string, from bank.Party) {
	s.Helper()
	must(s.World.Credit(s.Context(), sandbox.CreditParams{AccountNumber: to, SessionID: session, Amount: money.NGN(1_000_00), Sender: from}))
	enginetest.Advance(s.T, s.Engine, time.Minute)
}

// ordered is an order of an amount.
func (s *shop) ordered(trxID string, amount money.Amount) checkout.Created {
	s.Helper()
	return must(s.Checkout.Create(s.Context(), s.scope, checkout.CreateParams{TrxID: trxID, Email: "bola@example.com", Amount: amount}))
}

// orderedInUSDC is an order that somebody outside paid with 10 USDC, and the address that he paid.
func (s *shop) orderedInUSDC(trxID string) (of statement.Ref, paid wallets.Address) {
	s.Helper()
	s.ordered(trxID, money.USDC(10_000_000))
	offered := must(s.Checkout.Crypto(s.Context(), s.scope, checkout.Ref{TrxID: trxID}, ""))
	must(s.World.Deposit(s.Context(), sandbox.DepositParams{
		To: offered.Current.Deposit, Amount: money.USDC(10_000_000), Sender: "FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T",
	}))
	enginetest.Advance(s.T, s.Engine, 10*time.Second)
	s.in(func(ctx context.Context, tx store.Tx) (err error) {
		paid, err = wallets.OwnAddress(ctx, tx, s.scope, string(offered.Current.Deposit))
		return err
	})
	return statement.Ref{TrxID: trxID}, paid
}

// primaryOf is the primary address of the wallet of an address that was paid, with 20 USDC.
func (s *shop) primaryOf(paid wallets.Address) (primary wallets.Address) {
	s.Helper()
	wallet := must(s.Wallets.Get(s.Context(), s.scope, wallets.WalletRef{ID: string(paid.Wallet)}))
	must(s.World.Deposit(s.Context(), sandbox.DepositParams{To: wallet.PrimaryAddress, Amount: money.USDC(20_000_000)}))
	enginetest.Advance(s.T, s.Engine, 10*time.Second)
	s.in(func(ctx context.Context, tx store.Tx) (err error) {
		primary, err = wallets.OwnAddress(ctx, tx, s.scope, string(wallet.PrimaryAddress))
		return err
	})
	require.NotEqual(s, paid.ID, primary.ID)
	return primary
}

// refund asks for a part of a transaction.
func (s *shop) refund(of statement.Ref, amount money.Amount, mode refunds.Mode) (refunds.Refund, error) {
	s.asked++
	return s.Refunds.Create(s.Context(), s.scope, refunds.Params{
		Transaction: of, Amount: amount, Reference: fmt.Sprintf("back-%d", s.asked), Mode: mode,
	})
}

func (s *shop) found(r refunds.Refund) refunds.Refund {
	s.Helper()
	return must(s.Refunds.Get(s.Context(), s.scope, refunds.Ref{ID: string(r.ID)}))
}

func fields(err error) []ferry.Field {
	var refused *ferry.Error
	if errors.As(err, &refused) && errors.Is(err, ferry.ErrValidation) {
		return refused.Fields
	}
	return nil
}

func TestARefundIsRefusedForAllThatIsWrongWithIt(t *testing.T) {
	s := newShop(t)
	paid := s.credited("session-1", bola)
	_, err := s.Refunds.Create(t.Context(), s.scope, refunds.Params{
		Transaction: paid, Amount: money.NGN(-1), Reference: "sold out", Reason: strings.Repeat("a", 501), Mode: "at once",
	})
	require.Equal(t, []ferry.Field{
		{Name: "amount", Message: "Must be greater than 0"},
		{Name: "reference", Message: "Must be 1 to 100 letters, digits, hyphens or underscores"},
		{Name: "reason", Message: "Must be at most 500 characters"},
		{Name: "execution_mode", Message: "Must be manual or auto_sender"},
	}, fields(err))
	require.Equal(t, statement.Refunds{}, must(s.Statement.Get(t.Context(), s.scope, paid)).Refunds)
}

func TestAnEndThatIsNotOneOfARefundChangesNothing(t *testing.T) {
	s := newShop(t)
	made := must(s.refund(s.credited("session-1", bola), money.NGN(100_00), refunds.Manual))
	before := s.found(made)
	for field, p := range map[string]refunds.FinalizeParams{
		"status":             {Status: refunds.Processing},
		"provider_reference": {Status: refunds.Failed, ProviderReference: strings.Repeat("a", 201)},
		"provider_response":  {Status: refunds.Failed, ProviderResponse: strings.Repeat("a", 2001)},
		"note":               {Status: refunds.Failed, Note: strings.Repeat("a", 501)},
	} {
		p.Refund = refunds.Ref{ID: string(made.ID)}
		_, err := s.Refunds.Finalize(t.Context(), s.scope, p)
		refused := fields(err)
		require.Len(t, refused, 1, field)
		require.Equal(t, field, refused[0].Name)
		require.Equal(t, before, s.found(made), field)
	}
}

func TestARefundThatComesBackIsInTheStatementAndTold(t *testing.T) {
	s := newShop(t)
	from := bank.Party{BankCode: "058", AccountNumber: "0123456785", AccountName: "Bola Ade"} // to which payments come back
	made := must(s.refund(s.credited("session-1", from), money.NGN(100_00), refunds.AutoSender))
	enginetest.Advance(t, s.Engine, time.Hour)
	require.Equal(t, []string{refunds.EventPending, refunds.EventProcessing, refunds.EventSuccessful}, s.told)
	enginetest.Advance(t, s.Engine, 25*time.Hour)
	require.Equal(t, []string{refunds.EventPending, refunds.EventProcessing, refunds.EventSuccessful, refunds.EventReturned}, s.told)
	require.Equal(t, refunds.Successful, s.found(made).Status)
	require.NotEmpty(t, s.found(made).ProviderResponse, "why it came back")

	lines := must(s.Statement.List(t.Context(), s.scope, statement.Filter{Channel: refunds.Channel}, ferry.Page{})).Data
	require.Len(t, lines, 2)
	back, out := lines[0], lines[1]
	require.Equal(t, []any{statement.Out, money.NGN(100_00), money.NGN(50_00)}, []any{out.Direction, out.Amount, out.Fee})
	require.Equal(t, []any{statement.In, money.NGN(100_00), money.NGN(0)}, []any{back.Direction, back.Amount, back.Fee})
	require.Equal(t, "returned:"+string(made.ID), back.Reference)
	require.Equal(t, statement.Sender{BankCode: from.BankCode, AccountNumber: from.AccountNumber, AccountName: from.AccountName}, back.Sender)
}

func TestARefundOfMoneyThatTheBankTakesBackSaysWhyItEnded(t *testing.T) {
	s := newShop(t)
	made := must(s.refund(s.credited("session-1", bola), money.NGN(100_00), refunds.AutoSender))
	must(s.World.Recall(t.Context(), "session-1"))
	enginetest.Advance(t, s.Engine, time.Minute)
	got := s.found(made)
	require.Equal(t, []any{refunds.Failed, "The transaction was reversed"}, []any{got.Status, got.ProviderResponse})
	require.Equal(t, []string{refunds.EventPending, refunds.EventFailed}, s.told)
	require.Contains(t, s.data, `"provider_response":"The transaction was reversed"`)
}

func TestTheTransactionChangesWhenItsRefundEnds(t *testing.T) {
	s := newShop(t)
	of := s.credited("session-1", bola)
	made := must(s.refund(of, money.NGN(100_00), refunds.AutoSender))
	enginetest.Advance(t, s.Engine, time.Hour)
	line := must(s.Statement.Get(t.Context(), s.scope, of))
	require.Equal(t, statement.Refunds{Done: 100_00}, line.Refunds)
	require.Equal(t, s.found(made).FinalizedAt, line.UpdatedAt)
	require.True(t, line.UpdatedAt.After(line.CreatedAt))
}

func TestMoneyGoesBackOnlyToAnAccountThatABankCanHave(t *testing.T) {
	s := newShop(t)
	for session, from := range map[string]bank.Party{
		"no-bank":      {AccountNumber: "0123456780", AccountName: "Bola Ade"},
		"odd-bank":     {BankCode: "GTB", AccountNumber: "0123456780", AccountName: "Bola Ade"},
		"no-number":    {BankCode: "058", AccountName: "Bola Ade"},
		"short-number": {BankCode: "058", AccountNumber: "012345678", AccountName: "Bola Ade"},
	} {
		of := s.credited(session, from)
		_, err := s.refund(of, money.NGN(100_00), refunds.AutoSender)
		require.ErrorIs(t, err, refunds.ErrNoSender, session)
		require.Equal(t, refunds.Pending, must(s.refund(of, money.NGN(100_00), refunds.Manual)).Status, "people may know more")
	}
}

// Nothing but a mistake gives an order two receipts in naira that paid it.
func TestNairaOfSeveralSendersDoNotGoBackToOneOfThem(t *testing.T) {
	for name, c := range map[string]struct {
		another bank.Party
		refused bool
	}{
		"the same account": {bola, false},
		"another name":     {bank.Party{BankCode: "058", AccountNumber: "0123456780", AccountName: "B. Ade"}, false},
		"another bank":     {bank.Party{BankCode: "044", AccountNumber: "0123456780", AccountName: "Bola Ade"}, true},
		"another number":   {bank.Party{BankCode: "058", AccountNumber: "0123456781", AccountName: "Bola Ade"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			made := s.ordered("order-1", money.NGN(1_000_00))
			s.pay(made.Session.Account.AccountNumber, "session-1", bola)
			s.in(func(ctx context.Context, tx store.Tx) error {
				p, err := payments.Find(ctx, tx, s.scope, payments.Ref{Reference: "order-1"})
				if err != nil {
					return err
				}
				second, err := payments.ReceiptKind.Get(ctx, tx, s.scope, p.Receipts[0])
				if err != nil {
					return err
				}
				second.ID, second.Source, second.Version = payments.ReceiptID(tx.NewID(payments.ReceiptPrefix)), "session-2", 0
				second.Sender = statement.Sender{BankCode: c.another.BankCode, AccountNumber: c.another.AccountNumber, AccountName: c.another.AccountName}
				p.Receipts = append(p.Receipts, second.ID)
				return errors.Join(payments.ReceiptKind.Insert(ctx, tx, second), payments.PaymentKind.Update(ctx, tx, p))
			})
			back, err := s.refund(statement.Ref{TrxID: "order-1"}, money.NGN(100_00), refunds.AutoSender)
			if c.refused {
				require.ErrorIs(t, err, refunds.ErrNoSender)
				require.ErrorContains(t, err, "several senders")
				return
			}
			require.NoError(t, err)
			require.Equal(t, bola, back.To)
		})
	}
}

func TestUSDCThatSomebodyElseKeepsOrOfAnUnknownSenderDoNotGoBackOnTheChain(t *testing.T) {
	for name, change := range map[string]func(*payments.Receipt){
		"kept by the platform": func(r *payments.Receipt) { r.Holder = "biz_platform" },
		"of no known sender":   func(r *payments.Receipt) { r.Sender = statement.Sender{} },
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			of, _ := s.orderedInUSDC("order-1")
			s.in(func(ctx context.Context, tx store.Tx) error {
				p, err := payments.Find(ctx, tx, s.scope, payments.Ref{Reference: "order-1"})
				if err != nil {
					return err
				}
				r, err := payments.ReceiptKind.Get(ctx, tx, s.scope, p.Receipts[0])
				if err != nil {
					return err
				}
				change(&r)
				return payments.ReceiptKind.Update(ctx, tx, r)
			})
			_, err := s.refund(of, money.USDC(1_000_000), refunds.AutoSender)
			require.ErrorIs(t, err, refunds.ErrNoSender)
		})
	}
}

func TestARefundInUSDCIsFreeOfTheTariffInNaira(t *testing.T) {
	s := newShop(t)
	of, _ := s.orderedInUSDC("order-1")
	made := must(s.refund(of, money.USDC(1_000_000), refunds.Manual))
	require.Equal(t, money.USDC(0), made.Fee())
	made = must(s.refund(s.credited("session-1", bola), money.NGN(100_00), refunds.Manual))
	require.Equal(t, money.NGN(50_00), made.Fee())
}

func TestARefundIsPaidByTheAddressThatWasPaidOrThePrimaryOneBeforeOthers(t *testing.T) {
	s := newShop(t)
	of, paid := s.orderedInUSDC("order-1")
	_, another := s.orderedInUSDC("order-2")
	require.Equal(t, paid.Wallet, another.Wallet)
	primary := s.primaryOf(paid)
	first := must(s.refund(of, money.USDC(1_000_000), refunds.AutoSender))
	require.Equal(t, string(paid.ID), first.Source)
	rest := must(s.refund(of, money.USDC(9_000_000), refunds.AutoSender))
	require.Equal(t, string(primary.ID), rest.Source, "what was paid does not cover the fee of the network twice")
}

func TestTheAddressThatWasPaidPaysARefundThatItJustCovers(t *testing.T) {
	s := newShop(t)
	of, paid := s.orderedInUSDC("order-1")
	s.primaryOf(paid)
	first := must(s.refund(of, money.USDC(1_000_000), refunds.AutoSender))
	network := first.Fees.Processing.Minor()
	require.Positive(t, network)
	rest := must(s.refund(of, money.USDC(9_000_000-2*network), refunds.AutoSender))
	require.Equal(t, string(paid.ID), rest.Source)
}

func TestWhatIsSetAsideForARefundSaysSinceWhen(t *testing.T) {
	s := newShop(t)
	made := must(s.refund(s.credited("session-1", bola), money.NGN(100_00), refunds.Manual))
	s.in(func(ctx context.Context, tx store.Tx) error {
		held, err := tx.Ledger().Reservation(ctx, ledger.ReservationID(made.ID))
		require.Equal(t, made.CreatedAt, held.At)
		return err
	})
}

func TestTheAuditFindsARefundWhoseMoneyIsSetAsideOnAnotherAccount(t *testing.T) {
	s := newShop(t)
	made := must(s.refund(s.credited("session-1", bola), money.NGN(100_00), refunds.Manual))
	mine := ledger.BusinessAccount(s.scope, money.AssetNGN)
	other := ledger.BusinessAccount(must(s.CreateTenant(t.Context(), ferry.Test, "Other")).Business.Scope, money.AssetNGN)
	wrong := made
	wrong.ID, wrong.Reference, wrong.Version = refunds.ID(refunds.Prefix+"0"), "another", 0
	s.in(func(ctx context.Context, tx store.Tx) error {
		line, err := statement.Kind.Get(ctx, tx, s.scope, made.Transaction)
		if err != nil {
			return err
		}
		line.Refunds.Open += wrong.Amount.Minor()
		return errors.Join(
			statement.Kind.Update(ctx, tx, line), refunds.Kind.Insert(ctx, tx, wrong),
			ledger.Post(ctx, tx.Ledger(), ledger.Move("by mistake", ferry.Test, "test", "", mine, other, wrong.Amount, tx.Now())),
		)
	})
	s.in(func(ctx context.Context, tx store.Tx) error {
		return ledger.Reserve(ctx, tx.Ledger(), ledger.Reservation{
			ID: ledger.ReservationID(wrong.ID), Account: other, Amount: wrong.Amount, At: tx.Now(),
		})
	})
	s.in(func(ctx context.Context, tx store.Tx) error {
		found, err := refunds.Audit(ctx, tx, ferry.Test)
		require.Len(t, found, 1)
		require.Equal(t, []string{"refund", string(wrong.ID)}, []string{found[0].Check, found[0].Subject})
		return err
	})
}

func TestTheAuditFindsRefundsThatComeToMoreThanTheTransaction(t *testing.T) {
	s := newShop(t)
	made := must(s.refund(s.credited("session-1", bola), money.NGN(100_00), refunds.Manual))
	s.in(func(ctx context.Context, tx store.Tx) error {
		line, err := statement.Kind.Get(ctx, tx, s.scope, made.Transaction)
		if err != nil {
			return err
		}
		done := made
		done.ID, done.Reference, done.Version = refunds.ID(refunds.Prefix+"0"), "another", 0
		done.Amount, done.Status = line.Amount, refunds.Successful
		line.Refunds.Done = line.Amount.Minor()
		return errors.Join(statement.Kind.Update(ctx, tx, line), refunds.Kind.Insert(ctx, tx, done))
	})
	s.in(func(ctx context.Context, tx store.Tx) error {
		found, err := refunds.Audit(ctx, tx, ferry.Test)
		require.Len(t, found, 1)
		require.Equal(t, string(made.Transaction), found[0].Subject)
		require.Contains(t, found[0].Text, "its refunds come to")
		return err
	})
}

func TestOnlyARefundThatWaitsForItsApprovalIsDecided(t *testing.T) {
	s := newShop(t)
	made := s.found(must(s.refund(s.credited("session-1", bola), money.NGN(100_00), refunds.AutoSender)))
	for name, decide := range map[string]func(context.Context, store.Tx) error{
		"approved": func(ctx context.Context, tx store.Tx) error { return s.Refunds.ApproveIn(ctx, tx, s.scope, made.ID) },
		"rejected": func(ctx context.Context, tx store.Tx) error {
			return s.Refunds.RejectIn(ctx, tx, s.scope, made.ID, "no")
		},
	} {
		require.ErrorIs(t, s.Units(ferry.Test).Write(t.Context(), decide), ferry.ErrInvalidTransition, name)
		require.Equal(t, made, s.found(made), name)
	}
}

func (s *shop) reservation(id ledger.ReservationID) (held ledger.Reservation, err error) {
	err = s.Units(ferry.Test).Read(s.Context(), func(ctx context.Context, tx store.Tx) (err error) {
		held, err = tx.Ledger().Reservation(ctx, id)
		return err
	})
	return held, err
}

func TestTheFeeOfARefundIsSetAsideWhenItIsProcessed(t *testing.T) {
	for _, fee := range []int64{0, 50_00} {
		t.Run(money.NGN(fee).String(), func(t *testing.T) {
			s := newShopAt(t, fee)
			made := must(s.refund(s.credited("session-1", bola), money.NGN(100_00), refunds.Manual))
			id := ledger.ReservationID(made.ID)
			require.Equal(t, money.NGN(100_00), must(s.reservation(id)).Amount)
			must(s.Refunds.Process(t.Context(), s.scope, refunds.ProcessParams{Refund: refunds.Ref{ID: string(made.ID)}}))
			if fee == 0 {
				require.Equal(t, ledger.Open, must(s.reservation(id)).State, "what it needs has not changed")
				_, err := s.reservation(id + ":fee")
				require.ErrorIs(t, err, ledger.ErrReservationNotFound)
				return
			}
			require.Equal(t, ledger.Released, must(s.reservation(id)).State)
			held := must(s.reservation(id + ":fee"))
			require.Equal(t, []any{ledger.Open, money.NGN(150_00)}, []any{held.State, held.Amount})
		})
	}
}

// A program that uses the package without the rest of the engine may leave out who stops money.
func TestRefundsThatNobodyCanStopAreSent(t *testing.T) {
	s := newShop(t)
	made := must(s.refund(s.credited("session-1", bola), money.NGN(100_00), refunds.AutoSender))
	own := refunds.New(
		ferry.Narrow(ferry.UnitsOf(s.Units(ferry.Live), s.Units(ferry.Test)), func(tx store.Tx) refunds.Tx { return tx }),
		refunds.Config{Sending: disburse.Config{Banks: map[ferry.Env]bank.Bank{ferry.Test: s.World.Bank()}}},
	)
	must(s.World.Advance(t.Context(), refunds.DefaultDelay))
	require.Equal(t, 2, must(own.RunDue(t.Context(), 10)), "it is processed, and the bank is asked")
	require.Equal(t, refunds.Successful, s.found(made).Status)
}

func TestARefundIsSentAndEndedOnceHoweverOftenItIsDueOrFollowed(t *testing.T) {
	s := newShop(t)
	of, _ := s.orderedInUSDC("order-1")
	made := must(s.refund(of, money.USDC(4_000_000), refunds.AutoSender))
	must(s.Refunds.Process(t.Context(), s.scope, refunds.ProcessParams{Refund: refunds.Ref{ID: string(made.ID)}}))
	require.Equal(t, 1, must(s.Refunds.RunDue(t.Context(), 10)))
	sent := s.found(made)
	require.Equal(t, refunds.Processing, sent.Status)
	require.NotEmpty(t, sent.Transfer)
	s.in(func(ctx context.Context, tx store.Tx) error {
		return tx.Leases().Schedule(ctx, refunds.QueueScheduled.In(ferry.Test), lease.RecordKey(s.scope, string(made.ID)), tx.Now())
	})
	require.Equal(t, 1, must(s.Refunds.RunDue(t.Context(), 10)))
	require.Equal(t, sent, s.found(made))

	enginetest.Advance(t, s.Engine, time.Hour)
	ended := s.found(made)
	require.Equal(t, refunds.Successful, ended.Status)
	for name, follow := range map[string]func(context.Context, refunds.Tx, outgoing.Transfer) error{"sent": refunds.SentIn, "not sent": refunds.NotSentIn} {
		s.in(func(ctx context.Context, tx store.Tx) error {
			transfer, err := outgoing.TransferKind.Get(ctx, tx, s.scope, ended.Transfer)
			if err != nil {
				return err
			}
			return follow(ctx, tx, transfer)
		})
		require.Equal(t, ended, s.found(made), name)
	}
}

func TestARefundIsLeftToTheWorkerThatHasIt(t *testing.T) {
	s := newShop(t)
	made := must(s.refund(s.credited("session-1", bola), money.NGN(100_00), refunds.AutoSender))
	down := errors.New("down")
	own := refunds.New(
		ferry.Narrow(ferry.UnitsOf(s.Units(ferry.Live), s.Units(ferry.Test)), func(tx store.Tx) refunds.Tx { return tx }),
		refunds.Config{Sending: disburse.Config{
			Banks: map[ferry.Env]bank.Bank{ferry.Test: s.World.Bank()},
			Held:  func(context.Context, records.Tx, ferry.Env) (bool, error) { return false, down },
		}},
	)
	must(s.World.Advance(t.Context(), refunds.DefaultDelay))
	_, err := own.RunDue(t.Context(), 10)
	require.ErrorIs(t, err, down)
	require.Zero(t, must(s.Refunds.RunDue(t.Context(), 10)), "the first worker has it for a while")
	require.Equal(t, refunds.Pending, s.found(made).Status)
}

func TestTheAuditComparesWhatARefundSentOnTheChain(t *testing.T) {
	for name, change := range map[string]func(*outgoing.Transfer){
		"amount":  func(t *outgoing.Transfer) { t.Amount = money.USDC(3_999_999) },
		"address": func(t *outgoing.Transfer) { t.To = "11111111111111111111111111111111" },
		"status":  func(t *outgoing.Transfer) { t.Status = wallets.Failed },
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t)
			of, _ := s.orderedInUSDC("order-1")
			made := must(s.refund(of, money.USDC(4_000_000), refunds.AutoSender))
			enginetest.Advance(t, s.Engine, time.Hour)
			made = s.found(made)
			require.Equal(t, refunds.Successful, made.Status)
			var before, after []ledger.Finding
			s.in(func(ctx context.Context, tx store.Tx) (err error) {
				if before, err = refunds.Audit(ctx, tx, ferry.Test); err != nil {
					return err
				}
				sent, err := outgoing.TransferKind.Get(ctx, tx, s.scope, made.Transfer)
				if err != nil {
					return err
				}
				change(&sent)
				return outgoing.TransferKind.Update(ctx, tx, sent)
			})
			s.in(func(ctx context.Context, tx store.Tx) (err error) {
				after, err = refunds.Audit(ctx, tx, ferry.Test)
				return err
			})
			require.Empty(t, before)
			require.Len(t, after, 1)
			require.Equal(t, []string{"refund", string(made.ID)}, []string{after[0].Check, after[0].Subject})
		})
	}
}

func TestARefundIsFoundByItsNames(t *testing.T) {
	s := newShop(t)
	of := s.credited("session-1", bola)
	other, made := must(s.refund(of, money.NGN(1_00), refunds.Manual)), must(s.refund(of, money.NGN(2_00), refunds.Manual))
	made = s.found(made)
	for _, ref := range []refunds.Ref{
		{ID: string(made.ID)}, {ID: ferry.UID(string(made.ID))}, {Reference: made.Reference}, {ID: string(made.ID), Reference: made.Reference},
	} {
		require.Equal(t, made, must(s.Refunds.Get(t.Context(), s.scope, ref)), "%+v", ref)
	}
	for _, ref := range []refunds.Ref{
		{}, {ID: made.Reference}, {ID: "trf_" + string(made.ID[len(refunds.Prefix):])}, {Reference: "unknown"},
		{ID: string(made.ID), Reference: other.Reference}, {ID: refunds.Prefix + strings.Repeat("0", 32), Reference: made.Reference},
	} {
		_, err := s.Refunds.Get(t.Context(), s.scope, ref)
		require.ErrorIs(t, err, refunds.ErrNotFound, "%+v", ref)
	}
	s.in(func(ctx context.Context, tx store.Tx) error {
		newest, err := refunds.NewestOf(ctx, tx, s.scope, of)
		require.Equal(t, made, newest)
		return err
	})
	none := s.credited("session-2", bola)
	for ref, want := range map[statement.Ref]error{none: refunds.ErrNotFound, {Reference: "session-3"}: statement.ErrNotFound} {
		require.ErrorIs(t, s.Units(ferry.Test).Write(t.Context(), func(ctx context.Context, tx store.Tx) error {
			_, err := refunds.NewestOf(ctx, tx, s.scope, ref)
			return err
		}), want)
	}
}

func TestTheTimesOfARefundSayWhenItWasMadeProcessedAndEnded(t *testing.T) {
	s := newShop(t)
	made := must(s.refund(s.credited("session-1", bola), money.NGN(100_00), refunds.Manual))
	require.Equal(t, made.CreatedAt, made.UpdatedAt)
	require.True(t, made.ScheduledAt.IsZero() && made.ProcessedAt.IsZero() && made.FinalizedAt.IsZero())
	ref := refunds.Ref{ID: string(made.ID)}
	enginetest.Advance(t, s.Engine, time.Minute)
	processed := must(s.Refunds.Process(t.Context(), s.scope, refunds.ProcessParams{Refund: ref, Note: "By cheque"}))
	require.True(t, processed.ProcessedAt.After(made.CreatedAt))
	require.Equal(t, processed.ProcessedAt, processed.UpdatedAt)
	require.True(t, processed.FinalizedAt.IsZero())
	enginetest.Advance(t, s.Engine, time.Minute)
	ended := must(s.Refunds.Finalize(t.Context(), s.scope, refunds.FinalizeParams{
		Refund: ref, Status: refunds.Successful, ProviderReference: "cheque-7", ProviderResponse: "Paid\nout",
	}))
	require.True(t, ended.FinalizedAt.After(processed.ProcessedAt))
	require.Equal(t, []time.Time{processed.ProcessedAt, ended.FinalizedAt}, []time.Time{ended.ProcessedAt, ended.UpdatedAt})
	require.Equal(t, []string{"cheque-7", "Paid\nout", "By cheque"}, []string{ended.ProviderReference, ended.ProviderResponse, ended.Note})
	require.Equal(t, ended, s.found(made))
}

func TestAnAutomaticRefundIsScheduledAYearAheadAtMost(t *testing.T) {
	s := newShop(t)
	of := s.credited("session-1", bola)
	at := func(when time.Time) (refunds.Refund, error) {
		s.asked++
		return s.Refunds.Create(t.Context(), s.scope, refunds.Params{
			Transaction: of, Amount: money.NGN(100_00), Reference: fmt.Sprintf("at-%d", s.asked), Mode: refunds.AutoSender, ScheduledAt: when,
		})
	}
	year := s.Clock(ferry.Test).Now().Truncate(time.Millisecond).AddDate(1, 0, 0)
	require.Equal(t, year, must(at(year)).ScheduledAt)
	_, err := at(year.Add(time.Minute))
	require.Equal(t, []ferry.Field{{Name: "scheduled_at", Message: "Must not be more than a year ahead"}}, fields(err))
}

func TestARefundThatTheBankDoesNotKnowSaysSo(t *testing.T) {
	s := newShop(t)
	from := bank.Party{BankCode: "058", AccountNumber: "0123456787", AccountName: "Bola Ade"} // payments to it get lost
	made := must(s.refund(s.credited("session-1", from), money.NGN(100_00), refunds.AutoSender))
	enginetest.Advance(t, s.Engine, 25*time.Hour)
	got := s.found(made)
	require.Equal(t, []any{refunds.Failed, "The bank does not know the payment"}, []any{got.Status, got.ProviderResponse})
}
