package checkout

import (
	"context"
	"errors"
	"time"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/wallets"
)

// Explain says why an order is not paid. It finds the session by its id, by its trx_id, by the id of
// its payment, by the number of its account, or by a deposit address on the chain. A deposit address
// explains its instruction, the id of a session the session, and every other name the payment.
// Errors: of ferry.NotFound.
func Explain(ctx context.Context, tx Tx, scope ferry.Scope, name string) (*explain.Explanation, error) {
	if i, err := instructionAt(ctx, tx, scope, name); !errors.Is(err, ferry.NotFound) {
		if err != nil {
			return nil, err
		}
		return explainInstruction(ctx, tx, i)
	}
	found, err := named(ctx, tx, scope, name)
	if err != nil {
		return nil, err
	}
	p, err := payments.PaymentKind.Get(ctx, tx, scope, found.Payment)
	if err != nil {
		return nil, err
	}
	x := payments.About(p, found.EndedAt, tx.Now())
	if id, ok := ferry.CanonicalID(Prefix, name); ok && ID(id) == found.ID {
		x = found.about(tx.Now())
	}
	if found.Status == Pending {
		if err := found.explainRest(ctx, tx, x, p); err != nil {
			return nil, err
		}
	}
	return x, p.ExplainReceipts(ctx, tx, x)
}

// named finds a session by all names but its deposit addresses.
func named(ctx context.Context, tx Tx, scope ferry.Scope, name string) (Session, error) {
	found, err := byReference(ctx, tx, scope, name)
	if !errors.Is(err, ErrNotFound) {
		return found, err
	}
	found, err = SessionKind.Find(ctx, tx, byNumber, sessionNumbered(scope.Env, name))
	if err == nil && found.Scope != scope { // a number is unique in the environment
		return Session{}, ErrNotFound
	}
	return found, err
}

// instructionAt finds the instruction of a deposit address.
func instructionAt(ctx context.Context, tx Tx, scope ferry.Scope, address string) (Instruction, error) {
	a, err := wallets.AddressAt(ctx, tx, scope.Env, chain.Address(address))
	if err != nil {
		return Instruction{}, err
	}
	i, err := InstructionKind.Anyones(ctx, tx, Instruction{Address: a.ID})
	if err == nil && i.Scope != scope { // the address may be the platform's
		return Instruction{}, ErrInstructionNotFound
	}
	return i, err
}

// about says where a session stands.
func (s Session) about(now time.Time) *explain.Explanation {
	x := explain.New("checkout session", s.ID, s.TrxID, s.Status, now)
	x.Ended, x.Events = Lifecycle.Final(s.Status), string(s.Payment)
	switch s.Status {
	case Pending:
		x.Say("The order of %s is not paid yet.", s.payable())
	case Completed:
		x.Say("The order of %s was paid at %s.", s.payable(), s.EndedAt)
	case Failed:
		x.Say("The order of %s failed at %s, and takes no more money.", s.payable(), s.EndedAt)
		x.Do(explain.Caller, "payment", "Explain %s: it says what was refused.", s.Payment)
	case Cancelled:
		x.Say("The payer cancelled the order of %s at %s.", s.payable(), s.EndedAt)
		x.Do(explain.Caller, "again", "Make a new order with another trx_id.")
	case Expired:
		x.Say("The order of %s was not paid in time; it expired at %s.", s.payable(), s.EndedAt)
		x.Do(explain.Caller, "again", "Make a new order with another trx_id.")
	}
	return x
}

// explainRest adds what is left to pay of a pending session, how it can be paid, and until when.
func (s Session) explainRest(ctx context.Context, tx Tx, x *explain.Explanation, p payments.Payment) error {
	if !s.running(p, tx.Now()) {
		explainLastLook(x, dueAt(s, p))
		return nil
	}
	left, err := s.payable().Sub(s.Credited)
	if err != nil {
		return err
	}
	if s.Credited.Sign() > 0 {
		x.Say("%s of %s have arrived.", s.Credited, s.payable())
	}
	untouched := s.Credited.IsZero()
	if untouched || s.Instruction == "" {
		x.Miss(explain.Payer, "amount", left, "%s are missing.", left)
	}
	if s.Instruction != "" {
		i, err := InstructionKind.Anyones(ctx, tx, Instruction{Address: s.Instruction})
		if err == nil {
			err = s.explainAsked(x, i, untouched)
		}
		if err != nil {
			return err
		}
	}
	s.explainNaira(x)
	if p.PendingUntil.IsZero() {
		x.Await(explain.Payer, "order", s.ExpiresAt, "The order can be paid until %s.", s.ExpiresAt)
	}
	if s.CryptoError != "" {
		x.Refuse(explain.Engine, "usdc", time.Time{}, "USDC cannot be offered now%s.", explain.Because(s.CryptoError))
	}
	return nil
}

