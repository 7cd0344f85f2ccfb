package hosted

import (
	"net/http"
	"net/url"

	"github.com/ferrypay/ferry/checkout"
	"github.com/ferrypay/ferry/payments/links"
)

// An order of a link that ended unpaid leads to another one of that link, with what was
// filled in: a failed attempt ends its session, and another method needs another order.

// unpaidEnd reports whether a session ended without being paid.
func (s subject) unpaidEnd() bool {
	return s.phase.over() && s.phase != paid && s.phase != reversed
}

// showLink adds to the page of an order that has ended where its link is, and whether it can
// be ordered again here. In a frame it cannot: the shop was told how its order ended.
func (v *visit) showLink(page *checkoutPage, s subject, l links.Link) {
	if !s.phase.over() {
		return
	}
	page.Link = v.address("/pay/"+l.Slug, url.Values{})
	if s.unpaidEnd() && l.Status == links.Active && v.origin == "" {
		page.AgainText = v.words.Say("again")
		if s.phase == failed {
			page.AgainText = v.words.Say("again.method")
		}
	}
}

// orderAgain makes an order like one of a link that ended unpaid, and leads to its page.
func (p *pages) orderAgain(v *visit, w http.ResponseWriter, s subject) error {
	if s.Link == "" {
		return checkout.ErrNotFound
	}
	if !s.unpaidEnd() {
		v.lead(w, s.ID, nil)
		return nil
	}
	l, err := p.engine.Links.Get(v.http.Context(), s.Scope, string(s.Link))
	if err != nil {
		return err
	}
	answers := checkout.PayParams{
		Email: s.Customer.Email, Name: s.Customer.Name, Phone: s.Customer.Phone, Fields: s.Payment.Collected, Pages: v.baseURL(),
	}
	if l.Type == links.Open {
		answers.Amount = s.Amount()
	}
	_, err = v.leadToOrder(w, l.Link, s.business, "again"+string(s.ID), p.engine.Checkout.PayLinkOp(l.Link, answers))
	return err
}
