package inspect

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/ferrypay/ferry"
	"github.com/ferrypay/ferry/bills"
	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/customers"
	"github.com/ferrypay/ferry/engine"
	"github.com/ferrypay/ferry/explain"
	"github.com/ferrypay/ferry/outflow"
	"github.com/ferrypay/ferry/payments"
	"github.com/ferrypay/ferry/payments/accounts"
	"github.com/ferrypay/ferry/payments/links"
	"github.com/ferrypay/ferry/payouts"
	"github.com/ferrypay/ferry/payouts/transfers"
	"github.com/ferrypay/ferry/ramp/offramp"
	"github.com/ferrypay/ferry/ramp/onramp"
	"github.com/ferrypay/ferry/records"
	"github.com/ferrypay/ferry/refunds"
	"github.com/ferrypay/ferry/statement"
	"github.com/ferrypay/ferry/store"
	"github.com/ferrypay/ferry/wallets"
	"github.com/ferrypay/ferry/webhook"
)

// owned says whose the rows of a kind are, by their ids.
type owned struct {
	prefix string
	owner  func(ctx context.Context, tx store.Tx, id string) (ferry.Scope, error)
}

// of is owned rows of a kind; like is a row with nothing but an id.
func of[K ~string, R any](prefix string, kind *records.Kind[K, R], like func(K) R) owned {
	return owned{prefix, func(ctx context.Context, tx store.Tx, id string) (ferry.Scope, error) {
		row, err := kind.Anyones(ctx, tx, like(K(id)))
		if errors.Is(err, kind.Missing) {
			return ferry.Scope{}, nil
		}
		return kind.Scope(&row), err
	}}
}

// ownedKinds are the kinds whose ids lead to a business.
var ownedKinds = []owned{
	of(payments.Prefix, payments.PaymentKind, func(id payments.ID) payments.Payment { return payments.Payment{ID: id} }),
	of(checkout.Prefix, checkout.SessionKind, func(id checkout.ID) checkout.Session { return checkout.Session{ID: id} }),
	of(links.Prefix, links.LinkKind, func(id links.ID) links.Link { return links.Link{ID: id} }),
	of("cus_", customers.CustomerKind, func(id customers.ID) customers.Customer { return customers.Customer{ID: id} }),
	of("wal_", wallets.WalletKind, func(id wallets.ID) wallets.Wallet { return wallets.Wallet{ID: id} }),
	of("addr_", wallets.AddressKind, func(id wallets.AddressID) wallets.Address { return wallets.Address{ID: id} }),
	of(statement.Prefix, statement.Kind, func(id statement.ID) statement.Transaction { return statement.Transaction{ID: id} }),
	of(payouts.Prefix, payouts.Kind, func(id payouts.ID) payouts.Payout { return payouts.Payout{ID: id} }),
	of(payouts.ItemPrefix, payouts.ItemKind, func(id payouts.ItemID) payouts.Item { return payouts.Item{ID: id} }),
	of(transfers.Prefix, transfers.Kind, func(id transfers.ID) transfers.Transfer { return transfers.Transfer{ID: id} }),
	of(refunds.Prefix, refunds.Kind, func(id refunds.ID) refunds.Refund { return refunds.Refund{ID: id} }),
	of(onramp.Prefix, onramp.Kind, func(id onramp.ID) onramp.Order { return onramp.Order{ID: id} }),
	of(offramp.Prefix, offramp.Kind, func(id offramp.ID) offramp.Order { return offramp.Order{ID: id} }),
	of(bills.Prefix, bills.Kind, func(id bills.ID) bills.Bill { return bills.Bill{ID: id} }),
	of("vacc_", accounts.AccountKind, func(id accounts.ID) accounts.Account { return accounts.Account{ID: id} }),
	of("racc_", accounts.AccountKind, func(id accounts.ID) accounts.Account { return accounts.Account{ID: id} }),
	of(outflow.ApprovalPrefix, outflow.ApprovalKind, func(id outflow.ApprovalID) outflow.Approval { return outflow.Approval{ID: id} }),
	of(eventPrefix, webhook.EventKind, func(id string) webhook.Event { return webhook.Event{ID: id} }),
}

