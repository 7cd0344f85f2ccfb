package payouts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/fees"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/operation"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/bank"
	"github.com/ferrypay/ferry/provider/bank/banks"
)

// Destination is one account that is to be paid.
type Destination struct {
	// Reference names the item. That of a single payout is empty: the item has the
	// reference of the payout.
	Reference               string
	BankCode, AccountNumber string
	// Amount is an amount of NGN, which money.NGN takes in kobo.
	Amount money.Amount
}

// Params describe a payout.
type Params struct {
	// Type is Single or Bulk.
	Type Type
	// Reference is the business's own name for the payout, unique for ever: at most 100
	// characters.
	Reference string
	// Source is the number of a source account of the business.
	Source    string
	Narration string
	// Items are one to MaxItems (1,000), and exactly one of a single payout.
	Items []Destination
}

const (
	missing      = "Missing required field"
	maxNarration = 200
)

// Check adds what is wrong with the fields of p.
func (p Params) Check(problems *ferry.Problems) {
	if p.Type != Single && p.Type != Bulk {
		problems.Add("type", "Must be single or bulk")
		return
	}
	checkReference("reference", p.Reference, problems)
	if p.Source == "" {
		problems.Add("source_account_number", missing)
	}
	if _, problem := text.Paragraph(p.Narration, maxNarration); problem != "" {
		problems.Add("narration", problem)
	}
	if p.Type == Single {
		if len(p.Items) != 1 {
			problems.Add("items", "A single payout has exactly one item")
			return
		}
		p.Items[0].check("", "beneficiary.", problems)
		return
	}
	if n := len(p.Items); n < 1 || n > MaxItems {
		problems.Add("items", fmt.Sprintf("Must have 1 to %d items", MaxItems))
		return
	}
	at := map[string]int{}
	for i, d := range p.Items {
		prefix := fmt.Sprintf("items.%d.", i)
		checkReference(prefix+"reference", d.Reference, problems)
		if first, twice := at[d.Reference]; twice {
			problems.Add(prefix+"reference", fmt.Sprintf("Is that of item %d", first))
		}
		at[d.Reference] = i
		d.check(prefix, prefix, problems)
	}
}

func checkReference(field, reference string, problems *ferry.Problems) {
	if reference == "" {
		problems.Add(field, missing)
		return
	}
	problems.Note(field, text.Reference(reference))
}

// check adds what is wrong with one destination. Of and to begin the names of its fields.
func (d Destination) check(of, to string, problems *ferry.Problems) {
	CheckAmount(of+"amount", d.Amount, problems)
	CheckAccount(to, d.BankCode, d.AccountNumber, problems)
}

// CheckAmount adds what is wrong with the naira that one account is to get.
func CheckAmount(field string, amount money.Amount, problems *ferry.Problems) {
	switch {
	case amount == money.Amount{}:
		problems.Add(field, missing)
	case amount.Asset() != money.AssetNGN:
		problems.Add(field, "Must be in naira")
	case amount.Sign() <= 0:
		problems.Add(field, "Must be greater than 0")
	case amount.AboveCeiling():
		problems.Add(field, amount.CeilingProblem())
	}
}

// CheckAccount adds what is wrong with the account that a request names. Prefix begins the
// names of the fields bank_code and account_number.
func CheckAccount(prefix, bankCode, accountNumber string, problems *ferry.Problems) {
	if bankCode == "" {
		problems.Add(prefix+"bank_code", missing)
	} else {
		problems.Note(prefix+"bank_code", banks.Problem(bankCode))
	}
	if accountNumber == "" {
		problems.Add(prefix+"account_number", missing)
	} else {
		problems.Note(prefix+"account_number", banks.NumberProblem(accountNumber))
	}
}

