package httpapi

import (
	"cmp"
	"context"
	"encoding/json"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/ramp/onramp"
	"github.com/ferrypay/ferry/store"
)

// visitorOrderInput is an order of a visitor. Its reference is made: a stranger takes no name of the
// business.
type visitorOrderInput struct {
	inNairaForUSDC
	Type          string             `json:"type" required:"true" enum:"onramp,offramp" eg:"onramp"`
	Amount        strictjson.Literal `json:"amount" required:"true" doc:"Naira, at most 2 decimals" eg:"15000"`
	Address       string             `json:"address" doc:"Of an onramp: gets the USDC, unless the widget has a destination" eg:"FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T"`
	BankCode      string             `json:"bank_code" doc:"Of an offramp: the account that is paid" eg:"-"`
	AccountNumber string             `json:"account_number" doc:"Of an offramp" eg:"-"`
	AccountName   string             `json:"account_name" doc:"Of an offramp: counts while the bank does not tell the name of the holder" max:"100" eg:"-"`
	Quote         string             `json:"quote_id" doc:"A quote of the same type and amount; by default a new one" eg:"-"`
}

func (in *visitorOrderInput) check(p *ferry.Problems) {
	in.refuse("", p)
	if in.Type == string(ramp.Offramp) {
		judge(p, func(p *ferry.Problems) offramp.Params { return in.sells(p, "visit") })
		return
	}
	judge(p, func(p *ferry.Problems) onramp.Params { return in.buys(p, "visit") })
}

func (in *visitorOrderInput) terms(p *ferry.Problems, reference string) ramp.Terms {
	return ramp.Terms{Reference: reference, Currency: "NGN", Amount: amountOf(p, "amount", money.AssetNGN, in.Amount), Asset: widgetAsset}
}

func (in *visitorOrderInput) buys(p *ferry.Problems, reference string) onramp.Params {
	return onramp.Params{Terms: in.terms(p, reference), Address: in.Address, Quote: in.Quote}
}

func (in *visitorOrderInput) sells(p *ferry.Problems, reference string) offramp.Params {
	return offramp.Params{
		Terms: in.terms(p, reference), BankCode: in.BankCode, AccountNumber: in.AccountNumber, AccountName: in.AccountName, Quote: in.Quote,
	}
}

// initiateOrder makes the order of a visitor. The type says of which side it is.
func (a *api) initiateOrder() action {
	sides := map[string]action{
		string(ramp.Onramp): makes(a.visitorBuys, viewVisitorOnramp), string(ramp.Offramp): makes(a.visitorSells, viewVisitorOfframp),
	}
	return actionOf[visitorOrderInput, visitorOrderView](func(ctx context.Context, c *call, in visitorOrderInput, form error) (response, error) {
		if form == nil {
			form = c.visitor.offered(ramp.Side(in.Type))
		}
		if form != nil {
			return response{}, form
		}
		return sides[in.Type].run(ctx, c)
	})
}

// visitorReference begins the references of visitors' orders.
const visitorReference = "visit_"

func (a *api) visitorBuys(c *call, in visitorOrderInput) ferry.Operation[onramp.Tx, onramp.Order] {
	p := in.buys(new(ferry.Problems), a.ids.NewID(visitorReference, a.config.Clock.Now()))
	p.Visit = c.visitor.visit()
	if to := c.visitor.widget.Destination; to != "" {
		p.Address = to
	}
	op := after(in.otherPair, a.engine.Onramps.CreateOp(c.scope, p))
	if p.Address == "" { // the wallet of the business is no default for a stranger
		return unless(ferry.ErrValidation.About("address", missing), op)
	}
	return op
}

func (a *api) visitorSells(c *call, in visitorOrderInput) ferry.Operation[offramp.Tx, offramp.Details] {
	p := in.sells(new(ferry.Problems), a.ids.NewID(visitorReference, a.config.Clock.Now()))
	p.Visit = c.visitor.visit()
	return after(in.otherPair, a.engine.Offramps.CreateOp(c.scope, p))
}

type visitorStatusQuery struct {
	ID string `query:"id,uid,reference" required:"true" doc:"The id of an order of the same visit, in either form"`
}

