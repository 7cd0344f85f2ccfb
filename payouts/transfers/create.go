package transfers

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/operation"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/provider/bank"
)

// Params describe a transfer.
type Params struct {
	Channel Channel
	// Source is the id of a bank account of the business, in either form, for FromAccount.
	Source string
	// Reference names the transfer. Default: its id.
	Reference               string
	Currency                string
	BankCode, AccountNumber string
	// Amount is in naira.
	Amount    money.Amount
	Narration string
}

const (
	missing      = "Missing required field"
	maxNarration = 200
)

// Check adds what is wrong with the fields of p, by their names in the API.
func (p Params) Check(problems *ferry.Problems) {
	if p.Reference != "" {
		problems.Note("reference", text.Reference(p.Reference))
	}
	if p.Currency == "" {
		problems.Add("currency", missing)
	}
	if p.Channel == FromAccount && p.Source == "" {
		problems.Add("source_bank_account_id", missing)
	}
	payouts.CheckAmount("amount", p.Amount, problems)
	if _, problem := text.Paragraph(p.Narration, maxNarration); problem != "" {
		problems.Add("narration", problem)
	}
	payouts.CheckAccount(p.Channel.beneficiary(), p.BankCode, p.AccountNumber, problems)
}

// beneficiary begins the names in the API of the fields that name the account to be paid.
func (c Channel) beneficiary() string {
	if c == FromAccount {
		return "beneficiary."
	}
	return ""
}

// refused is what is wrong with p before anything is looked up.
func (p Params) refused(scope ferry.Scope) error {
	if err := scope.Check(); err != nil {
		return err
	}
	var problems ferry.Problems
	p.Check(&problems)
	if err := problems.Err(); err != nil {
		return err
	}
	if asset, err := money.ParseAsset(p.Currency); err != nil || asset != money.AssetNGN {
		return ErrInvalidCurrency
	}
	return nil
}

// Create makes a transfer, sets aside what it costs, and has the bank asked at once, or once it
// is approved when it needs that. The holder
// of the account is looked up first; while the bank does not answer, the transfer is made
// without. Errors: ferry.ErrValidation, ErrInvalidCurrency, ErrDuplicateReference,
// payouts.ErrUnknownAccount, outflow.ErrLimit, outflow.ErrDestination,
// ledger.ErrInsufficientBalance, and bank.ErrNone in an environment without a bank.
func (s *Service) Create(ctx context.Context, scope ferry.Scope, p Params) (Transfer, error) {
	return operation.Run(ctx, s.CreateOp(scope, p))
}

// CreateOp is Create as an operation, for engine.Do.
func (s *Service) CreateOp(scope ferry.Scope, p Params) ferry.Operation[Tx, Transfer] {
	return ferry.Operation[Tx, Transfer]{
		Name: "transfers.Create", Scope: scope, Params: p, Units: s.units.Of(scope),
		Begin: ferry.InOneUnit(
			func(ctx context.Context) (string, error) { return s.findHolder(ctx, scope, p) },
			func(ctx context.Context, tx Tx, name string) (Transfer, error) {
				return s.createIn(ctx, tx, scope, p, name)
			},
			func(t Transfer) string { return string(t.ID) },
			func(ctx context.Context, tx Tx, id string) (Transfer, error) { return Kind.Get(ctx, tx, scope, ID(id)) },
		),
	}
}

// findHolder returns the name of the holder of the account that is to be paid, or "" when the
// bank does not answer.
func (s *Service) findHolder(ctx context.Context, scope ferry.Scope, p Params) (string, error) {
	if err := p.refused(scope); err != nil {
		return "", err
	}
	holder, err := s.config.Enquire(ctx, scope.Env, p.BankCode, p.AccountNumber)
	if errors.Is(err, payouts.ErrUnknownAccount) || errors.Is(err, ferry.ErrNoProvider) {
		return "", err
	}
	return holder.AccountName, nil
}