// Create makes a payout, and sets aside what it costs. Nothing is sent for a while, in which a
// cancel is sure to succeed: see Config.Delay. One that needs an approval waits for it. The holder of the account of a single payout is
// looked up; while the bank does not answer, the payout is made without. Errors:
// ferry.ErrValidation, ErrDuplicateReference, ErrUnknownAccount, outflow.ErrLimit,
// outflow.ErrDestination, ledger.ErrInsufficientBalance.
func (s *Service) Create(ctx context.Context, scope ferry.Scope, p Params) (Details, error) {
	return operation.Run(ctx, s.CreateOp(scope, p))
}

// CreateOp is Create as an operation, for engine.Do.
func (s *Service) CreateOp(scope ferry.Scope, p Params) ferry.Operation[Tx, Details] {
	return ferry.Operation[Tx, Details]{
		Name: "payouts.Create", Scope: scope, Params: p, Units: s.units.Of(scope),
		Begin: ferry.InOneUnit(
			func(ctx context.Context) (string, error) { return s.findHolder(ctx, scope, p) },
			func(ctx context.Context, tx Tx, name string) (Details, error) {
				return s.createIn(ctx, tx, scope, p, name)
			},
			func(made Details) string { return string(made.ID) },
			func(ctx context.Context, tx Tx, id string) (Details, error) {
				return GetIn(ctx, tx, scope, Ref{ID: id})
			},
		),
	}
}

// findHolder returns the name of the holder of the account of a single payout, or "" when the
// bank does not answer.
func (s *Service) findHolder(ctx context.Context, scope ferry.Scope, p Params) (string, error) {
	if err := scope.Check(); err != nil {
		return "", err
	}
	var problems ferry.Problems
	p.Check(&problems)
	if err := problems.Err(); err != nil || p.Type != Single {
		return "", err
	}
	holder, err := s.Enquire(ctx, scope.Env, p.Items[0].BankCode, p.Items[0].AccountNumber)
	if errors.Is(err, ErrUnknownAccount) {
		return "", err
	}
	return holder.AccountName, nil
}

// createIn records a payout with its items, and reserves what it costs. Name is that of the
// holder of the account of a single payout, if it is known.
func (s *Service) createIn(ctx context.Context, tx Tx, scope ferry.Scope, p Params, name string) (Details, error) {
	b, err := business.Of(ctx, tx, scope)
	if err != nil {
		return Details{}, err
	}
	owns := func(a business.SourceAccount) bool { return a.AccountNumber == p.Source }
	if !slices.ContainsFunc(b.SourceAccounts, owns) {
		return Details{}, ferry.ErrValidation.About("source_account_number", "Is no source account of this business")
	}
	made, items, err := s.describe(tx, scope, p, name)
	if err != nil {
		return Details{}, err
	}
	if made.Stage, err = s.admit(ctx, tx, made, items); err != nil {
		return Details{}, err
	}
	if made, err = Kind.Add(ctx, tx, made); err != nil {
		return Details{}, err
	}
	if err := made.reserve(ctx, tx); err != nil {
		return Details{}, err
	}
	due := tx.Now().Add(s.config.Delay)
	for _, item := range items {
		if err := ItemKind.InsertAs(ctx, tx, item, func(err error) error { return made.ofItem(item, err) }); err != nil {
			return Details{}, err
		}
		if made.Stage == outflow.PendingApproval {
			continue // ApproveIn makes it due
		}
		if err := orderOf(item).ScheduleIn(ctx, tx, QueueItems, due); err != nil {
			return Details{}, err
		}
	}
	return Details{made, items}, nil
}

// admit asks whether a payout may leave, and what it has to wait for. A reference that is taken
// is refused before a limit, which the payout of that reference may have reached.
func (s *Service) admit(ctx context.Context, tx Tx, p Payout, items []Item) (outflow.Stage, error) {
	stage, err := s.config.Guard.AdmitIn(ctx, tx, p.outflow(items))
	if err != nil {
		return stage, cmp.Or(p.unused(ctx, tx), err)
	}
	return stage, nil
}