// visitorStatus shows an order of the visit, and no other.
func (a *api) visitorStatus(ctx context.Context, c *call, in visitorStatusQuery) (visitorOrderView, error) {
	buys, bought := ferry.CanonicalID(onramp.Prefix, in.ID)
	sells, sold := ferry.CanonicalID(offramp.Prefix, in.ID)
	t, err := ferry.InRead(ctx, a.engine.Units(c.scope.Env), func(ctx context.Context, tx store.Tx) (t ramp.Transaction, err error) {
		err = ramp.ErrNotFound
		if bought {
			t, err = ramp.TransactionKind.Get(ctx, tx, c.scope, ramp.TransactionID(buys))
		}
		if err != nil && sold {
			t, err = ramp.TransactionKind.Get(ctx, tx, c.scope, ramp.TransactionID(sells))
		}
		return t, err
	})
	if err != nil || t.Session != string(c.visitor.session.Visit) {
		return visitorOrderView{}, cmp.Or(err, error(ramp.ErrNotFound))
	}
	if t.Side == ramp.Onramp {
		found, err := a.engine.Onramps.Get(ctx, c.scope, onramp.Ref{ID: string(t.ID)})
		return viewVisitorOnramp(found), err
	}
	found, err := a.engine.Offramps.Get(ctx, c.scope, offramp.Ref{ID: string(t.ID)})
	return viewVisitorOfframp(found), err
}

type visitorOrderView struct {
	ID              string              `json:"id" eg:"onr_019cadd46e0878ec834189614d3d15ce"`
	UID             string              `json:"uid" eg:"uid_019cadd46e0878ec834189614d3d15ce"`
	Type            ramp.Side           `json:"type" enum:"onramp,offramp" eg:"onramp"`
	Status          ramp.Status         `json:"status" enum:"pending,processing,successful,failed" eg:"pending"`
	Stage           ramp.Stage          `json:"stage" enum:"awaiting_funds,awaiting_deposit,funds_received,payment_submitted,done,expired,refunded" eg:"awaiting_funds"`
	Currency        string              `json:"fiat_currency" enum:"NGN" eg:"NGN"`
	Amount          number              `json:"amount" doc:"Naira" eg:"15000"`
	AmountUnit      string              `json:"amount_unit" enum:"major" eg:"major"`
	Stablecoin      number              `json:"amount_stablecoin" eg:"10"`
	Due             number              `json:"amount_due" doc:"USDC that an offramp still asks for; always 0 for an onramp" eg:"0"`
	Rate            json.Number         `json:"rate" doc:"Naira for one USDC" eg:"1500"`
	PaymentAccount  *paymentAccountView `json:"payment_account" doc:"Where the naira of an onramp are paid; null for an offramp"`
	WalletAddress   optionalText        `json:"wallet_address" doc:"Gets the USDC of an onramp" eg:"FriELggez2Dy3phZeHHAdpcoEXkKQVkv6tx3zDtCVP8T"`
	DepositAddress  optionalText        `json:"deposit_address" doc:"Where the USDC of an offramp are sent" eg:"null"`
	Beneficiary     *payeeView          `json:"beneficiary" doc:"The account that an offramp pays; null for an onramp"`
	TransactionHash optionalText        `json:"transaction_hash" eg:"null"`
	LastError       optionalText        `json:"last_error" eg:"null"`
	ExpiresAt       timestamp           `json:"expires_at" eg:"2026-03-02T09:30:00.120Z"`
	CreatedAt       timestamp           `json:"created_at" eg:"2026-03-02T09:15:00.120Z"`
	UpdatedAt       timestamp           `json:"updated_at" eg:"2026-03-02T09:15:00.120Z"`
}

func viewVisitorOnramp(o onramp.Order) visitorOrderView {
	all := viewOnramp(o)
	return visitorOrderView{
		ID: string(all.ID), UID: all.UID, Type: ramp.Onramp, Status: all.Status, Stage: all.Stage, Currency: all.Currency, Amount: all.Amount,
		AmountUnit: all.AmountUnit, Stablecoin: all.AmountStablecoin, Due: number(money.USDC(0)), Rate: all.Rate, PaymentAccount: &all.PaymentAccount,
		WalletAddress: optionalText(all.WalletAddress), TransactionHash: all.TransactionHash, LastError: all.LastError,
		ExpiresAt: all.ExpiresAt, CreatedAt: all.CreatedAt, UpdatedAt: all.UpdatedAt,
	}
}

func viewVisitorOfframp(d offramp.Details) visitorOrderView {
	all := viewOfframpRow(d.Order)
	return visitorOrderView{
		ID: string(all.ID), UID: all.UID, Type: ramp.Offramp, Status: all.Status, Stage: all.Stage, Currency: all.Currency, Amount: all.Amount,
		AmountUnit: all.AmountUnit, Stablecoin: all.AmountStablecoin, Due: all.AmountDue, Rate: all.Rate, DepositAddress: all.DepositAddress,
		Beneficiary: &all.Beneficiary, LastError: all.LastError, ExpiresAt: all.ExpiresAt, CreatedAt: all.CreatedAt, UpdatedAt: all.UpdatedAt,
	}
}