// createIn records a transfer and reserves what it costs. Name is that of the holder, if it is
// known.
func (s *Service) createIn(ctx context.Context, tx Tx, scope ferry.Scope, p Params, name string) (Transfer, error) {
	account := ledger.BusinessAccount(scope, money.AssetNGN)
	tx.Ledger().PrefetchAccount(account)
	source, err := sourceIn(ctx, tx, scope, p)
	if err != nil {
		return Transfer{}, err
	}
	t, err := s.describe(tx, scope, p, name)
	if err != nil {
		return Transfer{}, err
	}
	t.SourceNumber = source.AccountNumber
	if p.Channel == FromAccount {
		t.Source = source.ID
	}
	if err := t.reserveIn(ctx, tx, account, s.config.Guard); err != nil {
		return Transfer{}, err
	}
	if t, err = Kind.Add(ctx, tx, t); err != nil || t.Stage == outflow.PendingApproval {
		return t, err // ApproveIn makes it due
	}
	return t, orderOf(t).ScheduleIn(ctx, tx, QueueTransfers, tx.Now())
}

// sourceIn returns the account of the business that the bank is to debit.
func sourceIn(ctx context.Context, tx Tx, scope ferry.Scope, p Params) (business.SourceAccount, error) {
	b, err := business.Of(ctx, tx, scope)
	if err != nil {
		return business.SourceAccount{}, err
	}
	at := slices.IndexFunc(b.SourceAccounts, func(a business.SourceAccount) bool {
		return p.Channel == FromWallet || a.ID == p.Source || ferry.UID(a.ID) == p.Source
	})
	if at < 0 {
		return business.SourceAccount{}, ferry.ErrValidation.About("source_bank_account_id", "Is no source account of this business")
	}
	return b.SourceAccounts[at], nil
}

// describe returns the row of a transfer.
func (s *Service) describe(tx Tx, scope ferry.Scope, p Params, name string) (t Transfer, err error) {
	t = Transfer{
		ID: ID(tx.NewID(Prefix)), Scope: scope, Status: Lifecycle.Initial, Amount: p.Amount, Channel: p.Channel,
		To: bank.Party{BankCode: p.BankCode, AccountNumber: p.AccountNumber, AccountName: name}, CreatedAt: tx.Now(),
	}
	t.Reference, t.UpdatedAt = cmp.Or(p.Reference, string(t.ID)), tx.Now()
	t.Narration, _ = text.Paragraph(p.Narration, maxNarration)
	t.Fees, err = s.config.Tariffs.Of(fees.Transfer, p.Amount)
	return t, err
}

// outflow is a transfer as the guard of what leaves sees it.
func (t Transfer) outflow() outflow.Order {
	to := outflow.Destination{BankCode: t.To.BankCode, AccountNumber: t.To.AccountNumber}
	return outflow.Order{
		Scope: t.Scope, Kind: outflow.FiatTransfer, ID: string(t.ID), Reference: t.Reference, Amount: t.Amount,
		To: []outflow.Target{{Destination: to, Field: t.Channel.beneficiary() + "account_number"}},
	}
}

// reserveIn sets aside what a transfer costs, and notes what the business had available and what
// the transfer has to wait for. A reference that is taken is refused before a shortage, which the
// transfer of that reference may have caused.
func (t *Transfer) reserveIn(ctx context.Context, tx Tx, account ledger.AccountID, guard outflow.Guard) (err error) {
	switch _, err := Kind.Find(ctx, tx, ByReference, *t); {
	case err == nil:
		return ErrDuplicateReference
	case !errors.Is(err, ErrNotFound):
		return err
	}
	if t.Stage, err = guard.AdmitIn(ctx, tx, t.outflow()); err != nil {
		return err
	}
	cost, err := t.booked().Cost()
	if err != nil {
		return err
	}
	has, err := tx.Ledger().Account(ctx, account)
	if err != nil {
		return err
	}
	t.BalanceBefore = has.Available()
	if t.BalanceAfter, err = t.BalanceBefore.Sub(cost); err != nil {
		return err
	}
	if t.BalanceAfter.Sign() < 0 {
		return ledger.Insufficient(account, t.BalanceBefore, cost)
	}
	return ledger.Reserve(ctx, tx.Ledger(), ledger.Reservation{ID: t.reservation(), Account: account, Amount: cost, At: tx.Now()})
}