// unused refuses a reference that another payout has.
func (p Payout) unused(ctx context.Context, tx Tx) error {
	_, err := Kind.Find(ctx, tx, ByReference, p)
	switch {
	case err == nil:
		return ErrDuplicateReference
	case errors.Is(err, ErrNotFound):
		return nil
	}
	return err
}

// ofItem names the item of a bulk payout whose reference is taken.
func (p Payout) ofItem(i Item, err error) error {
	if p.Type == Single || !errors.Is(err, ErrDuplicateReference) {
		return err
	}
	return ErrDuplicateReference.About(fmt.Sprintf("items.%d.reference", i.Number-1), ErrDuplicateReference.Message)
}

// outflow is a payout as the guard of what leaves sees it.
func (p Payout) outflow(items []Item) outflow.Order {
	o := outflow.Order{Scope: p.Scope, Kind: outflow.Payout, ID: string(p.ID), Reference: p.Reference, Amount: p.Total}
	for _, i := range items {
		field := "beneficiary.account_number"
		if p.Type == Bulk {
			field = fmt.Sprintf("items.%d.account_number", i.Number-1)
		}
		to := outflow.Destination{BankCode: i.To.BankCode, AccountNumber: i.To.AccountNumber}
		o.To = append(o.To, outflow.Target{Destination: to, Field: field})
	}
	return o
}

// describe returns the rows of a payout and of its items.
func (s *Service) describe(tx Tx, scope ferry.Scope, p Params, name string) (made Payout, items []Item, err error) {
	narration, _ := text.Paragraph(p.Narration, maxNarration)
	made = Payout{
		ID: ID(tx.NewID(Prefix)), Scope: scope, Reference: p.Reference, Type: p.Type, Source: p.Source, Narration: narration,
		Total: money.NGN(0), Fee: money.NGN(0), Reserved: money.NGN(0), Counts: Counts{Pending: len(p.Items)},
		CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
	made.Status = made.Counts.Status()
	for i, d := range p.Items {
		item := Item{
			ID: ItemID(tx.NewID(ItemPrefix)), Scope: scope, Payout: made.ID, Number: i + 1, Reference: d.Reference,
			Status: ItemLifecycle.Initial, Amount: d.Amount, To: bank.Party{BankCode: d.BankCode, AccountNumber: d.AccountNumber},
			Source: p.Source, Narration: narration, CreatedAt: tx.Now(),
		}
		item.UpdatedAt = tx.Now()
		if p.Type == Single {
			item.Reference, item.To.AccountName = p.Reference, name
		}
		if item.Fees, err = s.config.Tariffs.Of(fees.Payout, d.Amount); err != nil {
			return made, nil, err
		}
		if err := made.count(item); err != nil {
			return made, nil, err
		}
		items = append(items, item)
	}
	return made, items, nil
}

// count adds an item to the sums of a payout. The sums have the ceiling of one operation.
func (p *Payout) count(item Item) error {
	fee, err := item.Fees.Total()
	for _, sum := range []struct {
		of  *money.Amount
		add money.Amount
	}{{&p.Total, item.Amount}, {&p.Fee, fee}, {&p.Reserved, item.Amount}, {&p.Reserved, fee}} {
		if err == nil {
			*sum.of, err = sum.of.Add(sum.add)
		}
	}
	if err != nil || p.Total.AboveCeiling() {
		return ferry.ErrValidation.About("items", "The sum must not be more than "+money.Most(money.AssetNGN).String())
	}
	return nil
}

// reservation names what is set aside at present.
func (p Payout) reservation() ledger.ReservationID {
	return ledger.ReservationID(fmt.Sprintf("%s:%d", p.ID, p.Slices))
}

// reserve sets the money of the open items aside.
func (p Payout) reserve(ctx context.Context, tx Tx) error {
	if p.Reserved.IsZero() {
		return nil
	}
	return ledger.Reserve(ctx, tx.Ledger(), ledger.Reservation{
		ID: p.reservation(), Account: ledger.BusinessAccount(p.Scope, money.AssetNGN), Amount: p.Reserved, At: tx.Now(),
	})
}
