package httpapi

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/business"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/internal/text"
	"github.com/ferrypay/ferry/money"
	"github.com/ferrypay/ferry/payments"
)

const tagCheckout = "Checkout"

func (a *api) checkoutRoutes() []route {
	return []route{
		get("/v1/checkout/quote", query(a.quote), about{
			id: "getCheckoutQuote", tag: tagCheckout, summary: "Price an amount in naira and USDC", message: "Quote retrieved successfully",
		}).optionally(business.PublicKey),
		get("/v1/checkout/assets", query(a.assets), about{
			id: "getCheckoutAssets", tag: tagCheckout, summary: "List what may be paid in", message: "Assets retrieved successfully",
		}).optionally(business.PublicKey),
		post("/v1/checkout", does(a.createCheckout, a.createdCheckout), about{
			id: "createCheckout", scope: business.Collect, tag: tagCheckout, forms: true,
			summary: "Make a session (A): by the public key in the body", message: "Checkout Created",
		}).keyed(inBody),
		post("/v1/checkout/create", does(a.createSession, a.createdSession), about{
			id: "createCheckoutSession", scope: business.Collect, tag: tagCheckout, prose: []string{"description"},
			summary: "Make a session (B)", message: "Checkout Created",
		}),
		get("/v1/checkout/account", query(a.checkoutAccount), about{
			id: "getCheckoutAccount", tag: tagCheckout, summary: "Read where to pay", message: "Account retrieved successfully",
		}),
		post("/v1/checkout/crypto", does(a.refreshCrypto, a.refreshedCrypto), about{
			id: "refreshCheckoutCrypto", scope: business.Collect, tag: tagCheckout, summary: "Get a valid instruction to pay in USDC", message: "Crypto payment refreshed",
		}),
		post("/v1/checkout/fiat", does(a.renewNaira, a.renewedNaira), about{
			id: "renewCheckoutFiat", scope: business.Collect, tag: tagCheckout, summary: "Get a price in naira that stands", message: "Price retrieved successfully",
		}),
		get("/v1/checkout/status", query(a.checkoutStatus), about{
			id: "getCheckoutStatus", tag: tagCheckout, summary: "Read where a session stands", message: "Status retrieved successfully",
		}),
		get("/v1/checkout", query(a.checkouts), about{
			id: "getCheckouts", tag: tagCheckout, summary: "List sessions, or read one", message: "Checkouts retrieved successfully",
		}),
	}
}

type checkoutAccountQuery struct {
	TrxID  string `query:"trx_id" required:"true" doc:"Or pay_…"`
	Method string `query:"method" enum:"fiat,crypto"`
}

func (a *api) checkoutAccount(ctx context.Context, c *call, in checkoutAccountQuery) (payableView, error) {
	state, err := a.engine.Checkout.Get(ctx, c.scope, checkoutRef(in.TrxID, ""))
	if err != nil {
		return payableView{}, err
	}
	view := viewPayable(state)
	if in.Method == "crypto" {
		view.Fiat = nil
	}
	if in.Method == "fiat" {
		view.Crypto = nil
	}
	return view, a.withRequest(view.blocksView, state)
}

type cryptoInput struct {
	TrxID string `json:"trx_id" required:"true" eg:"order-981"`
	Asset string `json:"asset" doc:"solana:usdc by default" eg:"solana:usdc"`
}

func (a *api) refreshCrypto(c *call, in cryptoInput) ferry.Operation[checkout.Tx, checkout.State] {
	return a.engine.Checkout.CryptoOp(c.scope, checkoutRef(in.TrxID, ""), checkout.Pair(in.Asset))
}

func (a *api) refreshedCrypto(_ context.Context, _ checkout.Tx, _ *call, _ cryptoInput, state checkout.State) (payableView, error) {
	view := viewPayable(state)
	view.Fiat = nil
	return view, a.withRequest(view.blocksView, state)
}

type nairaInput struct {
	TrxID string `json:"trx_id" required:"true" eg:"order-981"`
}

