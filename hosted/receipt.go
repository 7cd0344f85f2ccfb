package hosted

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/provider/chain"
	"github.com/ferrypay/ferry/store"
)

// receiptPage is what a payer keeps.
type receiptPage struct {
	frame
	// To is whom it was paid to.
	To                              string
	What, Amount, Fee, Paid, Method string
	PaidAt                          deadline
	Customer, Email                 string
	TrxID, Reference                string
	Reversed                        bool
	Proofs                          []proof
	Again                           string
}

// proof is where a payment can be found outside.
type proof struct{ Text, URL string }

// receipt shows what was paid. Before it is paid, there is only the page.
func (p *pages) receipt(v *visit, w http.ResponseWriter) error {
	s, err := v.read()
	if err != nil {
		return err
	}
	if s.phase != paid && s.phase != reversed {
		v.lead(w, s.ID, nil)
		return nil
	}
	page, err := v.receiptPage(s)
	if err != nil {
		return err
	}
	return v.show(w, http.StatusOK, "receipt", page)
}

func (v *visit) receiptPage(s subject) (receiptPage, error) {
	ctx := v.http.Context()
	shown := checkoutPage{}
	if err := v.describe(ctx, &shown, s); err != nil {
		return receiptPage{}, err
	}
	page := receiptPage{
		frame: v.frame(v.words.Say("receipt.title"), s.business, s.Customizations.Logo),
		What:  shown.What, Amount: v.words.Money(s.Payment.Amount), Fee: shown.FeeNote,
		Method:   v.words.Say("paidby." + string(s.Payment.Method)),
		PaidAt:   deadline{Text: v.words.When(s.Payment.PaidAt), Machine: machine(s.Payment.PaidAt)},
		Customer: s.Customer.Name, Email: s.Customer.Email, TrxID: s.TrxID, Reference: string(s.Payment.ID),
		Reversed: s.phase == reversed, Again: v.address("/checkout/"+string(s.ID), url.Values{}),
	}
	page.Shop, page.To = "", s.business.Name // named once
	if s.Payment.Received.Asset() != s.Payment.Amount.Asset() && s.Payment.Received.Sign() > 0 {
		page.Paid = v.words.Money(s.Payment.Received)
	}
	var err error
	page.Proofs, err = v.proofs(ctx, s)
	return page, err
}

// proofs are the bank's sessions and the chain's transactions that paid.
func (v *visit) proofs(ctx context.Context, s subject) ([]proof, error) {
	receipts, err := ferry.InRead(ctx, v.engine.Units(s.Scope.Env), func(ctx context.Context, tx store.Tx) ([]payments.Receipt, error) {
		return payments.ReceiptsOf(ctx, tx, s.Payment)
	})
	if err != nil {
		return nil, err
	}
	receipts = slices.DeleteFunc(receipts, func(r payments.Receipt) bool { return r.State == payments.Returned })
	proofs := make([]proof, len(receipts))
	for i, r := range receipts {
		proofs[i].Text = r.Source
		if r.Method == payments.USDC && !strings.HasPrefix(r.Source, "trx_") { // of the engine's own, within its books
			proofs[i].URL = v.engine.Wallets.ExplorerURL(s.Scope.Env, chain.Signature(r.Source))
		}
	}
	return proofs, nil
}
