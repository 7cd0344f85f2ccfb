package httpapi

import (
	"context"
	"errors"
	"net/http"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/internal/strictjson"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/ramp"
	"github.com/ferrypay/ferry/ramp/widgets"
	"github.com/ferrypay/ferry/store"
)

const tagVisitors = "Ramp sessions"

func (a *api) visitorRoutes() []route {
	return []route{
		get("/v1/ramp/widgets/bootstrap", query(a.bootstrapWidget), about{
			id: "bootstrapWidget", tag: tagVisitors,
			summary: "Read what a page needs to show a widget", message: "Widget retrieved successfully",
		}).optionally(business.WidgetKey),
		post("/v1/ramp/widgets/session", secretUnit(a.openSession, a.openedSession), about{
			id: "openRampSession", tag: tagVisitors, secret: true,
			summary: "Open a session for a visitor of a page", message: "Session created successfully",
		}).keyedBy(business.WidgetKey),
		get("/v1/ramp/session/options", query(a.sessionOptions), about{
			id: "getRampSessionOptions", tag: tagVisitors,
			summary: "Read what a visitor may do", message: "Options retrieved successfully",
		}).keyed(bySession),
		post("/v1/ramp/session/quote", makes(a.sessionQuote, viewRampQuote), about{
			id: "quoteRampSession", tag: tagVisitors,
			summary: "Price an exchange for a visitor", message: "Quote created successfully",
		}).keyed(bySession),
		post("/v1/ramp/session/verify", outside(a.verifyVisitor), about{
			id: "verifyRampSession", tag: tagVisitors,
			summary: "Check the bank account or the address of a visitor", message: "Verified successfully",
		}).keyed(bySession),
		post("/v1/ramp/session/initiate", a.initiateOrder(), about{
			id: "initiateRampSession", tag: tagVisitors,
			summary: "Make an onramp or an offramp for a visitor", message: "Order created successfully",
		}).keyed(bySession),
		get("/v1/ramp/session/status", query(a.visitorStatus), about{
			id: "getRampSessionStatus", tag: tagVisitors,
			summary: "Read an order of the session", message: "Order retrieved successfully",
		}).keyed(bySession),
	}
}

// visitor is who calls with the token of a session.
type visitor struct {
	session widgets.Session
	widget  widgets.Widget
}

// visit is where the orders of a visitor come from.
func (v visitor) visit() ramp.Visit {
	return ramp.Visit{Widget: string(v.widget.ID), Session: string(v.session.Visit)}
}

// authenticateVisitor finds out who calls by the token of a session, which counts for pages of its
// origin alone.
func (c *call) authenticateVisitor(ctx context.Context) error {
	token, ok := bearer(c.http.Header)
	if !ok {
		return c.refused(errUnauthorized)
	}
	session, widget, err := c.api.engine.Widgets.Session(ctx, token, origin(c.http))
	if errors.Is(err, widgets.ErrSession) {
		return c.refused(errUnauthorized)
	}
	c.visitor, c.scope = visitor{session, widget}, session.Scope
	return err
}

// origin is that of the page that calls, or empty.
func origin(r *http.Request) string { return r.Header.Get("Origin") }

type bootstrapQuery struct {
	PublicKey string `query:"public_key" required:"true" doc:"The key of a widget, rwpk_…"`
}

func (a *api) bootstrapWidget(ctx context.Context, c *call, in bootstrapQuery) (bootstrapView, error) {
	key, err := a.keyOf(ctx, in.PublicKey, business.WidgetKey)
	if errors.Is(err, errPublicKey) {
		return bootstrapView{}, c.refused(err)
	}
	if err != nil {
		return bootstrapView{}, err
	}
	w, err := ferry.InRead(ctx, a.engine.Units(key.Scope.Env), func(ctx context.Context, tx store.Tx) (widgets.Widget, error) {
		return widgets.OfKeyIn(ctx, tx, key)
	})
	return a.viewBootstrap(w), err
}

type openSessionInput struct {
	PublicKey string `json:"public_key" required:"true" doc:"The key of a widget" eg:"rwpk_test_demo…"`
	Former    string `json:"session_token" doc:"The token of a session of this page that has ended, or soon will: the new one sees its orders" eg:"-"`
}

func (a *api) openSession(ctx context.Context, tx store.Tx, c *call, in openSessionInput) (rampSessionView, error) {
	opened, err := a.engine.Widgets.OpenIn(ctx, tx, c.key, origin(c.http), in.Former)
	c.resource = string(opened.ID)
	return viewSession(opened.Session, opened.Token), err
}

func (a *api) openedSession(ctx context.Context, tx store.Tx, c *call) (rampSessionView, error) {
	s, err := widgets.SessionKind.Get(ctx, tx, c.scope, widgets.SessionID(c.resource))
	return viewSession(s, ""), err
}

func (a *api) sessionOptions(_ context.Context, c *call, _ struct{}) (rampOptionsView, error) {
	return a.viewOptions(c.visitor), nil
}

type sessionQuoteInput struct {
	inNairaForUSDC
	Type   string             `json:"type" required:"true" enum:"onramp,offramp" eg:"onramp"`
	Amount strictjson.Literal `json:"amount" required:"true" doc:"Naira, at most 2 decimals" eg:"15000"`
}

func (in *sessionQuoteInput) check(p *ferry.Problems) {
	in.refuse("", p)
	amountOf(p, "amount", money.AssetNGN, in.Amount)
}

// offered refuses what the widget of a session does not offer.
func (v visitor) offered(side ramp.Side) error {
	if !v.widget.Offers(side) {
		return ferry.ErrValidation.About("type", "Is not offered here")
	}
	return nil
}

func (a *api) sessionQuote(c *call, in sessionQuoteInput) ferry.Operation[ramp.Tx, ramp.Quote] {
	side := ramp.Side(in.Type)
	op := a.engine.Quotes.QuoteOp(c.scope, side, amountOf(new(ferry.Problems), "amount", money.AssetNGN, in.Amount))
	return unless(c.visitor.offered(side), after(in.otherPair, op))
}

type verifyVisitorInput struct {
	BankCode      string `json:"bank_code" doc:"With account_number: who sells USDC is paid there" eg:"058"`
	AccountNumber string `json:"account_number" eg:"0123456780"`
	Address       string `json:"address" doc:"Instead of both: who buys USDC gets it there" eg:"-"`
}

func (in *verifyVisitorInput) check(p *ferry.Problems) {
	switch {
	case in.Address == "":
		payouts.CheckAccount("", in.BankCode, in.AccountNumber, p)
	case in.BankCode != "" || in.AccountNumber != "":
		p.Add("address", "Give an address or a bank account")
	default:
		if _, err := chain.ParseAddress(in.Address); err != nil {
			p.Add("address", "Must be a Solana address")
		}
	}
}

func (a *api) verifyVisitor(ctx context.Context, c *call, in verifyVisitorInput) (verifiedView, error) {
	if in.Address != "" {
		return verifiedView{Address: optionalText(in.Address), Status: verified}, nil
	}
	holder, err := a.engine.Payouts.Enquire(ctx, c.scope.Env, in.BankCode, in.AccountNumber)
	return verifiedView{
		BankCode: optionalText(in.BankCode), AccountNumber: optionalText(in.AccountNumber),
		AccountName: optionalText(holder.AccountName), Status: verified,
	}, err
}