// explainAsked adds what is missing in USDC, unless that was said in the asset of the order, and how
// long its price is good.
func (s Session) explainAsked(x *explain.Explanation, i Instruction, said bool) error {
	inNaira := s.payable().Asset() != money.AssetUSDC
	if inNaira && !i.standsAt(x.At) {
		return s.explainStale(x, i, said)
	}
	due, err := s.due(i)
	if err != nil {
		return err
	}
	if !said {
		x.Miss(explain.Payer, "usdc", due, "%s are %s.", due, i.still())
	}
	if inNaira {
		x.Await(explain.Payer, "price", i.ExpiresAt, "The price of %s is good until %s; after that the rest is priced anew.", due, i.ExpiresAt)
	}
	x.Do(explain.Payer, "usdc", "Send %s on Solana to %s.", due, i.Deposit)
	return nil
}

// explainStale adds what is missing when nobody knows how much USDC that is: the price has run out.
func (s Session) explainStale(x *explain.Explanation, i Instruction, said bool) error {
	left, err := s.payable().Sub(s.Credited)
	if err != nil {
		return err
	}
	if !said {
		x.Miss(explain.Payer, "amount", left, "%s are %s.", left, i.still())
	}
	x.Say("The price in USDC was good until %s; what arrives now counts at the rate of its moment.", i.ExpiresAt)
	x.Do(explain.Payer, "price", "Ask for a new price on the page, or with POST /v1/checkout/crypto, before you send USDC.")
	return nil
}

// still says that something is missing, or that it still is when a part has come.
func (i Instruction) still() string {
	if i.Received.Sign() > 0 {
		return "still missing"
	}
	return "missing"
}

// explainNaira adds where naira go, while nothing has arrived: they pay the whole order, not a rest.
func (s Session) explainNaira(x *explain.Explanation) {
	offer := s.Naira()
	if s.Account.AccountNumber == "" || s.Credited.Sign() > 0 || !s.Offers(business.BankTransfer) {
		return
	}
	if !offer.StandsAt(x.At) {
		x.Say("Its price in naira is no longer good; the payer can ask for a new one.")
		return
	}
	x.Do(explain.Payer, "naira", "Transfer exactly %s to account %s at %s.", offer.Amount(), s.Account.AccountNumber, s.Account.BankName)
}

// explainInstruction says what became of an address that takes USDC for an order.
func explainInstruction(ctx context.Context, tx Tx, i Instruction) (*explain.Explanation, error) {
	s, err := SessionKind.Get(ctx, tx, i.Scope, i.Session)
	if err != nil {
		return nil, err
	}
	x := explain.New("crypto instruction", i.Address, string(i.Deposit), i.Status, tx.Now())
	x.Ended, x.Events = InstructionLifecycle.Final(i.Status), string(s.Payment)
	switch i.Status {
	case AwaitingDeposit:
		x.Say("The address is for the order %s, and nothing has arrived.", s.TrxID)
		return x, s.explainOpen(ctx, tx, x, i)
	case Detected:
		x.Say("%s have arrived at the address for the order %s.", i.Received, s.TrxID)
		return x, s.explainOpen(ctx, tx, x, i)
	case Confirmed:
		x.Say("The order %s was paid through the address.", s.TrxID)
	case Over:
		x.Say("The address is no longer offered: its order %s has ended, or another address took its place.", s.TrxID)
		x.Do(explain.Caller, "order", "Explain %s: it says how the order stands.", s.ID)
	}
	return x, nil
}

// explainOpen adds what an address waits for, unless the time of its order is over.
func (s Session) explainOpen(ctx context.Context, tx Tx, x *explain.Explanation, i Instruction) error {
	p, err := payments.PaymentKind.Get(ctx, tx, s.Scope, s.Payment)
	if err != nil {
		return err
	}
	if !s.running(p, x.At) {
		explainLastLook(x, dueAt(s, p))
		return nil
	}
	return s.explainAsked(x, i, false)
}

// explainLastLook adds that the time of an order is over, and that it ends when that is certain.
func explainLastLook(x *explain.Explanation, over time.Time) {
	x.Await(explain.Engine, "last_look", time.Time{}, "Its time was over at %s; bank and chain are asked for the last time.", over)
}