// eventPrefix begins the id of an event.
const eventPrefix = "evt_"

// ownerOf is the business that an id belongs to, or none.
func (o *Operator) ownerOf(ctx context.Context, id string) (scope ferry.Scope, err error) {
	for _, kind := range ownedKinds {
		if canonical, is := ferry.CanonicalID(kind.prefix, id); is && strings.HasPrefix(id, kind.prefix) {
			return ferry.InRead(ctx, o.engine.Units(ferry.Live), func(ctx context.Context, tx store.Tx) (ferry.Scope, error) {
				return kind.owner(ctx, tx, canonical)
			})
		}
	}
	return ferry.Scope{}, nil
}

// hit is something that a search has found.
type hit struct {
	Business businessRow `json:"business"`
	Kind     string      `json:"kind"`
	ID       string      `json:"id"`
	Status   string      `json:"status"`
}

// Path is that of its page.
func (h hit) Path() string { return h.Business.Path() + "/things/" + url.PathEscape(h.ID) }

// searchData is what a search has found.
type searchData struct {
	Text string `json:"text"`
	Hits []hit  `json:"hits"`
	// More leads to businesses in which nobody has looked yet, or is nil.
	More *moreOf `json:"more,omitempty"`
}

// searched is in how many businesses one search looks.
const searched = 200

// search leads to what an id names, of whatever business. For any other name, a reference, a trx_id, an address, a
// signature or an account number, it asks one business after the other.
func (o *Operator) search(ctx context.Context, _ ferry.Scope, r *http.Request) (any, error) {
	text := strings.TrimSpace(r.URL.Query().Get("q"))
	if text == "" {
		return leads("/"), nil
	}
	scope, err := o.ownerOf(ctx, text)
	if err != nil {
		return nil, err
	}
	switch {
	case scope != (ferry.Scope{}) && strings.HasPrefix(text, eventPrefix):
		return leads(rootOf(scope) + "/events/" + text), nil
	case scope != (ferry.Scope{}):
		return leads(rootOf(scope) + "/things/" + text), nil
	}
	d := searchData{Text: text, Hits: []hit{}}
	return d.in(ctx, o.engine, ferry.Env(r.URL.Query().Get("env")), ferry.BusinessID(r.URL.Query().Get("after")))
}

// in looks in the businesses after one of an environment, and then in those of the next environment.
func (d searchData) in(ctx context.Context, e *engine.Engine, from ferry.Env, after ferry.BusinessID) (searchData, error) {
	left := searched
	for _, env := range ferry.Envs() {
		if from != "" && env != from {
			continue // it was searched
		}
		for from = ""; ; {
			page, err := e.Businesses.Businesses(ctx, env, after, min(left, ferry.MaxLimit))
			if err != nil {
				return d, err
			}
			for _, b := range page {
				if d, err = d.within(ctx, e, b.Scope, rowOf(b)); err != nil {
					return d, err
				}
				after, left = b.Scope.Business, left-1
			}
			if left == 0 {
				d.More = &moreOf{env, after}
				return d, nil
			}
			if len(page) < ferry.MaxLimit {
				break
			}
		}
		after = ""
	}
	return d, nil
}

// within adds what a business has of the name.
func (d searchData) within(ctx context.Context, e *engine.Engine, scope ferry.Scope, b businessRow) (searchData, error) {
	if d.Text == string(scope.Business) {
		d.Hits = append(d.Hits, hit{Business: b, Kind: "business"})
		return d, nil
	}
	x, err := e.Explain(ctx, scope, d.Text)
	if errors.Is(err, engine.ErrUnknownName) {
		return d, nil
	}
	if err != nil {
		return d, err
	}
	for _, named := range append([]explain.Named{{Resource: x.Resource, ID: x.ID}}, x.Also...) {
		found := hit{Business: b, Kind: named.Resource, ID: named.ID}
		if named.ID == x.ID {
			found.Status = x.Status
		}
		d.Hits = append(d.Hits, found)
	}
	return d, nil
}