func (a *api) renewNaira(c *call, in nairaInput) ferry.Operation[checkout.Tx, checkout.State] {
	return a.engine.Checkout.RenewNairaOp(c.scope, checkoutRef(in.TrxID, ""))
}

func (a *api) renewedNaira(_ context.Context, _ checkout.Tx, _ *call, _ nairaInput, state checkout.State) (payableView, error) {
	if !state.Offers(business.BankTransfer) {
		return payableView{}, checkout.ErrNoNaira
	}
	view := viewPayable(state)
	view.Crypto = nil
	return view, nil
}

// checkoutRef names a session. A trx_id may be the id of the payment.
func checkoutRef(trxID, reference string) checkout.Ref {
	if reference == "" && strings.HasPrefix(trxID, payments.Prefix) {
		return checkout.Ref{Reference: trxID}
	}
	return checkout.Ref{TrxID: trxID, Reference: reference}
}

type checkoutStatusQuery struct {
	TrxID     string `query:"trx_id" doc:"Or pay_…"`
	Reference string `query:"reference" doc:"pay_…, sess_… or the trx_id"`
}

func (in *checkoutStatusQuery) check(p *ferry.Problems) {
	if in.TrxID == "" && in.Reference == "" {
		p.Add("trx_id", "Give a trx_id or a reference")
	}
}

func (a *api) checkoutStatus(ctx context.Context, c *call, in checkoutStatusQuery) (checkoutStateView, error) {
	state, err := a.engine.Checkout.Get(ctx, c.scope, checkoutRef(in.TrxID, in.Reference))
	if err != nil {
		return checkoutStateView{}, err
	}
	return checkoutStateView{
		Status: state.Seen(state.Variant), TrxID: state.TrxID, Reference: state.Session.Payment, PaymentStatus: state.Payment.Status,
		offersView: viewOffers(state), RedirectURL: optionalText(state.RedirectURL()), ReceiptURL: c.receiptURL(state.Payment),
	}, nil
}

type checkoutsQuery struct {
	TrxID     string `query:"trx_id" doc:"Reads one session: the trx_id or pay_…"`
	Reference string `query:"reference" doc:"Reads one session: pay_…, sess_… or the trx_id"`
	Status    string `query:"status" enum:"pending,completed,failed,cancelled,expired"`
	Currency  string `query:"currency" doc:"NGN or USDC"`
	Email     string `query:"email"`
	Search    string `query:"search" doc:"Part of the trx_id, or the customer's email or name"`
	rangeQuery
	pageQuery
}

func (a *api) checkouts(ctx context.Context, c *call, in checkoutsQuery) (either[checkoutRowView, checkoutRowView], error) {
	if in.TrxID != "" || in.Reference != "" {
		state, err := a.engine.Checkout.Get(ctx, c.scope, checkoutRef(in.TrxID, in.Reference))
		return one[checkoutRowView, checkoutRowView](c.viewCheckoutRow(state)), err
	}
	asset, err := assetOf(in.Currency)
	if err != nil {
		return either[checkoutRowView, checkoutRowView]{}, err
	}
	found, err := a.engine.Checkout.List(ctx, c.scope, checkout.Filter{
		Status: checkout.Status(in.Status), Asset: asset, Email: foldedEmail(in.Email),
		Search: in.Search, Range: in.between(),
	}, in.page())
	return either[checkoutRowView, checkoutRowView]{list: paged(in.page(), found, c.viewCheckoutRow)}, err
}

// foldedEmail is an email to filter by, in the form in which they are kept.
func foldedEmail(email string) string {
	folded, _ := text.Email(email)
	return folded
}

// amountOfOrder is the amount of a session in the unit of its dialect.
func amountOfOrder(s checkout.Session) (json.Number, string) {
	if s.Variant == business.DialectB && s.Amount().Asset() == money.AssetNGN {
		return s.Amount().Wire(), "minor"
	}
	return json.Number(s.Amount().Major()), "major"
}
