package outgoing

import (
	"cmp"
	"context"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/ledger"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/operation"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// Transfer sends USDC. An internal transfer is a Success when it returns; an
// external one is Pending, with its money reserved, and so is one that waits for its approval.
// Errors:
// ferry.ErrValidation, ErrInvalidNetwork, ErrInvalidAsset, ErrAmountTooLow,
// ErrAddressNotOwned, ErrWalletNotActive, ErrInvalidAddress, ErrUnavailable,
// ErrDuplicateReference, outflow.ErrLimit, outflow.ErrDestination,
// ledger.ErrInsufficientBalance. A refused transfer
// leaves no record.
func (s *Service) Transfer(ctx context.Context, scope ferry.Scope, p TransferParams) (Transfer, error) {
	run, op := newSending(s, scope, p), s.TransferOp(scope, p)
	op.Begin = run.steps
	t, err := operation.Run(ctx, op)
	if err != nil && run.begun {
		s.config.Logger.WarnContext(ctx, "a transfer has begun and cannot be read", "transfer", run.made.ID, "error", err)
		return run.made, nil
	}
	return t, err
}

// TransferOp is Transfer as an operation. It asks the chain about the destination,
// records the transfer and reserves its money, and takes its first step on the chain, so
// that the result has the signature. A retry goes on with the transfer that was recorded.
//
// Another domain may make the transfer part of a unit of its own: it runs Prepare before
// that unit, and Record in it. A worker then takes the steps on the chain.
func (s *Service) TransferOp(scope ferry.Scope, p TransferParams) ferry.Operation[wallets.Tx, Transfer] {
	return ferry.Operation[wallets.Tx, Transfer]{
		Name: "wallets.Transfer", Scope: scope, Params: p, Units: s.units.Of(scope),
		Begin: func() ferry.Steps[wallets.Tx, Transfer] {
			return newSending(s, scope, p).steps()
		},
	}
}

// sending is one run of TransferOp.
type sending struct {
	service  *Service
	scope    ferry.Scope
	prepared prepared
	made     Transfer
	begun    bool // made is recorded
	resumed  bool // by an earlier run
	// job is the transfer in hand once Act has begun, and signed the attempt that Conclude
	// commits, or nil; committed is whether it did.
	job       *job
	signed    *Attempt
	committed bool
}

func newSending(s *Service, scope ferry.Scope, p TransferParams) *sending {
	return &sending{service: s, scope: scope, prepared: prepared{params: p}}
}

func (r *sending) steps() ferry.Steps[wallets.Tx, Transfer] {
	return ferry.Steps[wallets.Tx, Transfer]{Eager: true, Prepare: r.prepare, Record: r.record, Act: r.act, Conclude: r.conclude, Follow: r.follow, Recall: r.recall}
}

func (r *sending) prepare(ctx context.Context, resource string) error {
	if resource != "" {
		return nil // it was found payable before
	}
	return r.service.prepare(ctx, r.scope, &r.prepared)
}

func (r *sending) record(ctx context.Context, tx wallets.Tx, resource string) (_ ferry.Step[Transfer], err error) {
	if r.resumed = resource != ""; !r.resumed {
		r.made, err = r.service.transferIn(ctx, tx, r.scope, r.prepared)
	} else {
		r.made, err = r.recall(ctx, tx, resource)
	}
	open := r.made.Status == wallets.Pending && r.made.Stage == outflow.Free
	return ferry.Step[Transfer]{Resource: string(r.made.ID), Open: open, Out: r.made}, err
}

// act takes the first step on the chain, as a worker would, so that the answer to a
// request can carry the signature. What it signs is committed with the answer, and then
// sent. When it fails, the worker takes the step.
func (r *sending) act(ctx context.Context) {
	r.begun = true
	if err := r.firstStep(ctx); err != nil && !waits(err) {
		r.service.config.Logger.WarnContext(ctx, "a transfer waits for its worker", "transfer", r.made.ID, "error", err)
	}
}

func (r *sending) firstStep(ctx context.Context) (err error) {
	r.job = &job{transfer: r.made}
	if r.resumed {
		if *r.job, err = ferry.InRead(ctx, r.service.units.Of(r.scope), func(ctx context.Context, tx wallets.Tx) (job, error) {
			return loadJob(ctx, tx, r.scope, r.made.ID)
		}); err != nil {
			return err
		}
	}
	if r.job.live != nil || r.job.transfer.Status != wallets.Pending {
		return r.service.step(ctx, *r.job, r.service.statuses(ctx, []job{*r.job}))
	}
	if r.service.config.Wallets.Serves(r.scope.Env) != nil {
		return errLater
	}
	r.signed, err = r.service.sign(ctx, *r.job)
	return err
}

// conclude commits what was signed, unless that has to wait, and returns the transfer.
func (r *sending) conclude(ctx context.Context, tx wallets.Tx) (step ferry.Step[Transfer], err error) {
	if r.committed = r.signed != nil; r.committed {
		err := r.service.commitIn(ctx, tx, *r.job, *r.signed)
		if waits(err) {
			r.committed = false
		} else if err != nil {
			return step, err
		}
	}
	now, err := r.recall(ctx, tx, string(r.made.ID))
	return ferry.Step[Transfer]{Resource: string(r.made.ID), Out: now}, err
}

// follow sends what was committed.
func (r *sending) follow(ctx context.Context) {
	if r.committed {
		r.service.sendFirst(ctx, *r.job, *r.signed)
	}
}

func (r *sending) recall(ctx context.Context, tx wallets.Tx, resource string) (Transfer, error) {
	return TransferKind.Get(ctx, tx, r.scope, wallets.TransferID(resource))
}

// transferIn begins a prepared transfer within a unit: an internal one is done with it.
// Its errors are those of Transfer.
func (s *Service) transferIn(ctx context.Context, tx wallets.Tx, scope ferry.Scope, prepared prepared) (Transfer, error) {
	p := prepared.params
	if err := s.checkTransfer(scope.Env, p); err != nil {
		return Transfer{}, err
	}
	sides, err := findSides(ctx, tx, scope, p.From, cmp.Or(string(prepared.receiver), p.To))
	if err != nil {
		return Transfer{}, err
	}
	if !sides.internal && prepared.receiver == "" {
		return Transfer{}, ferry.ErrUnprepared
	}
	if p.Amount, err = s.sent(p, sides); err != nil {
		return Transfer{}, err
	}
	t := s.newTransfer(tx, scope, p, sides)
	if sides.internal {
		return s.inside(ctx, tx, t, sides, prepared.rate)
	}
	return s.begin(ctx, tx, t, sides.from)
}

func (s *Service) newTransfer(tx wallets.Tx, scope ferry.Scope, p TransferParams, sides sides) Transfer {
	t := Transfer{
		ID:              wallets.TransferID(tx.NewID("trx_")),
		Scope:           scope,
		Reference:       p.Reference,
		Kind:            External,
		Origin:          p.Origin,
		Wallet:          sides.wallet.ID,
		WalletReference: sides.wallet.Reference,
		FromID:          sides.from.ID,
		From:            sides.from.Address,
		To:              chain.Address(p.To),
		Amount:          p.Amount,
		Fee:             s.config.Fee,
		Memo:            text.Clean(p.Memo),
		Metadata:        ferry.Metadata(nil).Merge(p.Metadata),
		Status:          TransferLifecycle.Initial,
		CreatedAt:       tx.Now(),
		UpdatedAt:       tx.Now(),
	}
	if t.Reference == "" {
		t.Reference = string(t.ID)
	}
	if sides.internal {
		t.Kind, t.To, t.ToID, t.Fee = Internal, sides.to.Address, sides.to.ID, money.Of(wallets.Asset, 0)
	}
	return t
}

// outflow is a transfer as the guard of what leaves sees it. One that goes back to where the
// money came from needs no listed destination.
func (t Transfer) outflow() outflow.Order {
	o := outflow.Order{
		Scope: t.Scope, Kind: outflow.Transfer, ID: string(t.ID), Reference: t.Reference, Amount: t.Amount,
	}
	if t.Origin.Kind == NoOrigin {
		o.To = []outflow.Target{{Destination: outflow.Destination{Address: string(t.To)}, Field: "to_address"}}
	}
	return o
}

// admit asks whether a transfer may leave its business, and notes what it has to wait for.
func (s *Service) admit(ctx context.Context, tx wallets.Tx, t Transfer) (Transfer, error) {
	stage, err := s.stageOf(ctx, tx, t)
	if err != nil || stage == outflow.Free {
		return t, err
	}
	t.Stage = stage
	return TransferKind.Save(ctx, tx, t)
}

// stageOf asks the guard, which admits a refund when that is made, and not again. A deposit that
// goes back needs no admission, and so the USDC of an onramp.
func (s *Service) stageOf(ctx context.Context, tx wallets.Tx, t Transfer) (outflow.Stage, error) {
	if t.Origin.Kind == FromRefund || t.Origin.Kind == FromOfframp || t.Origin.Kind == FromOnramp {
		return outflow.Free, nil
	}
	return s.config.Guard.AdmitIn(ctx, tx, t.outflow())
}

// begin records an external transfer, reserves its money and makes it due, unless it waits for
// an approval. The worker's turn comes a little later than that of act, which follows at once
// unless the process dies.
func (s *Service) begin(ctx context.Context, tx wallets.Tx, t Transfer, from wallets.Address) (Transfer, error) {
	t, err := record(ctx, tx, t)
	if err != nil {
		return Transfer{}, err
	}
	if t, err = s.admit(ctx, tx, t); err != nil {
		return Transfer{}, err
	}
	if err := t.reserve(ctx, tx, from); err != nil || t.Stage == outflow.PendingApproval {
		return t, err // ApproveIn makes it due
	}
	return t, tx.Leases().Schedule(ctx, QueueTransfers.In(t.Scope.Env), dueKey(t), tx.Now().Add(s.config.Retry))
}

// record adds a pending transfer, with the sender's line of the statement.
func record(ctx context.Context, tx wallets.Tx, t Transfer) (Transfer, error) {
	if _, err := t.Total(); err != nil {
		return Transfer{}, ferry.ErrValidation.About("amount", "Is out of range").Because(err)
	}
	t, err := TransferKind.Add(ctx, tx, t)
	if err != nil {
		return Transfer{}, err
	}
	return t, wallets.TransactionKind.Insert(ctx, tx, t.outgoing())
}

// reserve sets the money of a pending transfer aside.
func (t Transfer) reserve(ctx context.Context, tx wallets.Tx, from wallets.Address) error {
	total, err := t.Total()
	if err != nil {
		return err
	}
	return ledger.Reserve(ctx, tx.Ledger(), ledger.Reservation{ID: t.reservation(), Account: from.Account(), Amount: total, At: tx.Now()})
}

// outgoing is the sender's side of a transfer.
func (t Transfer) outgoing() wallets.Transaction {
	return wallets.Transaction{
		ID:              wallets.TransactionID(t.ID),
		Scope:           t.Scope,
		Reference:       t.Reference,
		Direction:       wallets.Out,
		Wallet:          t.Wallet,
		WalletReference: t.WalletReference,
		Address:         t.FromID,
		Transfer:        t.ID,
		From:            t.From,
		To:              t.To,
		Amount:          t.Amount,
		Fee:             t.Fee,
		Status:          t.Status,
		Signature:       t.Signature,
		CreatedAt:       t.CreatedAt,
		ConfirmedAt:     t.ConfirmedAt,
	}
}
